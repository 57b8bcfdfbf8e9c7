import { isObject } from "../json/objects.js";
import type { Tool, ToolCall } from "../types.js";

/**
 * Tools whose one argument follows a grammar: OpenAI's APIs have a call of its own for them, which carries the bare text
 * in place of JSON. Rules: llm.md section 8, "Constrained sampling".
 */

/** How a tool is declared to the provider. */
export interface GrammarTool {
  /** The parameter the text becomes. */
  property: string;
  format: { syntax: "lark" | "regex"; definition: string };
}

/** By tool name. */
export type GrammarTools = ReadonlyMap<string, GrammarTool>;

/** For providers that know no grammars. */
export const NO_GRAMMAR_TOOLS: GrammarTools = new Map();

/**
 * The tools that are declared with a grammar.
 * @throws Error when a tool with a grammar has no place for the text
 */
export function grammarTools(tools: readonly Tool[], supported: boolean): GrammarTools {
  const found = new Map<string, GrammarTool>();
  if (!supported) return found;
  for (const tool of tools) {
    const grammar = grammarOf(tool);
    if (grammar) found.set(tool.name, grammar);
  }
  return found;
}

function grammarOf({ name, parameters, constrainedSampling: wish }: Tool): GrammarTool | undefined {
  if (wish === false || wish?.type !== "grammar") return undefined;
  const { openai_lark: lark, openai_regex: regex } = wish.variants;
  const definition = lark ?? regex;
  if (definition === undefined) return undefined;
  const property = onlyProperty(parameters);
  if (property === undefined) {
    throw new Error(
      `Tool "${name}" requires grammar constrained sampling, but its parameters are not an object with exactly one required string property`,
    );
  }
  return { property, format: { syntax: lark === undefined ? "regex" : "lark", definition } };
}

function onlyProperty(parameters: object): string | undefined {
  const { type, properties, required } = parameters as Record<string, unknown>;
  if (type !== "object" || !isObject(properties)) return undefined;
  const [name, ...others] = Object.keys(properties);
  if (name === undefined || others.length > 0 || !Array.isArray(required) || !required.includes(name)) return undefined;
  const schema = properties[name];
  return isObject(schema) && schema["type"] === "string" ? name : undefined;
}

/** The bare text of an earlier call, where it goes back as one; undefined where the call goes back with JSON. */
export function grammarInput(call: ToolCall, tools: GrammarTools): string | undefined {
  const property = tools.get(call.name)?.property;
  const text = property === undefined ? undefined : call.arguments[property];
  return typeof text === "string" && Object.keys(call.arguments).length === 1 ? text : undefined;
}

/** Name of the parameter for a call of a tool that was not declared. */
const UNKNOWN_PROPERTY = "input";

/** What takes arguments text piece by piece. */
interface ArgumentsTarget {
  append(delta: string): void;
  replace(text: string): void;
}

/** Turns the bare text of one call into the arguments text that every other call has. */
export class GrammarInput {
  readonly #target: ArgumentsTarget;
  readonly #property: string;

  constructor(target: ArgumentsTarget, toolName: string, tools: GrammarTools) {
    this.#target = target;
    this.#property = tools.get(toolName)?.property ?? UNKNOWN_PROPERTY;
    target.append(`{${JSON.stringify(this.#property)}:"`);
  }

  append(text: string): void {
    this.#target.append(JSON.stringify(text).slice(1, -1));
  }

  /** Closes the arguments with what has arrived. */
  end(): void {
    this.#target.append('"}');
  }

  /** Makes `text` the whole text, and closes the arguments. */
  finish(text: string): void {
    this.#target.replace(JSON.stringify({ [this.#property]: text }));
  }
}
