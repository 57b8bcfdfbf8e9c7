import { Marked, type Token, type TokenizerAndRendererExtension } from "marked";

/** A formula. */
export interface MathToken {
  readonly type: "math";
  readonly raw: string;
  readonly source: string;
  readonly display: boolean;
}

const blockMath = /^(?:\$\$([\s\S]+?)\$\$|\\\[([\s\S]+?)\\\])[ \t]*(?:\n|$)/;
const inlineMath = /^(?:\$(?![\s$])((?:\\.|[^\\$\n])*?[^\s\\$])\$(?!\d)|\\\((.+?)\\\)|\$\$([^$\n]+?)\$\$)/;

const mathBlock: TokenizerAndRendererExtension = {
  name: "mathBlock",
  level: "block",
  start: (source) => /\$\$|\\\[/.exec(source)?.index,
  tokenizer(source) {
    const match = blockMath.exec(source);
    return match ? { type: "math", raw: match[0], source: match[1] ?? match[2] ?? "", display: true } : undefined;
  },
};

const mathInline: TokenizerAndRendererExtension = {
  name: "mathInline",
  level: "inline",
  start: (source) => /\$|\\\(/.exec(source)?.index,
  tokenizer(source) {
    const match = inlineMath.exec(source);
    const formula = match?.[1] ?? match?.[2] ?? match?.[3];
    return match ? { type: "math", raw: match[0], source: formula ?? "", display: false } : undefined;
  },
};

const plain = new Marked();
const withMath = new Marked({ extensions: [mathBlock, mathInline] });

/**
 * Reads Markdown that grows at its end: blocks that are complete are read once. The last two are read again, because
 * what follows may still join them.
 */
export class IncrementalLexer {
  private stable: Token[] = [];
  private stableText = "";

  constructor(private readonly math: boolean) {}

  /** @param keep the text will grow: remember what is complete */
  lex(text: string, keep: boolean): Token[] {
    if (!keep) return this.read(text);
    if (!text.startsWith(this.stableText)) {
      this.forget();
    }
    // References reach across blocks: with one, everything is read together.
    if (/^\s{0,3}\[[^\]]+\]:/m.test(text.slice(this.stableText.length))) {
      this.forget();
      return this.read(text);
    }
    const rest = text.slice(this.stableText.length);
    const tokens = this.read(rest);
    const all = [...this.stable, ...tokens];
    const isWhole = tokens.map((token) => token.raw).join("") === rest;
    if (isWhole && tokens.length > 2) {
      const done = tokens.slice(0, -2);
      this.stable = [...this.stable, ...done];
      this.stableText += done.map((token) => token.raw).join("");
    }
    return all;
  }

  forget(): void {
    this.stable = [];
    this.stableText = "";
  }

  private read(text: string): Token[] {
    // Marked looks for the start of a formula anew behind every word: not where there can be none.
    return (this.math && /\$|\\[([]/.test(text) ? withMath : plain).lexer(text);
  }
}
