import type { ImageContent, TextContent } from "@earendil-works/pi-ai";
import {
  Box,
  type Component,
  Container,
  Image,
  Spacer,
  Text,
  type TUI,
  type TuiMouseEvent,
  type TuiMouseEventResult,
} from "@earendil-works/pi-tui";
import { givenComponent } from "../../../core/extensions/running/given.js";
import { keyHint, keyText } from "../keys/key-hints.js";
import { currentTheme, themeVersion } from "../theme/current.js";
import { renderersFor } from "./builtin-renderers.js";
import { defaultRenderers } from "./default-renderers.js";
import type { RenderedResult, ToolExecutionOptions, ToolRenderContext, ToolRenderers } from "./types.js";

interface ResultUpdate {
  content: (TextContent | ImageContent)[];
  details?: unknown;
  isError: boolean;
  durationMs?: number | undefined;
}

/** One tool call with what came of it. Drawn anew only when something about it has changed. */
export class ToolExecutionComponent extends Container {
  readonly #renderers: ToolRenderers;
  /** Renderers of extensions read the details of their results, so they are asked when there is one. */
  readonly #needsResult: boolean;
  readonly #state = {};
  #args: unknown;
  #result: ResultUpdate | undefined;
  #isPartial = true;
  #executionStarted = false;
  #argsComplete = false;
  #expanded = false;
  #showImages: boolean;
  #imageWidthCells: number;
  #outputPad: number;
  #callComponent: Component | undefined;
  #resultComponent: Component | undefined;
  #isDirty = true;
  #theme = -1;

  constructor(
    private readonly toolName: string,
    private readonly toolCallId: string,
    args: unknown,
    options: ToolExecutionOptions = {},
    definition: ToolRenderers | undefined,
    private readonly tui: TUI,
    private readonly cwd: string,
  ) {
    super();
    this.#args = args;
    this.#renderers = renderersFor(toolName, definition);
    this.#needsResult = definition?.renderResult !== undefined;
    this.#showImages = options.showImages ?? true;
    this.#imageWidthCells = options.imageWidthCells ?? 60;
    this.#outputPad = options.outputPad ?? 1;
  }

  updateArgs(args: unknown): void {
    this.#args = args;
    this.#isDirty = true;
  }

  markExecutionStarted(): void {
    this.#executionStarted = true;
    this.#isDirty = true;
  }

  setArgsComplete(): void {
    if (this.#argsComplete) return;
    this.#argsComplete = true;
    this.#isDirty = true;
  }

  updateResult(result: ResultUpdate, partial = false): void {
    this.#result = result;
    this.#isPartial = partial;
    this.#argsComplete = true;
    this.#isDirty = true;
  }

  get isFinished(): boolean {
    return !this.#isPartial;
  }

  setExpanded(expanded: boolean): void {
    this.#expanded = expanded;
    this.#isDirty = true;
  }

  setShowImages(show: boolean): void {
    this.#showImages = show;
    this.#isDirty = true;
  }

  setImageWidthCells(width: number): void {
    this.#imageWidthCells = width;
    this.#isDirty = true;
  }

  setOutputPad(pad: number): void {
    this.#outputPad = pad;
    this.#isDirty = true;
  }

  override invalidate(): void {
    super.invalidate();
    this.#isDirty = true;
  }

  override render(width: number): readonly string[] {
    if (this.#isDirty || this.#theme !== themeVersion()) {
      this.#isDirty = false;
      this.#theme = themeVersion();
      this.#build();
    }
    return super.render(width);
  }

  /** A click unfolds this one alone. */
  override handleMouse(event: TuiMouseEvent): TuiMouseEventResult | undefined {
    const inner = super.handleMouse(event);
    if (inner || event.type !== "click" || event.button !== "left" || event.clickCount !== 1) return inner;
    this.setExpanded(!this.#expanded);
    return { handled: true };
  }

  #build(): void {
    this.clear();
    const parts = this.#parts();
    const isEmpty = this.#renderers.renderShell === "self" && parts.every((part) => part.render(80).length === 0);
    if (isEmpty) return;
    this.addChild(new Spacer(1));
    if (this.#renderers.renderShell === "self") {
      for (const part of parts) this.addChild(part);
    } else {
      const box = new Box(this.#outputPad, 1, (line) => currentTheme().bg(this.#background(), line));
      for (const part of parts) box.addChild(part);
      this.addChild(box);
    }
    for (const image of this.#images()) this.addChild(image);
  }

  #background() {
    if (this.#isPartial) return "toolPendingBg" as const;
    return this.#result?.isError ? ("toolErrorBg" as const) : ("toolSuccessBg" as const);
  }

  #parts(): Component[] {
    const theme = currentTheme();
    const fallback = defaultRenderers(this.toolName);
    const renderCall = this.#renderers.renderCall ?? fallback.renderCall;
    const renderResult = this.#renderers.renderResult ?? fallback.renderResult;
    const context = this.#context();
    const call = attempt(
      () => renderCall(this.#args, theme, { ...context, lastComponent: this.#callComponent }),
      () => fallback.renderCall(this.#args, theme, context),
    );
    this.#callComponent = call;
    if (!this.#result && (this.#needsResult || !this.#executionStarted)) return [call];
    const result: RenderedResult = { content: this.#result?.content ?? [], details: this.#result?.details };
    const options = { expanded: this.#expanded, isPartial: this.#isPartial };
    const shown = attempt(
      () => renderResult(result, options, theme, { ...context, lastComponent: this.#resultComponent }),
      () => fallback.renderResult(result, options, theme, context),
    );
    this.#resultComponent = shown;
    return [call, shown];
  }

  #context(): ToolRenderContext {
    return {
      args: this.#args,
      toolCallId: this.toolCallId,
      invalidate: () => {
        this.#isDirty = true;
        this.tui.requestRender();
      },
      lastComponent: undefined,
      state: this.#state,
      cwd: this.cwd,
      executionStarted: this.#executionStarted,
      argsComplete: this.#argsComplete,
      isPartial: this.#isPartial,
      expanded: this.#expanded,
      showImages: this.#showImages,
      isError: this.#result?.isError ?? false,
      durationMs: this.#result?.durationMs,
      outputPad: this.#outputPad,
      keyText,
      keyHint,
    };
  }

  #images(): Component[] {
    const images = this.#result?.content.filter((block) => block.type === "image") ?? [];
    const fallbackColor = (text: string) => currentTheme().fg("toolOutput", text);
    return images.map(({ data, mimeType }) =>
      this.#showImages
        ? new Image(data, mimeType, { fallbackColor }, { maxWidthCells: this.#imageWidthCells })
        : new Text(fallbackColor(`[Image: ${mimeType}]`), this.#outputPad, 0),
    );
  }
}

/** A renderer that fails must not take the screen with it. */
function attempt(render: () => Component, fallback: () => Component): Component {
  try {
    return givenComponent(render(), "What a renderer gave");
  } catch {
    return fallback();
  }
}
