import { bytesAre, ESCAPED, skipSpace, skipValue, valueAt, walkItems, walkMembers } from "./json-scan.js";
import { entryTypeOf, factsOf, hasUsage, type LineFacts, type LineUsage, type Role, roleOf } from "./line-facts.js";
import { timeOf } from "./repair.js";
import { UsualLines } from "./usual-line.js";

/** Reads the facts of lines, one after the other, in one pass over each and without decoding what is not needed. */
export class LineReader {
  #bytes: Buffer = Buffer.alloc(0);
  #end = 0;
  #id: unknown;
  #type: unknown;
  #parentId: unknown;
  #timestamp: unknown;
  #role: Role = "";
  #hasCallId = false;
  #entryUsage: LineUsage | undefined;
  #messageUsage: LineUsage | undefined;
  #usage: LineUsage | undefined;
  #toolCalls = 0;
  #isCall = false;
  readonly #usual = new UsualLines();

  /**
   * The facts of the line from `at` to `end`; undefined for what is no whole JSON object, has no id or is a header: such
   * lines stay in the file only.
   */
  read(bytes: Buffer, at: number, end: number): LineFacts | undefined {
    let last = end;
    while (last > at && (bytes[last - 1] ?? 0) <= 0x20) last--;
    const first = skipSpace(bytes, at, last);
    if (bytes[first] !== 0x7b || bytes[last - 1] !== 0x7d) return undefined;
    const usual = this.#usual.read(bytes, first, last);
    if (usual) return usual;
    this.#bytes = bytes;
    this.#end = last;
    return this.#scanned(first);
  }

