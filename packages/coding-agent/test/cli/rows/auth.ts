import { chmodSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Row, Section } from "../row.js";

const stored = JSON.stringify({
  scripted: { type: "api_key", key: "stored-key" },
  groq: { type: "api_key", key: "other-key" },
});
const token = JSON.stringify({
  anthropic: { type: "oauth", access: "the-token", refresh: "r", expires: 9_000_000_000_000 },
});
const verbs =
  'Use "pi auth login", "pi auth logout", "pi auth print-api-key", "pi auth print-bearer-token", or "pi auth check".';
const json = (value: object) => `${JSON.stringify(value)}\n`;
const brokenFile =
  "Error: Invalid credentials file $AGENT/auth.json: it is not valid JSON (expected a name in double quotes at line 1, " +
  "column 2). Correct or remove it.\n";
const refused = (words: string[], first: string, code = 1): Row => ({
  words: ["auth", ...words],
  code,
  stderr: new RegExp(`^${first.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}\\n[^\\n]+\\n$`),
});

export const auth: Section = {
  title: "1.9 pi auth",
  rows: [
    ...[[], ["help"], ["--help"]].map((words) => ({
      words: ["auth", ...words],
      stdout: /^Usage: pi auth <command>\n/,
    })),
    {
      words: ["auth", "bogus"],
      code: 1,
      stderr: `Error: Unknown auth command "bogus". ${verbs}\nAll of them: pi auth --help\n`,
    },
    refused(["check", "--foo"], 'Unknown option --foo for "auth check".'),
    refused(["login", "x", "--json"], 'Unknown option --json for "auth login".'),
    refused(["check"], "Error: Auth checks require --provider <provider> or --model <model>", 2),
    { words: ["auth", "check", "--provider", "scripted"], stdout: "ready\n" },
    { words: ["auth", "check", "--model", "m1"], stdout: "ready\n" },
    {
      words: ["auth", "check", "--provider", "scripted", "--json"],
      stdout: json({ status: "ready", provider: "scripted", authType: "api_key" }),
    },
    {
      words: ["auth", "check", "--provider", "groq", "--json"],
      code: 1,
      stdout: json({ status: "not_ready", provider: "groq", reason: "credentials_not_configured" }),
    },
    { words: ["auth", "check", "--provider", "groq"], code: 1, stdout: "not_ready\n" },
    {
      words: ["auth", "check", "--provider", "nope", "--json"],
      code: 2,
      stdout: json({ status: "invalid", provider: "nope", reason: "provider_not_found" }),
    },
    {
      words: ["auth", "check", "--provider", "nope"],
      code: 2,
      stdout: "invalid\n",
      stderr:
        /^Error: Unknown provider "nope"\. Use --list-models to see available providers\.\nProviders: [^\n]+scripted\n$/,
    },
    {
      words: ["auth", "check", "--provider", "scripted", "--json"],
      agent: { "auth.json": "{broken" },
      code: 2,
      stdout: json({ status: "invalid", provider: "scripted", reason: "invalid_state" }),
      stderr: brokenFile,
    },
    {
      words: ["auth", "check", "--provider", "anthropic", "--json"],
      about: "an entry that is no credential is invalid, whatever else there is",
      agent: { "auth.json": '{"anthropic":"sk-123"}' },
      env: { ANTHROPIC_API_KEY: "k" },
      code: 2,
      stdout: json({ status: "invalid", provider: "anthropic", reason: "invalid_state" }),
      stderr:
        'Error: Invalid credentials file $AGENT/auth.json: entry "anthropic": expected an object. Correct or remove it.\n',
    },
    {
      words: ["auth", "check", "--provider", "scripted"],
      about: "and does not disturb others",
      agent: { "auth.json": '{"anthropic":"sk-123"}' },
      stdout: "ready\n",
    },
    {
      words: ["auth", "logout", "anthropic"],
      about: "an entry that is no credential is removed",
      agent: { "auth.json": '{"anthropic":"sk-123","groq":{"type":"api_key","key":"k"}}' },
      prepare: ({ agentDir }) => chmodSync(join(agentDir, "auth.json"), 0o600),
      stdout: "Signed out of anthropic.\n",
      after: ({ agentDir }) => Object.keys(JSON.parse(readFileSync(join(agentDir, "auth.json"), "utf8"))),
      left: ["groq"],
    },
    {
      words: ["auth", "logout", "groq"],
      about: "credentials that others could read are theirs no more, once they are written",
      agent: { "auth.json": stored },
      prepare: ({ agentDir }) => chmodSync(join(agentDir, "auth.json"), 0o644),
      stdout: "Signed out of groq.\n",
      stderr: "Warning: Others could read $AGENT/auth.json. Now only you can (mode 600).\n",
      after: ({ agentDir }) => statSync(join(agentDir, "auth.json")).mode & 0o777,
      left: 0o600,
    },
    ...[["logout", "groq"], ["print-api-key"], ["print-bearer-token"], ["login", "groq"]].map(
      (words): Row => ({
        words: ["auth", ...words],
        about: `pi auth ${words.join(" ")} with a broken file`,
        agent: { "auth.json": "{broken" },
        code: 1,
        stderr: brokenFile,
        after: ({ agentDir }) => readFileSync(join(agentDir, "auth.json"), "utf8"),
        left: "{broken",
      }),
    ),
    {
      words: ["--list-models", "second"],
      about: "a broken file is said where models are listed",
      agent: { "auth.json": "{broken" },
      stdout: /^provider .*\nscripted {2}second-model .*\n$/,
      stderr: brokenFile.replace("Error", "Warning"),
    },
    {
      words: ["--list-models", "second"],
      about: "a broken models.json is said with line and column",
      agent: { "models.json": '{\n  "providers": {x}\n}' },
      stdout: /^No models available\. /,
      stderr:
        "Warning: errors loading models.json:\n" +
        "Failed to parse models.json: expected a name in double quotes at line 2, column 17\n\nFile: $AGENT/models.json\n",
    },
    {
      words: ["auth", "check", "--provider", "anthropic", "--no-refresh", "--json"],
      agent: { "auth.json": JSON.stringify({ anthropic: { type: "oauth", access: "a", refresh: "r", expires: 1 } }) },
      code: 1,
      stdout: json({ status: "not_ready", provider: "anthropic", reason: "credential_not_available" }),
    },
    {
      words: ["auth", "check", "--provider", "groq", "--credentials"],
      agent: { "auth.json": stored },
      stdout: "other-key\n",
    },
    {
      words: ["auth", "check", "--provider", "groq", "--credentials", "--json"],
      agent: { "auth.json": stored },
      stdout: json({ status: "ready", provider: "groq", authType: "api_key", credentials: { apiKey: "other-key" } }),
    },
    { words: ["auth", "print-api-key"], stdout: "test-key\n" },
    { words: ["auth", "print-api-key", "--provider", "groq"], agent: { "auth.json": stored }, stdout: "other-key\n" },
    { words: ["auth", "print-bearer-token"], agent: { "auth.json": token }, stdout: "the-token\n" },
    {
      words: ["auth", "print-bearer-token", "--provider", "anthropic", "--min-expiry", "1h"],
      agent: { "auth.json": token },
      stdout: "the-token\n",
    },
    refused(
      ["print-api-key", "--provider", "nope"],
      'Error: Unknown provider "nope". Use --list-models to see available providers.',
    ),
    { words: ["auth", "print-api-key"], bare: true, code: 1, stderr: /^No usable API key is configured\n/ },
    { words: ["auth", "print-bearer-token"], code: 1, stderr: /^No usable OAuth bearer token is configured\n/ },
    {
      words: ["auth", "print-api-key"],
      agent: { "auth.json": stored },
      code: 1,
      stderr: /^Multiple configured providers matched \((groq, scripted|scripted, groq)\)\. Specify --provider\.\n/,
    },
    refused(["print-bearer-token", "--min-expiry", "soon"], "--min-expiry must use a duration such as 30m or 1h"),
    ...["--json", "--credentials", "--no-refresh"].map((option) =>
      refused(["print-api-key", option], `${option} is only supported by auth check`),
    ),
    { words: ["auth", "login", "scripted"], code: 1, stderr: /^"pi auth login" requires an interactive terminal\n/ },
    { words: ["auth", "logout", "scripted"], stdout: "Nothing is stored for scripted.\n" },
    refused(["logout", "nope"], 'Unknown provider "nope".'),
  ],
};
