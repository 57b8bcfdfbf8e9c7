import { type OrchestratorClient, OrchestratorError } from "../ipc/client.js";
import type { InstanceRecord, PromptRecord, StreamFrame } from "../types.js";
import { answerIn, type SessionEntry } from "./answer.js";

/**
 * Waits until a prompt is in the session and the agent has settled. Returns its answer.
 * @throws OrchestratorError when it was rejected or interrupted, and when the agent ended in the middle of its answer
 */
export async function waitForAnswer(
  client: OrchestratorClient,
  instanceId: string,
  { promptId }: PromptRecord,
): Promise<string> {
  let failed: (error: Error) => void = () => {};
  let look: () => void = () => {};
  const failure = new Promise<never>((_, reject) => {
    failed = reject;
  });
  failure.catch(() => {});
  const stream = await client.stream(instanceId, "now", (line) => {
    const frame = JSON.parse(line) as StreamFrame;
    if (frame.type === "prompt_state" && frame.prompt.promptId === promptId) {
      const error = failureOf(frame.prompt);
      if (error) failed(error);
    }
    if (frame.type === "prompt_state" || frame.type === "instance" || line.includes('"agent_settled"')) look();
  });
  try {
    let generation: number | undefined;
    for (;;) {
      const changed = new Promise<void>((resolve) => {
        look = resolve;
      });
      const { instance } = await client.call("status", { instanceId });
      const { prompts } = await client.call("prompts", { instanceId });
      const prompt = prompts.find((candidate) => candidate.promptId === promptId);
      if (!prompt) {
        throw new OrchestratorError("refused", `Prompt ${promptId} came long ago: its answer is in the session.`);
      }
      const error = failureOf(prompt);
      if (error) throw error;
      if (prompt.state === "handled") return "";
      if (prompt.state === "delivered") {
        generation ??= instance.generation;
        const isSame = generation === instance.generation;
        if (instance.status === "stopped" || instance.status === "error") throw unanswered(promptId, instance.reason);
        if (instance.status === "online" && !instance.isStreaming) return answerOf(client, instance, prompt, isSame);
      }
      await Promise.race([changed, failure, stream.closed.then(() => gone())]);
    }
  } finally {
    stream.close();
  }
}

/** @param isSame whether the process is the one that got the prompt: another one does not go on with it by itself */
async function answerOf(
  client: OrchestratorClient,
  { id: instanceId, reason }: InstanceRecord,
  { promptId, entryId }: PromptRecord,
  isSame: boolean,
): Promise<string> {
  const ask = async (command: { type: string; [field: string]: unknown }) =>
    (await client.call("rpc", { instanceId, command })).response as { data?: unknown; error?: string };
  if (entryId === undefined) {
    // A session in memory went with its process.
    if (!isSame) throw unanswered(promptId, reason);
    const { data } = await ask({ type: "get_last_assistant_text" });
    return (data as { text: string | null } | undefined)?.text ?? "";
  }
  const { data, error } = await ask({ type: "get_entries", since: entryId });
  if (!data) throw unanswered(promptId, error);
  const answer = answerIn((data as { entries: SessionEntry[] }).entries, isSame);
  if (answer.text === undefined) throw unanswered(promptId, answer.why ?? reason);
  return answer.text;
}

function unanswered(promptId: string, why = ""): Error {
  return new OrchestratorError("refused", `Prompt ${promptId} was interrupted before it was answered. ${why}`.trim());
}

function gone(): never {
  throw new OrchestratorError("disconnected", "The orchestrator ended.");
}

function failureOf({ promptId, state, error }: PromptRecord): Error | undefined {
  if (state !== "rejected" && state !== "interrupted") return undefined;
  return new OrchestratorError("refused", `Prompt ${promptId} was ${state}: ${error ?? ""}`);
}
