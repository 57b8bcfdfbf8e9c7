export interface RenderLatexOptions {
  /** A formula of its own line. */
  display?: boolean;
}

const symbols: Readonly<Record<string, string>> = Object.fromEntries(
  (
    "alpha α beta β gamma γ delta δ epsilon ε varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι kappa κ lambda λ mu μ nu ν xi ξ " +
    "pi π rho ρ sigma σ tau τ upsilon υ phi φ varphi φ chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ " +
    "Phi Φ Psi Ψ Omega Ω times × div ÷ cdot · pm ± mp ∓ leq ≤ le ≤ geq ≥ ge ≥ neq ≠ ne ≠ approx ≈ equiv ≡ sim ∼ propto ∝ infty ∞ " +
    "sum ∑ prod ∏ int ∫ oint ∮ partial ∂ nabla ∇ forall ∀ exists ∃ in ∈ notin ∉ subset ⊂ subseteq ⊆ supset ⊃ supseteq ⊇ cup ∪ " +
    "cap ∩ emptyset ∅ varnothing ∅ to → rightarrow → leftarrow ← Rightarrow ⇒ Leftarrow ⇐ leftrightarrow ↔ Leftrightarrow ⇔ iff ⇔ " +
    "implies ⇒ mapsto ↦ land ∧ wedge ∧ lor ∨ vee ∨ neg ¬ lnot ¬ oplus ⊕ otimes ⊗ circ ∘ bullet • star ⋆ ldots … cdots ⋯ dots … " +
    "angle ∠ perp ⊥ parallel ∥ mid | ell ℓ hbar ℏ Re ℜ Im ℑ aleph ℵ prime ′ degree ° langle ⟨ rangle ⟩ lceil ⌈ rceil ⌉ lfloor ⌊ " +
    "rfloor ⌋ ll ≪ gg ≫ setminus ∖ therefore ∴ because ∵ vdash ⊢ models ⊨ top ⊤ bot ⊥ uparrow ↑ downarrow ↓"
  )
    .split(" ")
    .flatMap((name, at, all) => (at % 2 === 0 ? [[name, all[at + 1] ?? ""]] : [])),
);
const spaces: Readonly<Record<string, string>> = {
  ",": " ",
  ";": " ",
  ":": " ",
  " ": " ",
  "!": "",
  quad: "  ",
  qquad: "    ",
};
const wrappers = new Set([
  "text",
  "mathrm",
  "mathbf",
  "mathit",
  "mathsf",
  "mathcal",
  "operatorname",
  "textbf",
  "textit",
  "boldsymbol",
]);
const functions = new Set(
  "sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh log ln exp lim max min sup inf det dim ker gcd arg".split(
    " ",
  ),
);
const ignored = new Set([
  "left",
  "right",
  "big",
  "Big",
  "bigg",
  "Bigg",
  "displaystyle",
  "textstyle",
  "limits",
  "nolimits",
]);
const blackboard: Readonly<Record<string, string>> = { R: "ℝ", N: "ℕ", Z: "ℤ", Q: "ℚ", C: "ℂ", P: "ℙ", H: "ℍ", E: "𝔼" };
const superscripts = scripts("0123456789+-=()abcdefghijklmnoprstuvwxyzT", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᵀ");
const subscripts = scripts("0123456789+-=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ");

function scripts(from: string, to: string): ReadonlyMap<string, string> {
  const target = [...to];
  return new Map([...from].map((char, at) => [char, target[at] ?? char]));
}

/** A LaTeX formula in Unicode; undefined when it has something that Unicode has no form for. */
export function renderLatex(source: string, options: RenderLatexOptions = {}): string | undefined {
  const reader = new Reader(source.trim());
  const text = reader.sequence();
  if (text === undefined || !reader.atEnd) return undefined;
  const lines = text.split("\n").map((line) => line.replace(/ {2,}/g, (run) => (options.display ? run : " ")).trim());
  return lines.join(options.display ? "\n" : " ");
}

class Reader {
  private at = 0;

  constructor(private readonly source: string) {}

  get atEnd(): boolean {
    return this.at >= this.source.length;
  }

  /** Up to the closing brace or the end. */
  sequence(): string | undefined {
    let out = "";
    while (!this.atEnd && this.source[this.at] !== "}") {
      const part = this.one();
      if (part === undefined) return undefined;
      out += part;
    }
    return out;
  }

  private one(): string | undefined {
    const char = this.source[this.at] ?? "";
    this.at++;
    switch (char) {
      case "\\":
        return this.command();
      case "{":
        return this.rest();
      case "^":
        return this.script(superscripts, "^");
      case "_":
        return this.script(subscripts, "_");
      case "&":
        return " ";
      case "~":
        return " ";
      case "'":
        return "′";
      default:
        return /\s/.test(char) ? " " : char;
    }
  }

  private rest(): string | undefined {
    const inner = this.sequence();
    if (inner === undefined || this.source[this.at] !== "}") return undefined;
    this.at++;
    return inner;
  }

  private group(): string | undefined {
    while (this.source[this.at] === " ") this.at++;
    return this.atEnd ? undefined : this.one();
  }

  private script(map: ReadonlyMap<string, string>, mark: string): string | undefined {
    const inner = this.group();
    if (inner === undefined) return undefined;
    const chars = [...inner];
    if (chars.every((char) => map.has(char))) return chars.map((char) => map.get(char)).join("");
    return chars.length > 1 ? `${mark}(${inner})` : mark + inner;
  }

  private command(): string | undefined {
    const name = /^(?:[A-Za-z]+|[\s\S])/.exec(this.source.slice(this.at))?.[0];
    if (name === undefined) return undefined;
    this.at += name.length;
    if (name === "\\") return "\n";
    const space = spaces[name];
    if (space !== undefined) return space;
    if (/^[{}%$#&_|]$/.test(name)) return name;
    const symbol = symbols[name];
    if (symbol !== undefined) return symbol;
    if (functions.has(name)) return name;
    if (ignored.has(name)) {
      if (this.source[this.at] === ".") this.at++;
      return "";
    }
    if (wrappers.has(name)) return this.group();
    return this.construct(name);
  }

  private construct(name: string): string | undefined {
    const first = this.group();
    if (first === undefined) return undefined;
    switch (name) {
      case "frac":
      case "dfrac":
      case "tfrac": {
        const second = this.group();
        return second === undefined ? undefined : `${bracketed(first)}/${bracketed(second)}`;
      }
      case "sqrt":
        return `√${bracketed(first)}`;
      case "mathbb":
        return blackboard[first];
      case "bar":
      case "overline":
        return `${first}\u0304`;
      case "hat":
        return `${first}\u0302`;
      case "vec":
        return `${first}\u20d7`;
      case "dot":
        return `${first}\u0307`;
      case "tilde":
        return `${first}\u0303`;
      default:
        return undefined;
    }
  }
}

function bracketed(text: string): string {
  return /^[\p{L}\p{N}.]+$/u.test(text) || [...text].length === 1 ? text : `(${text})`;
}
