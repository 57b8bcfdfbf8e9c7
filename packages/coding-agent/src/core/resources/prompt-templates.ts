/** Loading prompt templates, and putting them in the place of `/name`. Source: extensions.md section 9.3. */
import { basename, dirname } from "node:path";
import { canonicalFolder } from "../storage/files.js";
import { readTextIfExists } from "../storage/read-text.js";
import { parseFrontmatter } from "./frontmatter.js";
import { type FileKind, filesAt } from "./place-files.js";
import { parsePromptArguments, substitutePromptArguments } from "./prompt-arguments.js";
import type { ResourcePlace } from "./resource-places.js";
import type { PromptTemplate, ResourceDiagnostic } from "./resource-types.js";

const templateFiles: FileKind = { ending: ".md", label: "prompt template path", format: "markdown" };

export interface LoadPromptTemplatesResult {
  prompts: PromptTemplate[];
  diagnostics: ResourceDiagnostic[];
}

/** Loads the templates of all places, earlier places first: of two with one name the first one counts. */
export function loadPromptTemplates(sources: readonly ResourcePlace[]): LoadPromptTemplatesResult {
  const diagnostics: ResourceDiagnostic[] = [];
  const byName = new Map<string, PromptTemplate>();
  const files = new Set<string>();
  for (const source of sources) {
    for (const path of filesAt(source, templateFiles, diagnostics)) {
      const real = canonicalFolder(path);
      if (files.has(real)) continue;
      files.add(real);
      const template = loadTemplate(path, source, diagnostics);
      if (!template) continue;
      const winner = byName.get(template.name);
      if (winner) diagnostics.push(collision(winner, template));
      else byName.set(template.name, template);
    }
  }
  return { prompts: [...byName.values()], diagnostics };
}

/** The text of the template that a line calls for, with its arguments in their places; other lines as they are. */
export function expandPromptTemplate(text: string, templates: readonly PromptTemplate[]): string {
  const call = /^\/(\S+)(?:\s+([\s\S]*))?$/.exec(text);
  const template = call && templates.find(({ name }) => name === call[1]);
  if (!call || !template) return text;
  return substitutePromptArguments(template.content, parsePromptArguments(call[2] ?? ""));
}

function loadTemplate(
  path: string,
  { path: place, sourceInfo }: ResourcePlace,
  diagnostics: ResourceDiagnostic[],
): PromptTemplate | undefined {
  try {
    const { frontmatter, body } = parseFrontmatter(readTextIfExists(path) ?? "");
    const hint = frontmatter["argument-hint"];
    return {
      name: basename(path, ".md"),
      description: descriptionOf(frontmatter["description"], body),
      ...(typeof hint === "string" && { argumentHint: hint }),
      content: body,
      sourceInfo: { baseDir: path === place ? dirname(place) : place, ...sourceInfo, path },
      filePath: path,
    };
  } catch (error) {
    diagnostics.push({ type: "warning", message: (error as Error).message, path });
    return undefined;
  }
}

/** Longest first line that stands for a description, in characters. */
const longestLine = 60;

function descriptionOf(stated: unknown, body: string): string {
  if (typeof stated === "string" && stated !== "") return stated;
  const line =
    body
      .split("\n")
      .find((one) => one.trim() !== "")
      ?.trim() ?? "";
  const characters = [...line];
  return characters.length > longestLine ? `${characters.slice(0, longestLine).join("")}...` : line;
}

function collision(winner: PromptTemplate, loser: PromptTemplate): ResourceDiagnostic {
  return {
    type: "collision",
    message: `name "/${loser.name}" collision`,
    path: loser.filePath,
    collision: {
      resourceType: "prompt",
      name: loser.name,
      winnerPath: winner.filePath,
      loserPath: loser.filePath,
    },
  };
}
