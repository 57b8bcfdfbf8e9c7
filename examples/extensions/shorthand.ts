/**
 * Shorthand for what you often say: `;t` alone or inside a prompt. `;?` shows all of them and asks the model nothing.
 * Start: `pi -e shorthand.ts`
 */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

const shorthand: Record<string, string> = {
  t: "run the tests and repair what fails",
  c: "commit with a message that says why",
  s: "and keep it short",
};

export default function expandShorthand(pi: ExtensionAPI) {
  pi.on("input", ({ text, source }, ctx) => {
    // What extensions send is meant as it is.
    if (source === "extension") return { action: "continue" };
    if (text.trim() === ";?") {
      ctx.ui.notify(
        Object.entries(shorthand)
          .map(([key, words]) => `;${key}  ${words}`)
          .join("\n"),
      );
      return { action: "handled" };
    }
    return { action: "transform", text: text.replace(/(?<!\S);(\w)(?!\S)/g, (all, key) => shorthand[key] ?? all) };
  });
}
