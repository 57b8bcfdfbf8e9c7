/** Checks of what the program runs on: Node.js, the terminal, ripgrep, room, the way to servers. */
import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { runProcess } from "../../core/process/run-process.js";
import { statIfExists } from "../../core/storage/files.js";
import { findRipgrep } from "../../core/tools/search/ripgrep.js";
import { proxyForm, proxyUrl } from "../proxy-address.js";
import type { Check } from "./report.js";

/** The oldest Node.js that runs it: `engines` in package.json. */
const oldestNode = [20, 19] as const;

export function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.replace(/^v/, "").split(".").map(Number);
  const [oldMajor, oldMinor] = oldestNode;
  const isEnough = major > oldMajor || (major === oldMajor && minor >= oldMinor);
  const check = { title: "Node.js", found: version };
  return isEnough
    ? { ...check, level: "ok" }
    : { ...check, level: "fail", fix: `Install Node.js ${oldMajor}.${oldMinor} or later.` };
}

export interface TerminalFacts {
  isTerminal: boolean;
  columns: number | undefined;
  env: Readonly<Record<string, string | undefined>>;
}

export function checkTerminal({ isTerminal, columns, env }: TerminalFacts): Check {
  const title = "Terminal";
  const { TERM: term = "" } = env;
  const colors = env["NO_COLOR"]
    ? "no colours (NO_COLOR)"
    : /truecolor|24bit/.test(env["COLORTERM"] ?? "")
      ? "all colours"
      : /256/.test(term)
        ? "256 colours"
        : "16 colours";
  const encoding = [env["LC_ALL"], env["LC_CTYPE"], env["LANG"]].find((value) => value) ?? "";
  const found = [term || "TERM is not set", colors, columns && `${columns} columns`].filter(Boolean).join(", ");
  if (!isTerminal) return { title, level: "ok", found: `none here: prompts are answered once (${found})` };
  if (term === "" || term === "dumb") {
    const fix = "Only plain lines can be shown: set screenReader in settings.json, or TERM to what your terminal is.";
    return { title, level: "warn", found, fix };
  }
  if (process.platform !== "win32" && !/utf-?8/i.test(encoding)) {
    const fix = "Frames and symbols may look broken: set LANG to a UTF-8 locale, for example C.UTF-8.";
    return { title, level: "warn", found: `${found}, no UTF-8 (${encoding || "LANG is not set"})`, fix };
  }
  if (columns !== undefined && columns < 40)
    return { title, level: "warn", found, fix: "Make it 40 columns or wider." };
  return { title, level: "ok", found };
}

export async function checkRipgrep(): Promise<Check> {
  const title = "ripgrep";
  const fix = "Searches work without it, slower. Install ripgrep so that rg is on the PATH.";
  const program = await findRipgrep();
  if (program === undefined) return { title, level: "warn", found: "not found", fix };
  try {
    const { stdout, code } = await runProcess(program, ["--version"], { timeout: 5000 });
    if (code === 0) return { title, level: "ok", found: `${stdout.split("\n")[0]} (${program})` };
  } catch {
    // Not made for this machine.
  }
  return { title, level: "warn", found: `cannot be run: ${program}`, fix };
}

const megabyte = 1024 * 1024;
const fewBytes = 200 * megabyte;
const noBytes = 10 * megabyte;

/** Room where something is written. @param path need not exist */
export function checkRoom(path: string): Check {
  const title = "Disk space";
  try {
    let folder = path;
    while (!statIfExists(folder) && dirname(folder) !== folder) folder = dirname(folder);
    const { bavail, bsize } = statfsSync(folder);
    const free = bavail * bsize;
    const found = `${Math.round(free / megabyte).toLocaleString("en")} MB free at ${path}`;
    if (free >= fewBytes) return { title, level: "ok", found };
    const fix = "Make room, or keep sessions elsewhere: sessionDir in settings.json.";
    return { title, level: free < noBytes ? "fail" : "warn", found, fix };
  } catch (error) {
    return { title, level: "warn", found: `cannot be told: ${(error as Error).message}`, fix: `Look at ${path}.` };
  }
}

export function checkProxies(env: Readonly<Record<string, string | undefined>>, setting: string | undefined): Check {
  const title = "Proxies";
  const given = ["HTTPS_PROXY", "HTTP_PROXY"].flatMap((name): [string, string][] => {
    const value = env[name] ?? env[name.toLowerCase()];
    if (value) return [[name, value]];
    return setting ? [[`httpProxy (as ${name})`, setting]] : [];
  });
  const broken = given.filter(([, value]) => !proxyUrl(value)).map(([name]) => name);
  if (broken.length > 0) {
    const fix = `Expected ${proxyForm}.`;
    return { title, level: "fail", found: `no address: ${broken.join(", ")}`, fix };
  }
  const except = env["NO_PROXY"] ?? env["no_proxy"];
  const shown = given.map(([name, value]) => `${name} ${proxyUrl(value)?.protocol}//${proxyUrl(value)?.host}`);
  if (shown.length === 0) return { title, level: "ok", found: "none" };
  return { title, level: "ok", found: [...shown, ...(except ? [`not for ${except}`] : [])].join(", ") };
}