  /** Any order of members, any white space. */
  #scanned(at: number): LineFacts | undefined {
    this.#id = this.#type = this.#parentId = this.#timestamp = undefined;
    this.#entryUsage = undefined;
    this.#forgetMessage();
    const behind = walkMembers(this.#bytes, at, this.#end, this.#entryMember);
    if (behind === ESCAPED) return factsOf(valueAt(this.#bytes, at, this.#end));
    if (behind !== this.#end || typeof this.#id !== "string" || this.#type === "session") return undefined;
    const type = entryTypeOf(this.#type);
    const role = type === "message" ? this.#role : "";
    const isAnswer = role === "assistant";
    return {
      type,
      id: this.#id,
      parentId: typeof this.#parentId === "string" ? this.#parentId : null,
      time: timeOf(this.#timestamp),
      role,
      isOneMessage: role !== "" && (role !== "toolResult" || this.#hasCallId),
      usage: isAnswer || role === "toolResult" ? this.#messageUsage : hasUsage(type) ? this.#entryUsage : undefined,
      toolCalls: isAnswer ? this.#toolCalls : 0,
      soundMessageAt: 0,
    };
  }

  /** Of several members of one name the last one counts. */
  #forgetMessage(): void {
    this.#role = "" as Role;
    this.#hasCallId = false;
    this.#messageUsage = undefined;
    this.#toolCalls = 0;
  }

  readonly #entryMember = (nameAt: number, nameEnd: number, from: number): number => {
    const bytes = this.#bytes;
    const length = nameEnd - nameAt;
    if (length === 7 && bytesAre(bytes, nameAt, nameEnd, "message")) {
      this.#forgetMessage();
      if (bytes[from] === 0x7b) return walkMembers(bytes, from, this.#end, this.#messageMember);
    }
    if (length === 5 && bytesAre(bytes, nameAt, nameEnd, "usage")) {
      const behind = this.#readUsage(from);
      this.#entryUsage = this.#usage;
      return behind;
    }
    const to = skipValue(bytes, from, this.#end);
    if (to < 0) return to;
    if (length === 2 && bytesAre(bytes, nameAt, nameEnd, "id")) this.#id = valueAt(bytes, from, to);
    else if (length === 4 && bytesAre(bytes, nameAt, nameEnd, "type")) this.#type = valueAt(bytes, from, to);
    else if (length === 8 && bytesAre(bytes, nameAt, nameEnd, "parentId")) this.#parentId = valueAt(bytes, from, to);
    else if (length === 9 && bytesAre(bytes, nameAt, nameEnd, "timestamp")) this.#timestamp = valueAt(bytes, from, to);
    return to;
  };

  readonly #messageMember = (nameAt: number, nameEnd: number, from: number): number => {
    const bytes = this.#bytes;
    const length = nameEnd - nameAt;
    if (length === 7 && bytesAre(bytes, nameAt, nameEnd, "content")) {
      this.#toolCalls = 0;
      if (bytes[from] === 0x5b) return walkItems(bytes, from, this.#end, this.#block);
    }
    if (length === 5 && bytesAre(bytes, nameAt, nameEnd, "usage")) {
      const behind = this.#readUsage(from);
      this.#messageUsage = this.#usage;
      return behind;
    }
    const to = skipValue(bytes, from, this.#end);
    if (to < 0) return to;
    if (length === 4 && bytesAre(bytes, nameAt, nameEnd, "role")) this.#role = roleOf(valueAt(bytes, from, to));
    else if (length === 10 && bytesAre(bytes, nameAt, nameEnd, "toolCallId")) this.#hasCallId = bytes[from] === 0x22;
    return to;
  };

  readonly #block = (at: number): number => {
    if (this.#bytes[at] !== 0x7b) return skipValue(this.#bytes, at, this.#end);
    this.#isCall = false;
    const behind = walkMembers(this.#bytes, at, this.#end, this.#blockMember);
    if (this.#isCall) this.#toolCalls++;
    return behind;
  };

  readonly #blockMember = (nameAt: number, nameEnd: number, from: number): number => {
    const to = skipValue(this.#bytes, from, this.#end);
    if (nameEnd - nameAt === 4 && bytesAre(this.#bytes, nameAt, nameEnd, "type")) {
      this.#isCall = bytesAre(this.#bytes, from, to, '"toolCall"');
    }
    return to;
  };

  #readUsage(at: number): number {
    this.#usage = undefined;
    if (this.#bytes[at] !== 0x7b) return skipValue(this.#bytes, at, this.#end);
    this.#usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0 };
    return walkMembers(this.#bytes, at, this.#end, this.#usageMember);
  }

  readonly #usageMember = (nameAt: number, nameEnd: number, from: number): number => {
    const bytes = this.#bytes;
    if (this.#usage && nameEnd - nameAt === 4 && bytesAre(bytes, nameAt, nameEnd, "cost")) {
      this.#usage.cost = 0;
      if (bytes[from] === 0x7b) return walkMembers(bytes, from, this.#end, this.#costMember);
    }
    const to = skipValue(bytes, from, this.#end);
    const usage = this.#usage;
    if (to < 0 || !usage) return to;
    if (bytesAre(bytes, nameAt, nameEnd, "input")) usage.input = figureAt(bytes, from, to);
    else if (bytesAre(bytes, nameAt, nameEnd, "output")) usage.output = figureAt(bytes, from, to);
    else if (bytesAre(bytes, nameAt, nameEnd, "cacheRead")) usage.cacheRead = figureAt(bytes, from, to);
    else if (bytesAre(bytes, nameAt, nameEnd, "cacheWrite")) usage.cacheWrite = figureAt(bytes, from, to);
    return to;
  };

  readonly #costMember = (nameAt: number, nameEnd: number, from: number): number => {
    const to = skipValue(this.#bytes, from, this.#end);
    if (to >= 0 && this.#usage && bytesAre(this.#bytes, nameAt, nameEnd, "total")) {
      this.#usage.cost = figureAt(this.#bytes, from, to);
    }
    return to;
  };
}

/** A number; what is none counts as nothing. */
function figureAt(bytes: Buffer, at: number, end: number): number {
  let whole = 0;
  for (let index = at; index < end; index++) {
    const digit = (bytes[index] ?? 0) - 0x30;
    // Signs, fractions and very large numbers are left to the language.
    if (digit < 0 || digit > 9 || index - at > 14) {
      const value = valueAt(bytes, at, end);
      return typeof value === "number" && Number.isFinite(value) ? value : 0;
    }
    whole = whole * 10 + digit;
  }
  return whole;
}
