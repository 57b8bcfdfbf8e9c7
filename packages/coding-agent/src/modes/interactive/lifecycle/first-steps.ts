import { findLocalModels } from "../../../core/models/local-models.js";
import { login } from "../commands/account-commands.js";
import { type Desk, errorText } from "../desk.js";
import { chooseOption } from "../selectors/choose.js";

const TITLE =
  "Welcome. No model can be used yet: choose how to begin.\n" +
  "Keys in the environment (ANTHROPIC_API_KEY, OPENAI_API_KEY, ...) are found by themselves.";

/** For somebody without credentials: what works now, on one screen. Asks again until something works or they leave. */
export async function offerFirstSteps(desk: Desk): Promise<void> {
  const { session } = desk;
  for (;;) {
    const step = await chooseOption(desk.slot, TITLE, [
      { value: "login", label: "Sign in", description: "with a subscription, or store a key" },
      { value: "local", label: "Use a model on this machine", description: "Ollama, LM Studio, llama.cpp, vLLM" },
      {
        value: "later",
        label: "Look around first",
        description: "/login and /model are there later; ? shows all keys",
      },
    ]);
    if (step === "login") await login(desk);
    else if (step === "local") await useLocalModel(desk);
    else return;
    if (session.model) return;
  }
}

async function useLocalModel(desk: Desk): Promise<void> {
  const { session } = desk;
  desk.status("Looking for model servers on this machine...");
  try {
    const found = await findLocalModels({ runtime: session.modelRuntime, provider: "local" });
    if (found.message !== undefined) desk.status(found.message);
    if (found.error !== undefined) desk.warning(found.error);
    if (!found.first) return;
    await session.setModel(found.first);
    desk.changed();
  } catch (error) {
    desk.error(errorText(error));
  }
}
