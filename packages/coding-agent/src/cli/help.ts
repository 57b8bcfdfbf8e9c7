import { RELEASE, VERSION } from "../version.js";
import { environmentVariables } from "./environment.js";
import { optionSpecs, optionUsage } from "./options.js";
import { subcommands } from "./subcommands.js";

/** An option that an extension adds. */
export interface ExtensionFlag {
  /** Without dashes. */
  name: string;
  type: "boolean" | "string";
  description?: string | undefined;
  /** Who registered it. */
  extensionPath: string;
}

/** The text of `--help`. Source: cli-and-config.md section 1.6. */
export function helpText(toolNames: readonly string[], flags: readonly ExtensionFlag[] = []): string {
  const commands = subcommands.flatMap(({ usage, summary, verbs, isPlanned }) =>
    (verbs ?? [{ usage, summary }]).map((command) => row(`pi ${command.usage}`, planned(command.summary, isPlanned))),
  );
  const options = optionSpecs.map((spec) => row(optionUsage(spec), planned(spec.description, spec.isPlanned)));
  const environment = environmentVariables.map(({ name, description }) => row(name, description));
  return `pi ${VERSION} (release ${RELEASE}): a coding agent for the terminal, for scripts and for other programs

Usage:
  pi [options] [@files...] [messages...]
  pi <command> [...]

Commands:
${commands.join("\n")}

Options:
${options.join("\n")}
${extensionFlags(flags)}
Examples:
  pi -p "List the TODOs in src/"
  git diff | pi -p "Review this change"
  pi -p @notes.md "Turn these notes into a README"
  pi --mode json "What does main.ts do?"
  pi --continue
  pi -- "list" "A prompt that begins like a command"

Environment Variables:
${environment.join("\n")}

Built-in Tool Names:
  ${toolNames.join(", ")}
`;
}

function extensionFlags(flags: readonly ExtensionFlag[]): string {
  if (flags.length === 0) return "";
  const rows = flags.map(({ name, type, description, extensionPath }) => {
    const usage = type === "string" ? `--${name} <value>` : `--${name}`;
    return `  ${usage.padEnd(30)}${description || `Registered by ${extensionPath}`}`;
  });
  return `\nExtension CLI Flags:\n${rows.join("\n")}\n`;
}

function planned(description: string, isPlanned: true | undefined): string {
  return isPlanned ? `${description} (not in this release)` : description;
}

function row(left: string, right: string): string {
  return left.length > 38 ? `  ${left}\n${" ".repeat(42)}${right}` : `  ${left.padEnd(40)}${right}`;
}
