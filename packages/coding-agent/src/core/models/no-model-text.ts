/** Said where a model is needed and none can be used. */
export const noModelText =
  'No models available. Sign in or store a key with "pi auth login", set a key in the environment (for example ' +
  "ANTHROPIC_API_KEY or OPENAI_API_KEY), describe a provider in models.json, or start a model server on this machine.";

/** Said where a prompt or a summary needs a model and the session has none. */
export const noModelSelectedText =
  "No model selected.\n\n" +
  'Select one with --model, or let one become available: sign in or store a key with "pi auth login", set a key in ' +
  "the environment (for example ANTHROPIC_API_KEY or OPENAI_API_KEY), describe a provider in models.json, or start a " +
  "model server on this machine.";
