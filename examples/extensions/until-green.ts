/**
 * The agent does not rest while a check fails: when it would stop, the check runs; red output goes back to the model,
 * at most `--attempts` times.
 * Start: `pi -e until-green.ts --check "npm test" "Repair the parser"`
 */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

const LAST_CHARACTERS = 2000;

export default function untilGreen(pi: ExtensionAPI) {
  pi.registerFlag("check", { type: "string", description: "Command that must succeed before the agent rests" });
  pi.registerFlag("attempts", { type: "string", description: "How often it may try again", default: "3" });
  let left = 0;

  pi.on("input", ({ source }) => {
    if (source !== "extension") left = Number(pi.getFlag("attempts"));
  });

  pi.on("agent_before_settle", async ({ outcome, entries }, ctx) => {
    const check = pi.getFlag("check");
    if (typeof check !== "string" || outcome !== "completed") return undefined;
    const { code, stdout, stderr } = await pi.exec("sh", ["-c", check], { cwd: ctx.cwd, timeout: 600_000 });
    if (code === 0) {
      ctx.ui.notify("The check is green.");
      return undefined;
    }
    if (left-- <= 0) {
      ctx.ui.notify("The check is still red.", "warning");
      return undefined;
    }
    const content = `\`${check}\` fails:\n\n${(stdout + stderr).slice(-LAST_CHARACTERS)}\n\nGo on until it succeeds.`;
    return {
      entries: [...entries, { type: "custom_message", customType: "red", content, display: true }],
      continue: true,
    };
  });

  // How it went, kept with the run.
  pi.on("agent_end", ({ messages }, ctx) => {
    const calls = messages.filter(({ role }) => role === "toolResult").length;
    ctx.ui.setStatus("until-green", `${calls} calls, ${left} attempts left`);
  });
}
