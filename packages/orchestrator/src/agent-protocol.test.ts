import { describe, expect, it } from "vitest";
import { headOf } from "./agent-protocol.js";

describe("the head of a record", () => {
  it.each([
    ['{"type":"agent_start"}', { id: undefined, type: "agent_start" }],
    ['{"id":"a","command":"get_state","type":"response","success":true}', { id: '"a"', type: "response" }],
    ['{"id":"a\\"b","type":"response"}', { id: '"a\\"b"', type: "response" }],
    ['{"success":true,"type":"response","id":7}', { id: "7", type: "response" }],
    ['{"message":{"type":"text"},"type":"message_end"}', { id: undefined, type: "message_end" }],
    ["[]", undefined],
    ["Warning: {}", undefined],
    ["", undefined],
  ])("%s", (line, head) => {
    expect(headOf(line)).toEqual(head);
  });
});
