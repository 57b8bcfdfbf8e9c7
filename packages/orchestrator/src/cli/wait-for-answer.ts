import { type OrchestratorClient, OrchestratorError } from "../ipc/client.js";
import type { PromptRecord, StreamFrame } from "../types.js";

/**
 * Waits until a prompt is in the session and the agent has settled. Returns the agent's last answer.
 * @throws OrchestratorError when it was rejected or interrupted
 */
export async function waitForAnswer(client: OrchestratorClient, instanceId: string, promptId: string): Promise<string> {
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
    for (;;) {
      const changed = new Promise<void>((resolve) => {
        look = resolve;
      });
      const { prompts } = await client.call("prompts", { instanceId });
      const prompt = prompts.find((candidate) => candidate.promptId === promptId);
      const error = prompt && failureOf(prompt);
      if (error) throw error;
      if (prompt?.state === "handled") return "";
      if (prompt?.state === "delivered") {
        const { instance } = await client.call("status", { instanceId });
        if (instance.status === "online" && instance.isStreaming === false) break;
      }
      await Promise.race([changed, failure, stream.closed.then(() => gone())]);
    }
    const { response } = await client.call("rpc", { instanceId, command: { type: "get_last_assistant_text" } });
    return (response as { data?: { text: string | null } }).data?.text ?? "";
  } finally {
    stream.close();
  }
}

function gone(): never {
  throw new OrchestratorError("disconnected", "The orchestrator ended.");
}

function failureOf({ promptId, state, error }: PromptRecord): Error | undefined {
  if (state !== "rejected" && state !== "interrupted") return undefined;
  return new OrchestratorError("refused", `Prompt ${promptId} was ${state}: ${error ?? ""}`);
}
