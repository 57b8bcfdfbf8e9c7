/** What `pi doctor` found. Pure. */

export type CheckLevel = "ok" | "warn" | "fail";

export interface Check {
  /** What was looked at. */
  title: string;
  level: CheckLevel;
  /** What was found, in one line; never a secret. */
  found: string;
  /** What to do; with everything that is not ok. */
  fix?: string;
}

/** A line for each check, and one for each thing to do. */
export function reportText(checks: readonly Check[]): string {
  const width = Math.max(...checks.map(({ title }) => title.length));
  const lines = checks.flatMap(({ title, level, found, fix }) => {
    const line = `${level.padEnd(4)}  ${title.padEnd(width)}  ${found}`;
    return fix === undefined ? [line] : [line, `${" ".repeat(width + 8)}${fix}`];
  });
  return [...lines, "", summary(checks)].join("\n");
}

export function reportJson(checks: readonly Check[]): string {
  return JSON.stringify({ status: worst(checks), checks }, null, 2);
}

/** 1 when something does not work; warnings are none. */
export function exitCode(checks: readonly Check[]): number {
  return worst(checks) === "fail" ? 1 : 0;
}

function worst(checks: readonly Check[]): CheckLevel {
  const has = (level: CheckLevel) => checks.some((check) => check.level === level);
  if (has("fail")) return "fail";
  return has("warn") ? "warn" : "ok";
}

function summary(checks: readonly Check[]): string {
  const count = (level: CheckLevel) => checks.filter((check) => check.level === level).length;
  if (worst(checks) === "ok") return "All is well.";
  return `To fix: ${count("fail")}. To look at: ${count("warn")}.`;
}
