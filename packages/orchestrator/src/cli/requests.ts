import { resolve } from "node:path";
import { OrchestratorClient } from "../ipc/client.js";
import { parseObject } from "../ipc/protocol.js";
import { UsageError, type VerbArguments } from "./arguments.js";
import { print } from "./output.js";
import { pageOf } from "./page-address.js";
import { waitForAnswer } from "./wait-for-answer.js";

/** Verbs that are one request: the answer is printed as it is. */
export async function request(args: VerbArguments): Promise<number> {
  const client = new OrchestratorClient();
  const answer = await client.ask(requestOf(args));
  if (args.isSet("wait") && answer.ok && answer.type === "prompt_result") {
    print(`${await waitForAnswer(client, args.words[0] ?? "", answer.prompt)}\n`);
    return 0;
  }
  const shown = answer.ok && answer.type === "hello_result" ? { ...answer, ...pageOf(answer.gateway) } : answer;
  print(`${JSON.stringify(shown, null, 2)}\n`);
  return 0;
}

function requestOf(args: VerbArguments): object {
  const [instanceId, second = ""] = args.words;
  const type = args.verb.name;
  switch (type) {
    case "spawn":
      return { type, ...spawnFields(args) };
    case "send": {
      const promptId = args.text("prompt-id");
      return {
        type: "prompt",
        instanceId,
        message: second,
        ...(args.isSet("steer") && { streamingBehavior: "steer" }),
        ...(promptId !== undefined && { promptId }),
      };
    }
    case "status":
      return instanceId === undefined ? { type: "hello" } : { type, instanceId };
    case "rpc":
      return { type, instanceId, command: commandOf(second) };
    case "logs": {
      const lines = args.number("lines");
      return { type, ...(instanceId !== undefined && { instanceId }), ...(lines !== undefined && { lines }) };
    }
    default:
      return { type, instanceId };
  }
}

function commandOf(text: string): object {
  try {
    return parseObject(text);
  } catch (error) {
    throw new UsageError(`The command is no JSON object: ${(error as Error).message}`);
  }
}

function spawnFields(args: VerbArguments): object {
  const fields: Record<string, unknown> = { cwd: resolve(args.text("cwd") ?? ".") };
  for (const name of ["label", "provider", "model", "policy"]) {
    const value = args.text(name);
    if (value !== undefined) fields[name] = value;
  }
  const id = args.text("id");
  if (id !== undefined) fields["instanceId"] = id;
  const memory = args.number("memory");
  if (memory !== undefined) fields["memoryMb"] = memory;
  const idle = args.number("idle");
  if (idle !== undefined) fields["idleSeconds"] = idle;
  if (args.words.length > 0) fields["args"] = [...args.words];
  return fields;
}
