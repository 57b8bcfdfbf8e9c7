export { Marked, type Token, type Tokens } from "marked";
export { CombinedAutocompleteProvider } from "./autocomplete/combined-provider.js";
export type {
  AutocompleteItem,
  AutocompleteProvider,
  AutocompleteSuggestions,
  SlashCommand,
} from "./autocomplete/types.js";
export {
  type Color,
  type ColorMixSpace,
  colorToHex,
  colorToOkhsl,
  colorToOklch,
  colorToRgb,
  type IndexedColor,
  indexedColor,
  mixColors,
  type OkhslChannels,
  type OklchChannels,
  type OklchColorValue,
  okhslColor,
  oklchColor,
  parseColor,
  type RgbColorValue,
  rgbColor,
} from "./color/color.js";
export { oklabToOkhslLightness } from "./color/okhsl.js";
export {
  backgroundAnsi,
  foregroundAnsi,
  styleText,
  styleTextWithAnsi,
  type TextAttributes,
  type TextStyle,
} from "./color/style.js";
export { Box } from "./components/box.js";
export { Container } from "./components/container.js";
export { Editor } from "./components/editor.js";
export type { EditorComponent, EditorOptions, EditorTheme } from "./components/editor-types.js";
export { Image, type ImageOptions, type ImageTheme } from "./components/image.js";
export { Input, type InputOptions } from "./components/input.js";
export { CancellableLoader, Loader, type LoaderIndicatorOptions } from "./components/loader.js";
export { Markdown } from "./components/markdown.js";
export {
  type SelectItem,
  SelectList,
  type SelectListLayoutOptions,
  type SelectListTheme,
  type SelectListTruncatePrimaryContext,
} from "./components/select-list.js";
export {
  type SettingItem,
  SettingsList,
  type SettingsListOptions,
  type SettingsListTheme,
} from "./components/settings-list.js";
export { Spacer } from "./components/spacer.js";
export { Text } from "./components/text.js";
export { TruncatedText } from "./components/truncated-text.js";
export { CURSOR_MARKER, renderFakeCursor } from "./cursor.js";
export { isFocusable, isViewportTUI } from "./focusable.js";
export { type FuzzyMatch, fuzzyFilter, fuzzyMatch } from "./fuzzy.js";
export {
  getGifDimensions,
  getImageDimensions,
  getJpegDimensions,
  getPngDimensions,
  getWebpDimensions,
  type ImageDimensions,
} from "./images/dimensions.js";
export {
  allocateImageId,
  calculateImageRows,
  deleteAllKittyImages,
  deleteKittyImage,
  encodeITerm2,
  encodeKitty,
  type ImageRenderOptions,
  type ImageTranscoder,
  imageFallback,
  renderImage,
  setImageTranscoder,
} from "./images/protocols.js";
export {
  type Keybinding,
  type KeybindingDefinition,
  type KeybindingDefinitions,
  type Keybindings,
  TUI_KEYBINDINGS,
} from "./keys/default-bindings.js";
export { Key, type KeyEventType, type KeyId } from "./keys/key-id.js";
export {
  getKeybindings,
  getSelectPageIndex,
  type KeybindingConflict,
  type KeybindingsConfig,
  KeybindingsManager,
  setKeybindings,
} from "./keys/keybindings.js";
export { decodeKittyPrintable, isKeyRelease, isKeyRepeat, matchesKey, parseKey } from "./keys/keys.js";
export { isKittyProtocolActive, setKittyProtocolActive } from "./keys/kitty-state.js";
export { MouseRegion, type MouseRegionHandler } from "./layout/mouse-region.js";
export {
  ScrollView,
  type ScrollViewOptions,
  type ScrollViewScrollbar,
  type ScrollViewScrollToOptions,
} from "./layout/scroll-view.js";
export {
  HStack,
  type StackChild,
  type StackEntry,
  type StackEntryOptions,
  type StackOptions,
  VStack,
} from "./layout/stacks.js";
export { type RenderLatexOptions, renderLatex } from "./markdown/latex.js";
export type { DefaultTextStyle, MarkdownOptions, MarkdownTheme } from "./markdown/types.js";
export { TuiAltScreen, type TuiAltScreenOptions } from "./screen/alt-screen.js";
export { type ComponentFailureListener, onComponentFailure } from "./screen/draw-component.js";
export { TuiMainScreen, type TuiMainScreenRenderState } from "./screen/main-screen.js";
export type { WheelScrollLines } from "./screen/mouse-input.js";
export {
  type CellDimensions,
  detectCapabilities,
  getCapabilities,
  getCellDimensions,
  getTerminalColorMode,
  type ImageProtocol,
  isAppleTerminalSession,
  resetCapabilitiesCache,
  setCapabilities,
  setCapabilityOverrides,
  setCellDimensions,
  type TerminalCapabilities,
  type TerminalColorMode,
} from "./terminal/capabilities.js";
export { getNativeClipboard, type NativeClipboard } from "./terminal/native-clipboard.js";
export { ProcessTerminal } from "./terminal/process-terminal.js";
export { formatProgramStatus, parseTerminalColorSchemeReport } from "./terminal/replies.js";
export { StdinBuffer, type StdinBufferEventMap, type StdinBufferOptions } from "./terminal/stdin-buffer.js";
export { replaceControlCharacters, stripTerminalSequences } from "./text/escapes.js";
export { getOsc8LinkAtColumn, hyperlink } from "./text/links.js";
export { compositeTuiLine, sliceByColumn } from "./text/slice.js";
export { truncateToWidth } from "./text/truncate.js";
export { visibleWidth } from "./text/width.js";
export { wrapTextWithAnsi } from "./text/wrap.js";
export type * from "./types.js";
