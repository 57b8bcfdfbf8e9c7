import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { RecordedRequest } from "@pi/testkit";
import type { Place, Section } from "../row.js";

const model = ({ body }: RecordedRequest) => body["model"];
const system = (text: string) => (request: RecordedRequest) => request.conversation.system.includes(text);
const tools = ({ conversation }: RecordedRequest) => conversation.tools.map(({ name }) => name);
const thinks = ({ body }: RecordedRequest) =>
  !/undefined|disabled/.test(JSON.stringify(body["thinking"]) ?? "undefined");
const sessionFiles = (folder: string) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".jsonl"))
    : [];
const entries = ({ agentDir }: Place) => {
  const [name = ""] = sessionFiles(join(agentDir, "sessions"));
  return readFileSync(join(agentDir, "sessions", name), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string; name?: string });
};
const extension = 'export default (pi) => pi.on("session_start", () => console.error("loaded"));';
const template = { "t/greet.md": "Say hello to $1" };
const skill = { "s/tidy/SKILL.md": "---\nname: tidy\ndescription: Tidies up.\n---\nTidy up." };

export const options: Section = {
  title: "1.3 options",
  rows: [
    { words: ["--mode", "text", "-p", "x"], stdout: "x\n" },
    { words: ["--mode", "json", "x"], stdout: /^\{"type":"session"[\s\S]*"type":"agent_end"/ },
    { words: ["--mode", "rpc"], stdin: '{"id":"1","type":"get_state"}\n', stdout: /^\{"id":"1","command":"get_state"/ },
    { words: ["-p", "--mode", "rpc"], stdin: '{"type":"get_state"}\n', stdout: /"success":true/ },
    { words: ["--print", "x"], stdout: "x\n" },
    {
      words: ["--provider", "scripted", "--model", "second", "-p", "x"],
      stdout: "x\n",
      request: model,
      requested: "second-model",
    },
    { words: ["--model", "scripted/second-model:high", "-p", "x"], stdout: "x\n", request: thinks, requested: true },
    {
      words: ["--model", "second-model:high", "--thinking", "off", "-p", "x"],
      stdout: "x\n",
      request: thinks,
      requested: false,
    },
    { words: ["--models", "second*,m1", "-p", "x"], stdout: "x\n", request: model, requested: "second-model" },
    {
      words: ["--model", "m1", "--api-key", "for-this-run", "-p", "x"],
      stdout: "x\n",
      request: ({ headers }) => headers["x-api-key"],
      requested: "for-this-run",
    },
    { words: ["--thinking", "off", "-p", "x"], stdout: "x\n", request: thinks, requested: false },
    { words: ["--thinking", "high", "-p", "x"], stdout: "x\n", request: thinks, requested: true },
    {
      words: ["--system-prompt", "ONLY THIS", "-p", "x"],
      stdout: "x\n",
      request: system("ONLY THIS"),
      requested: true,
    },
    {
      words: ["--system-prompt", "p.md", "-p", "x"],
      files: { "p.md": "FROM A FILE" },
      stdout: "x\n",
      request: system("FROM A FILE"),
      requested: true,
    },
    { words: ["--append-system-prompt", "ALSO", "-p", "x"], stdout: "x\n", request: system("ALSO"), requested: true },
    { words: ["-c", "-p", "x"], stdout: "x\n", about: "--continue without a session begins one" },
    {
      words: ["--resume", "-p", "x"],
      code: 1,
      stderr: "Error: --resume needs a terminal\nUse --continue, or --session <id>.\n",
    },
    {
      words: ["--session-dir", "$HOME/own", "-p", "x"],
      stdout: "x\n",
      after: ({ home, agentDir }) => [sessionFiles(join(home, "own")).length, existsSync(join(agentDir, "sessions"))],
      left: [1, false],
    },
    {
      words: ["--no-session", "-p", "x"],
      stdout: "x\n",
      after: ({ agentDir }) => sessionFiles(agentDir),
      left: [],
    },
    {
      words: ["--session-dir", "$HOME/own", "-p", "x"],
      env: { PI_CODING_AGENT_SESSION_DIR: "$HOME/other" },
      files: { ".pi/settings.json": '{"sessionDir":"$HOME/third"}' },
      stdout: "x\n",
      after: ({ home }) => ["own", "other", "third"].map((name) => existsSync(join(home, name))),
      left: [true, false, false],
      about: "--session-dir comes before the environment and the settings",
    },
    {
      words: ["-p", "x"],
      env: { PI_CODING_AGENT_SESSION_DIR: "~/other" },
      files: { ".pi/settings.json": '{"sessionDir":"$HOME/third"}' },
      stdout: "x\n",
      after: ({ home }) => ["other", "third"].map((name) => existsSync(join(home, name))),
      left: [true, false],
      about: "PI_CODING_AGENT_SESSION_DIR comes before the settings",
    },
    {
      words: ["--no-session", "--session-id", "kept", "--mode", "json", "x"],
      stdout: /^\{"type":"session","version":3,"id":"kept"/,
      after: ({ agentDir }) => sessionFiles(agentDir),
      left: [],
    },
    {
      words: ["--thinking", "low", "--model", "m1:high", "--mode", "json", "x"],
      stdout: /"thinkingLevel":"low"/,
      about: "--thinking beats the suffix of --model",
    },
    {
      words: ["-n", "a name", "-p", "x"],
      stdout: "x\n",
      after: (place) => entries(place).find(({ type }) => type === "session_info")?.name,
      left: "a name",
    },
    { words: ["-t", "read,l*", "-p", "x"], stdout: "x\n", request: tools, requested: ["read", "ls"] },
    {
      words: ["-t", "+grep,-bash", "-p", "x"],
      stdout: "x\n",
      request: tools,
      requested: ["read", "edit", "write", "grep"],
    },
    { words: ["-xt", "bash,w*", "-p", "x"], stdout: "x\n", request: tools, requested: ["read", "edit"] },
    { words: ["-nbt", "-p", "x"], stdout: "x\n", request: tools, requested: [] },
    { words: ["-nt", "-p", "x"], stdout: "x\n", request: tools, requested: [] },
    { words: ["-nt", "-nbt", "-p", "x"], stdout: "x\n", request: tools, requested: [] },
    { words: ["-t", "read,ls", "-xt", "l*", "-p", "x"], stdout: "x\n", request: tools, requested: ["read"] },
    { words: ["-e", "x.ts", "-p", "x"], files: { "x.ts": extension }, stdout: "x\n", stderr: "loaded\n" },
    { words: ["-p", "x"], agent: { "extensions/x.ts": extension }, stdout: "x\n", stderr: "loaded\n" },
    { words: ["-ne", "-p", "x"], agent: { "extensions/x.ts": extension }, stdout: "x\n" },
    {
      words: ["-ne", "-e", "x.ts", "-p", "x"],
      files: { "x.ts": extension },
      stdout: "x\n",
      stderr: "loaded\n",
      about: "-e loads also with -ne",
    },
    { words: ["--no-mcp", "-p", "x"], stdout: "x\n" },
    { words: ["--skill", "s", "-p", "x"], files: skill, stdout: "x\n", request: system("Tidies up."), requested: true },
    {
      words: ["-ns", "-p", "x"],
      agent: { "skills/tidy/SKILL.md": skill["s/tidy/SKILL.md"] },
      stdout: "x\n",
      request: system("Tidies up."),
      requested: false,
    },
    {
      words: ["-ns", "--skill", "s", "-p", "x"],
      files: skill,
      stdout: "x\n",
      request: system("Tidies up."),
      requested: true,
    },
    { words: ["--prompt-template", "t", "-p", "/greet Ann"], files: template, stdout: "Say hello to Ann\n" },
    { words: ["-np", "-p", "/greet Ann"], agent: { "prompts/greet.md": "Hi $1" }, stdout: "/greet Ann\n" },
    { words: ["-np", "--prompt-template", "t", "-p", "/greet Ann"], files: template, stdout: "Say hello to Ann\n" },
    { words: ["--no-themes", "--use-theme", "dark", "-p", "x"], stdout: "x\n" },
    {
      words: ["-nc", "-p", "x"],
      files: { "AGENTS.md": "RULE ONE" },
      stdout: "x\n",
      request: system("RULE ONE"),
      requested: false,
    },
    {
      words: ["-p", "x"],
      files: { "AGENTS.md": "RULE ONE" },
      stdout: "x\n",
      request: system("RULE ONE"),
      requested: true,
    },
    { words: ["--verbose", "--tui-mode", "regular", "-p", "x"], stdout: "x\n" },
    ...(["-a", "--approve", "--trust"] as const).map((word) => ({
      words: [word, "-p", "x"],
      files: { ".pi/SYSTEM.md": "OF THE PROJECT" },
      stdout: "x\n",
      request: system("OF THE PROJECT"),
      requested: true,
      after: ({ agentDir }: Place) => existsSync(join(agentDir, "trust.json")),
      left: false,
    })),
    ...(["-na", "--no-approve", "--no-trust"] as const).map((word) => ({
      words: ["-a", word, "-p", "x"],
      files: { ".pi/SYSTEM.md": "OF THE PROJECT" },
      stdout: "x\n",
      request: system("OF THE PROJECT"),
      requested: false,
    })),
    {
      words: ["--offline", "-e", "x.ts", "-p", "x"],
      files: {
        "x.ts":
          "export default () => console.error(process.env.PI_OFFLINE, process.env.PI_SKIP_VERSION_CHECK, process.env.PI_CODING_AGENT, process.env.AI_AGENT, process.title);",
      },
      stdout: "x\n",
      stderr: "1 1 true pi pi\n",
    },
    {
      words: ["-e", "x.ts", "-p", "x"],
      env: { PI_OFFLINE: "Yes" },
      files: { "x.ts": "export default () => console.error(process.env.PI_OFFLINE);" },
      stdout: "x\n",
      stderr: "1\n",
      about: "PI_OFFLINE=Yes",
    },
    {
      words: ["-e", "x.ts", "-p", "x"],
      env: { PI_OFFLINE: "no" },
      files: { "x.ts": "export default () => console.error(process.env.PI_SKIP_VERSION_CHECK);" },
      stdout: "x\n",
      stderr: "undefined\n",
      about: "PI_OFFLINE=no",
    },
    { words: ["-h"], stdout: /^pi 1\.6\.0 / },
    { words: ["-v"], stdout: "1.6.0\n" },
    { words: ["--version"], stdout: "1.6.0\n" },
  ],
};
