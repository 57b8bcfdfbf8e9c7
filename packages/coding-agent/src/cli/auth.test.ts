import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { inTemporaryFolder } from "../../test/temporary-folder.js";
import { ModelRuntime } from "../core/models/model-runtime.js";
import { runAuth } from "./auth.js";
import { checkClients, checkModels } from "./doctor/files.js";

let agentDir: string;
inTemporaryFolder("pi-auth-", (path) => {
  agentDir = path;
});

let said: string;
beforeEach(() => {
  said = "";
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    said += String(text);
    return true;
  });
  for (const name of ["ANTHROPIC_API_KEY", "ANTHROPIC_OAUTH_TOKEN", "ANTHROPIC_AUTH_TOKEN"]) vi.stubEnv(name, "");
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const put = (name: string, text: string) => writeFileSync(join(agentDir, name), text);
const auth = async (words: string) => {
  said = "";
  return { ...(await runAuth(words.split(" "), agentDir)), said };
};
const own = JSON.stringify({
  providers: { own: { api: "anthropic-messages", baseUrl: "http://x", apiKey: "k", models: [{ id: "m" }] } },
});

describe("a broken auth-clients.json", () => {
  it.each<[string, () => void, string]>([
    ["not JSON", () => put("auth-clients.json", "{broken"), "expected a name in double quotes"],
    ["a list", () => put("auth-clients.json", "[]"), "expected a JSON object of clients by provider id."],
    [
      "a link in circles",
      () => symlinkSync(join(agentDir, "auth-clients.json"), join(agentDir, "auth-clients.json")),
      "it is a link that leads in circles. Remove it.",
    ],
  ])("%s: keys work, and what does not is told by the file", async (_, make, reason) => {
    make();
    put("models.json", own);
    expect(await auth("check --provider own")).toEqual({ code: 0, stdout: "ready", said: "" });
    expect(await auth("print-api-key --provider own")).toEqual({ code: 0, stdout: "k", said: "" });
    const asked = await auth("check --provider anthropic");
    expect(asked).toMatchObject({ code: 1, stdout: "not_ready" });
    for (const text of [asked.said, checkClients(agentDir)[0]?.found ?? ""]) {
      expect(text).toContain(join(agentDir, "auth-clients.json"));
      expect(text).toContain(reason);
      expect(text).not.toMatch(/ELOOP|\n./);
    }
  });

  it("is looked for, not asked for", () => {
    expect(checkClients(agentDir)).toEqual([]);
  });
});

describe("what cannot be read is not unknown", () => {
  it("a provider that may be in models.json", async () => {
    put("models.json", "{x");
    const path = join(agentDir, "models.json");
    for (const words of ["check --provider own", "check --model own/m", "print-api-key --provider own", "logout own"]) {
      const { code, said: text } = await auth(words);
      expect(code).toBe(words.startsWith("check") ? 2 : 1);
      expect(text.trim().split("\n")).toHaveLength(2);
      expect(text).toContain(path);
    }
    expect((await auth("check --provider own --json")).stdout).toBe(
      '{"status":"invalid","provider":"own","reason":"invalid_state"}',
    );
    expect(checkModels(new ModelRuntime({ agentDir }), agentDir).found).not.toContain("\n");
  });

  it("any provider, where the agent directory cannot be read", async () => {
    agentDir = join(agentDir, "loop");
    symlinkSync(agentDir, agentDir);
    expect(await auth("check --provider anthropic")).toMatchObject({
      code: 2,
      stdout: "invalid",
      said: expect.stringMatching(/^Error: The agent directory is a link that leads in circles: \S+\. [^\n]*\n$/),
    });
    expect(await auth("logout anthropic")).toMatchObject({ code: 1, said: expect.stringContaining(agentDir) });
  });
});

it("a model that nobody knows has no provider", async () => {
  expect((await auth("check --model zz --json")).stdout).toBe(
    '{"status":"invalid","provider":null,"reason":"provider_not_found"}',
  );
});
