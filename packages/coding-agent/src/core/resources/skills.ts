/** Loading skills. Source: extensions.md section 9, exports.md. */
import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { resolveUserPath } from "../session-store/paths.js";
import { readTextIfExists, statIfExists } from "../storage/files.js";
import type { ResourceDiagnostic, SourceInfo } from "./resource-types.js";
import { findSkills, type SkillFolderKind, type SkillPath } from "./skill-discovery.js";
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

/** A place to look for skills. */
export interface SkillSource {
  /** Absolute: a folder, or one Markdown file. */
  readonly path: string;
  /** Which loose files of a folder count; default `pi`. */
  readonly kind?: SkillFolderKind;
  /** Somebody named it, so that it is worth a word when it is not there. */
  readonly isNamed?: boolean;
  readonly source: string;
  readonly scope: SourceInfo["scope"];
}

/** Places of the user, which need nobody's trust. Those of a project are for whoever knows that it is trusted. */
export function userSkillSources(agentDir: string, home: string = homedir()): SkillSource[] {
  const user = { source: "auto", scope: "user" } as const;
  return [
    { ...user, path: join(agentDir, "skills"), kind: "pi" },
    { ...user, path: join(home, ".agents", "skills"), kind: "agents" },
  ];
}

/** Places named on the command line or by a caller. */
export function namedSkillSources(paths: readonly string[], cwd: string): SkillSource[] {
  return paths.map((path) => ({ path: resolveUserPath(path, cwd), isNamed: true, source: "cli", scope: "temporary" }));
}

/** Loads the skills of all places, earlier places first: of two skills with one name the first one counts. */
export function loadSkillSources(sources: readonly SkillSource[]): LoadSkillsResult {
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
  return loadSkillSources([
    ...namedSkillSources(skillPaths, cwd),
    ...(includeDefaults ? userSkillSources(agentDir) : []),
  ]);
}

/** The skills of one folder; none when it is not there. */
export function loadSkillsFromDir({ dir, source }: LoadSkillsFromDirOptions): LoadSkillsResult {
  const scope = source === "user" || source === "project" ? source : "temporary";
  return loadSkillSources([{ path: resolveUserPath(dir), source, scope }]);
}

function pathsOf(source: SkillSource, diagnostics: ResourceDiagnostic[]): SkillPath[] {
  const { path, isNamed = false } = source;
  const warn = (message: string, at = path) => diagnostics.push({ type: "warning", message, path: at });
  try {
    const stats = statIfExists(path);
    if (stats?.isDirectory()) return findSkills(path, source.kind ?? "pi", (at, message) => warn(message, at));
    if (stats?.isFile() && path.endsWith(".md")) return [{ path, isLoose: false }];
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
  { path: place, source, scope }: SkillSource,
  files: Set<string>,
  diagnostics: ResourceDiagnostic[],
): Skill | undefined {
  const baseDir = path === place ? dirname(place) : place;
  const sourceInfo: SourceInfo = { path, source, scope, origin: "top-level", baseDir };
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
