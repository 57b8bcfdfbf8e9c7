/** The system's clipboard through the programs that come with it. */
import { spawn } from "node:child_process";

type Command = readonly [program: string, ...args: string[]];

const TIMEOUT_MS = 2000;
const MAX_BYTES = 64 * 1024 * 1024;

/** What is in the clipboard; undefined when there is nothing of this kind, or no program that could tell. */
export async function readClipboard(kind: "text" | "image"): Promise<Buffer | undefined> {
  for (const [program, ...args] of readers(kind)) {
    const output = await run(program, args);
    if (output && output.length > 0) return output;
  }
  return undefined;
}

/** Whether a program took the text. */
export async function writeClipboard(text: string): Promise<boolean> {
  for (const [program, ...args] of writers()) {
    if (await run(program, args, text)) return true;
  }
  return false;
}

function readers(kind: "text" | "image"): Command[] {
  if (process.platform === "darwin") {
    return kind === "text" ? [["pbpaste"]] : [["pngpaste", "-"]];
  }
  if (process.platform === "win32") {
    const powershell = (script: string): Command => ["powershell", "-NoProfile", "-Command", script];
    return kind === "text" ? [powershell("Get-Clipboard -Raw")] : [powershell(WINDOWS_IMAGE)];
  }
  const isText = kind === "text";
  const wayland: Command[] = [isText ? ["wl-paste", "--no-newline"] : ["wl-paste", "--type", "image/png"]];
  const x11: Command[] = [
    isText ? ["xclip", "-selection", "clipboard", "-o"] : ["xclip", "-selection", "clipboard", "-t", "image/png", "-o"],
  ];
  return [...(process.env["WAYLAND_DISPLAY"] ? wayland : []), ...(process.env["DISPLAY"] ? x11 : [])];
}

function writers(): Command[] {
  // Over SSH these are another machine's; the terminal knows its own.
  if (process.env["SSH_CONNECTION"] || process.env["PI_CLIPBOARD_OSC52"] === "1") return [];
  if (process.platform === "darwin") return [["pbcopy"]];
  if (process.platform === "win32") return [["clip"]];
  return [
    ...(process.env["WAYLAND_DISPLAY"] ? [["wl-copy"] as const] : []),
    ...(process.env["DISPLAY"] ? [["xclip", "-selection", "clipboard"] as const] : []),
  ];
}

const WINDOWS_IMAGE =
  "Add-Type -AssemblyName System.Windows.Forms; $i = [Windows.Forms.Clipboard]::GetImage(); if ($i) { " +
  "$m = New-Object IO.MemoryStream; $i.Save($m, [Drawing.Imaging.ImageFormat]::Png); " +
  "$o = [Console]::OpenStandardOutput(); $o.Write($m.ToArray(), 0, $m.Length) }";

/** The output of a program that ended well. Those that stay to serve the clipboard are not waited for. */
function run(program: string, args: readonly string[], input?: string): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ["pipe", "pipe", "ignore"], windowsHide: true });
    const chunks: Buffer[] = [];
    let bytes = 0;
    const timer = setTimeout(() => child.kill(), TIMEOUT_MS);
    const finish = (output: Buffer | undefined) => {
      clearTimeout(timer);
      child.stdout.destroy();
      resolve(output);
    };
    child.on("error", () => finish(undefined));
    child.on("exit", (code) => {
      if (code !== 0) finish(undefined);
      else if (input !== undefined) finish(Buffer.alloc(0));
    });
    child.stdout.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MAX_BYTES) chunks.push(chunk);
    });
    child.stdout.on("close", () => {
      if (input === undefined)
        finish(child.exitCode === 0 || child.exitCode === null ? Buffer.concat(chunks) : undefined);
    });
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}
