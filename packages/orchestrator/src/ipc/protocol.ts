import { type ErrorAnswer, type OrchestratorRequest, restartPolicies } from "../types.js";

/** Longest request, and longest record of a stream, in bytes. */
export const longestFrame = 16 * 1024 * 1024;

/** What is wrong with a request, for whoever wrote it. */
export class FrameError extends Error {
  override name = "FrameError";
  readonly code = "bad_frame";
}

type Check = (value: unknown) => string | undefined;

const text: Check = (value) => (typeof value === "string" && value !== "" ? undefined : "must be a text");
const anyText: Check = (value) => (typeof value === "string" ? undefined : "must be a text");
const texts: Check = (value) =>
  Array.isArray(value) && value.every((item) => typeof item === "string") ? undefined : "must be a list of texts";
const positive: Check = (value) => (typeof value === "number" && value > 0 ? undefined : "must be a number above 0");
const list: Check = (value) => (Array.isArray(value) ? undefined : "must be a list");
const oneOf =
  (...words: readonly string[]): Check =>
  (value) =>
    words.includes(value as string) ? undefined : `must be one of ${words.join(", ")}`;
const command: Check = (value) =>
  isObject(value) && typeof value["type"] === "string" ? undefined : "must be an object with a type";

interface Shape {
  required: Record<string, Check>;
  optional?: Record<string, Check>;
}

/** The fields of each request. Others are ignored: later versions of this protocol may add some. */
const shapes: Record<OrchestratorRequest["type"], Shape> = {
  hello: { required: {} },
  spawn: {
    required: { cwd: text },
    optional: {
      label: anyText,
      provider: text,
      model: text,
      args: texts,
      policy: oneOf(...restartPolicies),
      memoryMb: positive,
      idleSeconds: positive,
      instanceId: text,
    },
  },
  list: { required: {} },
  status: { required: { instanceId: text } },
  stop: { required: { instanceId: text } },
  rpc: { required: { instanceId: text, command } },
  rpc_stream: { required: { instanceId: text }, optional: { cursor: anyText } },
  prompt: {
    required: { instanceId: text, message: text },
    optional: { images: list, streamingBehavior: oneOf("steer", "followUp"), promptId: text },
  },
  prompts: { required: { instanceId: text } },
  logs: { required: {}, optional: { instanceId: text, lines: positive } },
};

/**
 * A request as it came.
 * @throws FrameError
 */
export function parseRequest(line: string): OrchestratorRequest {
  return checkRequest(parseObject(line));
}

/** @throws FrameError */
export function checkRequest(value: Record<string, unknown>): OrchestratorRequest {
  const { type } = value;
  const shape =
    typeof type === "string" && Object.hasOwn(shapes, type) ? shapes[type as keyof typeof shapes] : undefined;
  if (!shape)
    throw new FrameError(`Unknown request: ${String(type).slice(0, 100)}. Known: ${Object.keys(shapes).join(", ")}.`);
  const request: Record<string, unknown> = { type };
  for (const [name, check] of Object.entries({ ...shape.required, ...shape.optional })) {
    const field = value[name];
    if (field === undefined && !Object.hasOwn(shape.required, name)) continue;
    const problem = field === undefined ? "is missing" : check(field);
    if (problem) throw new FrameError(`Invalid ${type} request: ${name} ${problem}.`);
    request[name] = field;
  }
  return request as unknown as OrchestratorRequest;
}

/** @throws FrameError for what is no JSON object */
export function parseObject(line: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw new FrameError(`Not JSON: ${(error as Error).message}`);
  }
  if (!isObject(value)) throw new FrameError("Not a JSON object.");
  return value;
}

export function errorAnswer(error: unknown): ErrorAnswer {
  return { type: "error", ok: false, error: error instanceof Error ? error.message : String(error) };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
