import { bytesAre } from "./json-scan.js";
import { type LineFacts, type LineUsage, roleOf } from "./line-facts.js";
import { MarkFinder } from "./mark-finder.js";
import { TimeReader } from "./time-reader.js";

/*
 * Programs of the family write their members in one order and without white space. Then two patterns, for the beginning
 * and the end of a line, tell nearly everything, and the content between, which is nearly all of it, needs no look: the
 * quotes in its texts are escaped, so a quote behind a bracket or a comma with a letter after it stands in no text.
 */

/** Lines begin so unless they were written by a stranger. Longer names are left to the scanner. */
const usualHead =
  /^\{"type":"message","id":"([!#-[\]-~]{1,64})","parentId":(?:null|"([!#-[\]-~]{1,64})"),"timestamp":"([0-9T:.Z-]{20,30})","message":(\{"role":"([A-Za-z]+)"(,"toolCallId":"(?:[^"\\]*","toolName":"[^"\\]*")?)?)(,"content":\[\{"type":"text","text":")?/;
const headBytes = 320;
/** The message was the last member and ended with its time: nothing is missing. Source: sessions.md section 10. */
const usualEnd = /("\}\](,"isError":(?:true|false))?(?:,"durationMs":\d+)?,)?"(?:timestamp|durationMs)":\d+\}\}$/;
const endBytes = 90;

/** What follows the content of an answer. */
const answerEndMark = '],"api":"';
/** Longer ends are left to the scanner: a provider's own fields stand there too. */
const answerEndBytes = 768;
/** Usage as it is written, and all that follows: the brackets at the end of the line leave one place where it can stand. */
const usualUsage =
  /"usage":\{"input":(\d{1,15}),"output":(\d{1,15}),"cacheRead":(\d{1,15}),"cacheWrite":(\d{1,15}),(?:"[A-Za-z0-9]+":\d+,)*"cost":\{(?:"[A-Za-z]+":[^,{}"]+,)*"total":([0-9.eE+-]+)[^{}]*\}\},"stopReason":"[A-Za-z]+"(?:,"[A-Za-z]+":(?:\d+|"[^"\\]*"))*\}\}$/;
/** All that an answer must have behind its content, each of the right kind; the same figures as above. */
const wholeAnswerEnd =
  /\],"api":"[^"\\]*","provider":"[^"\\]*","model":"[^"\\]*",(?:"responseId":"[^"\\]*",)?"usage":\{"input":(\d{1,15}),"output":(\d{1,15}),"cacheRead":(\d{1,15}),"cacheWrite":(\d{1,15}),(?:"(?:cacheWrite1h|reasoning)":\d+,)*"totalTokens":\d+,"cost":\{"input":[\d.]+,"output":[\d.]+,"cacheRead":[\d.]+,"cacheWrite":[\d.]+,"total":([\d.]+)(?:,"totalFromProvider":(?:true|false))?\}\},"stopReason":"(?:stop|toolUse|length)","timestamp":\d+(?:,"(?:rawStopReason|thinkingLevel|responseId)":"[^"\\]*"|,"durationMs":\d+)*\}\}$/y;

/** The first bytes of marks are rare ones, see there. */
const callMark = Buffer.from('Call"');
const usualCall = '{"type":"tool';
const usageMark = Buffer.from(',"usage');
const nextBlockMark = Buffer.from('},{"');
const typeMark = Buffer.from('{"type"');
/** Behind the message another one, as somebody may have put it there by hand: only the scanner knows that the last counts. */
const nextMessage = '},"message":';
/** Where its content begins, unless that is a text alone: then it is found near the end of the line. */
const nextContent = '"content":[';
const nextMessageBytes = 512;
/** Behind such a mark another line begins: the one before it was cut off and has no line feed. */
const nextLine = ':"message","id":"';
/** Of the signatures of texts and calls, whose kind nobody looked at. */
const signatureMark = Buffer.from("Signatu");
/** A call behind a text, up to its arguments. */
const usualNextCall = /^\{"type":"toolCall","id":"[^"\\]*","name":"[^"\\]*","arguments":\{/;
const nextCallBytes = 240;

/** Reads lines that were written as usual, one after the other. */
export class UsualLines {
  #bytes: Buffer = Buffer.alloc(0);
  /** Where the last line began: lines of one chunk come in their order. */
  #at = 0;
  #end = 0;
  readonly #times = new TimeReader();
  readonly #calls = new MarkFinder(callMark);
  readonly #usages = new MarkFinder(usageMark);
  readonly #nextBlocks = new MarkFinder(nextBlockMark);
  readonly #types = new MarkFinder(typeMark);
  readonly #signatures = new MarkFinder(signatureMark);

  /** The facts of the line from `at` to `end`; undefined for lines that only the scanner can read. */
  read(bytes: Buffer, at: number, end: number): LineFacts | undefined {
    if (bytes !== this.#bytes || at <= this.#at) {
      for (const marks of [this.#calls, this.#usages, this.#nextBlocks, this.#types, this.#signatures]) marks.forget();
    }
    this.#bytes = bytes;
    this.#at = at;
    this.#end = end;
    const head = usualHead.exec(bytes.toString("latin1", at, Math.min(end, at + headBytes)));
    const role = roleOf(head?.[5]);
    if (!head || role === "" || (role === "toolResult") !== (head[6] !== undefined)) return undefined;
    const content = at + head[0].length;
    const messageAt = head[0].indexOf(head[4] as string);
    const facts: LineFacts = {
      type: "message",
      id: head[1] as string,
      parentId: head[2] ?? null,
      time: this.#times.read(head[3] as string),
      role,
      isOneMessage: true,
      usage: undefined,
      toolCalls: 0,
      soundMessageAt: 0,
    };
    const isText = head[7] !== undefined;
    if (role === "assistant") return this.#readAnswer(facts, content, isText, messageAt);

    const last = bytes.toString("latin1", Math.max(content, end - nextMessageBytes), end);
    if (last.includes(nextMessage)) return undefined;
    const endAt = Math.max(content, end - endBytes);
    const tail = usualEnd.exec(last.slice(endAt - end));
    if (!tail || (role === "toolResult" && this.#usages.next(bytes, at) < end)) return undefined;
    const isSound = isText && tail[1] !== undefined && (role === "user" || role === "toolResult");
    if (
      isSound &&
      (role === "toolResult") === (tail[2] !== undefined) &&
      this.#isOneText(content, endAt + tail.index)
    ) {
      facts.soundMessageAt = messageAt;
      return facts;
    }
    return this.#isFused(content) ? undefined : facts;
  }

  /** Usage and calls of an answer from what stands behind its content. */
  #readAnswer(facts: LineFacts, content: number, isText: boolean, messageAt: number): LineFacts | undefined {
    const from = Math.max(this.#at, this.#end - answerEndBytes);
    const text = this.#bytes.toString("latin1", from, this.#end);
    const end = text.lastIndexOf(answerEndMark);
    if (end < 0 || text.includes(nextMessage)) return undefined;
    wholeAnswerEnd.lastIndex = end;
    const whole = wholeAnswerEnd.exec(text);
    const usage = whole ?? usualUsage.exec(text);
    if (!usage || usage.index < end) return undefined;
    const contentEnd = from + end;
    const call = this.#calls.next(this.#bytes, this.#at);
    if (call < contentEnd) {
      // A call in the arguments of another one is none, nor is a text of this word: the scanner knows their places.
      if (this.#calls.next(this.#bytes, call + 1) < contentEnd) return undefined;
      if (this.#bytes.toString("latin1", call - usualCall.length, call) !== usualCall) return undefined;
      facts.toolCalls = 1;
    }
    facts.usage = usageOf(usage);
    if (whole && isText && (this.#isOneText(content, contentEnd - 2) || this.#isTextAndCall(content, contentEnd))) {
      facts.soundMessageAt = messageAt;
      return facts;
    }
    return this.#isFused(content) ? undefined : facts;
  }

  /** Whether the content is one text that ends with the quote at `last`. */
  #isOneText(from: number, last: number): boolean {
    return (
      this.#bytes[last] === 0x22 &&
      this.#nextBlocks.next(this.#bytes, from) >= last &&
      this.#types.next(this.#bytes, from) >= last &&
      this.#signatures.next(this.#bytes, from) >= last
    );
  }

  /** Whether the content is a text and a call, and ends at `end`. */
  #isTextAndCall(from: number, end: number): boolean {
    const bytes = this.#bytes;
    const next = this.#nextBlocks.next(bytes, from);
    if (next >= end || bytes[next - 1] !== 0x22 || this.#signatures.next(bytes, from) < end) return false;
    const call = usualNextCall.exec(bytes.toString("latin1", next + 2, Math.min(end, next + 2 + nextCallBytes)));
    const isEnd = bytes[end - 1] === 0x7d && bytes[end - 2] === 0x7d;
    const areOnly = this.#types.next(bytes, from) === next + 2 && this.#types.next(bytes, next + 3) >= end;
    return call !== null && isEnd && areOnly && this.#nextBlocks.next(bytes, next + 1) >= end;
  }

  /** Whether the scanner must look: another line or another message begins behind `from`, or so it seems. */
  #isFused(from: number): boolean {
    const bytes = this.#bytes;
    for (let at = this.#types.next(bytes, from); at < this.#end; at = this.#types.next(bytes, at + 1)) {
      const behind = at + typeMark.length;
      const before = at - nextContent.length;
      if (before > from && bytesAre(bytes, before, at, nextContent)) return true;
      if (bytesAre(bytes, behind, behind + nextLine.length, nextLine)) return true;
    }
    return false;
  }
}

function usageOf(figures: RegExpExecArray): LineUsage {
  return {
    input: Number(figures[1]),
    output: Number(figures[2]),
    cacheRead: Number(figures[3]),
    cacheWrite: Number(figures[4]),
    cost: Number(figures[5]) || 0,
  };
}
