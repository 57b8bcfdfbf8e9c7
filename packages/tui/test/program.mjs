// A program for tests: draws a counter and an editor, in the mode that its argument names.
import { Editor, ProcessTerminal, Text, TuiAltScreen, TuiMainScreen } from "@earendil-works/pi-tui";

/** @param {string} text */
const plain = (text) => text;
const terminal = new ProcessTerminal();
const tui = process.argv[2] === "fullscreen" ? new TuiAltScreen(terminal) : new TuiMainScreen(terminal);
const selectList = {
  selectedPrefix: plain,
  selectedText: plain,
  description: plain,
  scrollInfo: plain,
  noMatch: plain,
};
const editor = new Editor(tui, { borderColor: plain, selectList });
editor.onSubmit = (/** @type {string} */ text) => {
  if (text === "exit") {
    tui.stop();
    process.stdout.write("bye\n");
    process.exit(0);
  }
  if (text === "crash") throw new Error("on purpose");
  tui.children.splice(-1, 0, new Text(`said: ${text.length} ${text.slice(0, 20)}`, 0, 0));
  tui.requestRender();
};
tui.addChild(new Text("ready", 0, 0));
tui.addChild(editor);
tui.setFocus(editor);
tui.start();
