/**
 * __name__: dice for the model (a tool) and for you (a command).
 * Start: `pi -e .` in this folder; `/reload` after a change.
 */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { Text } from "@earendil-works/pi-tui";
import { Type } from "typebox";

const MOST = 100;

function roll(count: number): number[] {
  if (count < 1 || count > MOST) throw new Error(`Roll 1 to ${MOST} dice, not ${count}.`);
  return Array.from({ length: count }, () => 1 + Math.floor(Math.random() * 6));
}

export default function (pi: ExtensionAPI) {
  pi.registerTool({
    name: "roll_dice",
    label: "Dice",
    // What the model reads.
    description: "Rolls dice with six sides and returns what each of them shows.",
    promptSnippet: "Roll dice",
    parameters: Type.Object({ count: Type.Optional(Type.Integer({ description: "How many; default 1" })) }),
    async execute(_toolCallId, { count = 1 }) {
      const dice = roll(count);
      // `content` goes to the model, `details` into the session and to `renderResult`. A throw is an error result.
      return { content: [{ type: "text", text: dice.join(", ") }], details: { dice } };
    },
    renderResult: (result, _options, theme) => {
      const { dice } = result.details as { dice: number[] };
      return new Text(theme.fg("accent", dice.map((die) => "⚀⚁⚂⚃⚄⚅"[die - 1]).join(" ")), 0, 0);
    },
  });

  pi.registerCommand("roll", {
    description: "Roll dice: /roll 2",
    handler: async (args, ctx) => ctx.ui.notify(`You rolled ${roll(Number(args || 1)).join(", ")}`),
  });
}
