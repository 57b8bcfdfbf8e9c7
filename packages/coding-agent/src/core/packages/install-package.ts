/** Getting packages by npm and git. Source: extensions.md section 10.2. */
import { dirname, join } from "node:path";
import { type RunProcessResult, runProcess } from "../process/run-process.js";
import { createFileOnce, ensurePrivateDir, pathExists, removeTree, renameFile } from "../storage/files.js";
import type { GitSource, NpmSource } from "./package-source.js";

export interface InstallOptions {
  /** Stands for `npm`, with its first arguments. */
  npmCommand: readonly string[];
  /** Packages may run code of theirs while they are installed. */
  allowsScripts: boolean;
}

/** Everything below an install root is made by these commands: no project shall take it for its own. */
export function prepareInstallRoot(root: string): void {
  ensurePrivateDir(root);
  createFileOnce(join(root, "package.json"), `${JSON.stringify({ name: "pi-extensions", private: true }, null, 2)}\n`);
  createFileOnce(join(root, ".gitignore"), "*\n!.gitignore\n");
}

/** @throws Error with what npm said last */
export async function npmInstall(source: NpmSource, root: string, options: InstallOptions): Promise<void> {
  prepareInstallRoot(root);
  await npm(["install", source.spec, "--prefix", root, "--legacy-peer-deps"], root, options);
}

/** @throws Error with what npm said last */
export async function npmUninstall(source: NpmSource, root: string, options: InstallOptions): Promise<void> {
  await npm(["uninstall", source.name, "--prefix", root, "--legacy-peer-deps"], root, options);
}

/**
 * Clones into a folder beside the place and moves it there, so that a half one is never taken for a package.
 * @throws Error with what git or npm said last
 */
export async function gitClone(source: GitSource, folder: string, options: InstallOptions): Promise<void> {
  ensurePrivateDir(dirname(folder));
  const fresh = `${folder}.${process.pid}.tmp`;
  removeTree(fresh);
  try {
    await git(["clone", "--quiet", "--", source.url, fresh], dirname(folder));
    if (source.ref !== undefined) await git(["checkout", "--quiet", source.ref], fresh);
    await installDependencies(fresh, options);
    removeTree(folder);
    renameFile(fresh, folder);
  } finally {
    removeTree(fresh);
  }
}

/**
 * The newest commit of the branch. Changes that somebody made in the folder are given up: it is nobody's to work in.
 * @returns whether there was a newer one
 * @throws Error with what git or npm said last
 */
export async function gitUpdate(source: GitSource, folder: string, options: InstallOptions): Promise<boolean> {
  const before = await git(["rev-parse", "HEAD"], folder);
  await git(["fetch", "--quiet", "--prune", "--tags", "origin"], folder);
  if (source.ref !== undefined) await git(["checkout", "--quiet", "--force", source.ref], folder);
  const upstream = await runGit(["rev-parse", "--verify", "--quiet", "@{upstream}"], folder);
  if (upstream.code === 0) await git(["reset", "--quiet", "--hard", "@{upstream}"], folder);
  const after = await git(["rev-parse", "HEAD"], folder);
  if (before === after) return false;
  await installDependencies(folder, options);
  return true;
}

/** Whether the branch has a newer commit, without getting it. @throws Error with what git said last */
export async function hasNewerCommit(folder: string): Promise<boolean> {
  const local = await git(["rev-parse", "HEAD"], folder);
  const remote = await git(["ls-remote", "--quiet", "origin", "HEAD"], folder);
  return remote !== "" && !remote.startsWith(local);
}

/** The newest version of a package. @throws Error with what npm said last */
export async function newestVersion(source: NpmSource, root: string, options: InstallOptions): Promise<string> {
  const result = await npm(["view", source.name, "version"], root, options);
  return result.stdout.trim();
}

async function installDependencies(folder: string, options: InstallOptions): Promise<void> {
  if (!pathExists(join(folder, "package.json"))) return;
  await npm(["install", "--omit=dev", "--legacy-peer-deps"], folder, options);
}

async function npm(args: readonly string[], cwd: string, options: InstallOptions): Promise<RunProcessResult> {
  const [command = "npm", ...first] = options.npmCommand;
  const scripts = options.allowsScripts ? [] : ["--ignore-scripts"];
  const all = [...first, ...args, ...scripts, "--no-audit", "--no-fund"];
  return checked(`${command} ${args[0]}`, await runProcess(command, all, { cwd }));
}

async function git(args: readonly string[], cwd: string): Promise<string> {
  const result = checked(`git ${args[0]}`, await runGit(args, cwd));
  return result.stdout.trim();
}

function runGit(args: readonly string[], cwd: string): Promise<RunProcessResult> {
  // Nobody is there to answer: a question is a failure.
  const ssh = process.env["GIT_SSH_COMMAND"] ?? "ssh -o BatchMode=yes";
  return runProcess("git", args, {
    cwd,
    env: { ...process.env, GIT_TERMINAL_PROMPT: "0", GIT_SSH_COMMAND: ssh },
  });
}

function checked(what: string, result: RunProcessResult): RunProcessResult {
  if (result.code === 0) return result;
  const said = result.stderr.trim() || result.stdout.trim();
  const last = said.split("\n").slice(-5).join("\n");
  throw new Error(`${what} failed with exit code ${result.code}${last ? `: ${last}` : ""}`);
}
