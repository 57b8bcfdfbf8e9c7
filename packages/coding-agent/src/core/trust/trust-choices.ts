import { dirname } from "node:path";
import { canonicalFolder } from "../storage/files.js";
import type { ProjectTrustUpdate } from "./trust-store.js";

/** One answer to the question whether a project is trusted. */
export interface TrustChoice {
  label: string;
  isTrusted: boolean;
  /** What the answer stores; empty for this session only. */
  updates: ProjectTrustUpdate[];
}

/** The question, for a dialog's title. */
export function projectTrustQuestion(cwd: string): string {
  return [
    "Trust project folder?",
    canonicalFolder(cwd),
    "",
    "The project brings settings, extensions, skills or instructions. Extensions run as code with your rights.",
  ].join("\n");
}

/**
 * The answers to offer, in order. Source: cli-and-config.md section 5.
 *
 * @param options.withSession whether the ones that are not stored are offered
 */
export function projectTrustChoices(cwd: string, { withSession }: { withSession: boolean }): TrustChoice[] {
  const project = canonicalFolder(cwd);
  const parent = dirname(project);
  const choices: TrustChoice[] = [
    { label: "Trust", isTrusted: true, updates: [{ path: project, decision: true }] },
    {
      label: `Trust parent folder (${parent})`,
      isTrusted: true,
      updates: [
        { path: parent, decision: true },
        { path: project, decision: null },
      ],
    },
    { label: "Trust (this session only)", isTrusted: true, updates: [] },
    { label: "Do not trust", isTrusted: false, updates: [{ path: project, decision: false }] },
    { label: "Do not trust (this session only)", isTrusted: false, updates: [] },
  ];
  return choices.filter(
    ({ updates }) => (withSession || updates.length > 0) && (parent !== project || updates.length < 2),
  );
}
