import { bashCompletion } from "./bash.js";
import { fishCompletion } from "./fish.js";
import { zshCompletion } from "./zsh.js";

/** What completes the command line of pi in a shell, made from the tables of options and commands. */
export function completionScript(shell: "bash" | "zsh" | "fish"): string {
  if (shell === "bash") return bashCompletion();
  return shell === "zsh" ? zshCompletion() : fishCompletion();
}
