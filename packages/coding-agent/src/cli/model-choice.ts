/** From the options about models to the model of the session. Source: llm.md section 13 (Initial model). */
import type { Model, ModelThinkingLevel } from "@earendil-works/pi-ai";
import { resolveCliModel } from "../core/models/initial-model.js";
import { findLocalModels } from "../core/models/local-models.js";
import type { ModelRuntime } from "../core/models/model-runtime.js";
import type { ModelScopeDiagnostic, ScopedModel } from "../core/models/model-scope.js";
import type { Settings } from "../core/settings/settings.js";
import type { Args } from "./args.js";

export interface ModelChoice {
  /** Undefined = the session's own or the user's default. */
  model?: Model;
  thinkingLevel?: ModelThinkingLevel;
  /** Models of `--models` or `enabledModels`, to cycle through. */
  scopedModels: ScopedModel[];
  /** For the user, in order. */
  messages: { type: "info" | "warning" | "error"; message: string }[];
}

export type ModelArgs = Pick<
  Args,
  "provider" | "model" | "models" | "thinking" | "apiKey" | "continue" | "resume" | "session"
>;

/** Chooses the model, and sets the key of `--api-key` for it. An `error` among the messages means: do not start. */
export async function chooseModel(args: ModelArgs, runtime: ModelRuntime, settings: Settings): Promise<ModelChoice> {
  const choice: ModelChoice = { scopedModels: [], messages: [] };
  const say = (type: "info" | "warning" | "error", message: string | undefined) => {
    if (message !== undefined) choice.messages.push({ type, message });
  };
  if (args.model !== undefined && args.model.trim() === "") {
    say("error", "--model is empty. Name a model: --model provider/id. What there is: pi --list-models");
    return choice;
  }
  const patterns = args.models ?? settings.enabledModels ?? [];
  const local = await findLocalModels({
    runtime,
    provider: args.provider,
    model: args.model,
    defaultProvider: settings.defaultProvider,
  });
  say("info", local.message);
  if (local.error !== undefined) {
    say("error", local.error);
    return choice;
  }
  const isLocal = args.provider?.toLowerCase() === "local";
  if (args.provider && args.model === undefined && !isLocal) {
    say(
      "error",
      "--provider requires --model (for example: --provider openai --model <pattern>)\nWhat there is: pi --list-models",
    );
    return choice;
  }
  const cli = resolveCliModel({
    cliProvider: args.provider,
    cliModel: args.model,
    cliThinking: args.thinking,
    inlineApiKey: args.apiKey,
    modelRuntime: runtime,
  });
  if (cli.error !== undefined) {
    const { modelAdvice } = await import("./model-advice.js");
    say("error", `${cli.error}\n${modelAdvice(args, runtime)}`);
    return choice;
  }
  if (cli.warning !== undefined) {
    const { nearModel } = await import("./model-advice.js");
    const near = nearModel(args, runtime);
    say("warning", near === undefined ? cli.warning : `${cli.warning}\nDid you mean ${near}?`);
  }
  let model = cli.model ?? (isLocal ? local.first : undefined);
  let level = cli.thinkingLevel;
  if (patterns.length > 0) {
    const { resolveModelScopeWithDiagnostics } = await import("../core/models/model-scope.js");
    const scope = await resolveModelScopeWithDiagnostics(patterns, runtime);
    for (const diagnostic of scope.diagnostics) say("warning", await scopeWarning(diagnostic, runtime));
    choice.scopedModels = scope.scopedModels;
    const [first] = scope.scopedModels;
    if (!model && first && !isContinuing(args)) {
      model = first.model;
      level = first.thinkingLevel;
    }
  }
  if (args.apiKey !== undefined) {
    if (model) runtime.setRuntimeApiKey(model.provider, args.apiKey);
    else {
      const what = "--api-key requires a model to be specified via --model, --provider/--model, or --models";
      say("error", `${what}\nFor example: --model anthropic/<id> --api-key <key>`);
    }
  }
  if (model) choice.model = model;
  if (level !== undefined) choice.thinkingLevel = level;
  return choice;
}

async function scopeWarning({ code, message, pattern }: ModelScopeDiagnostic, runtime: ModelRuntime): Promise<string> {
  if (code === "ambiguous") return message;
  if (code === "no-match") {
    const { patternAdvice } = await import("./model-advice.js");
    return `${message}\n${patternAdvice(pattern, runtime)}`;
  }
  const [{ didYouMean }, { thinkingLevels }] = await Promise.all([
    import("./suggest.js"),
    import("../core/models/thinking-levels.js"),
  ]);
  const level = pattern.slice(pattern.lastIndexOf(":") + 1);
  return `${message}\n${didYouMean(level, thinkingLevels) ?? `Levels: ${thinkingLevels.join(", ")}`}`;
}

/** A conversation that goes on keeps its model. */
function isContinuing(args: ModelArgs): boolean {
  return Boolean(args.continue || args.resume || args.session);
}
