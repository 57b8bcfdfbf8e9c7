import { afterEach, expect, it, vi } from "vitest";
import { copyToClipboard } from "./clipboard.js";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** A text that is copied where no program can take it, and what stdout is told; a terminal or not. */
async function copied(isTTY: boolean): Promise<string[]> {
  vi.stubEnv("PI_CLIPBOARD_OSC52", "1");
  const written: string[] = [];
  const { write } = process.stdout;
  // As a terminal's: one that belongs to a mode has a `write` of its own.
  const prototype = Object.getPrototypeOf(process.stdout) as typeof process.stdout;
  vi.spyOn(prototype, "write").mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  const descriptor = Object.getOwnPropertyDescriptor(process.stdout, "isTTY");
  Object.defineProperty(process.stdout, "isTTY", { value: isTTY, configurable: true });
  const own = Object.getOwnPropertyDescriptor(process.stdout, "write");
  if (own) Reflect.deleteProperty(process.stdout, "write");
  try {
    await copyToClipboard("words");
    return written;
  } finally {
    if (own) process.stdout.write = write;
    if (descriptor) Object.defineProperty(process.stdout, "isTTY", descriptor);
    else Reflect.deleteProperty(process.stdout, "isTTY");
  }
}

it("is the terminal's business where no program can take a text", async () => {
  expect(await copied(true)).toEqual([`\x1b]52;c;${Buffer.from("words").toString("base64")}\x07`]);
});

it("says it when there is neither", async () => {
  await expect(copied(false)).rejects.toThrow("No clipboard can be reached");
});
