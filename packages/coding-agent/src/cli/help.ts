import { RELEASE, VERSION } from "../version.js";
import { optionSpecs } from "./options.js";

/** The text of `--help`. */
export function helpText(toolNames: readonly string[]): string {
  const options = optionSpecs.map((spec) => {
    const names = [...(spec.aliases ?? []).filter((alias) => !alias.startsWith("--")), spec.long].join(", ");
    return row(
      spec.placeholder ? `${names} <${spec.placeholder}>` : names,
      spec.isPlanned ? `${spec.description} (not in this release)` : spec.description,
    );
  });
  const environment = [
    row("PI_CODING_AGENT_DIR", "Agent directory (default: ~/.pi/agent)"),
    row("PI_CODING_AGENT_SESSION_DIR", "Where sessions are kept"),
    row("PI_OFFLINE", "No network but the model's"),
    row("ANTHROPIC_API_KEY, OPENAI_API_KEY, ...", "Keys of model providers"),
  ];
  return `pi ${VERSION} (release ${RELEASE}): a coding agent for the terminal, for scripts and for other programs

Usage:
  pi [options] [@files...] [messages...]

Options:
${options.join("\n")}

Examples:
  pi -p "List the TODOs in src/"
  git diff | pi -p "Review this change"
  pi -p @notes.md "Turn these notes into a README"
  pi --mode json "What does main.ts do?"

Environment Variables:
${environment.join("\n")}

Built-in Tool Names:
  ${toolNames.join(", ")}
`;
}

function row(left: string, right: string): string {
  return left.length > 38 ? `  ${left}\n${" ".repeat(42)}${right}` : `  ${left.padEnd(40)}${right}`;
}
