import type { MarkdownTheme } from "@earendil-works/pi-tui";
import type { MarkdownTransformer } from "../../../core/extensions/types/renderers.js";
import type { BranchSummaryMessage, CompactionSummaryMessage } from "../../../core/messages.js";
import type { ParsedSkillBlock } from "../../../core/resources/skill-command.js";
import { FoldableMessage } from "./foldable-message.js";

export class CompactionSummaryMessageComponent extends FoldableMessage {
  constructor(
    message: CompactionSummaryMessage,
    markdownTheme?: MarkdownTheme,
    outputPad?: number,
    transformers?: readonly MarkdownTransformer[],
    messageId?: string,
    timestamp?: string,
  ) {
    const tokens = message.tokensBefore.toLocaleString("en-US");
    const about = { messageType: "summary", messageId, timestamp } as const;
    const short = `Compacted from ${tokens} tokens`;
    super("compaction", short, message.summary, markdownTheme, outputPad, transformers, about);
  }
}

export class BranchSummaryMessageComponent extends FoldableMessage {
  constructor(
    message: BranchSummaryMessage,
    markdownTheme?: MarkdownTheme,
    outputPad?: number,
    transformers?: readonly MarkdownTransformer[],
    messageId?: string,
    timestamp?: string,
  ) {
    const about = { messageType: "summary", messageId, timestamp } as const;
    super("branch", "Branch summary", message.summary, markdownTheme, outputPad, transformers, about);
  }
}

/** A skill that the user called; what they said with it is a message of its own. */
export class SkillInvocationMessageComponent extends FoldableMessage {
  constructor(
    block: ParsedSkillBlock,
    markdownTheme?: MarkdownTheme,
    outputPad?: number,
    transformers?: readonly MarkdownTransformer[],
    messageId?: string,
    timestamp?: string,
  ) {
    const about = { messageType: "user", messageId, timestamp } as const;
    super("skill", block.name, block.content, markdownTheme, outputPad, transformers, about);
  }
}
