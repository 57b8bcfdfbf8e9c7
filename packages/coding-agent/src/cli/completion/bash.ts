import {
  builtInProviders,
  type CompletionCommand,
  type CompletionOption,
  completionCommands,
  completionOptions,
} from "./words.js";

/** Works with bash 3.2 too. */
export function bashCompletion(): string {
  const commands = completionCommands();
  return `# Completion of pi for bash. To load it, add to ~/.bashrc: eval "$(pi --completion bash)"
_pi_models() { pi --list-models 2>/dev/null | awk 'NR > 1 && $2 !~ /:/ { print $1 "/" $2 }'; }
_pi_providers() { pi --list-models 2>/dev/null | awk 'NR > 1 { print $1 }' | sort -u; }
_pi_any_providers() { { echo "${builtInProviders().join(" ")}" | tr ' ' '\\n'; _pi_providers; } | sort -u; }
# Nothing but what is offered: no file names in its place.
_pi_only() { compopt +o default 2>/dev/null; }
# Takes the lines that begin with the word, as they are: nothing in them is expanded, now or when the line runs.
_pi_offer() {
  local line
  while IFS= read -r line; do
    if [[ -n $line && $line == "$1"* ]]; then COMPREPLY+=("$(printf '%q' "$line")"); fi
  done
}
_pi() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}" command="" words="" word
  COMPREPLY=()
  # Where @ breaks words it stands alone here, and is part of what is completed all the same.
  if [[ $previous == @ ]]; then current="@$current"; fi
  if [[ $current == @* ]]; then
    _pi_offer "$current" < <(compgen -f -P @ -- "\${current#@}")
    return
  fi
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do
    # Behind it there are messages and files.
    if [[ $word == -- ]]; then return; fi
  done
  if ((COMP_CWORD > 1)); then command="\${COMP_WORDS[1]}"; fi
  case "$command" in
${commands.map((command) => commandCase(command, 2)).join("\n")}
  *)
${optionCases(completionOptions())}
    if ((COMP_CWORD == 1)) && [[ -z $words && $current != -* ]]; then words="${names(commands)}"; fi
    ;;
  esac
  _pi_offer "$current" < <(tr ' ' '\\n' <<<"$words")
}
complete -o default -F _pi pi
`;
}

function commandCase(command: CompletionCommand, at: number): string {
  const { name, options, verbs } = command;
  if (verbs.length === 0) return `  ${name})\n${optionCases(options, wordAction(command.word))}\n    ;;`;
  return `  ${name})
    if ((COMP_CWORD == ${at})); then words="${names(verbs)}"; else
    case "\${COMP_WORDS[${at}]}" in
${verbs.map((verb) => commandCase(verb, at + 1)).join("\n")}
    esac
    fi
    ;;`;
}

function wordAction(word: CompletionCommand["word"]): string {
  return `else ${word === undefined ? "_pi_only; return" : action(word)}; `;
}

/** Values after their options, else the options themselves. @param otherwise what else may stand there */
function optionCases(options: readonly CompletionOption[], otherwise = ""): string {
  const cases = options.flatMap(({ words, value }) =>
    value === undefined ? [] : [`    ${words.join(" | ")}) ${action(value)} ;;`],
  );
  const all = options.flatMap(({ words }) => words).join(" ");
  return `    case "$previous" in
${[...cases, `    *) if [[ $current == -* ]]; then words="${all}"; ${otherwise}fi ;;`].join("\n")}
    esac`;
}

function action(value: NonNullable<CompletionOption["value"]>): string {
  switch (value) {
    case "file":
      return "return";
    case "folder":
      return '_pi_offer "$current" < <(compgen -d -- "$current"); return';
    case "model":
      return 'words="$(_pi_models)"; _pi_only';
    case "provider":
      return 'words="$(_pi_providers)"; _pi_only';
    case "any-provider":
      return 'words="$(_pi_any_providers)"; _pi_only';
    case "text":
      return "_pi_only; return";
    default:
      return `words="${value.join(" ")}"; _pi_only`;
  }
}

function names(commands: readonly CompletionCommand[]): string {
  return commands.map(({ name }) => name).join(" ");
}
