/**
 * Puts a stand-in in the place of a provider for one command and takes it away again: `/stand-in <url>` re-points the
 * current model's provider, as long as it answers. It shows how providers are registered after the start.
 * Start: `pi -e stand-in.ts`
 */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function standIn(pi: ExtensionAPI) {
  pi.registerCommand("stand-in", {
    description: "Send requests of this provider elsewhere; without an address, back to where they belong",
    handler: async (url, ctx) => {
      const provider = ctx.model?.provider;
      if (!provider) return;
      if (url) ctx.modelRegistry.registerProvider(provider, { baseUrl: url });
      else ctx.modelRegistry.unregisterProvider(provider);
      ctx.ui.notify(`${provider}: ${ctx.model?.baseUrl}`);
    },
  });
}
