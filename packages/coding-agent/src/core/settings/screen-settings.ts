/** Settings of the interactive mode by name. Source: cli-and-config.md section 4.2. */
import { randomUUID } from "node:crypto";
import type {
  DoubleEscapeAction,
  FullscreenExitOutput,
  FullscreenScrollbar,
  MermaidRenderingMode,
  QuietStartup,
  Settings,
  TerminalSettings,
  TreeFilterMode,
  TuiMode,
} from "./settings.js";
import { SettingsBase } from "./settings-base.js";
import { settingsSchema } from "./settings-schema.js";

export abstract class ScreenSettings extends SettingsBase {
  getThemeSetting(): string {
    return this.value("theme");
  }

  setTheme(theme: string): void {
    this.change(["theme"], theme);
  }

  getQuietStartup(): QuietStartup {
    return this.value("quietStartup");
  }

  setQuietStartup(quiet: QuietStartup): void {
    this.change(["quietStartup"], quiet);
  }

  getTuiMode(): TuiMode {
    return this.value("tuiMode");
  }

  setTuiMode(mode: TuiMode): void {
    this.change(["tuiMode"], mode);
  }

  getFullscreenExitOutput(): FullscreenExitOutput {
    return this.value("fullscreenExitOutput");
  }

  setFullscreenExitOutput(output: FullscreenExitOutput): void {
    this.change(["fullscreenExitOutput"], output);
  }

  getFullscreenScrollbar(): FullscreenScrollbar {
    return this.value("fullscreenScrollbar");
  }

  setFullscreenScrollbar(scrollbar: FullscreenScrollbar): void {
    this.change(["fullscreenScrollbar"], scrollbar);
  }

  getFullscreenCopyOnSelect(): boolean {
    return this.value("fullscreenCopyOnSelect");
  }

  setFullscreenCopyOnSelect(enabled: boolean): void {
    this.change(["fullscreenCopyOnSelect"], enabled);
  }

  getFullscreenWheelScrollLines(): number | "auto" {
    const lines = this.value("fullscreenWheelScrollLines");
    return lines === "auto" ? lines : within("fullscreenWheelScrollLines", lines);
  }

  setFullscreenWheelScrollLines(lines: number | "auto"): void {
    this.change(["fullscreenWheelScrollLines"], lines);
  }

  getEditorPaddingX(): number {
    return within("editorPaddingX", this.value("editorPaddingX"));
  }

  setEditorPaddingX(columns: number): void {
    this.change(["editorPaddingX"], within("editorPaddingX", columns));
  }

  getOutputPad(): number {
    return within("outputPad", this.value("outputPad"));
  }

  setOutputPad(columns: number): void {
    this.change(["outputPad"], within("outputPad", columns));
  }

  getAutocompleteMaxVisible(): number {
    return within("autocompleteMaxVisible", this.value("autocompleteMaxVisible"));
  }

  setAutocompleteMaxVisible(rows: number): void {
    this.change(["autocompleteMaxVisible"], within("autocompleteMaxVisible", rows));
  }

  getShowHardwareCursor(): boolean {
    return this.getSettings().showHardwareCursor ?? process.env["PI_HARDWARE_CURSOR"] === "1";
  }

  setShowHardwareCursor(shown: boolean): void {
    this.change(["showHardwareCursor"], shown);
  }

  getHideThinkingBlock(): boolean {
    return this.value("hideThinkingBlock");
  }

  setHideThinkingBlock(hidden: boolean): void {
    this.change(["hideThinkingBlock"], hidden);
  }

  getShowCacheMissNotices(): boolean {
    return this.value("showCacheMissNotices");
  }

  setShowCacheMissNotices(shown: boolean): void {
    this.change(["showCacheMissNotices"], shown);
  }

  getCollapseChangelog(): boolean {
    return this.value("collapseChangelog");
  }

  setCollapseChangelog(collapsed: boolean): void {
    this.change(["collapseChangelog"], collapsed);
  }

  getLastChangelogVersion(): string | undefined {
    return this.getSettings().lastChangelogVersion;
  }

