import { isObject, type JsonObject, objectOf, objectsOf, stringOf } from "../json.js";
import { openObjects } from "../schema.js";

const namePattern = /^[a-zA-Z0-9_-]{1,128}$/;

const toolFields = new Set(
  (
    "type name description input_schema cache_control strict eager_input_streaming defer_loading allowed_callers " +
    "input_examples"
  ).split(" "),
);

export function* toolProblems(body: JsonObject): Generator<string> {
  const names = new Set<string>();
  for (const [index, tool] of objectsOf(body["tools"]).entries()) {
    const at = `tools.${index}.custom`;
    const name = stringOf(tool["name"]);
    for (const field of Object.keys(tool)) {
      if (!toolFields.has(field)) yield `${at}.${field}: Extra inputs are not permitted`;
    }
    if (!namePattern.test(name)) yield `${at}.name: String should match pattern '${namePattern.source}'`;
    if (names.has(name)) yield "tools: Tool names must be unique.";
    names.add(name);
    if (!isObject(tool["input_schema"])) yield `${at}.input_schema: Field required`;
    else if (tool["input_schema"]["type"] !== "object") yield `${at}.input_schema.type: Input should be 'object'`;
    else if (tool["strict"] === true && openObjects(tool["input_schema"]).length > 0) {
      yield `${at}: For 'object' type, 'additionalProperties' must be explicitly set to false`;
    }
  }
  const choice = objectOf(body["tool_choice"]);
  if (choice["type"] === "tool" && !names.has(stringOf(choice["name"]))) {
    yield `Tool '${stringOf(choice["name"])}' not found in provided tools`;
  }
}
