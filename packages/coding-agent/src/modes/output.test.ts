import { describe, expect, it } from "vitest";
import { coloredMessage, queuedOutput } from "./output.js";

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

describe("coloredMessage", () => {
  it.each([
    ["Error: x\nDid you mean y?", "\x1b[31mError: x\x1b[39m\nDid you mean y?"],
    ["Warning: x", "\x1b[33mWarning: x\x1b[39m"],
    ["What Error: x", "What Error: x"],
  ])("%j", (text, expected) => {
    expect(coloredMessage(text)).toBe(expected);
  });
});
