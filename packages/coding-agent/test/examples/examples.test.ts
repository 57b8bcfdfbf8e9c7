import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { members as frequent } from "../frequency/tables.js";
import { claims } from "./coverage/claims.js";
import { examplesFolder, readContract } from "./coverage/contract.js";
import { leftOut } from "./coverage/left-out.js";
import "./suites/dialogs.suite.js";
import "./suites/policies.suite.js";
import "./suites/screen.suite.js";
import "./suites/sessions.suite.js";
import "./suites/typing.suite.js";
import "./suites/models-and-tools.suite.js";

/** What the examples show of the contract, counted by what the tests above have seen happen. */
describe("the examples together", () => {
  const { members, uses } = readContract();
  const isShown = (member: string) =>
    claims.some(
      ({ examples, member: claimed, task, isTerminal }) =>
        claimed === member &&
        task.result?.state === "pass" &&
        examples.some((example) => uses.get(example)?.has(member)) &&
        // What is on a screen is looked at on one.
        (isTerminal || !/^(ui|dialog|custom|footer|row|theme)\./.test(member)),
    );

  it("are at least thirty, each with tests", () => {
    expect(uses.size).toBeGreaterThanOrEqual(30);
    const tested = new Set(claims.flatMap(({ examples }) => examples));
    expect([...uses.keys()].filter((name) => !tested.has(name))).toEqual([]);
  });

  it("are all in the list for readers", () => {
    const list = readFileSync(join(examplesFolder, "README.md"), "utf8");
    expect([...list.matchAll(/^\| \[(\S+)\]\(/gm)].map(([, name]) => name).toSorted()).toEqual(
      [...uses.keys()].toSorted(),
    );
  });

  it("claim nothing that is not there, or that the example does not use", () => {
    const wrong = claims.filter(({ examples, member }) => !examples.some((name) => uses.get(name)?.has(member)));
    expect(wrong.map(({ examples, member }) => `${examples}: ${member}`)).toEqual([]);
    expect(Object.keys(leftOut).filter((member) => !members.has(member))).toEqual([]);
  });

  it("show what extensions use most: every event and member of the frequency tables", () => {
    expect(frequent.filter((member) => !members.has(member) || member in leftOut)).toEqual([]);
  });

  it("show every member of the contract, and a test has seen its effect", () => {
    expect([...members].filter((member) => !(member in leftOut) && !isShown(member))).toEqual([]);
  });
});
