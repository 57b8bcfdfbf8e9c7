import type { Dialog } from "./api.js";

/** The questions that wait for an answer, each a form. */
export class Dialogs {
  readonly #place: HTMLElement;
  readonly #answer: (id: string, answer: object) => void;

  constructor(place: HTMLElement, answer: (id: string, answer: object) => void) {
    this.#place = place;
    this.#answer = answer;
  }

  show(dialogs: readonly Dialog[]): void {
    const wanted = new Set(dialogs.map(({ id }) => id));
    for (const form of [...this.#place.children]) {
      if (!wanted.delete((form as HTMLElement).dataset["id"] ?? "")) form.remove();
    }
    for (const dialog of dialogs) if (wanted.has(dialog.id)) this.#place.append(this.#form(dialog));
  }

  #form(dialog: Dialog): HTMLFormElement {
    const form = document.createElement("form");
    form.dataset["id"] = dialog.id;
    const question = document.createElement("p");
    question.textContent = [dialog.title, dialog.message].filter(Boolean).join("\n");
    form.append(question);
    const done = (answer: object) => {
      form.remove();
      this.#answer(dialog.id, answer);
    };
    if (dialog.method === "confirm") {
      form.append(
        button("Yes", () => done({ confirmed: true })),
        button("No", () => done({ confirmed: false })),
      );
    } else if (dialog.method === "select") {
      for (const option of dialog.options ?? []) form.append(button(option, () => done({ value: option })));
    } else {
      const field = document.createElement(dialog.method === "editor" ? "textarea" : "input");
      field.value = dialog.prefill ?? "";
      field.placeholder = dialog.placeholder ?? "";
      field.setAttribute("aria-label", dialog.title);
      const submit = document.createElement("button");
      submit.textContent = "Answer";
      form.append(field, submit);
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        done({ value: field.value });
      });
    }
    form.append(button("Cancel", () => done({ cancelled: true })));
    return form;
  }
}

function button(text: string, onClick: () => void): HTMLButtonElement {
  const element = document.createElement("button");
  element.type = "button";
  element.textContent = text;
  element.addEventListener("click", onClick);
  return element;
}
