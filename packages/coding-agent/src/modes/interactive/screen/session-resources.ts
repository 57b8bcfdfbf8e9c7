import { basename, dirname } from "node:path";
import type { AgentSession } from "../../../core/agent-session.js";
import { shortPath } from "../tools/paths.js";
import { type ResourceSection, ResourceSections } from "./resource-sections.js";

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
      ...resourceIssues(session).map(({ title, issues }): ResourceSection => {
        const items = issues.map(({ path, message }) => ({ name: issueLine(path && shortPath(path), message) }));
        return { title, isIssue: true, items };
      }),
    ]),
  ];
}

interface Issue {
  path?: string | undefined;
  message: string;
}

/** What is wrong with what was given, by kind. */
function resourceIssues({ resourceLoader }: AgentSession): { title: string; issues: Issue[] }[] {
  const { warnings = [] } = resourceLoader.getExtensions();
  return [
    { title: "Skill warnings", issues: resourceLoader.getSkills().diagnostics },
    { title: "Prompt conflicts", issues: resourceLoader.getPrompts().diagnostics },
    { title: "Extension issues", issues: warnings.map(({ path, warning }) => ({ path, message: warning })) },
    { title: "Theme conflicts", issues: resourceLoader.getThemes().diagnostics },
  ];
}

function issueLine(path: string | undefined, message: string): string {
  return path === undefined ? message : `${path}: ${message}`;
}

/** The lines of a start that say what a section says as well. */
export function linesOfIssues(session: AgentSession, quiet: boolean | "header"): ReadonlySet<string> {
  if (quiet === true) return new Set();
  const issues = resourceIssues(session).flatMap((kind) => kind.issues);
  return new Set(issues.map(({ path, message }) => `Warning: ${issueLine(path, message)}`));
}

/** One with a folder of its own is called as its folder. */
function extensionName(path: string): string {
  const name = basename(path).replace(/\.[cm]?[jt]s$/, "");
  return name === "index" ? basename(dirname(path)) : name;
}
