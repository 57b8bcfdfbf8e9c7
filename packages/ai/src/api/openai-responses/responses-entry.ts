import type { SimpleStreamOptions } from "../../types.js";
import { type ApiEntry, type EntryPoints, entryPoints } from "../entry-points.js";
import type { SimpleBase } from "../simple-options.js";
import type { OpenAIResponsesOptions } from "./responses-options.js";
import { responsesEffort } from "./responses-request.js";

/** What the common options become in each API of the Responses family. */
type OwnOptions = SimpleBase["options"] & Pick<OpenAIResponsesOptions, "reasoningEffort" | "toolChoice">;

function own(base: SimpleBase, options: SimpleStreamOptions | undefined): OwnOptions {
  return { ...base.options, reasoningEffort: base.reasoning, toolChoice: options?.toolChoice };
}

/** The two functions of an API of the Responses family. */
export function responsesEntryPoints<O extends OpenAIResponsesOptions>(
  start: ApiEntry<O | OwnOptions>["start"],
): EntryPoints<O | OwnOptions> {
  return entryPoints<O | OwnOptions>({ own, providerLevel: responsesEffort, start });
}
