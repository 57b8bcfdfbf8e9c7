export type ImageProtocol = "kitty" | "iterm2" | null;

export interface TerminalCapabilities {
  images: ImageProtocol;
  trueColor: boolean;
  hyperlinks: boolean;
}

export type TerminalColorMode = "256color" | "truecolor";

/**
 * What the terminal can do, by its environment; `PI_IMAGE_PROTOCOL`, `PI_TRUE_COLOR` and `PI_HYPERLINKS` decide.
 *
 * @param tmuxForwardsHyperlink asks tmux whether its client shows hyperlinks; without it tmux is taken not to
 */
export function detectCapabilities(tmuxForwardsHyperlink: () => boolean = () => false): TerminalCapabilities {
  const { PI_IMAGE_PROTOCOL: images, PI_TRUE_COLOR: trueColor, PI_HYPERLINKS: hyperlinks } = process.env;
  return {
    ...detectByEnvironment(tmuxForwardsHyperlink),
    ...((images === "kitty" || images === "iterm2") && { images }),
    ...((images === "none" || images === "0") && { images: null }),
    ...(trueColor && { trueColor: trueColor !== "0" }),
    ...(hyperlinks && { hyperlinks: hyperlinks !== "0" }),
  };
}

function detectByEnvironment(tmuxForwardsHyperlink: () => boolean): TerminalCapabilities {
  const env = process.env;
  const term = env["TERM"] ?? "";
  const program = (env["TERM_PROGRAM"] ?? "").toLowerCase();
  const colorTerm = /^(truecolor|24bit)$/i.test(env["COLORTERM"] ?? "");
  if (env["TMUX"] || term.startsWith("tmux")) {
    return { images: null, trueColor: colorTerm, hyperlinks: tmuxForwardsHyperlink() };
  }
  if (term.startsWith("screen")) return { images: null, trueColor: colorTerm, hyperlinks: false };
  const kitty = [
    ...["KITTY_WINDOW_ID", "GHOSTTY_RESOURCES_DIR", "WEZTERM_PANE"],
    ...["WARP_SESSION_ID", "WARP_TERMINAL_SESSION_UUID"],
  ];
  if (kitty.some((name) => env[name]) || program === "rex" || program === "herdr") {
    return { images: "kitty", trueColor: true, hyperlinks: true };
  }
  if (env["ITERM_SESSION_ID"]) return { images: "iterm2", trueColor: true, hyperlinks: true };
  if (env["WT_SESSION"] || program === "alacritty" || term.startsWith("alacritty") || /^(vscode|zed)$/.test(program)) {
    return { images: null, trueColor: true, hyperlinks: true };
  }
  if (env["TERMINAL_EMULATOR"] === "JetBrains-JediTerm" || process.platform === "win32") {
    return { images: null, trueColor: true, hyperlinks: false };
  }
  return { images: null, trueColor: colorTerm || term.endsWith("-direct"), hyperlinks: false };
}

let detected: TerminalCapabilities | undefined;
let overrides: Partial<TerminalCapabilities> = {};

/** What the terminal can do; found out once. */
export function getCapabilities(): TerminalCapabilities {
  detected ??= detectCapabilities();
  return { ...detected, ...overrides };
}

/** Replaces what was found out. */
export function setCapabilities(capabilities: TerminalCapabilities): void {
  detected = capabilities;
}

/** Settings of the user that win over what is found out; `{}` takes them back. */
export function setCapabilityOverrides(partial: Partial<TerminalCapabilities>): void {
  overrides = { ...partial };
}

/** Finds out again when asked next. */
export function resetCapabilitiesCache(): void {
  detected = undefined;
}

export function getTerminalColorMode(capabilities: TerminalCapabilities = getCapabilities()): TerminalColorMode {
  return capabilities.trueColor ? "truecolor" : "256color";
}

/** True on Apple's Terminal, also over nothing but its own session (not SSH). */
export function isAppleTerminalSession(): boolean {
  return process.env["TERM_PROGRAM"] === "Apple_Terminal" && !process.env["SSH_CONNECTION"];
}

export interface CellDimensions {
  widthPx: number;
  heightPx: number;
}

let cell: CellDimensions = { widthPx: 9, heightPx: 18 };

/** Size of a cell in pixels; 9 × 18 until the terminal has said. */
export function getCellDimensions(): CellDimensions {
  return cell;
}

export function setCellDimensions(dimensions: CellDimensions): void {
  cell = dimensions;
}
