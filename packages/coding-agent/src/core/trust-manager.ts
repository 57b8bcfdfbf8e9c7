/** Who is trusted: what needs trust, and what the user decided. The decision itself: `project-trust.ts`. */
export { hasTrustRequiringProjectResources } from "./trust/project-resources.js";
export { projectTrustChoices, type TrustChoice } from "./trust/trust-choices.js";
export {
  type ProjectTrustDecision,
  ProjectTrustStore,
  type ProjectTrustStoreEntry,
  type ProjectTrustUpdate,
} from "./trust/trust-store.js";
