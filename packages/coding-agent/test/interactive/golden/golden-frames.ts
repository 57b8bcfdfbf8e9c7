import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Frame, formatFrame, parseFrame } from "./frame.js";
import { frameDiff } from "./frame-diff.js";

/** Set to store the frames of the moment: `PI_UPDATE_FRAMES=1`. */
const isUpdating = process.env["PI_UPDATE_FRAMES"] === "1";
const PATIENCE_MS = 5000;
const LOOK_AGAIN_MS = 50;

/** The stored frames of one test, in a folder beside it. */
export class GoldenFrames {
  readonly #folder: string;
  readonly #seen = new Set<string>();

  constructor(folder: string) {
    this.#folder = join(dirname(fileURLToPath(import.meta.url)), folder);
  }

  /**
   * Waits until the screen is the stored one.
   * @throws with both drawn side by side, when it does not become that
   */
  async expect(name: string, look: () => Frame): Promise<void> {
    const path = join(this.#folder, `${name}.txt`);
    this.#seen.add(`${name}.txt`);
    if (isUpdating) {
      mkdirSync(this.#folder, { recursive: true });
      writeFileSync(path, formatFrame(await settled(look)));
      return;
    }
    const how = "PI_UPDATE_FRAMES=1 stores what is shown now.";
    if (!existsSync(path)) throw new Error(`No frame "${name}" is stored. ${how}\n${formatFrame(await settled(look))}`);
    const stored = parseFrame(readFileSync(path, "utf8"), look()[0]?.length ?? 0);
    const end = Date.now() + PATIENCE_MS;
    for (;;) {
      const diff = frameDiff(stored, look());
      if (diff === undefined) return;
      if (Date.now() > end) throw new Error(`The screen is not the stored frame "${name}". ${how}\n${diff}`);
      await pause();
    }
  }

  /** Stored frames that nothing was compared with; none are left behind by an update. */
  unused(): string[] {
    const unused = readdirSync(this.#folder).filter((file) => !this.#seen.has(file));
    if (!isUpdating) return unused;
    for (const file of unused) rmSync(join(this.#folder, file));
    return [];
  }
}

/** The frame once nothing changes any more. */
async function settled(look: () => Frame): Promise<Frame> {
  for (let before = look(); ; ) {
    for (let times = 0; times < 4; times++) await pause();
    const now = look();
    if (frameDiff(before, now) === undefined) return now;
    before = now;
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
