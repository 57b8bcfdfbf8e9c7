/**
 * A session as the one JSON object that the page reads. Source: sessions.md section 8.
 */
import type { SessionHeader } from "../session-store/entries.js";
import { DEFAULT_IMAGE_LIMITS, ImageFilter, type ImageLimits } from "./image-limits.js";

/** A tool as the model is told about it. */
export interface ExportedTool {
  name: string;
  description: string;
  parameters: unknown;
}

/** What is known of a session that runs, beyond its file. */
export interface LiveSession {
  systemPrompt?: string | undefined;
  tools?: readonly ExportedTool[] | undefined;
}

/** What the page is made from; `SessionManager` is one. */
export interface ExportSource {
  getHeader(): SessionHeader | null;
  getLeafId(): string | null;
  /** JSON of each entry. A line is valid until the next is asked for. */
  entryLines(): Iterable<Buffer>;
  /** Lines of the file that are no entries. */
  getLeftOutLineCount(): number;
}

/**
 * JSON of `{header, leafId, systemPrompt?, tools?, entries, skippedLines, leftOutImages}` in pieces. Entries are the
 * bytes of the file; a line that is no JSON object would take the whole page along, so it is left out and counted.
 */
export function* sessionDataJson(
  source: ExportSource,
  { systemPrompt, tools }: LiveSession = {},
  limits: ImageLimits = DEFAULT_IMAGE_LIMITS,
): Generator<Buffer, void> {
  const images = new ImageFilter(limits);
  // Tools of a session that runs have more to them than what the model is told.
  const told = tools?.map(({ name, description, parameters }) => ({ name, description, parameters }));
  const head = { header: source.getHeader(), leafId: source.getLeafId(), systemPrompt, tools: told };
  yield Buffer.from(`${JSON.stringify(head).slice(0, -1)},"entries":[`);
  let skippedLines = source.getLeftOutLineCount();
  let separator = "";
  for (const line of source.entryLines()) {
    const entry = parsed(line);
    if (entry === undefined) {
      skippedLines++;
      continue;
    }
    if (separator !== "") yield Buffer.from(separator);
    separator = ",";
    yield images.apply(entry) ? Buffer.from(JSON.stringify(entry)) : line;
  }
  yield Buffer.from(`],"skippedLines":${skippedLines},"leftOutImages":${images.leftOut}}`);
}

function parsed(line: Buffer): object | undefined {
  try {
    const entry: unknown = JSON.parse(line.toString("utf8"));
    return typeof entry === "object" && entry !== null ? entry : undefined;
  } catch {
    return undefined;
  }
}
