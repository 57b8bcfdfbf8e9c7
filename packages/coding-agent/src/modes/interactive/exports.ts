/** What the package offers of the interactive mode. Source: exports.md section 4.5. */
export { FooterComponent } from "./footer/footer.js";
export { copyToClipboard } from "./input/clipboard.js";
export { CustomEditor, type CustomEditorOptions } from "./input/custom-editor.js";
export { InteractiveMode, type InteractiveModeOptions } from "./interactive-mode.js";
export { keyHint, keyText, rawKeyHint } from "./keys/key-hints.js";
export { AssistantMessageComponent } from "./messages/assistant-message.js";
export { BashExecutionComponent } from "./messages/bash-execution.js";
export { CustomMessageComponent } from "./messages/custom-message.js";
export {
  BranchSummaryMessageComponent,
  CompactionSummaryMessageComponent,
  SkillInvocationMessageComponent,
} from "./messages/summaries.js";
export { UserMessageComponent } from "./messages/user-message.js";
export { BorderedLoader } from "./screen/bordered-loader.js";
export { DynamicBorder } from "./screen/dynamic-border.js";
export {
  ArminComponent,
  ExtensionEditorComponent,
  ExtensionInputComponent,
  ExtensionSelectorComponent,
  LoginDialogComponent,
  OAuthSelectorComponent,
  type SettingsCallbacks,
  type SettingsConfig,
  SettingsSelectorComponent,
  ShowImagesSelectorComponent,
  ThemeSelectorComponent,
  ThinkingSelectorComponent,
  UserMessageSelectorComponent,
} from "./selectors/components.js";
export { ModelSelectorComponent } from "./selectors/model-selector.js";
export { SessionSelectorComponent, type SessionsLoader } from "./selectors/session-selector.js";
export { TreeSelectorComponent } from "./selectors/tree-selector.js";
export { getMarkdownTheme, getSelectListTheme, getSettingsListTheme } from "./theme/component-themes.js";
export { getLanguageFromPath, highlightCode } from "./theme/highlight.js";
export { initTheme } from "./theme/init-theme.js";
export { type RenderDiffOptions, renderDiff } from "./tools/render-diff.js";
export { ToolExecutionComponent } from "./tools/tool-execution.js";
export type { ToolExecutionOptions } from "./tools/types.js";
export { truncateToVisualLines, type VisualTruncateResult } from "./tools/visual-lines.js";
