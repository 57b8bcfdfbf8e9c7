import type { AgentTool, AgentToolResult } from "@earendil-works/pi-agent-core";
import type { ModelImageResizeOptions } from "@earendil-works/pi-ai";
import type { ExtensionToolContext } from "../extensions/types/context.js";
import type { ToolDefinition } from "../extensions/types/tool.js";
import { detectImageMimeType, SNIFFED_BYTES } from "../images/mime.js";
import { rejectOnAbort } from "./abort.js";
import { resolveReadPath } from "./path-utils.js";
import { binaryKind } from "./read/binary-kind.js";
import { showImage } from "./read/image.js";
import { checkReadable, describeMissing, readChunks, sizeOf } from "./read/local-file.js";
import { collectBytes, countBytes, peekStream } from "./read/peeked-stream.js";
import { detectEncoding, showText } from "./read/text.js";
import description from "./read.md?raw";
import { readRegularFile } from "./regular-file.js";
import { wrapToolDefinition } from "./tool-definition-wrapper.js";
import { checkArguments, type ToolSchema, toolSchema } from "./tool-schema.js";
import { formatSize, type TruncationResult } from "./truncate.js";

export interface ReadToolInput {
  path: string;
  /** 1-based first line. */
  offset?: number;
  /** Number of lines. */
  limit?: number;
}

export interface ReadToolDetails {
  truncation?: TruncationResult;
  /** Id of the current model, when it takes no images. */
  imageUnsupportedByModel?: string;
}

/** Where files are read; replace it to read on another machine. */
export interface ReadOperations {
  readFile(absolutePath: string): Promise<Buffer>;
  /** Rejects when the file cannot be read. */
  access(absolutePath: string): Promise<void>;
  /** MIME type of an image, or null; without it the content is looked at. */
  detectImageMimeType?(absolutePath: string): Promise<string | null | undefined>;
  /** The file in chunks; without it files are read whole. */
  createReadStream?(absolutePath: string, options: { signal?: AbortSignal | undefined }): AsyncIterable<Uint8Array>;
}

export interface ReadToolOptions {
  /** Whether images over the limits are made smaller; default true. */
  autoResizeImages?: boolean;
  /** Limits of images; those of the current model go before. */
  resizeOptions?: ModelImageResizeOptions;
  operations?: ReadOperations;
}

type ReadResult = AgentToolResult<ReadToolDetails | undefined>;

const parameters = toolSchema<ReadToolInput>({
  type: "object",
  properties: {
    path: { type: "string", description: "File to read, relative to the working directory or absolute." },
    offset: { type: "number", description: "First line to show, counted from 1." },
    limit: { type: "number", description: "Number of lines to show." },
  },
  required: ["path"],
});

const localOperations: ReadOperations = {
  readFile: readRegularFile,
  access: checkReadable,
  createReadStream: readChunks,
};

/** The `read` tool. Source: agent-and-tools.md B1. */
export function createReadToolDefinition(
  cwd: string,
  options: ReadToolOptions = {},
): ToolDefinition<ToolSchema<ReadToolInput>, ReadToolDetails | undefined> {
  const operations = options.operations ?? localOperations;
  return {
    name: "read",
    label: "read",
    description: description.trim(),
    parameters,
    constrainedSampling: { type: "json_schema", strict: "prefer" },
    promptSnippet: "Read a text file or look at an image",
    promptGuidelines: ["Look at files with read, not with cat or sed."],
    execute(_toolCallId, params, signal, _onUpdate, ctx) {
      return rejectOnAbort(signal, async () => {
        checkArguments("read", parameters, params);
        const path = await resolveReadPath(params.path, ctx?.cwd || cwd);
        try {
          return await readPath(path, params, operations, options, signal, ctx);
        } catch (error) {
          throw operations === localOperations ? await withHint(error, path, params.path) : error;
        }
      });
    },
  };
}

/** The `read` tool as the agent loop runs it. */
export function createReadTool(
  cwd: string,
  options?: ReadToolOptions,
): AgentTool<ToolSchema<ReadToolInput>, ReadToolDetails | undefined> {
  return wrapToolDefinition(createReadToolDefinition(cwd, options));
}

async function readPath(
  path: string,
  params: ReadToolInput,
  operations: ReadOperations,
  options: ReadToolOptions,
  signal: AbortSignal | undefined,
  ctx: ExtensionToolContext | undefined,
): Promise<ReadResult> {
  await operations.access(path);
  const declared = await operations.detectImageMimeType?.(path);
  if (declared) return imageResult(await operations.readFile(path), declared, options, ctx);

  const chunks = operations.createReadStream?.(path, { signal }) ?? wholeFile(operations, path);
  const stream = await peekStream(chunks, SNIFFED_BYTES);
  try {
    const sniffed = operations.detectImageMimeType ? null : detectImageMimeType(stream.head);
    if (sniffed) return await imageResult(await collectBytes(stream.chunks()), sniffed, options, ctx);
    const kind = binaryKind(stream.head);
    const encoding = kind === undefined ? detectEncoding(stream.head) : "binary";
    if (encoding === "binary") {
      // Files of /proc and the like say 0.
      const known = operations === localOperations ? await sizeOf(path) : 0;
      return textResult(binaryNotice(known || (await countBytes(stream.chunks())), kind), undefined);
    }
    const { text, truncation } = await showText(stream.chunks(), encoding, params);
    return textResult(text, truncation && { truncation });
  } finally {
    await stream.close();
  }
}

function binaryNotice(size: number, kind: string | undefined): string {
  const name = kind === undefined ? "" : ` ${kind},`;
  const program = kind === "PDF" ? "pdftotext" : "file or xxd";
  return `[Binary file,${name} ${formatSize(size)}: not shown. Use bash to inspect it, e.g. with ${program}.]`;
}

function textResult(text: string, details: ReadToolDetails | undefined): ReadResult {
  return { content: [{ type: "text", text }], details, structuredContent: text };
}

async function imageResult(
  bytes: Buffer,
  mimeType: string,
  options: ReadToolOptions,
  ctx: ExtensionToolContext | undefined,
): Promise<ReadResult> {
  const model = ctx?.model;
  const limits = model?.inputLimits?.images?.resize ?? options.resizeOptions ?? {};
  const { note, image } = await showImage(bytes, mimeType, options.autoResizeImages === false ? false : limits);
  // For a model without image input the picture stays: another model may read the session later.
  const details = model && !model.input.includes("image") ? { imageUnsupportedByModel: model.id } : undefined;
  if (!image) return { content: [{ type: "text", text: note }], details, structuredContent: note };
  return {
    content: [{ type: "text", text: note }, image],
    details,
    structuredContent: { type: "image", data: image.data, mimeType: image.mimeType, note },
  };
}

async function* wholeFile(operations: ReadOperations, path: string): AsyncGenerator<Uint8Array> {
  yield await operations.readFile(path);
}

/** Keeps the first sentence, which is Node's, and says what to do next. */
async function withHint(error: unknown, path: string, given: string): Promise<unknown> {
  if (!(error instanceof Error)) return error;
  const { code } = error as NodeJS.ErrnoException;
  let hint = "";
  if (code === "EISDIR") hint = ` ${given || path} is a directory; list it with ls.`;
  if (code === "ENOENT" && !given.includes("\0")) hint = await describeMissing(path);
  if (hint === "") return error;
  return Object.assign(new Error(`${error.message}.${hint}`, { cause: error }), { code });
}
