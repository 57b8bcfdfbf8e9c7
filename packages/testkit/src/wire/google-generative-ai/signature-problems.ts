import { isObject, type JsonObject, objectOf, objectsOf, stringOf } from "../json.js";
import type { RequestView } from "../wire.js";
import { requiresThoughtSignatures } from "./models.js";

/** Values that Google documents for histories that come from another model. */
const skipWords = new Set(["skip_thought_signature_validator", "context_engineering_is_the_way_to_go"]);

const base64 = /^(?:[A-Za-z0-9+/_-]{4})*(?:[A-Za-z0-9+/_-]{2}==|[A-Za-z0-9+/_-]{3}=)?$/;

export function* signatureProblems({ body, model, issued }: RequestView): Generator<string> {
  const contents = objectsOf(body["contents"]);
  for (const [index, content] of contents.entries()) {
    for (const [position, part] of objectsOf(content["parts"]).entries()) {
      const signature = part["thoughtSignature"];
      if (signature === undefined || skipWords.has(stringOf(signature))) continue;
      if (typeof signature !== "string" || signature === "" || !base64.test(signature)) {
        yield `Invalid value at 'contents[${index}].parts[${position}].thought_signature' (TYPE_BYTES), Base64 decoding failed for "${String(signature)}"`;
      } else if (issued.verdict("google-generative-ai", signature) !== "issued") {
        yield "Corrupted thought signature.";
      }
    }
  }
  if (requiresThoughtSignatures(model)) yield* missingSignatures(contents);
}

/** Only the first call of each step is signed, and only the steps since the user last spoke are looked at. */
function* missingSignatures(contents: JsonObject[]): Generator<string> {
  const turnStart = contents.findLastIndex((content) => content["role"] === "user" && speaks(content));
  for (const [index, content] of contents.entries()) {
    if (index <= turnStart) continue;
    const first = objectsOf(content["parts"]).find((part) => isObject(part["functionCall"]));
    if (first === undefined || stringOf(first["thoughtSignature"]) !== "") continue;
    const name = stringOf(objectOf(first["functionCall"])["name"]);
    yield `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${name}\` , position ${index + 1}.`;
  }
}

function speaks(content: JsonObject): boolean {
  return objectsOf(content["parts"]).some((part) => !("functionResponse" in part));
}
