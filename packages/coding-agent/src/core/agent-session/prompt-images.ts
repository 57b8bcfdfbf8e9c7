import type { AgentMessage } from "@earendil-works/pi-agent-core";
import type { ImageContent, Model, TextContent } from "@earendil-works/pi-ai";
import type { FittedImage } from "../images/fit-image.js";
import type { SettingsManager } from "../settings/settings-manager.js";

/** Makes the images of prompts fit the model; what was done to them is said after the text. */
export class PromptImages {
  readonly #settings: SettingsManager;
  readonly #model: () => Model | undefined;

  constructor(settings: SettingsManager, model: () => Model | undefined) {
    this.#settings = settings;
    this.#model = model;
  }

  /** The content of a prompt. */
  async content(text: string, images: readonly ImageContent[]): Promise<(TextContent | ImageContent)[]> {
    if (images.length === 0) return [{ type: "text", text }];
    const fitted = await Promise.all(images.map((image) => this.#fit(image)));
    const hints = fitted.flatMap((image) => image.hints);
    return [
      { type: "text", text: [text, ...(hints.length > 0 ? [hints.join("\n")] : [])].join("\n\n") },
      ...fitted.flatMap(({ image }) => image ?? []),
    ];
  }

  /** What a tool returned, with images that a model takes; the very same list when nothing had to be changed. */
  async result(content: (TextContent | ImageContent)[]): Promise<(TextContent | ImageContent)[]> {
    if (!content.some(({ type }) => type === "image")) return content;
    const hints: string[] = [];
    let isChanged = false;
    const blocks = content.map(async (block) => {
      if (block.type !== "image") return block;
      const { image, hints: own } = await this.#fit(block);
      // One that cannot be made to fit stays: the tool knows best what it is.
      if (!image || (image.data === block.data && image.mimeType === block.mimeType)) return block;
      isChanged = true;
      hints.push(...own);
      return image;
    });
    const fitted = await Promise.all(blocks);
    if (!isChanged) return content;
    return hints.length > 0 ? [...fitted, { type: "text", text: hints.join("\n") }] : fitted;
  }

  /** Replaces the images of a waiting prompt in place. */
  async fitMessage(message: AgentMessage): Promise<void> {
    if (message.role !== "user" || typeof message.content === "string") return;
    const text = message.content.flatMap((block) => (block.type === "text" ? block.text : [])).join("");
    const images = message.content.filter((block): block is ImageContent => block.type === "image");
    message.content = await this.content(text, images);
  }

  async #fit({ data, mimeType }: ImageContent): Promise<FittedImage> {
    const resize =
      this.#settings.getSettings().images?.autoResize === false
        ? false
        : (this.#model()?.inputLimits?.images?.resize ?? {});
    const { fitImage } = await import("../images/fit-image.js");
    return fitImage(Buffer.from(data, "base64"), mimeType, resize);
  }
}
