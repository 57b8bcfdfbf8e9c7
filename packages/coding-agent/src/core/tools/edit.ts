import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import type { AgentTool } from "@earendil-works/pi-agent-core";
import type { ToolDefinition } from "../extensions/types/tool.js";
import { throwIfAborted } from "./abort.js";
import description from "./edit.md?raw";
import { applyEdits, type MatchedEdit, renderEdit } from "./edit-diff.js";
import { withFileMutationQueue } from "./file-mutation-queue.js";
import { resolveToCwd } from "./path-utils.js";
import { checkRegularFile, NotRegularFileError, readRegularFile } from "./regular-file.js";
import { replaceFile } from "./replace-file.js";
import { wrapToolDefinition } from "./tool-definition-wrapper.js";
import { checkArguments, type ToolSchema, toolSchema } from "./tool-schema.js";
import { formatSize } from "./truncate.js";

export interface EditToolInput {
  path: string;
  edits: { oldText: string; newText: string }[];
}

export interface EditToolDetails {
  /** Numbered display of the change. */
  diff: string;
  /** Unified patch of the change. */
  patch: string;
  /** 1-based line of the new file. */
  firstChangedLine?: number;
}

/** Where files are read and written; replace it to edit on another machine. */
export interface EditOperations {
  readFile(absolutePath: string): Promise<Buffer>;
  writeFile(absolutePath: string, content: string): Promise<void>;
  /** Rejects when the file cannot be read and written. */
  access(absolutePath: string): Promise<void>;
}

export interface EditToolOptions {
  operations?: EditOperations;
}

const parameters = toolSchema<EditToolInput>({
  type: "object",
  properties: {
    path: { type: "string", description: "File to change, relative to the working directory or absolute." },
    edits: {
      type: "array",
      description: "Replacements, all matched against the original file. They must not overlap.",
      items: {
        type: "object",
        properties: {
          oldText: { type: "string", description: "Text to replace, exactly as in the file and found there once." },
          newText: { type: "string", description: "Text to put in its place." },
        },
        required: ["oldText", "newText"],
      },
    },
  },
  required: ["path", "edits"],
});

/** The contents are held several times while they are changed. */
const MAX_BYTES = 256 * 1024 * 1024;

const localOperations: EditOperations = {
  readFile: async (path) => {
    const { size } = await stat(path);
    if (size <= MAX_BYTES) return readRegularFile(path);
    const sizes = `${formatSize(size)}, at most ${formatSize(MAX_BYTES)}`;
    throw new Error(`Could not edit file: ${path}. It is too large (${sizes}). Change it with bash, e.g. with sed.`);
  },
  writeFile: replaceFile,
  access: async (path) => {
    await access(path, constants.R_OK | constants.W_OK);
    await checkRegularFile(path);
  },
};

/** The `edit` tool. Source: agent-and-tools.md B3. */
export function createEditToolDefinition(
  cwd: string,
  options: EditToolOptions = {},
): ToolDefinition<ToolSchema<EditToolInput>, EditToolDetails | undefined> {
  const operations = options.operations ?? localOperations;
  return {
    name: "edit",
    label: "edit",
    description: description.trim(),
    parameters,
    constrainedSampling: { type: "json_schema", strict: "prefer" },
    renderShell: "self",
    promptSnippet: "Change a file by exact text replacement, several places at once",
    promptGuidelines: [
      "Put all changes of one file into one edit call with several entries in edits.",
      "Each oldText must match the file exactly and only once; keep it short, just long enough to be unique, and let entries not overlap.",
    ],
    prepareArguments: prepareEditArguments,
    async execute(_toolCallId, params, signal, _onUpdate, ctx) {
      if (!Array.isArray(params?.edits) || params.edits.length === 0) {
        throw new Error("Edit tool input is invalid. edits must contain at least one replacement.");
      }
      checkArguments("edit", parameters, params);
      const { path, edits } = params;
      const target = resolveToCwd(path, ctx?.cwd || cwd);
      const { details, matches } = await withFileMutationQueue(target, async () => {
        throwIfAborted(signal);
        await operations.access(target).catch((error: unknown) => {
          if (error instanceof NotRegularFileError) throw error;
          throw new Error(accessMessage(path, error), { cause: error });
        });
        throwIfAborted(signal);
        const bytes = await operations.readFile(target);
        throwIfAborted(signal);
        const applied = await applyEdits(decodeUtf8(bytes, path), edits, path, signal);
        const { diff, patch, firstChangedLine } = renderEdit(path, applied.oldContent, applied.newContent);
        throwIfAborted(signal);
        // No check after this: the file has changed, and the model must hear that it did.
        await operations.writeFile(target, applied.text);
        return {
          details: { diff, patch, ...(firstChangedLine !== undefined && { firstChangedLine }) },
          matches: applied.matches,
        };
      });
      const text = `Successfully replaced ${edits.length} block(s) in ${path}.${fuzzySentence(matches)}`;
      return { content: [{ type: "text", text }], details };
    },
  };
}

/** The `edit` tool as the agent loop runs it. */
export function createEditTool(
  cwd: string,
  options?: EditToolOptions,
): AgentTool<ToolSchema<EditToolInput>, EditToolDetails | undefined> {
  return wrapToolDefinition(createEditToolDefinition(cwd, options));
}

/**
 * Repairs shapes that models send instead of `edits: [...]`: the array or one entry as JSON text, one bare entry, and
 * `oldText`/`newText` beside `path`. What cannot be repaired is left for validation to refuse.
 */
export function prepareEditArguments(raw: unknown): EditToolInput {
  if (!isRecord(raw)) return raw as EditToolInput;
  const { oldText, newText, ...rest } = raw;
  const hasOwnPair = typeof oldText === "string" && typeof newText === "string";
  const args: Record<string, unknown> = hasOwnPair ? rest : { ...raw };
  const edits = editsFrom(args["edits"]);
  if (edits) args["edits"] = edits;
  if (hasOwnPair) args["edits"] = [...(edits ?? []), { oldText, newText }];
  return args as unknown as EditToolInput;
}

function editsFrom(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (isEdit(value)) return [value];
  if (typeof value !== "string") return undefined;
  try {
    const parsed: unknown = JSON.parse(value);
    if (Array.isArray(parsed)) return parsed;
    return isEdit(parsed) ? [parsed] : undefined;
  } catch {
    // Not JSON: validation names the problem.
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isEdit(value: unknown): boolean {
  return isRecord(value) && typeof value["oldText"] === "string" && typeof value["newText"] === "string";
}

function accessMessage(path: string, error: unknown): string {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (!code) return `Could not edit file: ${path}. ${String(error)}.`;
  const advice = code === "ENOENT" ? " The file does not exist; use write to create it." : "";
  return `Could not edit file: ${path}. Error code: ${code}.${advice}`;
}

/** Anything else would come back changed when written as UTF-8. */
function decodeUtf8(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new Error(`Could not edit file: ${path}. Not valid UTF-8.`, { cause: error });
  }
}

function fuzzySentence(matches: readonly MatchedEdit[]): string {
  const fuzzy = matches.filter((match) => match.fuzzy).map(({ index }) => `edits[${index}]`);
  if (fuzzy.length === 0) return "";
  return ` Not found as written, so matched without regard to trailing whitespace and to typographic quotes, dashes and spaces: ${fuzzy.join(", ")}.`;
}
