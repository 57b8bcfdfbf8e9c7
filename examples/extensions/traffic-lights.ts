/**
 * Asks before a command runs that is neither harmless nor known: a form of its own in place of the editor, which tells
 * terminals that the program waits for you, and remembers what you allowed.
 * Start: `pi -e traffic-lights.ts`
 */
import { type ExtensionAPI, isToolCallEventType } from "@earendil-works/pi-coding-agent";
import { Container, matchesKey, Text } from "@earendil-works/pi-tui";

const harmless = /^(ls|cat|pwd|git (status|diff|log)|grep|find|echo)\b[^;&|>]*$/;
type Light = "green" | "red" | "always";

export default function trafficLights(pi: ExtensionAPI) {
  const allowed = new Set<string>();

  pi.on("tool_call", async (event, ctx) => {
    if (!isToolCallEventType("bash", event)) return undefined;
    const { command } = event.input;
    if (harmless.test(command) || allowed.has(command)) return undefined;
    const light = await ctx.ui.custom<Light | undefined>(
      (_tui, theme, keybindings, done) => {
        const form = new Container();
        form.addChild(new Text(theme.style(" STOP ", { fg: "text", bg: "toolErrorBg", bold: true }), 0, 0));
        form.addChild(new Text(theme.bg("toolPendingBg", command), 0, 0));
        form.addChild(new Text(theme.fg("muted", "g go   a always go   r stop"), 0, 0));
        return Object.assign(form, {
          handleInput(data: string) {
            if (matchesKey(data, "g")) done("green");
            if (matchesKey(data, "a")) done("always");
            if (matchesKey(data, "r") || keybindings.matches(data, "tui.select.cancel")) done("red");
          },
        });
      },
      { blocked: { kind: "permission", message: command } },
    );
    if (light === "always") allowed.add(command);
    if (light === "green" || light === "always") return undefined;
    // Nobody there to ask: red.
    return { block: true, reason: light === "red" ? "The user stopped this command." : "Nobody is there to allow it." };
  });
}
