/** Whether a project may bring settings, instructions and code of its own. Source: cli-and-config.md section 5. */
import type { DefaultProjectTrust } from "./settings/settings.js";
import { hasTrustRequiringProjectResources } from "./trust/project-resources.js";
import { projectTrustChoices, projectTrustQuestion } from "./trust/trust-choices.js";
import type { ProjectTrustStore } from "./trust/trust-store.js";

/** What an extension's `project_trust` handler decided. */
export interface HandlerDecision {
  trusted: "yes" | "no" | "undecided";
  /** Stores the decision for the project. */
  remember?: boolean | undefined;
}

export interface ResolveProjectTrustOptions {
  cwd: string;
  store: ProjectTrustStore;
  /** `--approve` or `--no-approve`: holds for this process and is not stored. */
  override?: boolean | undefined;
  defaultProjectTrust: DefaultProjectTrust;
  /** Asks the extensions that are the user's own; undefined or `undecided` leaves it to the rest. */
  askHandlers?: (() => Promise<HandlerDecision | undefined>) | undefined;
  /** Lets the user choose a label; undefined = dismissed. Absent: nobody is there. */
  select?: ((title: string, labels: string[]) => Promise<string | undefined>) | undefined;
}

/**
 * Decides in the order of the specification; nobody is asked about a project that brings nothing.
 * @throws Error for a trust store that cannot be read: a start must not go on as if nothing had been decided
 */
export async function resolveProjectTrusted(options: ResolveProjectTrustOptions): Promise<boolean> {
  const { cwd, store, override, defaultProjectTrust } = options;
  if (override !== undefined) return override;
  if (!hasTrustRequiringProjectResources(cwd)) return store.get(cwd) ?? true;
  const decision = await options.askHandlers?.();
  if (decision && decision.trusted !== "undecided") {
    const isTrusted = decision.trusted === "yes";
    if (decision.remember) await store.set(cwd, isTrusted);
    return isTrusted;
  }
  const stored = store.get(cwd);
  if (stored !== null) return stored;
  if (defaultProjectTrust !== "ask") return defaultProjectTrust === "always";
  if (!options.select) return false;
  const choices = projectTrustChoices(cwd, { withSession: true });
  const label = await options.select(
    projectTrustQuestion(cwd),
    choices.map((choice) => choice.label),
  );
  const choice = choices.find((one) => one.label === label);
  if (!choice) return false;
  if (choice.updates.length > 0) await store.setMany(choice.updates);
  return choice.isTrusted;
}

/** Decisions of this process, by folder: `/new` and `/fork` never ask again. */
export class ProjectTrustDecisions {
  readonly #decided = new Map<string, Promise<boolean>>();

  /** The decision of before, else the one that `decide` comes to. A failed one is not kept. */
  async for(cwd: string, decide: () => Promise<boolean>): Promise<boolean> {
    const decided = this.#decided.get(cwd) ?? decide();
    this.#decided.set(cwd, decided);
    decided.catch(() => this.#decided.delete(cwd));
    return decided;
  }
}
