import type { MarkdownTheme } from "@earendil-works/pi-tui";
import type { BranchSummaryMessage, CompactionSummaryMessage } from "../../../core/messages.js";
import type { ParsedSkillBlock } from "../../../core/resources/skill-command.js";
import { FoldableMessage } from "./foldable-message.js";

export class CompactionSummaryMessageComponent extends FoldableMessage {
  constructor(message: CompactionSummaryMessage, markdownTheme?: MarkdownTheme, outputPad?: number) {
    const tokens = message.tokensBefore.toLocaleString("en-US");
    super("compaction", `Compacted from ${tokens} tokens`, message.summary, markdownTheme, outputPad);
  }
}

export class BranchSummaryMessageComponent extends FoldableMessage {
  constructor(message: BranchSummaryMessage, markdownTheme?: MarkdownTheme, outputPad?: number) {
    super("branch", "Branch summary", message.summary, markdownTheme, outputPad);
  }
}

/** A skill that the user called; what they said with it is a message of its own. */
export class SkillInvocationMessageComponent extends FoldableMessage {
  constructor(block: ParsedSkillBlock, markdownTheme?: MarkdownTheme, outputPad?: number) {
    super("skill", block.name, block.content, markdownTheme, outputPad);
  }
}
