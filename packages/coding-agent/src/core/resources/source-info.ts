import type { SourceInfo } from "./resource-types.js";

/** The origin of something that was found nowhere: made by a program, named on a command line. */
export function createSyntheticSourceInfo(
  path: string,
  {
    source,
    scope = "temporary",
    origin = "top-level",
    baseDir,
    changelogPath,
  }: Pick<SourceInfo, "source"> & Partial<Omit<SourceInfo, "path">>,
): SourceInfo {
  return {
    path,
    source,
    scope,
    origin,
    ...(baseDir !== undefined && { baseDir }),
    ...(changelogPath !== undefined && { changelogPath }),
  };
}
