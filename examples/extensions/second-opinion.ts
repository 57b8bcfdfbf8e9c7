/**
 * Lets the model ask you: with choices, for so long. Who does not answer in time has no opinion, and when the run is
 * stopped the question goes away with it.
 * Start: `pi -e second-opinion.ts --patience=60`
 */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { Type } from "typebox";

const OTHER = "Something else";

export default function secondOpinion(pi: ExtensionAPI) {
  pi.registerFlag("patience", { type: "string", description: "Seconds to wait for you", default: "120" });
  pi.registerTool({
    name: "ask_user",
    label: "Ask",
    description: "Asks the user to choose, and returns what they say.",
    promptSnippet: "Ask the user when there are several good ways",
    parameters: Type.Object({ question: Type.String(), choices: Type.Array(Type.String(), { minItems: 2 }) }),
    async execute(_id, { question, choices }, signal, _onUpdate, ctx) {
      const timeout = Number(pi.getFlag("patience")) * 1000;
      let answer = ctx.hasUI ? await ctx.ui.select(question, [...choices, OTHER], { timeout, signal }) : undefined;
      if (answer === OTHER) answer = await ctx.ui.input(question, "your words", { signal });
      return { content: [{ type: "text", text: answer ?? "The user has no opinion." }], details: { answer } };
    },
  });
}
