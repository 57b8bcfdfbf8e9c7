import {
  builtInProviders,
  type CompletionCommand,
  type CompletionOption,
  completionCommands,
  completionOptions,
} from "./words.js";

export function fishCompletion(): string {
  const commands = completionCommands();
  const lines = [
    ...commands.map(({ name, description }) => entry("__pi_at 1", `-a ${name}`, description)),
    ...completionOptions().map((option) => optionLine("__pi_runs", option)),
    entry("__pi_runs", "-a '(__pi_files)'"),
    ...commands.flatMap((command) => commandLines(command, [])),
  ];
  return `# Completion of pi for fish. To load it: pi --completion fish > ~/.config/fish/completions/pi.fish
function __pi_at
    test (count (commandline -opc)) -eq $argv[1]
end
function __pi_in
    set -l words (commandline -opc)
    set -l last (math (count $argv) + 1)
    test (count $words) -ge $last; and test "$words[2..$last]" = "$argv"
end
function __pi_runs
    set -l words (commandline -opc)
    test (count $words) -lt 2; or not contains -- $words[2] ${commands.map(({ name }) => name).join(" ")}
end
function __pi_files
    set -l token (commandline -ct)
    string match -q '@*' -- $token; or return
    for path in (__fish_complete_path (string sub -s 2 -- $token))
        echo @$path
    end
end
function __pi_models
    pi --list-models 2>/dev/null | awk 'NR > 1 { print $1 "/" $2 }'
end
function __pi_providers
    pi --list-models 2>/dev/null | awk 'NR > 1 { print $1 }' | sort -u
end
function __pi_any_providers
    string join \\n ${builtInProviders().join(" ")} (__pi_providers) | sort -u
end
${lines.join("\n")}
`;
}

function commandLines({ name, options, verbs, word }: CompletionCommand, above: readonly string[]): string[] {
  const path = [...above, name];
  const inside = `__pi_in ${path.join(" ")}`;
  return [
    ...verbs.map((verb) => entry(`${inside}; and __pi_at ${path.length + 1}`, `-f -a ${verb.name}`, verb.description)),
    ...(verbs.length > 0 ? [] : options.map((option) => optionLine(inside, option))),
    ...(verbs.length > 0 || word === "file" ? [] : [entry(inside, word ? "-f -a '(__pi_any_providers)'" : "-f")]),
    ...verbs.flatMap((verb) => commandLines(verb, path)),
  ];
}

function optionLine(condition: string, { words, description, value }: CompletionOption): string {
  const spellings = words.map((word) => {
    if (word.startsWith("--")) return `-l ${word.slice(2)}`;
    return word.length === 2 ? `-s ${word.slice(1)}` : `-o ${word.slice(1)}`;
  });
  return entry(condition, [...spellings, ...action(value)].join(" "), description);
}

function action(value: CompletionOption["value"]): string[] {
  switch (value) {
    case undefined:
      return [];
    case "file":
      return ["-r", "-F"];
    case "folder":
      return ["-x", "-a '(__fish_complete_directories)'"];
    case "model":
      return ["-x", "-a '(__pi_models)'"];
    case "provider":
      return ["-x", "-a '(__pi_providers)'"];
    case "any-provider":
      return ["-x", "-a '(__pi_any_providers)'"];
    case "text":
      return ["-x"];
    default:
      return ["-x", `-a '${value.join(" ")}'`];
  }
}

function entry(condition: string, what: string, description?: string): string {
  const text = description === undefined ? "" : ` -d '${description.replace(/[\\']/g, "\\$&")}'`;
  return `complete -c pi -n '${condition}' ${what}${text}`;
}
