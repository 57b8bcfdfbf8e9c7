// Writes the description of settings.json: JSON Schema for editors, for the checks at load, the documentation and the
// settings screen, and the table in docs/settings.md, made from the TypeScript types and their comments.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createGenerator } from "ts-json-schema-generator";
import { root } from "./lib/setup.mjs";

export const settingsSchemaFile = join(root, "packages", "coding-agent", "settings.schema.json");

/** @returns {string} the schema as it should be on disk */
export function settingsSchema() {
  const schema = createGenerator({
    path: join(root, "packages", "coding-agent", "src", "core", "settings", "settings.ts"),
    tsconfig: join(root, "tsconfig.json"),
    type: "Settings",
    expose: "none",
    topRef: false,
    extraTags: ["scope", "onWrong"],
    // Other programs and newer versions keep keys of their own here.
    additionalProperties: true,
    skipTypeCheck: true,
  }).createSchema("Settings");
  return `${JSON.stringify({ title: "Settings of pi: settings.json", ...schema }, null, 1)}\n`;
}

export const settingsDocFile = join(root, "docs", "settings.md");
const tableMark = "<!-- The table is made from the schema. -->";

/**
 * The page of settings with its table as it should be.
 * @param {string} page
 */
export function settingsDoc(page) {
  /** @type {{ properties: Record<string, Setting> }} */
  const { properties } = JSON.parse(settingsSchema());
  const text = page.slice(0, page.indexOf(tableMark) + tableMark.length);
  return `${text}\n\n| key | value | default | |\n|---|---|---|---|\n${rows(properties, "").join("\n")}\n`;
}

/** @typedef {{ type?: string | string[], const?: unknown, enum?: unknown[], anyOf?: Setting[], items?: Setting,
 *   properties?: Record<string, Setting>, additionalProperties?: boolean | Setting, description?: string,
 *   default?: unknown, scope?: string, onWrong?: string, minimum?: number | undefined, maximum?: number | undefined,
 *   multipleOf?: number | undefined }} Setting */

/** @param {Record<string, Setting>} settings @param {string} above @returns {string[]} */
function rows(settings, above) {
  return Object.entries(settings).flatMap(([name, setting]) => {
    const key = `${above}${name}`;
    if (setting.properties && typeof setting.additionalProperties !== "object") {
      return rows(setting.properties, `${key}.`);
    }
    const standard = setting.default === undefined ? "" : `\`${JSON.stringify(setting.default)}\``;
    const scope = setting.scope === "global" ? " Only the user's own settings." : "";
    const wrong = setting.onWrong === "stop" ? " A wrong value ends the start." : "";
    return [`| \`${key}\` | ${valueText(setting)} | ${standard} | ${setting.description ?? ""}${scope}${wrong} |`];
  });
}

/** @param {Setting} setting @returns {string} */
function valueText(setting) {
  if (setting.anyOf) {
    const { minimum, maximum, multipleOf } = setting;
    return setting.anyOf
      .map((one) => valueText(one.type === "number" ? { ...one, minimum, maximum, multipleOf } : one))
      .join(", ");
  }
  if (setting.const !== undefined) return `\`${JSON.stringify(setting.const)}\``;
  if (setting.enum) return setting.enum.map((value) => `\`${JSON.stringify(value)}\``).join(", ");
  if (setting.type === "array") return `list of ${setting.items ? valueText(setting.items) : "values"}`;
  if (setting.type === "number") return numberText(setting);
  return [setting.type ?? ""].flat().join(", ");
}

/** @param {Setting} setting @returns {string} */
function numberText({ minimum, maximum, multipleOf }) {
  const kind = multipleOf === 1 ? "whole number" : "number";
  if (minimum === undefined) return kind;
  // What a counter or a timer cannot hold is no limit to tell of.
  return maximum === undefined || maximum >= 2 ** 31 - 1
    ? `${kind} from ${minimum}`
    : `${kind} from ${minimum} to ${maximum}`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  writeFileSync(settingsSchemaFile, settingsSchema());
  writeFileSync(settingsDocFile, settingsDoc(readFileSync(settingsDocFile, "utf8")));
}
