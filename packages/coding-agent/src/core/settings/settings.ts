/**
 * The keys of `settings.json`. Source: cli-and-config.md section 4.2.
 *
 * The comments are what users read: `settings.schema.json` is made from this file
 * (`node scripts/generate-settings-schema.mjs`), and from it the checks at load, the help of editors,
 * `docs/settings.md` and the settings screen. `@scope global` = not read from a project's settings;
 * `@onWrong stop` = a wrong value ends the start, where others are ignored. Waits are as long as timers take.
 */
import type { QueueMode, ThinkingLevel } from "@earendil-works/pi-agent-core";
import type { ThinkingBudgets, Transport } from "@earendil-works/pi-ai";
import type { CompactionSettings } from "../compaction/types.js";

export type DefaultProjectTrust = "ask" | "always" | "never";
export type QuietStartup = boolean | "header";
export type TuiMode = "regular" | "fullscreen";
export type FullscreenExitOutput = "transcript" | "resume-hint";
export type FullscreenScrollbar = "auto" | "always" | "hidden";
export type DoubleEscapeAction = "tree" | "fork" | "none";
export type TreeFilterMode = "default" | "no-tools" | "user-only" | "labeled-only" | "all";
export type CacheWarmingMode = "off" | "streaming" | "idle";
export type MermaidRenderingMode = "off" | "final" | "streaming";

/** A package: where it comes from, and which of its parts are taken. */
export type PackageSource =
  | string
  | {
      source: string;
      /** Its parts are loaded unless a filter says otherwise. Default true. */
      autoload?: boolean;
      /** Its own code may run while npm installs it. Default false. */
      allowScripts?: boolean;
      extensions?: string[];
      skills?: string[];
      prompts?: string[];
      themes?: string[];
    };

export interface ProviderRetrySettings {
  /**
   * Longest time of one request, in ms.
   * @minimum 0
   * @maximum 2147483647
   */
  timeoutMs?: number;
  /**
   * Retries of one request inside the model layer.
   * @default 0
   * @minimum 0
   * @multipleOf 1
   */
  maxRetries?: number;
  /**
   * Longest wait that a provider may ask for, in ms.
   * @default 60000
   * @minimum 0
   * @maximum 2147483647
   */
  maxRetryDelayMs?: number;
}

export interface RetrySettings {
  /**
   * Failed answers are asked for again.
   * @default true
   */
  enabled?: boolean;
  /**
   * How often one answer is asked for again.
   * @default 3
   * @minimum 0
   * @multipleOf 1
   */
  maxRetries?: number;
  /**
   * First wait, doubled each time, in ms.
   * @default 2000
   * @minimum 0
   * @maximum 2147483647
   */
  baseDelayMs?: number;
  /**
   * Longest wait, in ms.
   * @default 60000
   * @minimum 0
   * @maximum 2147483647
   */
  maxAgentDelayMs?: number;
  /** Retries of one request inside the model layer. */
  provider?: ProviderRetrySettings;
}

export interface BranchSummarySettings {
  /**
   * Tokens kept free for the answer of a branch summary.
   * @default 16384
   * @minimum 0
   * @multipleOf 1
   */
  reserveTokens?: number;
  /**
   * Leave a branch without being asked about a summary.
   * @default false
   */
  skipPrompt?: boolean;
}

export interface ImageSettings {
  /**
   * Pictures are made to fit into 2000 x 2000 pixels before they are sent.
   * @default true
   */
  autoResize?: boolean;
  /**
   * No pictures are sent to models.
   * @default false
   */
  blockImages?: boolean;
}

export interface TerminalSettings {
  /**
   * Pictures are drawn in terminals that can.
   * @default true
   */
  showImages?: boolean;
  /**
   * Widest picture, in columns.
   * @default 60
   * @minimum 1
   * @multipleOf 1
   */
  imageWidthCells?: number;
  /**
   * Clear rows that are left empty when the content shrinks.
   * @default false
   */
  clearOnShrink?: boolean;
  /**
   * Tell the terminal that work is going on (OSC 9;4).
   * @default false
   */
  showTerminalProgress?: boolean;
  /**
   * Links that can be clicked.
   * @default "auto"
   */
  hyperlinks?: boolean | "auto";
  /**
   * How pictures are sent to the terminal.
   * @default "auto"
   */
  images?: "kitty" | "iterm2" | false | "auto";
  /**
   * 24-bit colours.
   * @default "auto"
   */
  trueColor?: boolean | "auto";
}

export interface MarkdownSettings {
  /**
   * What stands before each line of a code block.
   * @default "  "
   */
  codeBlockIndent?: string;
  /**
   * When Mermaid diagrams are drawn.
   * @default "streaming"
   */
  mermaid?: MermaidRenderingMode;
}

