import type { RecordedRequest } from "@pi/testkit";
import type { Section } from "../row.js";

const unknown = (name: string, advice = "All options: pi --help") => `Error: Unknown option: ${name}\n${advice}\n`;
const tools = ({ conversation }: RecordedRequest) => conversation.tools.map(({ name }) => name);

export const parsing: Section = {
  title: "1.2 how words are read",
  rows: [
    { words: ["--model", "nope", "--model", "m1", "-p", "x"], stdout: "x\n", about: "later values win" },
    {
      words: ["--append-system-prompt", "AAA", "--append-system-prompt", "BBB", "-p", "x"],
      stdout: "x\n",
      request: ({ conversation: { system } }) => [system.includes("AAA"), system.includes("BBB")],
      requested: [true, true],
      about: "repeatable options accumulate",
    },
    { words: ["-x"], code: 1, stderr: unknown("-x") },
    { words: ["-px"], code: 1, stderr: unknown("-px", "What follows an option is a word of its own: -p x") },
    { words: ["-pc"], code: 1, stderr: unknown("-pc", "Short options are words of their own: -p -c") },
    { words: ["-tread"], code: 1, stderr: unknown("-tread", "What follows an option is a word of its own: -t read") },
    {
      words: ["--model=m1", "-p", "x"],
      code: 1,
      stderr: unknown("--model", "The value is a word of its own: --model <pattern>"),
    },
    {
      words: ["--session-id", "-bad", "-p", "x"],
      code: 1,
      stderr:
        /^Error: Session id must be non-empty, contain only alphanumeric characters, '-', '_', and '\.', and start and end with an alphanumeric character\n/,
      about: "values are taken even if they begin with -",
    },
    { words: ["-p", "x", "--model"], code: 1, stderr: unknown("--model", "Write: --model <pattern>") },
    { words: ["-p", "x", "-t"], code: 1, stderr: unknown("-t", "Write: --tools <list>") },
    { words: ["-p", "hello"], stdout: "hello\n" },
    { words: ["-p", "---\ntitle"], stdout: "---\ntitle\n", about: "-p swallows a word that begins with three dashes" },
    { words: ["-p", "-nc", "hello"], stdout: "hello\n", about: "-p swallows no option" },
    {
      words: ["-p", "@a.txt", "hello"],
      files: { "a.txt": "A" },
      stdout: '<file name="$CWD/a.txt">\nA\n</file>\nhello\n',
      about: "-p swallows no file",
    },
    { words: ["--list-models", "zzz"], stdout: 'No models matching "zzz"\n' },
    { words: ["--list-models", "-nc"], stdout: /^provider {2}/, about: "--list-models swallows no option" },
    {
      words: ["--list-models", "@a.txt"],
      files: { "a.txt": "A" },
      stdout: /^provider {2}/,
      about: "--list-models swallows no file",
    },
    {
      words: ["-e", "flags.ts", "--depth=3", "--plan", "@a.txt", "-p", "x"],
      files: {
        "a.txt": "A",
        "flags.ts": `export default (pi) => {
          pi.registerFlag("depth", { type: "string" });
          pi.registerFlag("plan", { type: "boolean" });
          pi.on("session_start", () => console.error(pi.getFlag("depth"), pi.getFlag("plan")));
        };`,
      },
      stdout: '<file name="$CWD/a.txt">\nA\n</file>\nx\n',
      stderr: "3 true\n",
      about: "flags of extensions; they swallow no file",
    },
    { words: ["--", "-p", "--model"], stdout: "--model\n", about: "-- ends the options" },
    {
      words: ["--", "@a.txt", "x"],
      files: { "a.txt": "A" },
      stdout: '<file name="$CWD/a.txt">\nA\n</file>\nx\n',
      about: "files after --",
    },
    { words: ["--wat", "hello"], code: 1, stderr: unknown("--wat") },
    { words: ["--wat", "--wot=1"], code: 1, stderr: "Error: Unknown options: --wat, --wot\nAll options: pi --help\n" },
    {
      words: ["-t", " read, ,grep,", "-p", "x"],
      stdout: "x\n",
      request: tools,
      requested: ["read", "grep"],
      about: "lists are split, trimmed and lose what is empty",
    },
    {
      words: ["-e", "flags.ts", "--plan", "hello"],
      files: { "flags.ts": 'export default (pi) => pi.registerFlag("plan", { type: "boolean" });' },
      about: "a boolean flag of an extension loses the word it swallowed",
    },
    {
      words: ["-e", "flags.ts", "-p", "x", "--depth"],
      files: { "flags.ts": 'export default (pi) => pi.registerFlag("depth", { type: "string" });' },
      code: 1,
      stderr: 'Error: Extension flag "--depth" requires a value\nIts value is the next word, or follows behind =.\n',
      about: "a string flag without a value",
    },
    {
      words: ["-e", "flags.ts", "--depht", "3", "-p", "x"],
      files: { "flags.ts": 'export default (pi) => pi.registerFlag("depth", { type: "string" });' },
      code: 1,
      stderr: unknown("--depht", "Did you mean --depth?"),
      about: "near a flag of an extension",
    },
    { words: ["-p", "auth"], stdout: "auth\n", about: "command words count only in front" },
    { words: ["--mode", "foo", "--version"], code: 1, stderr: /^Error: Invalid mode "foo"/ },
    {
      words: ["--wat", "--version"],
      stdout: "1.6.0\n",
      stderr: "Error: Unknown option: --wat\nAll options: pi --help\n",
    },
  ],
};
