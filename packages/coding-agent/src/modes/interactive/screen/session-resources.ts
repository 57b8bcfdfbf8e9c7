import { basename, dirname } from "node:path";
import type { AgentSession } from "../../../core/agent-session.js";
import { ResourceSections } from "./resource-sections.js";

/** What the session was given beside the conversation, by kind. */
export function resourceSections(session: AgentSession, quiet: boolean | "header"): ResourceSections[] {
  if (quiet === true) return [];
  const { resourceLoader, extensionRunner } = session;
  const { agentsFiles } = resourceLoader.getAgentsFiles();
  const context = agentsFiles.map(({ path }) => ({ name: basename(path), path }));
  const skills = resourceLoader
    .getSkills()
    .skills.map(({ name, filePath, sourceInfo }) => ({ name, path: filePath, scope: sourceInfo.scope }));
  const prompts = resourceLoader
    .getPrompts()
    .prompts.map(({ name, filePath, sourceInfo }) => ({ name: `/${name}`, path: filePath, scope: sourceInfo.scope }));
  const extensions = extensionRunner.extensions
    .filter(({ hidden }) => !hidden)
    .map(({ path, sourceInfo }) => ({ name: extensionName(path), path, scope: sourceInfo.scope }));
  const themes = resourceLoader
    .getThemes()
    .themes.map(({ name = "", sourcePath }) => ({ name, ...(sourcePath !== undefined && { path: sourcePath }) }));
  return [
    new ResourceSections([
      { title: "Context", items: context },
      { title: "Skills", items: skills },
      { title: "Prompts", items: prompts },
      { title: "Extensions", items: extensions },
      { title: "Themes", items: themes },
    ]),
  ];
}

/** One with a folder of its own is called as its folder. */
function extensionName(path: string): string {
  const name = basename(path).replace(/\.[cm]?[jt]s$/, "");
  return name === "index" ? basename(dirname(path)) : name;
}
