import { describe, expect, it } from "vitest";
import { parseCommandLine } from "./args.js";
import { unknownOptionsAdvice } from "./option-advice.js";

describe("what the parser advises", () => {
  it.each<[string, string[]]>([
    ["-px", ["What follows an option is a word of its own: -p x"]],
    ["-pc", ["Short options are words of their own: -p -c"]],
    ["-tread", ["What follows an option is a word of its own: -t read"]],
    ["-model x", ["Did you mean --model?"]],
    ["-xtt", ["All options: pi --help"]],
    ["-z", ["All options: pi --help"]],
    ["--mode jsno", ["Did you mean json?"]],
    ["--mode wat", ["For example: --mode text"]],
    ["--mode", ["Write: --mode <text|json|rpc>"]],
    ["--name", ["Write: --name <text>"]],
    ["--thinking hgih", ["Did you mean high? The option is ignored."]],
    ["--thinking wat", ["The option is ignored."]],
    ["--tui-mode full", ["Did you mean fullscreen?"]],
    ["--use-theme -x", ["Write: --use-theme <name>", "All options: pi --help"]],
  ])("%s", (words, advice) => {
    const line = parseCommandLine(words.split(" "));
    expect(line.advice).toEqual(advice);
    expect(line.args.diagnostics).toHaveLength(advice.length);
  });
});

describe("unknownOptionsAdvice", () => {
  it.each<[string, string[], string]>([
    ["--modle x", [], "Did you mean --model?"],
    ["--modle x --prnt", [], "Did you mean --model, --print?"],
    ["--wat", [], "All options: pi --help"],
    ["--depht 3", ["--depth"], "Did you mean --depth?"],
    ["--model", [], "Write: --model <pattern>"],
    ["--api-key=secret", [], "The value is a word of its own: --api-key <key>"],
    ["--print=x", [], "--print takes no value."],
  ])("%s", (words, flags, advice) => {
    expect(unknownOptionsAdvice(parseCommandLine(words.split(" ")).args.unknownFlags, flags)).toBe(advice);
  });
});
