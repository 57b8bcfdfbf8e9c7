import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import type { Section } from "../row.js";

const stored = '{"groq":{"type":"api_key","key":"a-stored-key"}}';
const env = { TERM: "xterm", LANG: "C.UTF-8" };

export const doctor: Section = {
  title: "pi doctor",
  rows: [
    {
      words: ["doctor"],
      env: { ...env, HTTPS_PROXY: "http://me:password@proxy.example:3128", OPENAI_API_KEY: "an-environment-key" },
      agent: { "auth.json": stored },
      prepare: ({ agentDir }) => chmodSync(join(agentDir, "auth.json"), 0o600),
      stdout:
        /^ok {4}Node\.js +v\S+\nok {4}Terminal .*\n(ok|warn) {2,4}ripgrep .*\n[\s\S]*ok {4}Agent directory +\$AGENT\nok {4}Settings .*\nok {4}models\.json .*\nok {4}Credentials +(?=.*groq \(stored key\))(?=.*openai \(OPENAI_API_KEY\))(?=.*scripted \(models\.json\)).*\nok {4}Project trust .*\nok {4}Session directory .*\nok {4}Disk space .* MB free .*\nok {4}Proxies +HTTPS_PROXY http:\/\/proxy\.example:3128\n/,
      after: ({ agentDir }) => existsSync(join(agentDir, "sessions")),
      left: false,
    },
    {
      words: ["doctor"],
      env,
      agent: { "auth.json": stored },
      prepare: ({ agentDir }) => chmodSync(join(agentDir, "auth.json"), 0o644),
      stdout: /\nwarn {2}Credentials +others may read \$AGENT\/auth\.json\n +chmod 600 \$AGENT\/auth\.json\n/,
    },
    {
      words: ["doctor"],
      env,
      bare: true,
      stdout: /\nwarn {2}Credentials +none: no model can be asked\n +Sign in .*\n/,
    },
    {
      words: ["doctor", "--json"],
      env,
      agent: {
        "settings.json": "{oops",
        "auth.json": '{"p":{"type":"api_key","key":5}}',
        "trust.json": "[]",
        "models.json": "{",
      },
      code: 1,
      stdout:
        /^\{\n {2}"status": "fail",\n {2}"checks": \[[\s\S]*line 1, column 2[\s\S]*Failed to parse models\.json[\s\S]*"key\\" must be a string[\s\S]*Invalid trust store/,
    },
    {
      words: ["doctor"],
      env: { ...env, PI_CODING_AGENT_DIR: "$CWD/file" },
      files: { file: "" },
      code: 1,
      stdout: /\nfail {2}Agent directory +\$CWD\/file is a file\n/,
    },
    { words: ["doctor", "--help"], stdout: /^Usage: pi doctor \[--json\]\n/ },
    { words: ["doctor", "--jsno"], code: 1, stderr: 'Unknown option --jsno for "doctor".\nDid you mean --json?\n' },
    {
      words: ["docter"],
      code: 1,
      stderr: 'Error: Unknown command "docter".\nDid you mean "pi doctor"? As a prompt: pi -- docter\n',
    },
    { words: ["doctor", "who"], stdout: "who\n", about: "with words behind it, it begins a prompt" },
  ],
};
