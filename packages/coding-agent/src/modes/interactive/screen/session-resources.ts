import { basename } from "node:path";
import type { AgentSessionServices } from "../../../core/agent-session-services.js";
import { ResourceSections } from "./resource-sections.js";

/** What the session was given beside the conversation: context files and skills. */
export function resourceSections({ resources }: AgentSessionServices, quiet: boolean | "header"): ResourceSections[] {
  if (quiet === true) return [];
  const context = resources.contextFiles.map(({ path }) => ({ name: basename(path), path }));
  const skills = resources.skills.map(({ name, filePath, sourceInfo }) => ({
    name,
    path: filePath,
    scope: sourceInfo.scope,
  }));
  return [
    new ResourceSections([
      { title: "Context", items: context },
      { title: "Skills", items: skills },
    ]),
  ];
}
