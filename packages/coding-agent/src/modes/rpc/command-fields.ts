/** Which fields a command has, so that a wrong one is answered by its name. Pure. Source: protocol.md section 3. */
import type { RpcCommand, RpcCommandType } from "./rpc-types.js";

type FieldKind = "string" | "boolean" | "images" | readonly string[];

interface Field {
  kind: FieldKind;
  isOptional?: boolean;
}

const text: Field = { kind: "string" };
const optionalText: Field = { kind: "string", isOptional: true };
const images: Field = { kind: "images", isOptional: true };
const flag: Field = { kind: "boolean" };
const queueMode: Field = { kind: ["all", "one-at-a-time"] };

export const commandFields: { readonly [Type in RpcCommandType]: Readonly<Record<string, Field>> } = {
  prompt: { message: text, images, streamingBehavior: { kind: ["steer", "followUp"], isOptional: true } },
  steer: { message: text, images },
  follow_up: { message: text, images },
  abort: {},
  clear_queue: {},
  new_session: { parentSession: optionalText },
  get_state: {},
  get_messages: {},
  set_model: { provider: text, modelId: text },
  cycle_model: {},
  get_available_models: {},
  // Any name: one that is unknown counts as the lowest level.
  set_thinking_level: { level: text },
  cycle_thinking_level: {},
  get_available_thinking_levels: {},
  set_steering_mode: { mode: queueMode },
  set_follow_up_mode: { mode: queueMode },
  compact: { customInstructions: optionalText },
  set_auto_compaction: { enabled: flag },
  set_auto_retry: { enabled: flag },
  abort_retry: {},
  bash: { command: text, excludeFromContext: { kind: "boolean", isOptional: true } },
  abort_bash: {},
  get_session_stats: {},
  export_html: { outputPath: optionalText },
  switch_session: { sessionPath: text },
  fork: { entryId: text },
  clone: {},
  get_fork_messages: {},
  get_entries: { since: optionalText },
  get_tree: {},
  get_last_assistant_text: {},
  set_session_name: { name: text },
  get_commands: {},
};

export function isCommandType(type: unknown): type is RpcCommandType {
  return typeof type === "string" && Object.hasOwn(commandFields, type);
}

/** @throws `Invalid command: ...`, naming the field and what it should be */
export function checkedCommand(type: RpcCommandType, record: Readonly<Record<string, unknown>>): RpcCommand {
  for (const [name, field] of Object.entries(commandFields[type])) {
    const value = record[name];
    // A client that fills absent fields with null means the same.
    if (value === undefined || value === null) {
      if (field.isOptional) continue;
      throw new Error(`Invalid command: ${type} needs "${name}" (${describe(field.kind)})`);
    }
    const problem = problemOf(field.kind, value);
    if (problem) throw new Error(`Invalid command: "${name}" of ${type} ${problem}`);
  }
  // The id is echoed whatever it is.
  const given = Object.entries(record).filter(([name, value]) => value !== null || name === "id");
  return Object.fromEntries(given) as unknown as RpcCommand;
}

function problemOf(kind: FieldKind, value: unknown): string | undefined {
  if (kind === "images") return imagesProblem(value);
  const fits = typeof kind === "string" ? typeof value === kind : kind.includes(value as string);
  return fits ? undefined : `must be ${describe(kind)}`;
}

function imagesProblem(value: unknown): string | undefined {
  if (!Array.isArray(value)) return `must be ${describe("images")}`;
  const wrong = value.findIndex(
    (item) =>
      typeof item !== "object" ||
      item === null ||
      item.type !== "image" ||
      typeof item.data !== "string" ||
      typeof item.mimeType !== "string",
  );
  return wrong < 0 ? undefined : `must be ${describe("images")}; item ${wrong} is not one`;
}

function describe(kind: FieldKind): string {
  if (kind === "images") return 'an array of {"type":"image","data":"<base64>","mimeType":"..."}';
  if (typeof kind === "string") return `a ${kind}`;
  return `one of ${kind.map((value) => JSON.stringify(value)).join(", ")}`;
}
