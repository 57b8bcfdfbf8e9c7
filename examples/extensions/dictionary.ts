/**
 * A tool with everything a tool can say about itself: a line and rules in the system prompt, old argument names,
 * structured results, hints, a namespace, and a drawing without the usual box that spins while it looks.
 * Start: `pi -e dictionary.ts`. `/dictionary` activates it: by itself it is not.
 */
import { type AgentToolResult, defineTool, type ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { Text } from "@earendil-works/pi-tui";
import { Type } from "typebox";

const words: Record<string, string> = { leaf: "the entry a session goes on from", turn: "one answer with its tools" };

const parameters = Type.Object({ term: Type.String() });

interface Found {
  term: string;
  meaning: string | undefined;
}

const dictionary = defineTool({
  name: "dictionary",
  label: "Dictionary",
  description: "Says what a word means in this project.",
  parameters,
  promptSnippet: "Look up the project's own words",
  promptGuidelines: ["Look a word up before you guess what it means here."],
  // Earlier versions called it `word`; sessions may still do.
  prepareArguments: (raw) =>
    "word" in (raw as object) ? { term: (raw as { word: string }).word } : (raw as { term: string }),
  outputSchema: { type: "object", properties: { meaning: { type: "string" } } },
  annotations: { readOnlyHint: true, idempotentHint: true },
  namespace: { name: "reference", description: "Works of reference" },
  exposure: "direct",
  defaultActive: false,
  renderShell: "self",
  async execute(_id, { term }): Promise<AgentToolResult<Found>> {
    const meaning = words[term.toLowerCase()];
    const text = meaning ?? `"${term}" is not in the dictionary.`;
    return { content: [{ type: "text", text }], details: { term, meaning }, structuredContent: { meaning: text } };
  },
  renderCall: ({ term = "…" }, theme, { lastComponent, argsComplete }) => {
    // One component for the row, told anew.
    const line = lastComponent instanceof Text ? lastComponent : new Text("", 0, 0);
    line.setText(`${argsComplete ? "📕" : "📖"} ${theme.underline(term)}`);
    return line;
  },
  renderResult: (result, { isPartial, expanded }, theme, context) => {
    const { term, meaning } = result.details as Found;
    const took = context.durationMs === undefined ? "" : theme.fg("dim", ` ${context.durationMs} ms`);
    const more = expanded
      ? ` (${context.toolCallId}, ${context.args.term})`
      : ` ${context.keyHint("app.tools.expand", "more")}`;
    return new Text(`${isPartial ? "" : (meaning ?? `no ${term}`)}${took}${more}`, context.outputPad, 0);
  },
});

export default function dictionaryTool(pi: ExtensionAPI) {
  pi.registerTool(dictionary);
  pi.registerCommand("dictionary", {
    description: "Let the model use the dictionary",
    handler: async (_args, ctx) => {
      pi.setActiveTools([...pi.getActiveTools(), dictionary.name]);
      const { namespace, annotations } = pi.getAllTools().find(({ name }) => name === dictionary.name) ?? {};
      ctx.ui.notify(`${namespace?.name}: ${annotations?.readOnlyHint ? "only reads" : "changes things"}`);
    },
  });
}
