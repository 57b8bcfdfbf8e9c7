import type { ExtensionCommandContextActions } from "../../../core/extensions/types/host.js";
import type { Desk } from "../desk.js";

/** What commands of extensions do to sessions, with what the user sees of it. */
export function commandActions(desk: Desk): ExtensionCommandContextActions {
  return {
    ...desk.runtime.commandContextActions(),
    fork: async (entryId, options) => {
      const { cancelled, selectedText } = await desk.runtime.fork(entryId, options);
      if (selectedText !== undefined) desk.editor.setText(selectedText);
      return { cancelled };
    },
    navigateTree: async (targetId, options) => {
      const { cancelled, editorText } = await desk.session.navigateTree(targetId, options);
      if (cancelled) return { cancelled };
      desk.showSession();
      if (editorText !== undefined && desk.editor.text.trim() === "") desk.editor.setText(editorText);
      return { cancelled };
    },
    reload: () => desk.reload(),
  };
}
