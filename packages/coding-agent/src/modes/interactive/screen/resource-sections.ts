import { Text } from "@earendil-works/pi-tui";
import { currentTheme } from "../theme/current.js";
import { shortPath } from "../tools/paths.js";
import { Drawn } from "./drawn.js";

export interface ResourceSection {
  /** `Context`, `Skills`, ... */
  title: string;
  /** Issues are drawn as warnings. */
  isIssue?: boolean;
  items: readonly { name: string; path?: string | undefined; scope?: string | undefined }[];
}

/** What was loaded at the start: names on one line, or paths by where they come from. */
export class ResourceSections extends Drawn {
  #expanded = false;

  constructor(private readonly sections: readonly ResourceSection[]) {
    super((width) => this.#draw(width));
  }

  setExpanded(expanded: boolean): void {
    this.#expanded = expanded;
    this.invalidate();
  }

  #draw(width: number): readonly string[] {
    const theme = currentTheme();
    const shown = this.sections.filter(({ items }) => items.length > 0);
    return shown.flatMap(({ title, items, isIssue }) => {
      const label = theme.fg(isIssue ? "warning" : "mdHeading", `[${title}]`);
      const body = this.#expanded || isIssue ? grouped(items) : [items.map(({ name }) => name).join(", ")];
      const lines = body.map((line) => theme.fg(isIssue ? "warning" : "dim", line));
      return [label, ...new Text(lines.join("\n"), 2, 0).render(width)];
    });
  }
}

function grouped(items: ResourceSection["items"]): string[] {
  const scopes = new Map<string, string[]>();
  for (const { name, path, scope = "" } of items) {
    const line = path === undefined ? name : shortPath(path);
    scopes.set(scope, [...(scopes.get(scope) ?? []), line]);
  }
  return [...scopes].flatMap(([scope, lines]) =>
    scope === "" ? lines : [`${scope}:`, ...lines.map((line) => `  ${line}`)],
  );
}
