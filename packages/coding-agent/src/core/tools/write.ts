import { dirname } from "node:path";
import type { AgentTool } from "@earendil-works/pi-agent-core";
import type { ToolDefinition } from "../extensions/types/tool.js";
import { makeDirectories } from "../storage/make-directories.js";
import { throwIfAborted } from "./abort.js";
import { withFileMutationQueue } from "./file-mutation-queue.js";
import { resolveToCwd } from "./path-utils.js";
import { replaceFile } from "./replace-file.js";
import { wrapToolDefinition } from "./tool-definition-wrapper.js";
import { checkArguments, type ToolSchema, toolSchema } from "./tool-schema.js";
import description from "./write.md?raw";

export interface WriteToolInput {
  path: string;
  content: string;
}

/** Where files are written; replace it to write on another machine. */
export interface WriteOperations {
  writeFile(absolutePath: string, content: string): Promise<void>;
  /** Creates the directory and its parents; existing ones are fine. */
  mkdir(dir: string): Promise<void>;
}

export interface WriteToolOptions {
  operations?: WriteOperations;
}

const parameters = toolSchema<WriteToolInput>({
  type: "object",
  properties: {
    path: { type: "string", description: "File to write, relative to the working directory or absolute." },
    content: { type: "string", description: "The whole new content of the file." },
  },
  required: ["path", "content"],
});

const localOperations: WriteOperations = {
  writeFile: replaceFile,
  mkdir: async (dir) => makeDirectories(dir),
};

/** The `write` tool. Source: agent-and-tools.md B4. */
export function createWriteToolDefinition(
  cwd: string,
  options: WriteToolOptions = {},
): ToolDefinition<ToolSchema<WriteToolInput>, undefined> {
  const operations = options.operations ?? localOperations;
  return {
    name: "write",
    label: "write",
    description: description.trim(),
    parameters,
    constrainedSampling: { type: "json_schema", strict: "prefer" },
    promptSnippet: "Create a file or replace a whole one",
    promptGuidelines: ["Use write for new files and full rewrites only; change parts of a file with edit."],
    async execute(_toolCallId, params, signal, _onUpdate, ctx) {
      checkArguments("write", parameters, params);
      const { path, content } = params;
      const target = resolveToCwd(path, ctx?.cwd || cwd);
      // As the system would say: resolving took away that a directory was meant.
      if (path.endsWith("/")) throw new Error(`EISDIR: illegal operation on a directory, open '${target}'`);
      await withFileMutationQueue(target, async () => {
        throwIfAborted(signal);
        await operations.mkdir(dirname(target));
        throwIfAborted(signal);
        // No check after this: the file has changed, and the model must hear that it did.
        await operations.writeFile(target, content);
      });
      return { content: [{ type: "text", text: `Successfully wrote to ${path}` }], details: undefined };
    },
  };
}

/** The `write` tool as the agent loop runs it. */
export function createWriteTool(
  cwd: string,
  options?: WriteToolOptions,
): AgentTool<ToolSchema<WriteToolInput>, undefined> {
  return wrapToolDefinition(createWriteToolDefinition(cwd, options));
}
