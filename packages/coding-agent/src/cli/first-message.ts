/** What a start has to say, from the words of the command line. */
import type { ImageContent } from "@earendil-works/pi-ai";
import type { Args } from "./args.js";

export interface Prompt {
  /** Of the first message; empty when there is none. */
  text: string;
  images: ImageContent[];
  /** What follows it. */
  messages: string[];
}

/** A message of which nothing can be seen says nothing: providers refuse it. */
export function unlessBlank(text: string): string | undefined {
  return text.trim() === "" ? undefined : text;
}

/**
 * Files and the first message are one text behind stdin, joined as they are; of the others those that say something.
 * Source: cli-and-config.md section 1.11.
 */
export async function promptOf(args: Args, cwd: string): Promise<Prompt> {
  let text = "";
  let images: ImageContent[] = [];
  if (args.fileArgs.length > 0) {
    const { readFileArgs } = await import("./file-args.js");
    const files = readFileArgs(args.fileArgs, cwd);
    text += files.text;
    images = files.images;
  }
  const [first, ...messages] = args.messages;
  text += first ?? "";
  return { text, images, messages: messages.filter((message) => unlessBlank(message) !== undefined) };
}
