/** Names of the built-in tools; the first four are active by default. */
export const allToolNames = ["read", "bash", "edit", "write", "grep", "find", "ls"] as const;
export type ToolName = (typeof allToolNames)[number];

/** Active without any selection. */
export const defaultToolNames: readonly ToolName[] = ["read", "bash", "edit", "write"];
