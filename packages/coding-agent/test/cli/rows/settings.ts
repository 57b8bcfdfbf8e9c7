import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Section } from "../row.js";

const kept = { after: ({ agentDir }: { agentDir: string }) => readFileSync(join(agentDir, "settings.json"), "utf8") };

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
      stderr: /^(Error: )?Invalid httpIdleTimeoutMs setting: soon/,
    },
    {
      words: ["--model", "m1", "-p", "x"],
      agent: { "settings.json": '{"compaction":{"reserveTokens":-1}}' },
      code: 1,
      stderr: /^(Error: )?Invalid compaction\.reserveTokens setting: -1\. Expected a non-negative safe integer\./,
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
      stderr: "Error: Invalid trust store $AGENT/trust.json: expected an object\n",
    },
    {
      words: ["-p", "x"],
      files: { ".pi/SYSTEM.md": "P" },
      agent: { "trust.json": '{"/x":5}' },
      code: 1,
      stderr: 'Error: Invalid trust store $AGENT/trust.json: value for "/x" must be true, false, or null\n',
    },
  ],
};
