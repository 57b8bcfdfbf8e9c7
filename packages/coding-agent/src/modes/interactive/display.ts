import type { TerminalCapabilities, TuiMode } from "@earendil-works/pi-tui";
import type { SettingsManager } from "../../core/settings/settings-manager.js";

/** The settings that the screen follows, as they are at one moment. */
export interface DisplaySettings {
  theme: string;
  quietStartup: boolean | "header";
  tuiMode: TuiMode;
  fullscreenExitOutput: "transcript" | "resume-hint";
  fullscreenScrollbar: "auto" | "always" | "hidden";
  fullscreenCopyOnSelect: boolean;
  fullscreenWheelScrollLines: number | "auto";
  editorPaddingX: number;
  outputPad: number;
  autocompleteMaxVisible: number;
  showHardwareCursor: boolean;
  hideThinkingBlock: boolean;
  showImages: boolean;
  imageWidthCells: number;
  clearOnShrink: boolean;
  showTerminalProgress: boolean;
  codeBlockIndent: string;
  /** What the user says the terminal can do. */
  capabilities: Partial<TerminalCapabilities>;
}

export function displaySettings(settings: SettingsManager): DisplaySettings {
  return {
    theme: settings.getThemeSetting(),
    quietStartup: settings.getQuietStartup(),
    tuiMode: settings.getTuiMode(),
    fullscreenExitOutput: settings.getFullscreenExitOutput(),
    fullscreenScrollbar: settings.getFullscreenScrollbar(),
    fullscreenCopyOnSelect: settings.getFullscreenCopyOnSelect(),
    fullscreenWheelScrollLines: settings.getFullscreenWheelScrollLines(),
    editorPaddingX: settings.getEditorPaddingX(),
    outputPad: settings.getOutputPad(),
    autocompleteMaxVisible: settings.getAutocompleteMaxVisible(),
    showHardwareCursor: settings.getShowHardwareCursor(),
    hideThinkingBlock: settings.getHideThinkingBlock(),
    showImages: settings.getShowImages(),
    imageWidthCells: settings.getImageWidthCells(),
    clearOnShrink: settings.getClearOnShrink(),
    showTerminalProgress: settings.getShowTerminalProgress(),
    codeBlockIndent: settings.getCodeBlockIndent(),
    capabilities: capabilitiesOf(settings),
  };
}

function capabilitiesOf(settings: SettingsManager): Partial<TerminalCapabilities> {
  const { hyperlinks, images, trueColor } = settings.getTerminalCapabilityOverrides();
  return {
    ...(typeof hyperlinks === "boolean" && { hyperlinks }),
    ...(typeof trueColor === "boolean" && { trueColor }),
    ...(images !== undefined && images !== "auto" && { images: images === false ? null : images }),
  };
}
