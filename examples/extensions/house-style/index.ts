/**
 * Skills and prompts of a team, beside the extension that brings them along, and rules in the system prompt.
 * Start: `pi -e house-style/index.ts`, then `/changelog` or `/skill:release-notes`.
 */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

const here = dirname(fileURLToPath(import.meta.url));

export default function houseStyle(pi: ExtensionAPI) {
  pi.on("resources_discover", () => ({ skillPaths: [join(here, "skills")], promptPaths: [join(here, "prompts")] }));

  pi.on("before_agent_start", ({ systemPromptOptions }) => {
    systemPromptOptions.promptGuidelines.push("Write British English.");
    systemPromptOptions.sections["house_style"] = "Sentences, not slogans. No exclamation marks.";
  });

  pi.registerCommand("style", {
    description: "What the model is told of our style",
    handler: async (_args, ctx) => {
      const { cwd, contextFiles = [] } = ctx.getSystemPromptOptions();
      const length = ctx.getSystemPrompt().length;
      ctx.ui.notify(`${length} characters of system prompt for ${cwd}, ${contextFiles.length} files of context`);
    },
  });
}
