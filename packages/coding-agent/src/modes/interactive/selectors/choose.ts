import type { DialogHost } from "../screen/dialog-host.js";
import { currentTheme } from "../theme/current.js";
import { SearchList, type SearchListOptions } from "./search-list.js";

type ChooseOptions<Item> = Omit<SearchListOptions<Item>, "onSelect" | "onCancel"> & {
  signal?: AbortSignal | undefined;
};

/** Lets the user choose one item in place of the editor; undefined when they do not want to. */
export function choose<Item>(slot: DialogHost, options: ChooseOptions<Item>): Promise<Item | undefined> {
  return new Promise((resolve) => {
    const finish = (item: Item | undefined) => {
      close();
      options.signal?.removeEventListener("abort", cancel);
      resolve(item);
    };
    const cancel = () => finish(undefined);
    const list = new SearchList<Item>({ ...options, onSelect: finish, onCancel: cancel });
    const close = slot.open(list);
    if (options.signal?.aborted) cancel();
    else options.signal?.addEventListener("abort", cancel, { once: true });
  });
}

export interface Option {
  value: string;
  label: string;
  description?: string | undefined;
}

/** The row of a simple list: an arrow, the label, and what there is to say about it. */
export function optionRow({ label, description }: Option, isSelected: boolean): string {
  const theme = currentTheme();
  const text = isSelected ? theme.style(`→ ${label}`, { fg: "accent", bold: true }) : `  ${label}`;
  return description === undefined || description === "" ? text : `${text}  ${theme.fg("muted", description)}`;
}

/** Lets the user choose one of a few things. */
export async function chooseOption(
  slot: DialogHost,
  title: string,
  options: readonly Option[],
  more: Partial<ChooseOptions<Option>> = {},
): Promise<string | undefined> {
  const [first = "", ...rest] = title.split("\n");
  const shownTitle = () => [currentTheme().style(first, { fg: "accent", bold: true }), ...rest].join("\n");
  const chosen = await choose(slot, { items: options, title: shownTitle, row: optionRow, ...more });
  return chosen?.value;
}
