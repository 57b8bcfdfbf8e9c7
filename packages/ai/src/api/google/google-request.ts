import { isObject } from "../../json/objects.js";
import { stripUnpairedSurrogates } from "../../text/surrogates.js";
import { getSystemMessageText } from "../../text/system-message-text.js";
import { getInitialSystemMessage, withoutInitialSystemMessage } from "../../transcript/context.js";
import { collapseSystemMessages, getCurrentTools } from "../../transcript/replay.js";
import type { Model, Tool, TranscriptContext } from "../../types.js";
import { outputLimit } from "../simple-options.js";
import { sentParameters } from "../tool-parameters.js";
import { googleContents } from "./google-contents.js";
import { isGemini3 } from "./google-models.js";
import type { GoogleOptions } from "./google-options.js";
import { thinkingConfig } from "./google-thinking.js";

type Wire = Record<string, unknown>;

/** The request body of both Google APIs. Source: llm-wire.md section 7. */
export function googleBody(model: Model, context: TranscriptContext, options: GoogleOptions = {}): Wire {
  const { messages } = collapseSystemMessages(context);
  const body: Wire = { contents: googleContents(withoutInitialSystemMessage(messages), model) };
  const system = getInitialSystemMessage(messages);
  const systemText = system ? stripUnpairedSurrogates(getSystemMessageText(system)) : "";
  if (systemText !== "") body["systemInstruction"] = { parts: [{ text: systemText }], role: "user" };
  Object.assign(body, toolFields(getCurrentTools(messages), model, options.toolChoice));
  const config: Wire = { maxOutputTokens: outputLimit(model, context, options) };
  if (options.temperature !== undefined) config["temperature"] = options.temperature;
  const thinking = thinkingConfig(model, options.thinking);
  if (thinking) config["thinkingConfig"] = thinking;
  body["generationConfig"] = config;
  return body;
}

function toolFields(tools: readonly Tool[], model: Model, choice: GoogleOptions["toolChoice"]): Wire {
  if (tools.length === 0) return {};
  let anyStrict = false;
  const functionDeclarations = tools.map((tool) => {
    const { parameters, strict } = sentParameters(tool, isGemini3(model.id));
    anyStrict ||= strict;
    return { name: tool.name, description: tool.description, parametersJsonSchema: withoutConst(parameters) };
  });
  const mode = choice?.toUpperCase() ?? (anyStrict ? "VALIDATED" : undefined);
  const fields: Wire = { tools: [{ functionDeclarations }] };
  if (mode !== undefined) fields["toolConfig"] = { functionCallingConfig: { mode } };
  return fields;
}

/** Members whose values are data, not schemas. */
const DATA_MEMBERS: ReadonlySet<string> = new Set(["enum", "default", "examples", "example", "required"]);
/** Members that hold schemas by name, so that a property may be called `const`. */
const SCHEMA_MAPS: ReadonlySet<string> = new Set(["properties", "$defs", "definitions", "patternProperties"]);

/** Google does not know `const`; a list of one value says the same. */
function withoutConst(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutConst);
  if (!isObject(schema)) return schema;
  const result: Wire = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === "const" && (typeof value === "string" || typeof value === "number")) result["enum"] = [value];
    else if (DATA_MEMBERS.has(key)) result[key] = value;
    else if (SCHEMA_MAPS.has(key) && isObject(value)) {
      result[key] = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutConst(inner)]));
    } else result[key] = withoutConst(value);
  }
  return result;
}