export interface Settings {
  /** Where the description of this file is, for editors. */
  $schema?: string;
  /** Provider to start with. */
  defaultProvider?: string;
  /** Model to start with. */
  defaultModel?: string;
  /**
   * How much models think before they answer.
   * @default "medium"
   */
  defaultThinkingLevel?: ThinkingLevel;
  /** Thinking levels of single models, by `provider/id`. */
  modelThinkingLevels?: Record<string, ThinkingLevel>;
  /** Tokens for thinking, by level, for models that count them. */
  thinkingBudgets?: ThinkingBudgets;
  /** Models to cycle through: patterns as for `--models`. */
  enabledModels?: string[];
  /**
   * What happens to messages sent while the agent works, before its next step.
   * @default "one-at-a-time"
   */
  steeringMode?: QueueMode;
  /**
   * What happens to messages that wait for the agent to end.
   * @default "one-at-a-time"
   */
  followUpMode?: QueueMode;
  /**
   * What to do in a project that nobody decided about.
   * @default "ask"
   * @scope global
   */
  defaultProjectTrust?: DefaultProjectTrust;
  /** Tools that are active: names replace the usual ones, `+name` adds, `-name` removes, an empty list means none. */
  defaultTools?: string[];
  /** Folder of the sessions. */
  sessionDir?: string;
  /**
   * When a session waits for the disk.
   * @default "important"
   * @onWrong stop
   */
  sessionFsync?: "never" | "important" | "always";
  /** When and how the conversation is summarised. */
  compaction?: CompactionSettings;
  /** Summaries of branches that are left. */
  branchSummary?: BranchSummarySettings;
  /**
   * Kept for other programs: this release keeps no prompt cache warm.
   * @default "idle"
   * @scope global
   */
  cacheWarming?: CacheWarmingMode;
  /**
   * How providers that offer several are reached.
   * @default "auto"
   */
  transport?: Transport;
  /**
   * Proxy for all requests; `HTTP_PROXY` and `HTTPS_PROXY` come first.
   * @scope global
   */
  httpProxy?: string;
  /**
   * Longest silence of a provider, in ms; 0 or "disabled" = no limit.
   * @default 300000
   * @minimum 0
   * @maximum 2147483647
   * @onWrong stop
   */
  httpIdleTimeoutMs?: number | "disabled";
  /**
   * Longest wait for a WebSocket, in ms; 0 or "disabled" = no limit.
   * @default 15000
   * @minimum 0
   * @maximum 2147483647
   * @onWrong stop
   */
  websocketConnectTimeoutMs?: number | "disabled";
  /** What happens when a provider fails. */
  retry?: RetrySettings;
  /** Shell of the bash tool and of `!` commands. */
  shellPath?: string;
  /** Stands before each command of the bash tool and of `!`. */
  shellCommandPrefix?: string;
  /** Command that stands for npm, with its arguments. */
  npmCommand?: string[];
  /** Packages with extensions, skills, prompts and themes. */
  packages?: PackageSource[];
  /** Extensions: files, folders, patterns. */
  extensions?: string[];
  /** Skills: files, folders, patterns. */
  skills?: string[];
  /** Prompt templates: files, folders, patterns. */
  prompts?: string[];
  /** Themes: files, folders, patterns. */
  themes?: string[];
  /**
   * Skills can be called as `/skill:name`.
   * @default true
   */
  enableSkillCommands?: boolean;
  /** Pictures in messages to models. */
  images?: ImageSettings;
  /**
   * Kept for other programs; nothing is ever sent.
   * @default false
   */
  enableInstallTelemetry?: boolean;
  /**
   * Kept for other programs; nothing is ever sent.
   * @default false
   */
  enableAnalytics?: boolean;
  /** Version whose changes were shown last. Written by the program. */
  lastChangelogVersion?: string;
  /** Versions of packages whose changes were shown last, by name. Written by the program. */
  extensionChangelogVersions?: Record<string, string>;
  /** Names this installation to sign-ins that ask for it. Written by the program when one does. */
  deviceId?: string;
  /**
   * Name of a theme, `light/dark` for one each, or `system`.
   * @default "system"
   */
  theme?: string;
  /**
   * Start without the list of what was loaded, or with the header only.
   * @default false
   */
  quietStartup?: QuietStartup;
  /**
   * The whole screen, or the terminal's own scrollback.
   * @default "fullscreen"
   */
  tuiMode?: TuiMode;
  /**
   * What the fullscreen mode leaves on the terminal.
   * @default "transcript"
   */
  fullscreenExitOutput?: FullscreenExitOutput;
  /**
   * When the bar beside the transcript is shown.
   * @default "auto"
   */
  fullscreenScrollbar?: FullscreenScrollbar;
  /**
   * Selected text is copied at once.
   * @default true
   */
  fullscreenCopyOnSelect?: boolean;
  /**
   * Lines that one step of the mouse wheel scrolls.
   * @default "auto"
   * @minimum 1
   * @maximum 100
   * @multipleOf 1
   */
  fullscreenWheelScrollLines?: number | "auto";
  /**
   * Columns left and right of the text in the editor.
   * @default 0
   * @minimum 0
   * @maximum 3
   * @multipleOf 1
   */
  editorPaddingX?: number;
  /**
   * Columns left and right of messages.
   * @default 1
   * @minimum 0
   * @maximum 1
   * @multipleOf 1
   */
  outputPad?: number;
  /**
   * Longest list of completions.
   * @default 5
   * @minimum 3
   * @maximum 20
   * @multipleOf 1
   */
  autocompleteMaxVisible?: number;
  /**
   * Show the terminal's own cursor.
   * @default false
   */
  showHardwareCursor?: boolean;
  /**
   * Do not show what models think.
   * @default false
   */
  hideThinkingBlock?: boolean;
  /**
   * Say when a provider's prompt cache was missed.
   * @default false
   */
  showCacheMissNotices?: boolean;
  /**
   * Show one line instead of all changes after an update.
   * @default false
   */
  collapseChangelog?: boolean;
  /** What the terminal can do and should show. */
  terminal?: TerminalSettings;
  /** How answers are formatted. */
  markdown?: MarkdownSettings;
  /** Editor for long texts; otherwise `$VISUAL`, `$EDITOR`. */
  externalEditor?: string;
  /**
   * What Escape pressed twice opens when the editor is empty.
   * @default "tree"
   */
  doubleEscapeAction?: DoubleEscapeAction;
  /**
   * Entries that the session tree shows at first.
   * @default "default"
   */
  treeFilterMode?: TreeFilterMode;
  /**
   * Plain lines, one after the other, instead of a screen: for screen readers. `PI_SCREEN_READER=1` does the same.
   * @default false
   */
  screenReader?: boolean;
}
