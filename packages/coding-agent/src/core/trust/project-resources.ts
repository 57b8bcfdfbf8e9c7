import { dirname, join } from "node:path";
import { CONFIG_DIR_NAME, homeFolder } from "../../config.js";
import { canonicalFolder, namesIn } from "../storage/files.js";

/** What a project can bring that runs as code or changes what the agent is told. Source: cli-and-config.md section 5. */
const trustRequiring = [
  "settings.json",
  "mcp.json",
  "extensions",
  "skills",
  "prompts",
  "themes",
  "SYSTEM.md",
  "APPEND_SYSTEM.md",
];

/**
 * Whether the project brings something that needs the user's trust: one of the names in its `.pi` folder, or skills in
 * `.agents/skills` of it or of a folder above, but for the user's own. Names count as they stand: links that lead
 * nowhere too.
 */
export function hasTrustRequiringProjectResources(cwd: string): boolean {
  const project = canonicalFolder(cwd);
  const names = namesIn(join(project, CONFIG_DIR_NAME));
  if (trustRequiring.some((name) => names.has(name))) return true;
  const home = canonicalFolder(homeFolder());
  for (let folder = project; ; folder = dirname(folder)) {
    if (folder !== home && namesIn(join(folder, ".agents")).has("skills")) return true;
    if (dirname(folder) === folder) return false;
  }
}
