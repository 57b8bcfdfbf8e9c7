import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { cliDoc, cliDocFile } from "../scripts/generate-cli-doc.mjs";
import { rpcSchema, schemaFile } from "../scripts/generate-rpc-schema.mjs";
import {
  settingsDoc,
  settingsDocFile,
  settingsSchema,
  settingsSchemaFile,
} from "../scripts/generate-settings-schema.mjs";

it("the published description of the RPC protocol is that of the types", () => {
  // Out of date: run `node scripts/generate-rpc-schema.mjs`.
  expect(readFileSync(schemaFile, "utf8")).toBe(rpcSchema());
}, 120_000);

it("the published description of the settings and its page are those of the types", () => {
  // Out of date: run `node scripts/generate-settings-schema.mjs`.
  expect(readFileSync(settingsSchemaFile, "utf8")).toBe(settingsSchema());
  const page = readFileSync(settingsDocFile, "utf8");
  expect(page).toBe(settingsDoc(page));
}, 120_000);

it("the page of the command line is that of the tables", async () => {
  // Out of date: run `node scripts/generate-cli-doc.mjs`.
  const page = readFileSync(cliDocFile, "utf8");
  expect(page).toBe(await cliDoc(page));
});
