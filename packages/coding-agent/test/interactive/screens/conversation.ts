/** What the conversation of `whole-session.ts` says, in this order, at any width, until something is unfolded. */
export const foldedParts: readonly string[] = [
  "▀▀█ v1.6.0 █▀ █ escape interrupt · ctrl+c/ctrl+d clear/exit · / commands · ! bash · ctrl+o more",
  "[Context] AGENTS.md [Extensions] asking [Themes] tokens",
  "A question of mine, with stars.",
  "[note] Said by an extension.",
  "[skill] frogs (ctrl+o to expand) Tell me about frogs.",
  "[branch] Branch summary (ctrl+o to expand)",
  "Frogs are green. Frogs Some are small. - one - two ```js const frog = 1; ``` │ quoted",
  "│ a │ b │ ├─────┼─────┤ │ 1 │ 2 │",
  "[compaction] Compacted from 12,345 tokens (ctrl+o to expand)",
  "read a.txt:1-2 $ seq 1 40 (timeout 9s) ... (35 earlier lines, ctrl+o to expand) line 36 line 37",
  "edit a.txt 1 one - 2 two words + 2 two letters 3 three",
  "write b.txt line 1 line 2",
  "line 10 ... (2 more lines, 12 total, ctrl+o to expand)",
  "grep /o/ in . (*.txt) limit 5 a.txt:1: one",
  "find *.txt in . a.txt b.txt ls . a.txt b.txt",
  'mystery who="nobody" many=3 It has been done.',
  "read gone.txt ENOENT: no such file: gone.txt",
  "$ echo out out (exit 3)",
  "Half of an Response was truncated before completion.",
  "Error: The model fell over.",
  "The last answer.",
];

/** What is there in addition once everything is unfolded. */
export const unfoldedParts: readonly string[] = [
  "[skill] frogs References are relative to /skills/frogs. Everything about frogs.",
  "[branch] Branch summary What was tried before.",
  "[compaction] Compacted from 12,345 tokens What was said before.",
  "read a.txt:1-2 one two $ seq 1 40 (timeout 9s) line 1 line 2",
  "line 11 line 12",
  "Tool output: expanded",
];
