import { type Fields, fields, list, number, text } from "./fields.js";

/** An entry with what the page asks of every one. */
export interface Entry {
  /** Place in the file. */
  readonly at: number;
  readonly id: string;
  readonly type: string;
  /** Role of the message; "" for other entries. */
  readonly role: string;
  /** Place of the parent; -1 = a root. */
  readonly parent: number;
  readonly fields: Fields;
  /** Of `message` entries; else without fields. */
  readonly message: Fields;
}

/** The session as a tree that any file makes: unknown parents are roots, circles end. */
export class Session {
  readonly header: Fields;
  readonly entries: readonly Entry[];
  /** Places of the children, by the place of their parent; -1: the roots. In the order of the file. */
  readonly children: ReadonlyMap<number, readonly number[]>;
  /** Place of the leaf that the session was exported at; -1: there is no entry. */
  readonly leaf: number;
  readonly labels: ReadonlyMap<string, string>;
  readonly name: string;
  readonly systemPrompt: string;
  readonly tools: readonly Fields[];
  readonly leftOutImages: number;
  readonly skippedLines: number;
  readonly #byId = new Map<string, number>();
  readonly #newestLeaf: readonly number[];

  constructor(data: Fields) {
    this.header = fields(data["header"]);
    this.systemPrompt = text(data["systemPrompt"]);
    this.tools = list(data["tools"]).map(fields);
    this.leftOutImages = number(data["leftOutImages"]);
    this.skippedLines = number(data["skippedLines"]);
    const all = list(data["entries"]).map(fields);
    for (const [at, entry] of all.entries()) this.#byId.set(text(entry["id"]), at);
    this.entries = all.map((entry, at) => this.#entry(entry, at));
    this.children = childrenOf(this.entries);
    this.leaf = this.find(text(data["leafId"])) ?? this.entries.length - 1;
    this.labels = labelsOf(this.entries);
    this.name = nameOf(this.entries);
    this.#newestLeaf = newestLeaves(this.entries);
  }

  find(id: string): number | undefined {
    return this.#byId.get(id);
  }

  /** From a root to the entry. */
  path(at: number): Entry[] {
    const path: Entry[] = [];
    const seen = new Set<number>();
    for (let entry = this.entries[at]; entry && !seen.has(entry.at); entry = this.entries[entry.parent]) {
      seen.add(entry.at);
      path.push(entry);
    }
    return path.reverse();
  }

  /** The last entry of the file that is at or below this one. */
  newestLeaf(at: number): number {
    return this.#newestLeaf[at] ?? at;
  }

  #entry(entry: Fields, at: number): Entry {
    const type = text(entry["type"]);
    const message = type === "message" ? fields(entry["message"]) : fields(undefined);
    const parent = typeof entry["parentId"] === "string" ? this.#byId.get(entry["parentId"]) : undefined;
    return {
      at,
      id: text(entry["id"]),
      type,
      role: text(message["role"]),
      parent: parent === undefined || parent === at ? -1 : parent,
      fields: entry,
      message,
    };
  }
}

function childrenOf(entries: readonly Entry[]): Map<number, number[]> {
  const children = new Map<number, number[]>();
  for (const { at, parent } of entries) {
    const siblings = children.get(parent);
    if (siblings) siblings.push(at);
    else children.set(parent, [at]);
  }
  return children;
}

/** The last label of each entry counts, on whatever branch it was given; an empty one takes it away. */
function labelsOf(entries: readonly Entry[]): Map<string, string> {
  const labels = new Map<string, string>();
  for (const { type, fields: entry } of entries) {
    if (type !== "label") continue;
    const label = text(entry["label"]);
    if (label === "") labels.delete(text(entry["targetId"]));
    else labels.set(text(entry["targetId"]), label);
  }
  return labels;
}

function nameOf(entries: readonly Entry[]): string {
  const last = entries.findLast(({ type }) => type === "session_info");
  return text(last?.fields["name"]).trim();
}

function newestLeaves(entries: readonly Entry[]): number[] {
  const newest: number[] = [];
  // From the end of the file: who has a newest entry below already, has ancestors that have one too.
  for (let at = entries.length - 1; at >= 0; at--) {
    for (let up = entries[at]; up && newest[up.at] === undefined; up = entries[up.parent]) newest[up.at] = at;
  }
  return newest;
}
