import { describe, expect, it } from "vitest";
import { queuedOutput, withoutControls } from "./output.js";

describe("messages for people", () => {
  it.each([
    ["bad \u001b[31mred\u001b[0m \u001b[2J", "bad red "],
    ["\u001b]0;title\u0007a\u001b]8;;http://x\u001b\\link", "alink"],
    ["\u009b31mC1 \u009d0;t\u009cx", "C1 x"],
    ["never ended \u001b]52;c;abc", "never ended "],
    ["a\0b\bc\u007fd", "abcd"],
    ["one\r\ntwo\n\tthree\rfour", "one\ntwo\n\tthreefour"],
    ["\u202eabc\u2066", "abc"],
    ["ünï 😀 {[<>]}", "ünï 😀 {[<>]}"],
  ])("%j becomes %j", (text, shown) => {
    expect(withoutControls(text)).toBe(shown);
  });
});

describe("records in pieces", () => {
  it("one that breaks off ends the output, and it is said why", async () => {
    const written: string[] = [];
    const error = await new Promise<Error>((resolve) => {
      const output = queuedOutput((chunk, done) => {
        written.push(String(chunk));
        setImmediate(done);
        return true;
      }, resolve);
      output.write("whole\n");
      output.write(
        (function* () {
          yield "half";
          throw new Error("the rest is gone");
        })(),
      );
      output.write("never\n");
    });
    expect(error.message).toBe("the rest is gone");
    expect(written).toEqual(["whole\n", "half"]);
  });
});
