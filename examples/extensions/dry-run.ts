/**
 * Your own `!` commands, rehearsed: with `--dry`, those that change something are shown and not run, and the model
 * hears that; others run as ever.
 * Start: `pi -e dry-run.ts --dry`
 */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

const changes = /(^|[;&|]\s*)(rm|mv|cp|mkdir|touch|git\s+(commit|push|reset|checkout)|npm\s+(i|install|publish))\b/;

export default function dryRun(pi: ExtensionAPI) {
  pi.registerFlag("dry", { type: "boolean", description: "Show commands that change something, do not run them" });
  pi.on("user_bash", ({ command, excludeFromContext, cwd }) => {
    if (!pi.getFlag("dry") || !changes.test(command)) return undefined;
    const audience = excludeFromContext ? "for you only" : "told to the model";
    const output = `Would run in ${cwd} (${audience}): ${command}`;
    return { result: { output, exitCode: 0, cancelled: false, truncated: false } };
  });
}
