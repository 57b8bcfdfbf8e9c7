/**
 * One writer per file. This map is global on purpose: extensions share it (`withFileMutationQueue` is exported),
 * and two sessions of one process may work on the same file.
 */
import { realpath } from "node:fs/promises";
import { resolve } from "node:path";

const tails = new Map<string, Promise<void>>();
let registration: Promise<void> = Promise.resolve();

/**
 * Runs `fn` after every earlier call for the same real file has settled; different files run in parallel.
 *
 * @param path absolute, or relative to the process's directory; links are followed
 * @returns what `fn` returns
 * @throws what `fn` throws, and errors of `realpath` other than a missing file
 */
export async function withFileMutationQueue<T>(path: string, fn: () => Promise<T>): Promise<T> {
  // Finding the key takes time, so registering is serial too: calls run in the order they were made.
  const registered = registration.then(async () => {
    const key = await realFile(path);
    const previous = tails.get(key) ?? Promise.resolve();
    const result = previous.then(fn);
    const tail = result.then(
      () => undefined,
      () => undefined,
    );
    tails.set(key, tail);
    void tail.then(() => {
      if (tails.get(key) === tail) tails.delete(key);
    });
    return { result };
  });
  registration = registered.then(
    () => undefined,
    () => undefined,
  );
  return (await registered).result;
}

async function realFile(path: string): Promise<string> {
  const absolute = resolve(path);
  try {
    return await realpath(absolute);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ENOTDIR") return absolute;
    throw error;
  }
}
