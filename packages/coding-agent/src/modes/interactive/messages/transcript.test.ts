import type { AgentMessage } from "@earendil-works/pi-agent-core";
import { stripTerminalSequences, Text, type TUI } from "@earendil-works/pi-tui";
import { beforeAll, describe, expect, it } from "vitest";
import type { SessionEntry } from "../../../core/session-store/entries.js";
import { terminalInk } from "../../../core/themes/terminal-ink.js";
import { Theme } from "../../../core/themes/theme.js";
import { setCurrentTheme } from "../theme/current.js";
import { DARK_PALETTE, deriveColors } from "../theme/derive.js";
import { chatItems } from "./chat-items.js";
import { Transcript } from "./transcript.js";

beforeAll(() => setCurrentTheme(new Theme(deriveColors(DARK_PALETTE), terminalInk("truecolor"))));

const tui = { requestRender: () => {} } as unknown as TUI;
const look = () => ({
  ...{ expanded: false, hideThinking: false, hiddenThinkingLabel: "Thinking...", outputPad: 1 },
  ...{ showImages: true, imageWidthCells: 60, codeBlockIndent: "  " },
});
const make = () =>
  new Transcript({
    tui,
    cwd: "/",
    look: look(),
    toolRenderers: () => undefined,
    transformers: [],
    customRenderer: () => undefined,
    entryRenderer: (type) => (type === "note" ? ({ data }) => new Text(`note: ${data}`, 0, 0) : undefined),
  });
const shown = (transcript: Transcript, width = 60) =>
  transcript
    .render(width)
    .map((line) => stripTerminalSequences(line).trimEnd())
    .join("\n");
const assistant = (content: object[], more: object = {}) =>
  ({ role: "assistant", content, stopReason: "stop", timestamp: 1, ...more }) as unknown as AgentMessage & {
    role: "assistant";
  };
const text = (value: string) => ({ type: "text", text: value });

