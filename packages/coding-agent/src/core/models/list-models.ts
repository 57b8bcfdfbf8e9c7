/** The table of `--list-models`. Pure. Source: cli-and-config.md section 1.6. */
import type { Model } from "@earendil-works/pi-ai";

const HEADER = ["provider", "model", "context", "max-out", "thinking", "images"];

/** The table of the models, or what to say when none fits. @param search fuzzy filter over `provider id` */
export function listModelsText(models: readonly Model[], search: string | undefined, noModels: string): string {
  if (models.length === 0) return noModels;
  const found = models.filter((model) => !search || isSubsequence(search, `${model.provider} ${model.id}`));
  if (found.length === 0) return noMatchText(search ?? "");
  const sorted = found.sort((a, b) => a.provider.localeCompare(b.provider) || a.id.localeCompare(b.id));
  const rows = [HEADER, ...sorted.map(row)];
  const widths = HEADER.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  return rows.map((cells) => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")).join("\n");
}

export function noMatchText(search: string): string {
  return `No models matching "${search}"`;
}

/** `1M`, `1.5M`, `128K`, `16.4K`, `999`. */
export function formatCount(count: number): string {
  if (count >= 1_000_000) return `${rounded(count / 1_000_000)}M`;
  return count >= 1000 ? `${rounded(count / 1000)}K` : String(count);
}

function rounded(value: number): string {
  return value.toFixed(1).replace(/\.0$/, "");
}

function row({ provider, id, contextWindow, maxTokens, reasoning, input }: Model): string[] {
  const yesNo = (value: boolean): string => (value ? "yes" : "no");
  return [
    provider,
    id,
    formatCount(contextWindow),
    formatCount(maxTokens),
    yesNo(reasoning),
    yesNo(input.includes("image")),
  ];
}

/** Every word's letters occur in this order, whatever the case. */
function isSubsequence(search: string, text: string): boolean {
  const letters = text.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => {
      let at = 0;
      for (const letter of word) {
        at = letters.indexOf(letter, at) + 1;
        if (at === 0) return false;
      }
      return true;
    });
}
