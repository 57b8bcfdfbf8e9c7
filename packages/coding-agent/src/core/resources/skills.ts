/** Loading skills. Source: extensions.md section 9, exports.md. */
import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import { resolveUserPath } from "../session-store/paths.js";
import { SettingsManager } from "../settings/settings-manager.js";
import { statIfExists } from "../storage/files.js";
import { readTextIfExists } from "../storage/read-text.js";
import { type ResourcePlace, resourcePlaces } from "./resource-places.js";
import type { ResourceDiagnostic, SourceInfo } from "./resource-types.js";
import { findSkills, type SkillPath } from "./skill-discovery.js";
import { parseSkill, type Skill } from "./skill-file.js";

export interface LoadSkillsResult {
  skills: Skill[];
  diagnostics: ResourceDiagnostic[];
}

export interface LoadSkillsFromDirOptions {
  dir: string;
  /** `user`, `project`, or any other word. */
  source: string;
}

/** Loads the skills of all places, earlier places first: of two skills with one name the first one counts. */
export function loadSkillSources(sources: readonly ResourcePlace[]): LoadSkillsResult {
  const diagnostics: ResourceDiagnostic[] = [];
  const byName = new Map<string, Skill>();
  const files = new Set<string>();
  for (const source of sources) {
    for (const { path, isLoose } of pathsOf(source, diagnostics)) {
      const skill = loadFile(path, isLoose, source, files, diagnostics);
      if (!skill) continue;
      const winner = byName.get(skill.name);
      if (winner) diagnostics.push(collision(winner, skill));
      else byName.set(skill.name, skill);
    }
  }
  return { skills: [...byName.values()], diagnostics };
}

/** `skillPaths` first, then with `includeDefaults` the user's own. Skills of a project load when they are named. */
export function loadSkills(options: {
  cwd: string;
  agentDir: string;
  skillPaths: string[];
  includeDefaults: boolean;
}): LoadSkillsResult {
  const { cwd, agentDir, skillPaths, includeDefaults } = options;
  const places = resourcePlaces({
    cwd,
    agentDir,
    settings: SettingsManager.inMemory(),
    kind: "skills",
    additional: skillPaths,
    onlyNamed: !includeDefaults,
    packaged: [],
    extended: [],
  });
  return loadSkillSources(places.filter(({ sourceInfo }) => sourceInfo.scope !== "project"));
}

/** The skills of one folder; none when it is not there. */
export function loadSkillsFromDir({ dir, source }: LoadSkillsFromDirOptions): LoadSkillsResult {
  const scope = source === "user" || source === "project" ? source : "temporary";
  const sourceInfo = { source, scope, origin: "top-level" } as const;
  return loadSkillSources([{ path: resolveUserPath(dir), isNamed: false, sourceInfo }]);
}

function pathsOf({ path, isNamed, isShared, accepts }: ResourcePlace, diagnostics: ResourceDiagnostic[]): SkillPath[] {
  const warn = (message: string, at = path) => diagnostics.push({ type: "warning", message, path: at });
  const wanted = (found: SkillPath[]) => (accepts ? found.filter((one) => accepts(one.path)) : found);
  try {
    const stats = statIfExists(path);
    if (stats?.isDirectory())
      return wanted(findSkills(path, isShared ? "agents" : "pi", (at, message) => warn(message, at)));
    if (stats?.isFile() && path.endsWith(".md")) return wanted([{ path, isLoose: false }]);
    if (isNamed) warn(stats ? "skill path is not a markdown file" : "skill path does not exist");
  } catch (error) {
    warn((error as Error).message);
  }
  return [];
}

/** Undefined for what is no skill, and for files that came before, by whatever path. */
function loadFile(
  path: string,
  isLoose: boolean,
  { path: place, sourceInfo: info }: ResourcePlace,
  files: Set<string>,
  diagnostics: ResourceDiagnostic[],
): Skill | undefined {
  const baseDir = path === place ? dirname(place) : place;
  const sourceInfo: SourceInfo = { baseDir, ...info, path };
  try {
    const real = realpathSync(path);
    if (files.has(real)) return undefined;
    files.add(real);
    const { skill, diagnostics: problems } = parseSkill(readTextIfExists(path) ?? "", path, sourceInfo, isLoose);
    diagnostics.push(...problems);
    return skill;
  } catch (error) {
    diagnostics.push({ type: "warning", message: (error as Error).message, path });
    return undefined;
  }
}

function collision(winner: Skill, loser: Skill): ResourceDiagnostic {
  const { name } = loser;
  return {
    type: "collision",
    message: `name "${name}" collision`,
    path: loser.filePath,
    collision: { resourceType: "skill", name, winnerPath: winner.filePath, loserPath: loser.filePath },
  };
}
