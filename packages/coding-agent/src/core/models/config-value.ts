/** Values in configuration that may name an environment variable or a command. Source: llm.md section 11.5. */

/** Where a value comes from, parsed but not yet looked up. */
export type ConfigValue =
  | { kind: "command"; command: string }
  /** Text with references; `parts` alternate freely. */
  | { kind: "template"; parts: ({ text: string } | { variable: string })[] };

/** Splits `literal`, `$NAME`, `${NAME}`, `$$`, `$!` and a leading `!command`. */
export function parseConfigValue(value: string): ConfigValue {
  if (value.startsWith("!")) return { kind: "command", command: value.slice(1) };
  const parts: ({ text: string } | { variable: string })[] = [];
  const pattern = /\$(?:([$!])|\{([A-Za-z_][A-Za-z0-9_]*)\}|([A-Za-z_][A-Za-z0-9_]*))/g;
  let end = 0;
  for (const match of value.matchAll(pattern)) {
    if (match.index > end) parts.push({ text: value.slice(end, match.index) });
    const [whole, escaped, braced, bare] = match;
    const variable = braced ?? bare;
    parts.push(variable === undefined ? { text: escaped ?? "" } : { variable });
    end = match.index + whole.length;
  }
  if (end < value.length) parts.push({ text: value.slice(end) });
  return { kind: "template", parts };
}

/** Names of the environment variables a value refers to. */
export function referencedVariables(value: string): string[] {
  const parsed = parseConfigValue(value);
  return parsed.kind === "command" ? [] : parsed.parts.flatMap((part) => ("variable" in part ? [part.variable] : []));
}

export type ResolvedConfigValue = { value: string } | { unresolved: string };

/**
 * Looks a value up. An unset or empty variable leaves the whole value unresolved.
 *
 * @param runCommand returns trimmed stdout, or undefined when the command failed
 */
export async function resolveConfigValue(
  value: string,
  env: Readonly<Record<string, string | undefined>>,
  runCommand: (command: string) => Promise<string | undefined>,
): Promise<ResolvedConfigValue> {
  const parsed = parseConfigValue(value);
  if (parsed.kind === "command") {
    const output = await runCommand(parsed.command);
    return output ? { value: output } : { unresolved: `shell command: ${parsed.command}` };
  }
  const missing = referencedVariables(value).filter((name) => !env[name]);
  if (missing.length > 0) {
    return { unresolved: `environment variable${missing.length > 1 ? "s" : ""}: ${missing.join(", ")}` };
  }
  return { value: parsed.parts.map((part) => ("text" in part ? part.text : (env[part.variable] ?? ""))).join("") };
}
