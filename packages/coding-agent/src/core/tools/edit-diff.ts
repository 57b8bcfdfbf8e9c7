/**
 * The door to editing text: matching, applying, showing the change. The rooms behind it are in `edit/`.
 */
export { type AppliedEdits, applyEdits, matchEdits } from "./edit/apply.js";
export { normalizeToLF, splitBom } from "./edit/line-endings.js";
export type { Edit, MatchedEdit } from "./edit/match.js";
export { normalizeForFuzzyMatch } from "./edit/normalize.js";
export { type EditDiffResult, generateDiffString, generateUnifiedPatch, renderEdit } from "./edit/render-diff.js";
