import type { Desk } from "../desk.js";
import { ask } from "../selectors/ask.js";
import { chooseOption } from "../selectors/choose.js";
import { selectTreeEntry } from "../selectors/tree-selector.js";

const SUMMARY_OPTIONS = [
  { value: "none", label: "No summary" },
  { value: "summary", label: "Summarize" },
  { value: "custom", label: "Summarize with custom prompt" },
];

/** Lets the user go to another place of the session's tree, with a word about what is left if they want it. */
export async function navigateInTree(desk: Desk): Promise<void> {
  const { session } = desk;
  if (session.isStreaming) {
    desk.warning("Wait for the current response to finish before navigating the session tree.");
    return;
  }
  let selectedId: string | undefined;
  for (;;) {
    const row = await selectTreeEntry(desk, selectedId);
    if (!row) return;
    selectedId = row.entry.id;
    if (selectedId === session.sessionManager.getLeafId()) {
      desk.status("Already at this point");
      return;
    }
    const wanted = await summaryWish(desk);
    // Back to the tree: the choice was not meant.
    if (!wanted) continue;
    const result = await session.navigateTree(selectedId, wanted);
    if (result.cancelled) {
      desk.status("Navigation cancelled");
      return;
    }
    desk.showSession();
    if (result.editorText !== undefined && desk.editor.text.trim() === "") desk.editor.setText(result.editorText);
    desk.status("Navigated to selected point");
    return;
  }
}

async function summaryWish(desk: Desk): Promise<{ summarize: boolean; customInstructions?: string } | undefined> {
  const { settingsManager } = desk.session;
  if (settingsManager.getBranchSummarySettings().skipPrompt) return { summarize: false };
  const wish = await chooseOption(desk.slot, "Summarize branch?", SUMMARY_OPTIONS);
  if (wish === undefined) return undefined;
  if (wish !== "custom") return { summarize: wish === "summary" };
  const customInstructions = await ask(desk.slot, { title: "What shall the summary look at?" });
  return customInstructions === undefined ? undefined : { summarize: true, customInstructions };
}
