import { expect } from "vitest";
import { theProbesOf } from "./the-probes.js";

type Tui = typeof import("@earendil-works/pi-tui");

const plain = (text: string) => text;
const listTheme = { selectedPrefix: plain, selectedText: plain, description: plain, scrollInfo: plain, noMatch: plain };
const screen = {
  requestRender: () => {},
  terminal: { columns: 80, rows: 24 },
} as unknown as import("@earendil-works/pi-tui").TUI;
const editorTheme = { borderColor: plain, selectList: listTheme };
const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const text = (lines: readonly string[]) => lines.map((line) => line.trimEnd()).join("\n");

theProbesOf<Tui>("@earendil-works/pi-tui", "pi-tui", {
  Text: (Text) => expect(text(new Text("one two", 1, 0).render(5))).toBe(" one\n two"),
  TruncatedText: (TruncatedText) => expect(new TruncatedText("a long text", 0, 0).render(6).length).toBe(1),
  Container: (Container, { Text }) => {
    const box = new Container();
    box.addChild(new Text("a", 0, 0));
    box.addChild(new Text("b", 0, 0));
    expect(text(box.render(9))).toBe("a\nb");
    box.clear();
    expect(box.render(9)).toEqual([]);
  },
  Box: (Box, { Text }) => {
    const box = new Box(1, 0, (line) => `<${line}>`);
    box.addChild(new Text("a", 0, 0));
    expect(box.render(5)).toEqual(["< a   >"]);
  },
  Spacer: (Spacer) => expect(new Spacer(2).render(9)).toHaveLength(2),
  SelectList: (SelectList) => {
    const list = new SelectList(
      [
        { value: "a", label: "A" },
        { value: "b", label: "B" },
      ],
      5,
      listTheme,
    );
    const chosen: string[] = [];
    list.onSelect = ({ value }) => void chosen.push(value);
    list.handleInput("\x1b[B");
    list.handleInput("\r");
    expect(chosen).toEqual(["b"]);
  },
  SettingsList: (SettingsList) => {
    const changes: string[] = [];
    const theme = { label: plain, value: plain, description: plain, cursor: "> ", hint: plain };
    const items = [{ id: "x", label: "X", currentValue: "on", values: ["on", "off"] }];
    const list = new SettingsList(
      items,
      5,
      theme,
      (id, value) => void changes.push(`${id}=${value}`),
      () => changes.push("end"),
    );
    list.handleInput("\r");
    list.handleInput("\x1b");
    expect(changes).toEqual(["x=off", "end"]);
  },
  Input: (Input) => {
    const input = new Input();
    let sent = "";
    input.onSubmit = (value) => {
      sent = value;
    };
    for (const key of ["h", "i", "\r"]) input.handleInput(key);
    expect(sent).toBe("hi");
  },
  Editor: (Editor) => {
    const editor = new Editor(screen, editorTheme);
    let sent = "";
    editor.onSubmit = (value) => {
      sent = value;
    };
    for (const key of ["h", "i", "\r"]) editor.handleInput(key);
    expect([sent, editor.getText()]).toEqual(["hi", ""]);
  },
  Markdown: (Markdown) => {
    const theme = new Proxy({}, { get: () => (given: string) => `(${given})` });
    const lines = text(new Markdown("# Title\n\n- one", 0, 0, theme as never).render(40));
    expect(lines).toMatch(/Title[\s\S]*one/);
    expect(lines).not.toContain("# Title\n");
  },
  CancellableLoader: (CancellableLoader) => {
    const loader = new CancellableLoader(screen, plain, plain, "Waiting");
    expect(text(loader.render(40))).toContain("Waiting");
    loader.handleInput("\x1b");
    expect(loader.signal.aborted).toBe(true);
    loader.stop();
  },
  Image: (Image) => expect(text(new Image(dot, "image/png", { fallbackColor: plain }).render(40))).toMatch(/1.1|png/i),
  truncateToWidth: (truncate) => expect(truncate("日本語", 5, "…")).toMatch(/^日本/),
  visibleWidth: (width) => expect(width("\x1b[31m日a\x1b[0m")).toBe(3),
  wrapTextWithAnsi: (wrap) => expect(wrap("one two", 4).map((line) => line.trimEnd())).toEqual(["one", "two"]),
  matchesKey: (matches) =>
    expect([matches("\x03", "ctrl+c"), matches("\x1b[A", "up"), matches("x", "up")]).toEqual([true, true, false]),
  parseKey: (parse) => expect([parse("\x1b[A"), parse("\x03")]).toEqual(["up", "ctrl+c"]),
  Key: (Key, { matchesKey }) =>
    expect([matchesKey("\r", Key.enter), matchesKey("\x10", Key.ctrl("p"))]).toEqual([true, true]),
  isKeyRelease: (is) => expect([is("\x1b[97;1:3u"), is("\x1b[97;1:1u")]).toEqual([true, false]),
  isKeyRepeat: (is) => expect([is("\x1b[97;1:2u"), is("\x1b[97;1:3u")]).toEqual([true, false]),
  decodeKittyPrintable: (decode) => expect([decode("\x1b[97u"), decode("\x1b[A")]).toEqual(["a", undefined]),
  fuzzyMatch: (match) =>
    expect([match("rkt", "rocket").matches, match("xyz", "rocket").matches]).toEqual([true, false]),
  fuzzyFilter: (filter) => expect(filter(["bug", "rocket"], "rkt", plain)).toEqual(["rocket"]),
  getCapabilities: (get) => expect(get()).toMatchObject({ hyperlinks: expect.any(Boolean) }),
  getKeybindings: (get) => expect(get().matches("\r", "tui.select.confirm")).toBe(true),
  hyperlink: (link, { visibleWidth }) => {
    expect(link("text", "https://x.y")).toContain("\x1b]8;;https://x.y");
    expect(visibleWidth(link("text", "https://x.y"))).toBe(4);
  },
  deleteKittyImage: (remove) => expect(remove(7).slice(1)).toMatch(/^_Ga=d.*i=7/),
  CURSOR_MARKER: (marker, { visibleWidth }) => expect([marker.length > 0, visibleWidth(marker)]).toEqual([true, 0]),
  renderFakeCursor: (render, { visibleWidth }) => {
    expect(render("a")).not.toBe("a");
    expect(visibleWidth(render("a"))).toBe(1);
  },
});
