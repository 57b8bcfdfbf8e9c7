/** What a package source means. Pure. Source: extensions.md section 10.1. */
import { isAbsolute, join, resolve } from "node:path";
import { homeFolder } from "../../config.js";

export interface NpmSource {
  type: "npm";
  name: string;
  /** What npm is told: the name, with its version or range. */
  spec: string;
  /** Version or range; absent: the newest. */
  range?: string;
  /** One exact version: an update leaves it alone. */
  isPinned: boolean;
}

export interface GitSource {
  type: "git";
  /** What git is told. */
  url: string;
  host: string;
  /** Without `.git`. */
  path: string;
  ref?: string;
  isPinned: boolean;
}

export interface LocalSource {
  type: "local";
  /** Absolute. */
  path: string;
}

export type ParsedSource = NpmSource | GitSource | LocalSource;

/**
 * @param baseDir what relative paths are relative to
 * @throws Error for npm and git sources that lead nowhere, or out of their folder
 */
export function parsePackageSource(source: string, baseDir: string): ParsedSource {
  const text = source.trim();
  if (text.startsWith("npm:")) return npmSource(text.slice(4));
  const git = gitParts(text);
  if (git) return gitSource(source, git);
  return { type: "local", path: absolutePath(text, baseDir) };
}

/** Whether a word is a package rather than a path: `npm:`, `git:` or an address. */
export function isRemoteSource(source: string): boolean {
  return source.trim().startsWith("npm:") || gitParts(source.trim()) !== undefined;
}

/** Two sources with one identity are one package, whatever their versions. */
export function packageIdentity(source: ParsedSource, realPath: (path: string) => string): string {
  switch (source.type) {
    case "npm":
      return `npm:${source.name}`;
    case "git":
      return `git:${source.host}/${source.path}`;
    case "local":
      return `local:${realPath(source.path)}`;
  }
}

const npmName = /^(?:@[a-z0-9~_.-]+\/)?[a-z0-9~_][a-z0-9~_.-]*$/i;
const exactVersion = /^v?\d+\.\d+\.\d+(?:-[\w.-]+)?(?:\+[\w.-]+)?$/;

function npmSource(spec: string): NpmSource {
  const at = spec.indexOf("@", 1);
  const name = at < 0 ? spec : spec.slice(0, at);
  const range = at < 0 ? "" : spec.slice(at + 1);
  if (!npmName.test(name) || name.includes("..")) throw new Error(`Invalid npm package name: ${name || "(empty)"}`);
  return { type: "npm", name, spec, ...(range && { range }), isPinned: exactVersion.test(range) };
}

interface GitParts {
  url: string;
  host: string;
  path: string;
  ref: string | undefined;
}

/** Undefined for what is no git source. An address without `git:` needs its protocol. */
function gitParts(text: string): GitParts | undefined {
  const isPrefixed = text.startsWith("git:") && !text.startsWith("git://");
  const rest = isPrefixed ? text.slice(4) : text;
  const address = /^(https?|ssh|git):\/\/(?:[^@/]+@)?([^/:]+)(?::\d+)?\/(.+)$/.exec(rest);
  if (address) {
    const { path, ref } = withoutRef(address[3] ?? "");
    return {
      url: rest.slice(0, rest.length - (ref === undefined ? 0 : ref.length + 1)),
      host: address[2] ?? "",
      path,
      ref,
    };
  }
  if (!isPrefixed) return undefined;
  const scp = /^([^@/\s]+@)([^:/]+):(.+)$/.exec(rest);
  const short = /^()([^/:]+)\/(.+)$/.exec(rest);
  const [, user = "", host = "", tail = ""] = scp ?? short ?? [];
  const { path, ref } = withoutRef(tail);
  return { url: scp ? `${user}${host}:${path}` : `https://${host}/${path}`, host, path, ref };
}

function withoutRef(path: string): { path: string; ref: string | undefined } {
  const at = path.lastIndexOf("@");
  return at <= 0 ? { path, ref: undefined } : { path: path.slice(0, at), ref: path.slice(at + 1) };
}

function gitSource(source: string, { url, host, path, ref }: GitParts): GitSource {
  const clean = path.replace(/\/+$/, "").replace(/\.git$/, "");
  const segments = clean.split("/");
  const isSafe = (part: string) => part !== "" && part !== "." && part !== ".." && !/[\\\0]/.test(part);
  if (!isSafe(host) || host.startsWith("-") || url.startsWith("-") || segments.length < 2 || !segments.every(isSafe)) {
    throw new Error(`Invalid git source: ${source}. It needs a host and a path of at least two parts.`);
  }
  if (ref?.startsWith("-")) throw new Error(`Invalid git source: ${source}. A ref does not begin with "-".`);
  return { type: "git", url, host, path: clean, ...(ref && { ref }), isPinned: ref !== undefined && ref !== "" };
}

function absolutePath(path: string, baseDir: string): string {
  if (path === "~") return homeFolder();
  if (/^~[/\\]/.test(path)) return join(homeFolder(), path.slice(2));
  return isAbsolute(path) ? path : resolve(baseDir, path);
}
