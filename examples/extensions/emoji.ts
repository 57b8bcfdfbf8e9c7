/**
 * Completes names of emoji after a colon: `:roc` becomes 🚀.
 * Start: `pi -e emoji.ts`
 */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { type AutocompleteProvider, fuzzyFilter } from "@earendil-works/pi-tui";

const emoji: [name: string, sign: string][] = [
  ["bug", "🐛"],
  ["check", "✅"],
  ["fire", "🔥"],
  ["rocket", "🚀"],
  ["thumbs-up", "👍"],
  ["warning", "⚠️"],
];

/** Adds to the completion there is, which goes on with everything else. */
const withEmoji = (usual: AutocompleteProvider): AutocompleteProvider => ({
  ...(usual.shouldTriggerFileCompletion && {
    shouldTriggerFileCompletion: (...where) => usual.shouldTriggerFileCompletion?.(...where) ?? false,
  }),
  triggerCharacters: [...(usual.triggerCharacters ?? []), ":"],
  async getSuggestions(lines, line, col, options) {
    const [prefix] = /(?<![^\s]):[\w-]*$/.exec((lines[line] ?? "").slice(0, col)) ?? [];
    if (prefix === undefined) return usual.getSuggestions(lines, line, col, options);
    const found = fuzzyFilter(emoji, prefix.slice(1), ([name]) => name);
    return { items: found.map(([name, sign]) => ({ value: sign, label: `${sign} ${name}` })), prefix };
  },
  applyCompletion(lines, line, col, item, prefix) {
    if (!prefix.startsWith(":")) return usual.applyCompletion(lines, line, col, item, prefix);
    const text = lines[line] ?? "";
    const before = text.slice(0, col - prefix.length) + item.value;
    return { lines: lines.with(line, before + text.slice(col)), cursorLine: line, cursorCol: before.length };
  },
});

export default function emojiCompletion(pi: ExtensionAPI) {
  pi.on("session_start", (_event, ctx) => ctx.ui.addAutocompleteProvider(withEmoji));
}
