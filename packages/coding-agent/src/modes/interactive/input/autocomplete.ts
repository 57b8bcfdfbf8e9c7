import { type AutocompleteProvider, CombinedAutocompleteProvider, type SlashCommand } from "@earendil-works/pi-tui";
import type { SourceInfo } from "../../../core/resources/resource-types.js";
import { builtinCommands } from "../commands/table.js";
import type { Desk } from "../desk.js";

/** Completes commands, skills, files and paths. */
export function promptCompletion(desk: Desk): AutocompleteProvider {
  const { session } = desk;
  const commands = builtinCommands
    .filter(({ isHidden }) => !isHidden)
    .map(
      ({ name, description, argumentHint, complete }): SlashCommand => ({
        name,
        description,
        ...(argumentHint !== undefined && { argumentHint }),
        ...(complete && { getArgumentCompletions: (prefix) => complete(prefix, desk) }),
      }),
    );
  const others = session.getCommands().map(
    ({ name, description = "", sourceInfo }): SlashCommand => ({
      name,
      description: `${sourceTag(sourceInfo)} ${description}`,
      getArgumentCompletions: (prefix) =>
        session.extensionRunner.getCommand(name)?.getArgumentCompletions?.(prefix) ?? null,
    }),
  );
  return new CombinedAutocompleteProvider([...commands, ...others], session.sessionManager.getCwd());
}

const SCOPES = { user: "u", project: "p", temporary: "t" } as const;

/** `[u]`, `[p]`, `[t]`, with the package if there is one. */
export function sourceTag({ scope, source, origin }: SourceInfo): string {
  return `[${SCOPES[scope]}${origin === "package" ? `:${source}` : ""}]`;
}
