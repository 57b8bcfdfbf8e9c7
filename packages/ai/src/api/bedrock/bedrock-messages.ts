import type {
  ContentBlock,
  ImageFormat,
  ToolResultContentBlock,
  Message as WireMessage,
} from "@aws-sdk/client-bedrock-runtime";
import { beginningWithUser, EARLIER_TEXT, endingWithoutThinking } from "../../transcript/openings-and-endings.js";
import { transformMessages } from "../../transcript/transform-messages.js";
import type { AssistantMessage, ImageContent, Message, Model, TextContent, ToolResultMessage } from "../../types.js";
import { identifierToolCallId } from "../tool-call-ids.js";
import { isClaude } from "./bedrock-models.js";

/** Bedrock refuses messages without content. */
const EMPTY = "<empty>";
const IMAGE_MOVED = "(image attached after the tool results)";

const FORMATS: Readonly<Record<string, ImageFormat>> = {
  "image/png": "png",
  "image/jpeg": "jpeg",
  "image/jpg": "jpeg",
  "image/gif": "gif",
  "image/webp": "webp",
};

/** The messages of a request, without system messages. Source: llm-wire.md section 9. */
export function bedrockMessages(messages: readonly Message[], model: Model): WireMessage[] {
  const claude = isClaude(model);
  const adapted = transformMessages(messages, model, identifierToolCallId, {
    own: identifierToolCallId,
    unique: "conversation",
  });
  const result: WireMessage[] = [];
  for (let index = 0; index < adapted.length; index++) {
    const message = adapted[index];
    switch (message?.role) {
      case "user": {
        const content: (TextContent | ImageContent)[] =
          typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
        result.push({ role: "user", content: filled(inputBlocks(content)) });
        break;
      }
      case "assistant":
        result.push({ role: "assistant", content: filled(assistantBlocks(message, claude)) });
        break;
      case "toolResult": {
        const run = resultRun(adapted, index);
        result.push({ role: "user", content: resultBlocks(run, claude) });
        index += run.length - 1;
        break;
      }
    }
  }
  return beginningWithUser(result, { role: "user", content: [{ text: EARLIER_TEXT }] });
}

type InputBlock = ContentBlock.TextMember | ContentBlock.ImageMember;

function filled(blocks: ContentBlock[]): ContentBlock[] {
  return blocks.length > 0 ? blocks : [{ text: EMPTY }];
}

function inputBlocks(content: readonly (TextContent | ImageContent)[]): InputBlock[] {
  return content.flatMap((block): InputBlock[] => {
    if (block.type === "image") return [imageBlock(block)];
    return block.text.trim() === "" ? [] : [{ text: block.text }];
  });
}

function imageBlock({ mimeType, data }: ImageContent): ContentBlock.ImageMember {
  const format = FORMATS[mimeType];
  if (format === undefined) throw new Error(`Bedrock takes no images of type ${mimeType}`);
  return { image: { format, source: { bytes: Buffer.from(data, "base64") } } };
}

function assistantBlocks(message: AssistantMessage, claude: boolean): ContentBlock[] {
  const blocks: ContentBlock[] = [];
  for (const block of message.content) {
    switch (block.type) {
      case "text":
        if (block.text.trim() !== "") blocks.push({ text: block.text });
        break;
      case "thinking":
        if (block.redacted) {
          blocks.push({ reasoningContent: { redactedContent: Buffer.from(block.thinkingSignature ?? "", "base64") } });
        } else if (claude && block.thinkingSignature) {
          const { thinking: text, thinkingSignature: signature } = block;
          blocks.push({ reasoningContent: { reasoningText: { text, signature } } });
        } else if (block.thinking.trim() !== "") {
          // Claude takes no thinking back that it did not sign.
          blocks.push(
            claude ? { text: block.thinking } : { reasoningContent: { reasoningText: { text: block.thinking } } },
          );
        }
        break;
      case "toolCall":
        blocks.push({ toolUse: { toolUseId: block.id, name: block.name, input: block.arguments } });
        break;
    }
  }
  return claude ? endingWithoutThinking(blocks, (block) => block.reasoningContent !== undefined) : blocks;
}

function resultRun(messages: readonly Message[], start: number): ToolResultMessage[] {
  const run: ToolResultMessage[] = [];
  for (const message of messages.slice(start)) {
    if (message.role !== "toolResult") break;
    run.push(message);
  }
  return run;
}

/** One message for all results of a step. Error results of Claude may not hold images: those follow the results. */
function resultBlocks(results: readonly ToolResultMessage[], claude: boolean): ContentBlock[] {
  const blocks: ContentBlock[] = [];
  const moved: ContentBlock[] = [];
  for (const result of results) {
    const images = result.content.filter((block) => block.type === "image");
    const move = claude && result.isError && images.length > 0;
    let content: ToolResultContentBlock[] = inputBlocks(result.content);
    if (move) {
      const texts = inputBlocks(result.content.filter((block) => block.type === "text"));
      content = [...texts, { text: IMAGE_MOVED }];
      const title = `Images from the error result of tool call ${result.toolCallId} (${result.toolName}):`;
      moved.push({ text: title }, ...images.map(imageBlock));
    }
    blocks.push({
      toolResult: {
        toolUseId: result.toolCallId,
        content: content.length > 0 ? content : [{ text: EMPTY }],
        status: result.isError ? "error" : "success",
      },
    });
  }
  return [...blocks, ...moved];
}
