import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import type { Row, Section } from "../row.js";

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
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
        /^ok {4}Node\.js +v\S+\nok {4}Terminal .*\n(ok|warn) {2,4}ripgrep .*\n[\s\S]*ok {4}Agent directory +\$AGENT\nok {4}Settings .*\nok {4}models\.json .*\nok {4}Credentials +(?=.*groq \(stored key\))(?=.*openai \(OPENAI_API_KEY\))(?=.*scripted \(models\.json\)).*\nok {4}Project trust .*\nok {4}Resources .*\nok {4}Session directory .*\nok {4}Disk space .* MB free .*\nok {4}Proxies +HTTPS_PROXY http:\/\/proxy\.example:3128\n/,
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
    ...(
      [
        [{ httpIdleTimeoutMs: "soon" }, "fail", "Invalid httpIdleTimeoutMs setting: soon"],
        [
          { compaction: { modelOverrides: { "a/b": { reserveTokens: -1 } } } },
          "fail",
          'Invalid compaction.modelOverrides["a/b"].reserveTokens setting: -1. Expected a non-negative safe integer.',
        ],
        [{ shellPath: "/no/shell" }, "fail", "shellPath is no program: /no/shell"],
        [{ shellPath: "/tmp" }, "fail", "shellPath is no program: /tmp"],
        [{ defaultTools: ["raed", "+grep"] }, "warn", "defaultTools names no tool: raed"],
        [{ theme: "dark/drak" }, "warn", "theme names none: drak"],
        [{ enabledModels: ["nope/*"] }, "warn", 'No models match pattern "nope/*"'],
        [{ defaultProvider: "nope", defaultModel: "m1" }, "warn", 'defaultProvider "nope": there is no such provider'],
        [
          { defaultProvider: "scripted", defaultModel: "nope" },
          "warn",
          'defaultModel "nope": scripted has no such model',
        ],
        [
          { editorPaddingX: 50 },
          "fail",
          'Invalid settings file $AGENT/settings.json: "editorPaddingX": expected a whole number from 0 to 3, got 50.',
        ],
      ] as const
    ).map(([settings, level, found]): Row => {
      const json = JSON.stringify(settings);
      return {
        words: ["doctor"],
        about: `pi doctor with ${json}`,
        env,
        agent: { "settings.json": json },
        code: level === "fail" ? 1 : 0,
        stdout: new RegExp(
          `\\n${level} {2}Settings +${escaped(found)}[^\\n]*\\n +[^\\n]*(settings\\.json|settings\\.md)[^\\n]*\\n`,
        ),
      };
    }),
    {
      words: ["doctor"],
      about: "pi doctor with a proxy of the settings that is no address",
      env,
      agent: { "settings.json": '{"httpProxy":"host:secret"}' },
      code: 1,
      stdout:
        /\nfail {2}Proxies +no address: httpProxy \(as HTTPS_PROXY\), httpProxy \(as HTTP_PROXY\)\n +Expected http/,
    },
    {
      words: ["doctor"],
      about: "pi doctor with resources that a start cannot load",
      env,
      agent: {
        "extensions/bad.ts": "export default (",
        "extensions/good.ts": "export default (pi) => {};",
        "settings.json": '{"skills":["nope"],"packages":["npm:not-installed"]}',
        "keybindings.json": "[",
      },
      code: 1,
      stdout:
        /\nfail {2}Resources +Failed to load extension "\$AGENT\/extensions\/bad\.ts": [^\n]*\n[\s\S]*\nwarn {2}Resources +\$AGENT\/nope: skill path does not exist\n[\s\S]*\nwarn {2}Resources +Package npm:not-installed: Package is not installed[^\n]*\n[\s\S]*\nwarn {2}Keys +\$AGENT\/keybindings\.json: [^\n]*line 1, column 2[^\n]*\n/,
    },
    {
      words: ["doctor"],
      about: "pi doctor looks at the settings of a project that is trusted, and at no other's",
      env,
      files: { ".pi/settings.json": '{"sessionFsync":"soon"}' },
      agent: { "settings.json": '{"defaultProjectTrust":"always"}' },
      code: 1,
      stdout: /\nfail {2}Settings +Invalid sessionFsync setting: soon\n +Correct it in \$CWD\/\.pi\/settings\.json: /,
    },
    { words: ["doctor", "--help", "extra"], stdout: /^Usage: pi doctor \[--json\]\n/ },
    { words: ["doctor", "--jsno"], code: 1, stderr: 'Unknown option --jsno for "doctor".\nDid you mean --json?\n' },
    {
      words: ["docter"],
      code: 1,
      stderr: 'Error: Unknown command "docter".\nDid you mean "pi doctor"? As a prompt: pi -- docter\n',
    },
    { words: ["doctor", "who"], stdout: "who\n", about: "with words behind it, it begins a prompt" },
  ],
};
