import { isObject, type JsonObject, objectOf, objectsOf } from "../json.js";
import { blocksOf } from "./conversation.js";

const mostMarkers = 4;

/** Markers are counted over the whole request, in the order in which the prompt is built. */
export function* cacheProblems(body: JsonObject): Generator<string> {
  const markers = markersOf(body);
  if (markers.length > mostMarkers) {
    yield `A maximum of ${mostMarkers} blocks with cache_control may be provided. Found ${markers.length}.`;
  }
  let sawShort = false;
  for (const marker of markers) {
    if (marker["type"] !== "ephemeral") yield "cache_control.type: Input should be 'ephemeral'";
    const ttl = marker["ttl"] ?? "5m";
    if (ttl !== "5m" && ttl !== "1h") yield "cache_control.ttl: Input should be '5m' or '1h'";
    if (ttl === "1h" && sawShort) {
      yield "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block";
    }
    sawShort ||= ttl === "5m";
  }
}

function markersOf(body: JsonObject): JsonObject[] {
  const blocks = [
    ...objectsOf(body["tools"]),
    ...blocksOf(body["system"]),
    ...objectsOf(body["messages"]).flatMap((message) => blocksOf(message["content"]).flatMap(withInner)),
  ];
  return blocks.filter((block) => isObject(block["cache_control"])).map((block) => objectOf(block["cache_control"]));
}

function withInner(block: JsonObject): JsonObject[] {
  return block["type"] === "tool_result" ? [...objectsOf(block["content"]), block] : [block];
}
