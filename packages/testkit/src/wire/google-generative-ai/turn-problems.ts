import { isObject, type JsonObject, objectsOf, stringOf } from "../json.js";

/**
 * The order of turns. Turns of the same role may follow each other, except around function calls, where the API is
 * exact.
 */
export function* turnProblems(contents: JsonObject[]): Generator<string> {
  if (contents[0]?.["role"] === "model") {
    yield "Please ensure that multiturn requests begin with a user turn.";
  }
  let asked: JsonObject[] = [];
  let previousRole: unknown;
  for (const content of contents) {
    const calls = partsOf(content, "functionCall");
    const responses = partsOf(content, "functionResponse");
    if (asked.length > 0 || responses.length > 0) yield* responseProblems(asked, responses);
    if (calls.length > 0 && previousRole !== "user") {
      yield "Please ensure that function call turn comes immediately after a user turn or after a function response turn.";
    }
    if (calls.length > 0 && content["role"] !== "model")
      yield "Please ensure that function call turns have the role model.";
    if (responses.length > 0 && content["role"] !== "user") {
      yield "Please ensure that function response turns have the role user.";
    }
    asked = calls;
    previousRole = content["role"];
  }
  if (asked.length > 0) yield* responseProblems(asked, []);
}

function* responseProblems(asked: JsonObject[], responses: JsonObject[]): Generator<string> {
  if (asked.length === 0) {
    yield "Please ensure that function response turn comes immediately after a function call turn.";
    return;
  }
  if (asked.length !== responses.length) {
    yield "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.";
    return;
  }
  const key = (part: JsonObject) => `${stringOf(part["name"])} ${stringOf(part["id"])}`;
  const open = asked.map(key);
  for (const response of responses) {
    const found = open.indexOf(key(response));
    if (found === -1)
      yield `Function response '${key(response).trim()}' does not match a function call of the preceding turn.`;
    else open.splice(found, 1);
  }
}

function partsOf(content: JsonObject, field: string): JsonObject[] {
  return objectsOf(content["parts"])
    .map((part) => part[field])
    .filter(isObject);
}
