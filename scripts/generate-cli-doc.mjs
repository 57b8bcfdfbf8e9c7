// Writes the lists of docs/cli.md: options, commands and environment variables, from the tables that the program itself
// reads, shows as help and completes from.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as esbuild from "esbuild";
import { root } from "./lib/setup.mjs";

export const cliDocFile = join(root, "docs", "cli.md");
const mark = "<!-- From here on made from the tables of the program. -->";

/** @typedef {typeof import("../packages/coding-agent/src/cli/options.js") &
 *   typeof import("../packages/coding-agent/src/cli/subcommands.js") &
 *   typeof import("../packages/coding-agent/src/cli/environment.js")} Tables */

/**
 * The page with its lists as they should be.
 * @param {string} page
 */
export async function cliDoc(page) {
  const { optionSpecs, optionUsage, subcommands, optionNames, environmentVariables } = await tables();
  const lines = [
    page.slice(0, page.indexOf(mark) + mark.length),
    "",
    "## Options",
    "",
    "| option | |",
    "|---|---|",
    ...optionSpecs.map((spec) => {
      const others = (spec.aliases ?? []).filter((alias) => alias.startsWith("--"));
      const also = others.length > 0 ? ` Also ${others.map(code).join(", ")}.` : "";
      const repeat = spec.kind === "list" ? " A list with commas." : "";
      return row(code(optionUsage(spec)), `${spec.description}.${repeat}${also}${later(spec)}`);
    }),
    "",
    "## Commands",
    ...subcommands.flatMap((command) => {
      const parts = command.verbs ?? [command];
      return parts.flatMap((part) => [
        "",
        `### ${part === command ? command.name : `${command.name} ${part.name}`}`,
        "",
        `\`pi ${part.usage}\``,
        "",
        `${part.details ?? `${part.summary}.`}${later(command)}`,
        "",
        "| option | |",
        "|---|---|",
        ...part.options.map((option) => row(code(optionNames(option)), `${option.description}.`)),
      ]);
    }),
    "",
    "## Environment variables",
    "",
    "| variable | |",
    "|---|---|",
    ...environmentVariables.map(({ name, description }) => row(code(name), `${description}.`)),
    "",
  ];
  return lines.join("\n");
}

/** @returns {Promise<Tables>} */
async function tables() {
  const folder = join(root, "packages", "coding-agent", "src", "cli");
  const { outputFiles } = await esbuild.build({
    stdin: {
      contents: ["options", "subcommands", "environment"].map((name) => `export * from "./${name}.js";`).join("\n"),
      resolveDir: folder,
      loader: "ts",
    },
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    logLevel: "error",
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0]?.contents ?? "").toString("base64")}`);
}

/** @param {string} left @param {string} right */
function row(left, right) {
  return `| ${[left, right].map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

/** @param {string} text */
function code(text) {
  return `\`${text}\``;
}

/** @param {{ isPlanned?: true }} what */
function later({ isPlanned }) {
  return isPlanned ? " Not in this release." : "";
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  writeFileSync(cliDocFile, await cliDoc(readFileSync(cliDocFile, "utf8")));
}
