import { type JsonObject, objectsOf, stringOf } from "../json.js";
import { blocksOf } from "./conversation.js";

const idPattern = /^[a-zA-Z0-9_-]+$/;

/** Every call is answered in the very next message, results come first there, and nothing is answered twice. */
export function* pairingProblems(body: JsonObject): Generator<string> {
  const messages = objectsOf(body["messages"]);
  const seen = new Set<string>();
  let asked = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const blocks = blocksOf(message["content"]);
    if (message["role"] === "user") yield* resultProblems(blocks, `messages.${index}`, asked);
    asked = new Set();
    if (message["role"] !== "assistant") continue;
    yield* callProblems(blocks, `messages.${index}`, seen);
    asked = idsOf(blocks, "tool_use", "id");
    const answered = idsOf(leadingResults(messages[index + 1]), "tool_result", "tool_use_id");
    const open = [...asked].filter((id) => !answered.has(id));
    if (open.length > 0) {
      yield `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(", ")}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
    }
  }
}

function* callProblems(blocks: JsonObject[], at: string, seen: Set<string>): Generator<string> {
  for (const [position, block] of blocks.entries()) {
    if (block["type"] !== "tool_use") continue;
    const id = stringOf(block["id"]);
    if (!idPattern.test(id)) {
      yield `${at}.content.${position}.tool_use.id: String should match pattern '${idPattern.source}'`;
    }
    if (seen.has(id)) yield `${at}.content.${position}: \`tool_use\` ids must be unique`;
    seen.add(id);
  }
}

function* resultProblems(blocks: JsonObject[], at: string, asked: Set<string>): Generator<string> {
  const answered = new Set<string>();
  for (const [position, block] of blocks.entries()) {
    if (block["type"] !== "tool_result") continue;
    const id = stringOf(block["tool_use_id"]);
    if (!asked.has(id)) {
      yield `${at}.content.${position}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`;
    }
    if (answered.has(id)) {
      yield `${at}.content.${position}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`;
    }
    answered.add(id);
  }
}

/** Results behind other content do not count. */
function leadingResults(message: JsonObject | undefined): JsonObject[] {
  if (message?.["role"] !== "user") return [];
  const blocks = blocksOf(message["content"]);
  const end = blocks.findIndex((block) => block["type"] !== "tool_result");
  return end === -1 ? blocks : blocks.slice(0, end);
}

function idsOf(blocks: JsonObject[], type: string, field: string): Set<string> {
  return new Set(blocks.filter((block) => block["type"] === type).map((block) => stringOf(block[field])));
}
