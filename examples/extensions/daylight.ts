/**
 * A light theme by day and a dark one by night, unless you have chosen another one than those two.
 * Start: `pi -e daylight.ts`. `/daylight` shows what there is; `/daylight <name>` tries a theme without saving it.
 */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function daylight(pi: ExtensionAPI) {
  pi.registerFlag("hour", { type: "string", description: "Pretend it is this hour" });

  pi.on("session_start", (_event, ctx) => {
    const { theme: saved } = pi.getSettings();
    if (ctx.mode !== "tui" || (saved !== undefined && saved !== "dark" && saved !== "light")) return;
    const hour = Number(pi.getFlag("hour") ?? new Date().getHours());
    const wanted = hour >= 7 && hour < 19 ? "light" : "dark";
    if (ctx.ui.theme.name !== wanted) ctx.ui.setTheme(wanted);
  });

  pi.registerCommand("daylight", {
    description: "Try a theme",
    handler: async (args, ctx) => {
      const theme = args && ctx.ui.getTheme(args);
      // The object itself, not its name: the settings stay as they are.
      if (theme) {
        const { success, error } = ctx.ui.setTheme(theme);
        ctx.ui.notify(success ? `Trying ${theme.name} (${theme.appearance})` : `No: ${error}`);
        return;
      }
      const names = ctx.ui.getAllThemes().map(({ name }) => (name === ctx.ui.theme.name ? `*${name}` : name));
      ctx.ui.notify(`Themes: ${names.join(", ")}`);
    },
  });
}
