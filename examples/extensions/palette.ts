/**
 * The colours of the current theme, as a card: `/palette`. For whoever writes themes and renderers.
 * Start: `pi -e palette.ts`
 */
import type { ExtensionAPI, Theme } from "@earendil-works/pi-coding-agent";
import { Text } from "@earendil-works/pi-tui";

const levels = ["off", "low", "high"] as const;

function card(theme: Theme): string {
  const reset = "\x1b[0m";
  return [
    theme.bold(`${theme.name ?? "a theme"} (${theme.appearance ?? "?"}, ${theme.getColorMode()})`),
    `${Object.keys(theme.colors).length} colours, from ${theme.sourcePath ?? "the program"}`,
    `${theme.fg("accent", "accent")} ${theme.bg("selectedBg", "selected")} ${theme.fg("error", theme.inverse("error"))}`,
    `${theme.italic("italic")} ${theme.underline("underlined")} ${theme.strikethrough("struck")}`,
    theme.style("a style", { fg: "success", bg: "customMessageBg", bold: true }),
    `${theme.getFgAnsi("warning")}by hand${reset} ${theme.getBgAnsi("toolErrorBg")}behind${reset}`,
    levels.map((level) => theme.getThinkingBorderColor(level)(`── ${level}`)).join(" "),
    theme.getBashModeBorderColor()("── bash"),
  ].join("\n");
}

export default function palette(pi: ExtensionAPI) {
  pi.registerCommand("palette", {
    description: "Show the colours of the theme",
    handler: async (_args, ctx) => {
      await ctx.ui.custom<void>((_tui, theme, _keybindings, done) =>
        Object.assign(new Text(card(theme), 1, 0), { handleInput: () => done() }),
      );
    },
  });
}
