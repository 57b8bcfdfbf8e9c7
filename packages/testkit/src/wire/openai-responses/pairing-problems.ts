import { type JsonObject, stringOf } from "../json.js";

/** The item type that answers a call. */
const answers: Record<string, string> = {
  function_call: "function_call_output",
  custom_tool_call: "custom_tool_call_output",
};

/** Every call has its output somewhere behind it, and every output its call somewhere before it. */
export function* pairingProblems(items: JsonObject[]): Generator<string> {
  const calls = new Map<string, string>();
  const answered = new Set<string>();
  for (const item of items) {
    const type = stringOf(item["type"]);
    const callId = stringOf(item["call_id"]);
    const answer = answers[type];
    if (answer !== undefined) calls.set(callId, answer);
    else if (Object.values(answers).includes(type)) {
      if (calls.get(callId) !== type) yield `No tool call found for ${callName(type)} output with call_id ${callId}.`;
      answered.add(callId);
    }
  }
  for (const [callId, answer] of calls) {
    if (!answered.has(callId)) yield `No tool output found for ${callName(answer)} ${callId}.`;
  }
}

function callName(outputType: string): string {
  return outputType === "function_call_output" ? "function call" : "custom tool call";
}
