import type { Actions } from "./overview.js";

/** Keys of the page; letters are left to fields that one writes in. */
export function listenToKeys(actions: Actions, search: HTMLInputElement): void {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    if (event.key === "Escape") {
      actions.reset();
      return;
    }
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
    switch (event.key.toLowerCase()) {
      case "t":
        return actions.thinking();
      case "o":
        return actions.output();
      case "h":
        return actions.hidden();
      case "/":
        event.preventDefault();
        search.focus();
        return undefined;
      default:
        return undefined;
    }
  });
}
