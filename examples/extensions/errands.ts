/**
 * One call for many: the model names several tools with their arguments, and gets all results at once. Each goes
 * through the same checks and hooks as a call of its own.
 * Start: `pi -e errands.ts`
 */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { Type } from "typebox";

export default function errands(pi: ExtensionAPI) {
  pi.registerTool({
    name: "errands",
    label: "Errands",
    description: "Runs several tools one after another and returns what each of them said.",
    parameters: Type.Object({
      errands: Type.Array(Type.Object({ tool: Type.String(), args: Type.Record(Type.String(), Type.Unknown()) })),
    }),
    async execute(_id, params, signal, onUpdate, ctx) {
      const known = new Set(ctx.tools.map(({ name }) => name));
      const said: string[] = [];
      for (const { tool, args } of params.errands) {
        if (tool === "errands" || !known.has(tool)) {
          said.push(`${tool}: not a tool for errands`);
          continue;
        }
        const { result, isError } = await ctx.executeTool(tool, args, signal ? { signal } : {});
        const text = result.content.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("\n");
        said.push(`${tool}${isError ? " failed" : ""}: ${text}`);
        onUpdate?.({ content: [{ type: "text", text: said.join("\n\n") }], details: { done: said.length } });
      }
      return { content: [{ type: "text", text: said.join("\n\n") }], details: { done: said.length } };
    },
  });
}
