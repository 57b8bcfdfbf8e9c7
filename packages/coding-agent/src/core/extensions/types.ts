/**
 * The public contract of extensions, by subject. Source: extensions.md, exports.md section 4.1.
 *
 * `any` stands only where the published contract has it: extensions compiled against it would break with `unknown`
 * (exports.md, "Facts that decide whether real extensions compile"). The linter allows it in these files alone.
 */
export type * from "./types/agent-events.js";
export type * from "./types/api.js";
export type * from "./types/commands.js";
export type * from "./types/context.js";
export type * from "./types/event-map.js";
export type * from "./types/host.js";
export type * from "./types/keybindings.js";
export type * from "./types/renderers.js";
export type * from "./types/session-events.js";
export type * from "./types/system-prompt.js";
export type * from "./types/theme.js";
export type * from "./types/tool.js";
export type * from "./types/tool-events.js";
export type * from "./types/ui.js";
