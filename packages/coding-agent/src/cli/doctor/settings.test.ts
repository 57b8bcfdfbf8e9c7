import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { inTemporaryFolder } from "../../../test/temporary-folder.js";
import { ModelRuntime } from "../../core/models/model-runtime.js";
import { SettingsManager } from "../../core/settings/settings-manager.js";
import { checkCredentials, checkTrust } from "./files.js";
import { checkSettings } from "./settings.js";

let agentDir: string;
inTemporaryFolder("pi-doctor-", (path) => {
  agentDir = path;
});

it("names of settings that are nearly right are told, those of others are not", async () => {
  const path = join(agentDir, "settings.json");
  writeFileSync(
    path,
    JSON.stringify({
      theem: "dark",
      retry: { maxRetrys: 1, provider: { ofOthers: 2, maxRetries: 1 } },
      modelThinkingLevels: { "retry/retrys": "low" },
      somebodyElses: { theem: 1 },
      $schema: "x",
    }),
  );
  const settings = SettingsManager.create(agentDir, agentDir);
  const available = { runtime: new ModelRuntime({ agentDir }), tools: [], themes: [] };
  const checks = await checkSettings(settings, [], available, agentDir);
  expect(checks).toEqual([
    expect.objectContaining({
      level: "warn",
      found: "no setting is called theem",
      fix: `Did you mean theme? Correct it in ${path}: until then it does nothing.`,
    }),
    expect.objectContaining({
      found: "no setting is called retry.maxRetrys",
      fix: expect.stringContaining("retry.maxRetries?"),
    }),
  ]);
});

it("files that were cut to nothing are told", () => {
  for (const name of ["auth.json", "trust.json"]) writeFileSync(join(agentDir, name), "");
  expect(checkTrust(agentDir, agentDir)).toMatchObject({
    level: "warn",
    found: `${join(agentDir, "trust.json")} is empty`,
  });
  const found = checkCredentials(new ModelRuntime({ agentDir }), agentDir).map((check) => check.found);
  expect(found).toContain(`${join(agentDir, "auth.json")} is empty`);
});
