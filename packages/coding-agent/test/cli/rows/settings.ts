import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Row, Section } from "../row.js";

const kept = { after: ({ agentDir }: { agentDir: string }) => readFileSync(join(agentDir, "settings.json"), "utf8") };

const trustAdvice = "Correct or remove it. Until then no project with settings of its own can be opened.";

export const settings: Section = {
  title: "4.1 settings and 5 trust",
  rows: [
    {
      words: ["--model", "m1", "-p", "x"],
      agent: { "settings.json": '{\n  "theme": "dark",\n  oops\n}' },
      stdout: "x\n",
      stderr: /^Warning: Invalid settings file \$AGENT\/settings\.json: .*line 3, column 3.*\n$/,
      ...kept,
      left: '{\n  "theme": "dark",\n  oops\n}',
      about: "a broken file is named with line and column, and stays",
    },
    {
      words: ["--model", "m1", "-p", "x"],
      agent: { "settings.json": '\uFEFF{"unknownKey":1}' },
      stdout: "x\n",
      ...kept,
      left: '\uFEFF{"unknownKey":1}',
      about: "a byte order mark and unknown keys",
    },
    {
      words: ["--model", "m1", "-p", "x"],
      agent: { "settings.json": '{"httpIdleTimeoutMs":"soon"}' },
      code: 1,
      stderr:
        "Error: Invalid httpIdleTimeoutMs setting: soon\n" +
        'Correct it in $AGENT/settings.json: expected a number of at least 0 or "disabled".\n',
    },
    {
      words: ["-a", "--model", "m1", "-p", "x"],
      files: { ".pi/settings.json": '{"websocketConnectTimeoutMs":-5}' },
      agent: { "settings.json": '{"websocketConnectTimeoutMs":5}' },
      code: 1,
      stderr:
        "Error: Invalid websocketConnectTimeoutMs setting: -5\n" +
        'Correct it in $CWD/.pi/settings.json: expected a number of at least 0 or "disabled".\n',
    },
    {
      words: ["--mode", "rpc", "--model", "m1"],
      agent: { "settings.json": '{"compaction":{"modelOverrides":{"a/b":{"reserveTokens":-1}}}}' },
      code: 1,
      stderr:
        'Error: Invalid compaction.modelOverrides["a/b"].reserveTokens setting: -1. Expected a non-negative safe integer.\n' +
        "Correct it in $AGENT/settings.json: expected a whole number of at least 0.\n",
      after: ({ agentDir }) => existsSync(join(agentDir, "sessions")),
      left: false,
    },
    {
      words: ["--model", "m1", "-p", "x"],
      agent: { "settings.json": '{"httpProxy":"host:secret"}' },
      code: 1,
      stderr:
        "Error: Invalid httpProxy setting: it is no address.\n" +
        "Correct it in $AGENT/settings.json: http://host:port, with a login http://name:password@host:port.\n",
    },
    {
      words: ["--model", "m1", "-p", "x"],
      agent: { "settings.json": '{"defaultTools":["read","bsh"]}' },
      stdout: "x\n",
      stderr: 'Warning: Setting defaultTools in $AGENT/settings.json: no tool is named "bsh".\nDid you mean bash?\n',
    },
    {
      words: ["--model", "m1", "-p", "x"],
      agent: { "settings.json": '{"editorPaddingX":50,"retry":{"maxRetries":-3}}' },
      stdout: "x\n",
      stderr: [
        '"editorPaddingX": expected a whole number from 0 to 3, got 50. It is ignored until you correct it.',
        '"retry.maxRetries": expected a whole number of at least 0, got -3. It is ignored until you correct it.',
      ]
        .map((problem) => `Warning: Invalid settings file $AGENT/settings.json: ${problem}\n`)
        .join(""),
    },
    ...(
      [
        [
          { defaultProvider: "nope", defaultModel: "m1" },
          'Setting defaultProvider "nope" in $AGENT/settings.json: there is no such provider.',
        ],
        [
          { defaultProvider: "anthropic", defaultModel: "claude-opus-5-5" },
          'Setting defaultProvider "anthropic" in $AGENT/settings.json: there is neither a key nor a sign-in for it.',
        ],
        [
          { defaultProvider: "scripted", defaultModel: "nope" },
          'Setting defaultModel "nope" in $AGENT/settings.json: scripted has no such model.',
        ],
      ] as const
    ).flatMap(([defaults, warning]): Row[] => [
      {
        words: ["-p", "x"],
        agent: { "settings.json": JSON.stringify(defaults) },
        stdout: "x\n",
        stderr: `Warning: ${warning} Using scripted/m1.\n`,
      },
      {
        words: ["--model", "m1", "-p", "x"],
        about: `with --model nobody asks for ${JSON.stringify(defaults)}`,
        agent: { "settings.json": JSON.stringify(defaults) },
        stdout: "x\n",
      },
    ]),
    {
      words: ["--model", "m1", "-p", "x"],
      agent: { "settings.json": '{"compaction":{"reserveTokens":-1}}' },
      code: 1,
      stderr:
        "Error: Invalid compaction.reserveTokens setting: -1. Expected a non-negative safe integer.\n" +
        "Correct it in $AGENT/settings.json: expected a whole number of at least 0.\n",
    },
    {
      words: ["-p", "x"],
      files: { ".pi/SYSTEM.md": "P" },
      agent: { "trust.json": "{broken" },
      code: 1,
      stderr: /^Error: Failed to read trust store \$AGENT\/trust\.json: /,
    },
    {
      words: ["-p", "x"],
      files: { ".pi/SYSTEM.md": "P" },
      agent: { "trust.json": "[]" },
      code: 1,
      stderr: `Error: Invalid trust store $AGENT/trust.json: expected an object\n${trustAdvice}\n`,
    },
    {
      words: ["-p", "x"],
      files: { ".pi/SYSTEM.md": "P" },
      agent: { "trust.json": '{"/x":5}' },
      code: 1,
      stderr: `Error: Invalid trust store $AGENT/trust.json: value for "/x" must be true, false, or null\n${trustAdvice}\n`,
    },
  ],
};