describe("the transcript", () => {
  it("shows what streams when it is asked to, and not before", () => {
    const transcript = make();
    const message = assistant([text("one")], { stopReason: "pending" });
    transcript.handle({ type: "message_start", message });
    const grown = assistant([text("one two")], { stopReason: "pending" });
    const event = { type: "text_delta", contentIndex: 0, delta: " two", partial: grown } as const;
    transcript.handle({ type: "message_update", message: grown, assistantMessageEvent: event });
    expect(shown(transcript)).toBe("\n one");
    transcript.showStream();
    expect(shown(transcript)).toBe("\n one two");
    transcript.handle({ type: "message_end", message: assistant([text("one two three")]) });
    expect(shown(transcript)).toBe("\n one two three");
  });

  it("shows or hides one run of thinking for a click on it", () => {
    const transcript = make();
    const thinking = (value: string) => ({ type: "thinking", thinking: value });
    transcript.load([assistant([thinking("first idea"), text("so"), thinking("second idea")])]);
    transcript.apply({ hideThinking: true });
    const click = (line: string, more: object = {}) => {
      const y = shown(transcript).split("\n").indexOf(line);
      const place = { x: 2, y, screenX: 2, screenY: y, width: 60, height: 60, shift: false, alt: false, ctrl: false };
      return transcript.handleMouse({ type: "click", button: "left", clickCount: 1, ...place, ...more });
    };
    expect(shown(transcript)).toBe("\n Thinking...\n\n so\n\n Thinking...");
    expect(click(" so")).toBeUndefined();
    expect(click(" Thinking...", { button: "right" })).toBeUndefined();
    expect(click(" Thinking...", { type: "press" })).toBeUndefined();
    expect(shown(transcript)).toBe("\n Thinking...\n\n so\n\n Thinking...");
    expect(click(" Thinking...")).toEqual({ handled: true });
    expect(shown(transcript)).toBe("\n first idea\n\n so\n\n Thinking...");
    expect(click(" first idea")).toEqual({ handled: true });
    expect(shown(transcript)).toBe("\n Thinking...\n\n so\n\n Thinking...");
    click(" Thinking...");
    // The switch for all is the last word.
    transcript.apply({ hideThinking: false });
    expect(shown(transcript)).toBe("\n first idea\n\n so\n\n second idea");
    click(" second idea");
    expect(shown(transcript)).toBe("\n first idea\n\n so\n\n Thinking...");
  });

  it("has a box from the first piece of a call, and puts the result into it", () => {
    const transcript = make();
    const call = (args: object) => ({ type: "toolCall", id: "c1", name: "ls", arguments: args });
    const begun = assistant([call({})], { stopReason: "pending" });
    transcript.handle({ type: "message_start", message: begun });
    const event = { type: "toolcall_start", contentIndex: 0, partial: begun } as const;
    transcript.handle({ type: "message_update", message: begun, assistantMessageEvent: event });
    expect(shown(transcript)).toContain("ls .");
    transcript.handle({ type: "message_end", message: assistant([call({ path: "src" })], { stopReason: "toolUse" }) });
    transcript.handle({ type: "tool_execution_start", toolCallId: "c1", toolName: "ls", args: { path: "src" } });
    const result = { content: [{ type: "text" as const, text: "a.ts" }], details: undefined };
    transcript.handle({ type: "tool_execution_end", toolCallId: "c1", toolName: "ls", result, isError: false });
    expect(shown(transcript)).toBe("\n\n ls src\n a.ts\n");
  });

  it.each([
    [{ stopReason: "length" }, "Response was truncated before completion."],
    [{ stopReason: "aborted" }, "Operation aborted"],
    [{ stopReason: "error", errorMessage: "529 \u001b[31moverloaded" }, "Error: 529 overloaded"],
  ])("says why an answer ended: %j", (more, reason) => {
    const transcript = make();
    const message = assistant([text("so far")], more);
    transcript.handle({ type: "message_start", message });
    transcript.handle({ type: "message_end", message });
    expect(shown(transcript)).toBe(`\n so far\n\n ${reason}`);
  });

  it("says it in the boxes of calls that never ran", () => {
    const transcript = make();
    const message = assistant([{ type: "toolCall", id: "c1", name: "ls", arguments: {} }], { stopReason: "aborted" });
    transcript.handle({ type: "message_start", message });
    transcript.handle({ type: "message_end", message });
    expect(shown(transcript)).toBe("\n\n ls .\n Operation aborted\n");
  });

  it("lets one status take the place of the one before, and nothing else", () => {
    const transcript = make();
    transcript.status("one");
    transcript.status("two");
    transcript.error("three");
    transcript.status("four");
    expect(shown(transcript)).toBe("\n two\n\n Error: three\n\n four");
  });

  it("shows a summary behind what it kept, and says how much is not shown", () => {
    const transcript = make();
    const entry = (id: string, minute: number, more: object) =>
      ({ id, parentId: null, timestamp: `2026-01-01T00:0${minute}:00.000Z`, ...more }) as unknown as SessionEntry;
    const user = (content: string) => ({ type: "message", message: { role: "user", content, timestamp: 1 } });
    const items = chatItems([
      entry("c", 5, { type: "compaction", summary: "so it was", tokensBefore: 12_345, firstKeptEntryId: "a" }),
      entry("a", 4, user("kept")),
      entry("n", 4, { type: "custom", customType: "note", data: "a note" }),
      entry("b", 6, user("new")),
    ]);
    transcript.load(items);
    expect(shown(transcript)).toMatch(
      /kept[\s\S]*note: a note[\s\S]*\[compaction\] Compacted from 12,345 tokens[\s\S]*new/,
    );
    transcript.load(items, 1);
    expect(shown(transcript)).toMatch(/^\n 3 earlier messages are not shown here[\s\S]*new/);
    expect(shown(transcript)).not.toContain("kept");
  });

  it("folds and unfolds everything, also what has not been in sight", () => {
    const transcript = make();
    transcript.load([{ role: "branchSummary", summary: "the details", fromId: "x", timestamp: 1 }]);
    transcript.apply({ expanded: true });
    expect(shown(transcript)).toContain("the details");
    transcript.apply({ expanded: false });
    expect(shown(transcript)).toContain("Branch summary (ctrl+o to expand)");
    transcript.apply({ hideThinking: true });
    transcript.handle({
      type: "message_start",
      message: assistant([{ type: "thinking", thinking: "secret thoughts" }]),
    });
    expect(shown(transcript)).toContain("Thinking...");
    transcript.apply({ hideThinking: false });
    expect(shown(transcript)).toContain("secret thoughts");
  });
});
