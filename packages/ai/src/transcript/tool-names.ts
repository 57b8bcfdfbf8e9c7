import type { Message } from "../types.js";
import { getCurrentTools } from "./replay.js";

/** Stands for the name that a call does not have. */
const UNNAMED = "unnamed_tool";
const MAX_LENGTH = 64;

/**
 * The names under which calls are sent. Models make up tools, and some of their names no API takes back: it would refuse
 * the whole conversation from then on. Tools that there are keep their names.
 */
export class ReplayedToolNames {
  readonly #messages: readonly Message[];
  readonly #allowsPunctuation: boolean;
  #known: Set<string> | undefined;

  constructor(messages: readonly Message[], api: string) {
    this.#messages = messages;
    this.#allowsPunctuation = api.startsWith("google-");
  }

  /** @param name anything, when the transcript comes from elsewhere */
  of(name: unknown): string {
    if (typeof name !== "string" || name === "") return UNNAMED;
    if (/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/.test(name) || this.#isKnown(name)) return name;
    const foreign = this.#allowsPunctuation ? /[^a-zA-Z0-9_.:-]/g : /[^a-zA-Z0-9_-]/g;
    const letters = name.replace(foreign, "_");
    // Google wants a letter first, or a line.
    return (/^[a-zA-Z_]/.test(letters) ? letters : `_${letters}`).slice(0, MAX_LENGTH);
  }

  #isKnown(name: string): boolean {
    this.#known ??= new Set(getCurrentTools(this.#messages).map((tool) => tool.name));
    return this.#known.has(name);
  }
}
