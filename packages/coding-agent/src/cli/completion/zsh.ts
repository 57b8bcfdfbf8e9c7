import {
  builtInProviders,
  type CompletionCommand,
  type CompletionOption,
  completionCommands,
  completionOptions,
} from "./words.js";

/** For `eval`, and as a file `_pi` in a folder of `$fpath`. */
export function zshCompletion(): string {
  const commands = completionCommands();
  return `#compdef pi
# Completion of pi for zsh. To load it, add to ~/.zshrc after compinit: eval "$(pi --completion zsh)"
_pi_models() { local -a found=(\${(f)"$(pi --list-models 2>/dev/null | awk 'NR > 1 { print $1 "/" $2 }')"}); compadd -a found }
_pi_providers() { local -a found=(\${(fu)"$(pi --list-models 2>/dev/null | awk 'NR > 1 { print $1 }')"}); compadd -a found }
_pi_any_providers() { compadd ${builtInProviders().join(" ")}; _pi_providers }
_pi_words() { compset -P '@'; _files }
_pi() {
  if (( CURRENT > 2 )); then
    case $words[2] in
${commands.map((command) => commandCase(command)).join("\n")}
    esac
  fi
  if (( CURRENT == 2 )) && [[ $PREFIX != [-@]* ]]; then
    local -a commands=(
${describe(commands)}
    )
    _describe -t commands command commands
  fi
  _arguments -S \\
${specs(completionOptions())} \\
    '*: :_pi_words'
}
if [[ $funcstack[1] == _pi ]]; then _pi "$@"; else compdef _pi pi; fi
`;
}

/** The words from the command on are as if it were the program. */
function commandCase({ name, options, verbs, word }: CompletionCommand): string {
  if (verbs.length === 0) {
    const rest = word === undefined ? "" : ` \\\n    '*: :${word === "file" ? "_files" : "_pi_any_providers"}'`;
    return `    ${name}) shift words; (( CURRENT-- )); _arguments -S \\\n${specs(options)}${rest}; return ;;`;
  }
  return `    ${name})
      shift words; (( CURRENT-- ))
      if (( CURRENT == 2 )); then
        local -a commands=(
${describe(verbs)}
        )
        _describe -t commands command commands
        return
      fi
      case $words[2] in
${verbs.map(commandCase).join("\n")}
      esac
      return
      ;;`;
}

function describe(commands: readonly CompletionCommand[]): string {
  return commands.map(({ name, description }) => `      ${quoted(`${name}:${description}`)}`).join("\n");
}

function specs(options: readonly CompletionOption[]): string {
  return options
    .flatMap(({ words, description, value, repeats }) => {
      const others = repeats ? "*" : `(${words.join(" ")})`;
      const text = description.replace(/[\\[\]:]/g, "\\$&");
      return words.map((word) => `    ${quoted(`${others}${word}[${text}]${action(value)}`)}`);
    })
    .join(" \\\n");
}

function action(value: CompletionOption["value"]): string {
  switch (value) {
    case undefined:
      return "";
    case "file":
      return ":file:_files";
    case "folder":
      return ":folder:_files -/";
    case "model":
      return ":model:_pi_models";
    case "provider":
      return ":provider:_pi_providers";
    case "any-provider":
      return ":provider:_pi_any_providers";
    case "text":
      return ": : ";
    default:
      return `:value:(${value.join(" ")})`;
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
