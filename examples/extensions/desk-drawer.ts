/**
 * A drawer for drafts: alt+d puts what you have written away under a name, `/drawer` edits what is in it and pastes it.
 * Start: `pi -e desk-drawer.ts`
 */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function deskDrawer(pi: ExtensionAPI) {
  const drawer = new Map<string, string>();

  pi.registerShortcut("alt+d", {
    description: "Put the draft away",
    handler: async (ctx) => {
      const text = ctx.ui.getEditorText();
      const name = await ctx.ui.input("Put it away as", "a name");
      if (!name) return;
      drawer.set(name, text);
      ctx.ui.setEditorText("");
      ctx.ui.setStatus("drawer", `${drawer.size} in the drawer`);
    },
  });

  pi.registerCommand("drawer", {
    description: "Take a draft out",
    handler: async (_args, ctx) => {
      const name = await ctx.ui.select("Take out", [...drawer.keys()]);
      const text = name && (await ctx.ui.editor(`Draft "${name}"`, drawer.get(name)));
      if (!name || !text) return;
      drawer.delete(name);
      ctx.ui.pasteToEditor(text);
      ctx.ui.setStatus("drawer", drawer.size > 0 ? `${drawer.size} in the drawer` : undefined);
    },
  });
}