  setLastChangelogVersion(version: string): void {
    this.change(["lastChangelogVersion"], version);
  }

  getExtensionChangelogVersion(name: string): string | undefined {
    return this.getSettings().extensionChangelogVersions?.[name];
  }

  setExtensionChangelogVersion(name: string, version: string): void {
    this.change(["extensionChangelogVersions", name], version);
  }

  /** A random name for this installation, made when it is asked for first. Nothing is sent anywhere by this. */
  getOrCreateDeviceId(): string {
    const known = this.getSettings().deviceId;
    if (known !== undefined) return known;
    const id = randomUUID();
    this.change(["deviceId"], id);
    return id;
  }

  getShowImages(): boolean {
    return this.getSettings().terminal?.showImages ?? true;
  }

  setShowImages(shown: boolean): void {
    this.change(["terminal", "showImages"], shown);
  }

  getImageWidthCells(): number {
    return Math.max(1, Math.floor(this.getSettings().terminal?.imageWidthCells ?? 60));
  }

  setImageWidthCells(columns: number): void {
    this.change(["terminal", "imageWidthCells"], Math.max(1, Math.floor(columns)));
  }

  getClearOnShrink(): boolean {
    return this.getSettings().terminal?.clearOnShrink ?? process.env["PI_CLEAR_ON_SHRINK"] === "1";
  }

  setClearOnShrink(enabled: boolean): void {
    this.change(["terminal", "clearOnShrink"], enabled);
  }

  getShowTerminalProgress(): boolean {
    return this.getSettings().terminal?.showTerminalProgress ?? false;
  }

  setShowTerminalProgress(shown: boolean): void {
    this.change(["terminal", "showTerminalProgress"], shown);
  }

  /** What the user says the terminal can do; absent = found out. */
  getTerminalCapabilityOverrides(): Pick<TerminalSettings, "hyperlinks" | "images" | "trueColor"> {
    const { hyperlinks, images, trueColor } = this.getSettings().terminal ?? {};
    return {
      ...(hyperlinks !== undefined && hyperlinks !== "auto" && { hyperlinks }),
      ...(images !== undefined && images !== "auto" && { images }),
      ...(trueColor !== undefined && trueColor !== "auto" && { trueColor }),
    };
  }

  getCodeBlockIndent(): string {
    return this.getSettings().markdown?.codeBlockIndent ?? "  ";
  }

  getMermaidRenderingMode(): MermaidRenderingMode {
    return this.getSettings().markdown?.mermaid ?? "streaming";
  }

  setMermaidRenderingMode(mode: MermaidRenderingMode): void {
    this.change(["markdown", "mermaid"], mode);
  }

  getDoubleEscapeAction(): DoubleEscapeAction {
    return this.value("doubleEscapeAction");
  }

  setDoubleEscapeAction(action: DoubleEscapeAction): void {
    this.change(["doubleEscapeAction"], action);
  }

  getTreeFilterMode(): TreeFilterMode {
    return this.value("treeFilterMode");
  }

  setTreeFilterMode(mode: TreeFilterMode): void {
    this.change(["treeFilterMode"], mode);
  }

  getScreenReader(): boolean {
    return this.getSettings().screenReader ?? process.env["PI_SCREEN_READER"] === "1";
  }

  setScreenReader(enabled: boolean): void {
    this.change(["screenReader"], enabled);
  }

  /** The command that edits long texts: the setting, `$VISUAL`, `$EDITOR`, else what the system has. */
  getExternalEditorCommand(): string {
    const { externalEditor } = this.getSettings();
    const fallback = process.platform === "win32" ? "notepad" : "nano";
    return externalEditor || process.env["VISUAL"] || process.env["EDITOR"] || fallback;
  }

  setExternalEditor(command: string | undefined): void {
    this.change(["externalEditor"], command);
  }
}

/** Programs may set what no file may hold. */
function within(key: keyof Settings, value: number): number {
  const { minimum = value, maximum = value } = settingsSchema.properties?.[key] ?? {};
  return Math.min(maximum, Math.max(minimum, Math.floor(value)));
}
