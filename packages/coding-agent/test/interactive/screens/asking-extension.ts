/** An extension with a command for each thing that extensions show: what `ctx.ui` draws, at the terminal. */
export const askingExtension = `
export default (pi) => {
  const command = (name, handler) => pi.registerCommand(name, { description: "Shows " + name, handler: (_args, { ui }) => handler(ui) });
  command("x-select", async (ui) => ui.notify("Taken: " + (await ui.select("Which fruit?", ["an apple", "a pear"]))));
  command("x-confirm", async (ui) => ui.notify("Sure: " + (await ui.confirm("Sure?", "It cannot be undone."))));
  command("x-input", async (ui) => ui.notify("Name: " + (await ui.input("Your name?", "a name"))));
  command("x-editor", async (ui) => ui.notify("Text: " + (await ui.editor("Describe it", "one\\ntwo"))));
  command("x-overlay", (ui) => ui.custom(
    (_tui, _theme, _keys, done) => ({ render: () => ["[ an overlay ]"], invalidate() {}, handleInput: () => done() }),
    { overlay: true, overlayOptions: { width: 14 } },
  ));
  command("x-around", async (ui) => {
    ui.setWidget("above", ["a widget above"]);
    ui.setWidget("below", ["a widget below"], { placement: "belowEditor" });
    ui.setStatus("one", "a status");
    ui.notify("Careful.", "warning");
  });
};
`;
