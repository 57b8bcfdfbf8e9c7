import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Section } from "../row.js";

const header = { type: "session", version: 3, id: "s", timestamp: "2026-01-01T00:00:00.000Z", cwd: "/" };
const message = { role: "user", content: "hello", timestamp: 1 };
const entry = { type: "message", id: "m", parentId: null, timestamp: header.timestamp, message };
const session = `${JSON.stringify(header)}\n${JSON.stringify(entry)}\n`;
const table =
  "provider  model         context  max-out  thinking  images\n" +
  "scripted  m1            128K     16.4K    yes       yes   \n" +
  "scripted  second-model  128K     16.4K    yes       yes   \n";
const sizes = JSON.stringify({
  providers: {
    b: {
      api: "anthropic-messages",
      baseUrl: "http://127.0.0.1:1",
      apiKey: "k",
      models: [
        { id: "z", contextWindow: 1_000_000, maxTokens: 999, input: ["text"] },
        { id: "a", contextWindow: 1_500_000, maxTokens: 1000, reasoning: true, input: ["text", "image"] },
      ],
    },
    a: {
      api: "anthropic-messages",
      baseUrl: "http://127.0.0.1:1",
      apiKey: "k",
      models: [{ id: "m", contextWindow: 16_400 }],
    },
  },
});

export const metadata: Section = {
  title: "1.6 metadata",
  rows: [
    { words: ["--list-models"], stdout: table },
    { words: ["--list-models", "second"], stdout: /^provider.*\nscripted {2}second-model .*\n$/ },
    { words: ["--list-models", "zzz"], stdout: 'No models matching "zzz"\n' },
    { words: ["--list-models"], bare: true, stdout: /^No models available\. / },
    {
      words: ["--list-models"],
      agent: { "models.json": sizes },
      stdout:
        /^provider {2}model {2}context .*\na +m +16\.4K .*\nb +a +1\.5M +1K +yes +yes +\nb +z +1M +999 +no +no +\n$/,
      about: "sorted by provider and id, sizes short",
    },
    {
      words: ["--list-models"],
      agent: { "models.json": "{broken" },
      stdout: /^No models available\. /,
      stderr: /^Warning: errors loading models\.json:\n/,
    },
    { words: ["--list-models", "--help"], stdout: /^pi 1\.6\.0 /, about: "--help beats --list-models" },
    {
      words: ["--help"],
      files: { ".pi/settings.json": "{}" },
      stdout:
        /^pi 1\.6\.0 .*\n\nUsage:\n[\s\S]*\n\nCommands:\n[\s\S]*\n\nOptions:\n[\s\S]*\n\nExamples:\n[\s\S]*\n\nEnvironment Variables:\n[\s\S]*\n\nBuilt-in Tool Names:\n {2}read, bash, edit, write, grep, find, ls\n$/,
      after: ({ agentDir }) => ["sessions", "auth.json", "trust.json"].map((name) => existsSync(join(agentDir, name))),
      left: [false, false, false],
      about: "the sections of --help; no trust, no session",
    },
    {
      words: ["-p", "x"],
      env: { PI_TIMING: "1" },
      stdout: "x\n",
      stderr:
        /^Time of the start in ms:\n +[\d.]+ {2}Node\.js\n +[\d.]+ {2}the program loaded\n[\s\S]*\n +[\d.]+ {2}agent made\n +[\d.]+ {2}total\n$/,
      about: "PI_TIMING=1",
    },
    { words: ["--list-models"], env: { PI_TIMING: "1" }, stdout: table, stderr: /models listed\n +[\d.]+ {2}total\n$/ },
    {
      words: ["-e", "flags.ts", "--help"],
      files: {
        "flags.ts":
          'export default (pi) => { pi.registerFlag("depth", { type: "string", description: "How deep" }); pi.registerFlag("plan", { type: "boolean" }); };',
      },
      stdout:
        /\n\nExtension CLI Flags:\n {2}--depth <value> {15}How deep\n {2}--plan {24}Registered by \$CWD\/flags\.ts\n\nExamples:\n/,
      about: "options of extensions in --help",
    },
    { words: ["--help", "--modle"], stdout: /^pi /, stderr: "Error: Unknown option: --modle\nDid you mean --model?\n" },
    {
      words: ["--export", "s.jsonl"],
      files: { "s.jsonl": session },
      stdout: "Exported to: pi-session-s.html\n",
      after: ({ cwd }) => existsSync(join(cwd, "pi-session-s.html")),
      left: true,
    },
    {
      words: ["--export", "s.jsonl", "out/page.html"],
      files: { "s.jsonl": session, "out/x": "" },
      stdout: "Exported to: out/page.html\n",
      after: ({ cwd }) => existsSync(join(cwd, "out/page.html")),
      left: true,
    },
  ],
};
