import { readFileSync } from "node:fs";
import { defaultStateFolder, statePaths } from "../paths.js";

/** The address of the page with the token, which only the owner of the state folder can read. */
export function pageOf(gateway: string | undefined): { gateway?: string } {
  if (gateway === undefined) return {};
  const token = readFileSync(statePaths(defaultStateFolder()).token, "utf8").trim();
  return { gateway: `${gateway}/#token=${token}` };
}
