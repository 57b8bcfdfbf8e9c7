/**
 * What this session works with: `/check-up` writes a report on models, keys, settings and trust. Good for issues.
 * Start: `pi -e check-up.ts`
 */
import type { ExtensionAPI, ExtensionCommandContext } from "@earendil-works/pi-coding-agent";

async function report(pi: ExtensionAPI, ctx: ExtensionCommandContext): Promise<string> {
  const { modelRegistry: models } = ctx;
  await models.refresh();
  const { providers, model } = {
    providers: new Set(models.getAvailable().map(({ provider }) => provider)),
    model: ctx.model,
  };
  const lines = [
    `mode ${ctx.mode}, dialogs ${ctx.hasUI ? "yes" : "no"}, trusted ${ctx.isProjectTrusted() ? "yes" : "no"}`,
    `retries ${pi.getSettings().retry?.enabled === false ? "off" : "on"}`,
    `${models.getAll().length} models, of ${providers.size} providers with keys`,
    `models.json ${models.getError() ?? "is fine"}`,
    `extensions brought ${models.getRegisteredProviderIds().join(", ") || "no providers"}`,
  ];
  for (const id of providers) {
    const kind =
      (models.getRegisteredProviderConfig(id) ?? models.getRegisteredNativeProvider(id))
        ? "of an extension"
        : "built in or yours";
    const { source } = models.getProviderAuthStatus(id);
    const key = await models.getApiKeyForProvider(id);
    const auth = await models.getProviderAuth(id);
    const url = auth?.auth.baseUrl ?? models.getProvider(id)?.baseUrl ?? "its own";
    lines.push(
      `${models.getProviderDisplayName(id)} (${kind}): key ${key ? `of ${key.length} characters` : "none"}, from ${source ?? "nowhere"}, ${url}`,
    );
  }
  if (model) {
    const how = models.isUsingOAuth(model) ? "a sign-in" : models.hasConfiguredAuth(model) ? "a key" : "nothing";
    const started = Date.now();
    const context = { messages: [{ role: "user" as const, content: "Say ok.", timestamp: started }] };
    let pieces = 0;
    for await (const event of models.streamSimple(model, context)) if (event.type === "text_delta") pieces++;
    const answer = await models.stream(model, context).result();
    lines.push(`${model.id} answers by ${how}: ${answer.stopReason}, in ${pieces > 0 ? "pieces" : "one piece"}`);
  }
  return lines.join("\n");
}

export default function checkUp(pi: ExtensionAPI) {
  pi.registerCommand("check-up", {
    description: "Report on models, keys, settings and trust",
    handler: async (args, ctx) => {
      const text = await report(pi, ctx);
      if (args === "ask")
        pi.sendMessage({ customType: "check-up", content: text, display: true }, { triggerTurn: true });
      else ctx.ui.notify(text);
    },
  });
}
