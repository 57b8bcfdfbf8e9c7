import { getImageDimensions, type ImageDimensions } from "../images/dimensions.js";
import { allocateImageId, imageFallback, renderImage, showableImage } from "../images/protocols.js";
import { getCapabilities, getCellDimensions } from "../terminal/capabilities.js";
import { truncateToWidth } from "../text/truncate.js";
import type { Component } from "../types.js";

export interface ImageTheme {
  fallbackColor: (text: string) => string;
}

export interface ImageOptions {
  maxWidthCells?: number;
  maxHeightCells?: number;
  filename?: string;
  /** Default: one of its own. */
  imageId?: number;
}

const DEFAULT_WIDTH = 60;

/** A picture, where the terminal can show it; else a line that says what it is. */
export class Image implements Component {
  private readonly dimensions: ImageDimensions | null;
  private readonly imageId: number;
  private drawn: { width: number; lines: readonly string[] } | undefined;

  constructor(
    private readonly b64: string,
    private readonly mime: string,
    private readonly theme: ImageTheme,
    private readonly options: ImageOptions = {},
    dimensions?: ImageDimensions,
  ) {
    this.dimensions = dimensions ?? getImageDimensions(b64, mime);
    this.imageId = options.imageId ?? allocateImageId();
  }

  getImageId(): number {
    return this.imageId;
  }

  invalidate(): void {
    this.drawn = undefined;
  }

  render(width: number): readonly string[] {
    if (this.drawn?.width !== width) this.drawn = { width, lines: this.draw(width) };
    return this.drawn.lines;
  }

  private draw(width: number): string[] {
    const showable = this.dimensions && showableImage(this.b64, this.mime);
    const cell = getCellDimensions();
    const maxWidthCells = Math.max(1, Math.min(this.options.maxWidthCells ?? DEFAULT_WIDTH, width - 2));
    // A square at most: tall pictures would push everything else off the screen.
    const square = Math.max(1, Math.floor((maxWidthCells * cell.widthPx) / cell.heightPx));
    const image =
      showable && this.dimensions
        ? renderImage(showable, this.dimensions, {
            maxWidthCells,
            maxHeightCells: Math.min(this.options.maxHeightCells ?? square, square),
            imageId: this.imageId,
            moveCursor: false,
          })
        : null;
    if (!image) {
      const text = imageFallback(this.mime, this.dimensions ?? undefined, this.options.filename);
      return [this.theme.fallbackColor(truncateToWidth(text, width))];
    }
    const empty = Array.from({ length: image.rows - 1 }, () => "");
    if (getCapabilities().images === "kitty") return [image.sequence, ...empty];
    // iTerm2 draws downwards from the cursor, which must end on the last of the rows.
    return [...empty, `${image.rows > 1 ? `\x1b[${image.rows - 1}A` : ""}${image.sequence}`];
  }
}
