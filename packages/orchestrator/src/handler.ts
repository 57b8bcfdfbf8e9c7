import { errorAnswer, parseObject } from "./ipc/protocol.js";
import type { OpenStream, RequestHandler } from "./ipc/server.js";
import { instancePaths } from "./paths.js";
import { RequestError } from "./request-error.js";
import { lastLines } from "./storage/last-lines.js";
import { CursorSubscriber } from "./streams/cursor-subscriber.js";
import { RawSubscriber } from "./streams/raw-subscriber.js";
import type { Sink } from "./streams/sink.js";
import type { OrchestratorSupervisor } from "./supervisor.js";
import type { OrchestratorRequest, OrchestratorResults } from "./types.js";
import { version } from "./version.js";

type Answered = Exclude<OrchestratorRequest, { type: "rpc_stream" | "rpc" }>;

/** What each request does. Knows the supervisor, and nothing of sockets. */
export class Handler implements RequestHandler {
  readonly #supervisor: OrchestratorSupervisor;
  /** Address of the HTTP gateway, if there is one. */
  gateway: string | undefined;

  constructor(supervisor: OrchestratorSupervisor) {
    this.#supervisor = supervisor;
  }

  async answer(request: Exclude<OrchestratorRequest, { type: "rpc_stream" }>): Promise<string> {
    if (request.type !== "rpc") return JSON.stringify(await this.#result(request));
    const instance = this.#supervisor.instance(request.instanceId);
    // The agent's answer is passed on as it is, however long.
    return `{"type":"rpc_result","ok":true,"response":${await instance.rpc(request.command)}}`;
  }

  stream({ instanceId, cursor }: Extract<OrchestratorRequest, { type: "rpc_stream" }>, sink: Sink): OpenStream {
    const instance = this.#supervisor.instance(instanceId);
    const subscriber = cursor === undefined ? new RawSubscriber(sink) : new CursorSubscriber(instance, sink, cursor);
    const ready: OrchestratorResults["rpc_stream"] = { type: "rpc_ready", ok: true, instance: instance.record };
    sink.write(`${JSON.stringify(ready)}\n`);
    const unsubscribe = instance.subscribe(subscriber);
    if (subscriber instanceof CursorSubscriber) subscriber.begin();
    const pending = new Set<Promise<void>>();
    return {
      onLine: (line) => {
        const answered = this.#streamLine(instanceId, line, sink)
          .catch((error) => sink.write(`${JSON.stringify(errorAnswer(error))}\n`))
          .finally(() => pending.delete(answered));
        pending.add(answered);
      },
      answered: () => Promise.all(pending),
      onClose: unsubscribe,
    };
  }

  async #streamLine(instanceId: string, line: string, sink: Sink): Promise<void> {
    const record = parseObject(line);
    const instance = this.#supervisor.instance(instanceId);
    if (record["type"] === "extension_ui_response") {
      const { id } = record;
      if (typeof id !== "string") throw new RequestError("invalid_request", "An answer needs the id of its dialog.");
      if (!instance.answerDialog({ ...record, id })) {
        throw new RequestError("wrong_state", `Dialog ${id} is not open: somebody has answered it, or it is too late.`);
      }
      return;
    }
    if (typeof record["type"] !== "string") throw new RequestError("invalid_request", "A command needs a type.");
    sink.write(`${await instance.rpc({ ...record, type: record["type"] })}\n`);
  }

  async #result(request: Answered): Promise<OrchestratorResults[keyof OrchestratorResults]> {
    const supervisor = this.#supervisor;
    switch (request.type) {
      case "hello":
        return {
          type: "hello_result",
          ok: true,
          protocol: 1,
          version,
          pid: process.pid,
          ...(this.gateway !== undefined && { gateway: this.gateway }),
        };
      case "spawn": {
        const { type: _type, ...options } = request;
        return { type: "spawn_result", ok: true, instance: await supervisor.spawn(options) };
      }
      case "list":
        return { type: "list_result", ok: true, instances: supervisor.instances().map(({ record }) => record) };
      case "status": {
        const { record, dialogs, prompts } = supervisor.instance(request.instanceId);
        return {
          type: "status_result",
          ok: true,
          instance: record,
          dialogs: dialogs.all().map(({ dialog }) => dialog),
          prompts: prompts.list().slice(-20),
        };
      }
      case "stop": {
        const { instanceId } = request;
        return { type: "stop_result", ok: true, instanceId, interrupted: await supervisor.stop(instanceId) };
      }
      case "prompt": {
        const { type: _type, instanceId, ...options } = request;
        return { type: "prompt_result", ok: true, prompt: await supervisor.prompt(instanceId, options) };
      }
      case "prompts":
        return { type: "prompts_result", ok: true, prompts: supervisor.instance(request.instanceId).prompts.list() };
      case "logs":
        return { type: "logs_result", ok: true, lines: await this.#logs(request.instanceId, request.lines ?? 100) };
      default:
        return unknownRequest(request);
    }
  }

  async #logs(instanceId: string | undefined, count: number): Promise<string[]> {
    const { paths } = this.#supervisor.context;
    if (instanceId === undefined) return lastLines(paths.log, count);
    return lastLines(instancePaths(paths.folder, this.#supervisor.instance(instanceId).id).stderr, count);
  }
}

function unknownRequest(request: never): never {
  throw new RequestError("invalid_request", `Unknown request: ${JSON.stringify(request)}`);
}
