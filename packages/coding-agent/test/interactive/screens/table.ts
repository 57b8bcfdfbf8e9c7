import { keys } from "../terminal.js";

/** A screen in the place of the editor, or around it. */
export interface Screen {
  name: string;
  /** Typed one after the other. */
  open: readonly string[];
  /**
   * What the part between the first and the last rule says, in this order and whole, however it is broken into rows.
   * A function where the width decides what fits.
   */
  says: string | RegExp | ((columns: number) => string);
  /** What is said below the last rule. */
  below?: (columns: number) => string;
  /** It names the folder of the run, so no frame of it is stored. */
  isNamedForRun?: boolean;
  /** Closes it. Default: Escape. */
  close?: readonly string[];
}

const command = (text: string) => [text, keys.escape, keys.enter];
const hints = (...more: string[]) => ["↑↓ navigate", "enter select", ...more, "escape/ctrl+c cancel"].join(" ");

/** What is below the editor; the right side is cut first. */
export function footer(columns: number): string {
  const left = "~/project ↑16k ↓7.3k R40k CH72.1%";
  return columns === 40 ? `${left} $0.169 0.0%/1...` : `${left} $0.169 0.0%/10M (auto) m1 • thinking off`;
}

export const screens: readonly Screen[] = [
  {
    name: "commands",
    open: ["/setti"],
    says: "/setti",
    below: (columns) => `→ settings${columns === 40 ? "" : " Change settings"} ${footer(columns)}`,
    close: [keys.escape, keys.ctrl("u")],
  },
  { name: "bash-mode", open: ["!seq 3"], says: "!seq 3", close: [keys.ctrl("u")] },
  { name: "keys", open: ["?"], says: /^Keys Application .* escape │ Stop what is .*scroll, any other key closes$/ },
  {
    name: "model",
    open: command("/model"),
    says: `Select model > → ✓ m1 (First) [scripted] m2 [scripted] ${hints("ctrl+s set as default")}`,
  },
  {
    name: "scoped-models",
    open: command("/scoped-models"),
    says: `Models to cycle through (all models) > → [ ] m1 [scripted] [ ] m2 [scripted] ${hints(
      ...["ctrl+a all", "ctrl+x none", "ctrl+p provider", "alt+up alt+down order", "ctrl+s save"],
    )}`,
  },
  {
    name: "thinking",
    open: command("/thinking"),
    says: [
      "Thinking level → off No reasoning minimal Barely any reasoning low A little reasoning medium Some reasoning",
      `high Much reasoning ${hints("ctrl+s set as default")}`,
    ].join(" "),
  },
  {
    name: "resume",
    open: command("/resume"),
    says: (columns) => {
      const title = columns === 40 ? "A question of mine, with..." : "A question of mine, with **stars**.";
      const keyHints = ["tab scope", "ctrl+s sort", "ctrl+n named", "ctrl+p path", "ctrl+r rename", "ctrl+d delete"];
      return `Resume session ◉ Current Folder ○ All Sort: Threaded > → ✓ ${title} 25 now ${hints(...keyHints)}`;
    },
  },
  {
    name: "tree",
    open: command("/tree"),
    says: new RegExp(
      [
        /^Session tree \[default\] > • .* • \[mystery\] It has been done\. • \[read\] ENOENT: no such file: gone\.t(xt|…)/,
        / • \$ echo out .* › • assistant: The last answer\. \(19\/19\)/,
        / ↑↓ navigate enter select ctrl\+o filter shift\+l label ctrl\+left fold escape\/ctrl\+c cancel$/,
      ]
        .map(({ source }) => source)
        .join(""),
    ),
  },
  {
    name: "fork",
    open: command("/fork"),
    says: `Fork from > A question of mine, with **stars**. → [skill] frogs: Tell me about frogs. ${hints()}`,
  },
  {
    name: "settings",
    open: command("/settings"),
    says: [
      "> → Auto-compaction true Auto-retry false Steering messages one-at-a-time Follow-up messages one-at-a-time",
      "Transport auto Resize images true Block images false Theme tokens Screen fullscreen At exit transcript (1/26)",
      "Summarise when the context window is nearly full. Off stops automatic compaction only.",
      "Type to search · Enter/Space to change · Esc to cancel",
    ].join(" "),
  },
  { name: "theme", open: command("/theme"), says: `Theme system dark light → tokens ${hints()}` },
  {
    name: "login",
    open: command("/login"),
    says: `How do you want to sign in? → Subscription sign in with an account API key store a key ${hints()}`,
  },
  {
    name: "login-provider",
    open: [...command("/login"), keys.down, keys.enter, "mistr"],
    says: `Provider > mistr → Mistral ${hints()}`,
  },
  {
    name: "login-key",
    open: [...command("/login mistral"), "abc"],
    says: "Enter Mistral API key > ••• enter submit escape/ctrl+c cancel",
  },
  {
    name: "trust",
    open: command("/trust"),
    says: new RegExp(
      [
        /^Trust project folder\? .*project The project brings settings, extensions, skills or instructions\./,
        / Extensions run as code with your rights\. → Trust Trust parent folder \(.* Do not trust/,
        / ↑↓ navigate enter select escape\/ctrl\+c cancel$/,
      ]
        .map(({ source }) => source)
        .join(""),
    ),
    isNamedForRun: true,
  },
  {
    name: "extension-select",
    open: command("/x-select"),
    says: `Which fruit? → an apple a pear ${hints()}`,
  },
  {
    name: "extension-confirm",
    open: command("/x-confirm"),
    says: `Sure? It cannot be undone. → Yes No ${hints()}`,
  },
  {
    name: "extension-input",
    open: [...command("/x-input"), "Ada"],
    says: "Your name? > Ada enter submit escape/ctrl+c cancel",
  },
  { name: "extension-editor", open: command("/x-editor"), says: "one two" },
];

/** What is typed, and what the conversation then says at any width. */
export const answers: readonly (readonly [typed: readonly string[], says: string])[] = [
  [[...command("/tree"), keys.enter], "Already at this point"],
  [command("/name"), "Warning: Usage: /name <name>"],
  [command("/name my work"), "Session name set: my work"],
  [command("/import"), "Warning: Usage: /import <path.jsonl>"],
  [command("/logout"), "Nothing is stored. Keys in the environment and in models.json are not removed here."],
  [[keys.altUp], "No queued messages to restore"],
  [command("/copy"), "Copied last agent message to clipboard"],
  [["!sleep 60", keys.enter], "Running... (escape/ctrl+c to cancel)"],
  [["!echo no", keys.enter], "A bash command is already running. Press Esc to cancel it first."],
  [[keys.ctrl("u"), keys.escape], "$ sleep 60 (cancelled)"],
  [command("/hotkeys"), "ctrl+end │ End of the"],
];
