import { describe, expect, it } from "vitest";
import * as tui from "./index.js";

describe("the package", () => {
  it("exports the values of the contract, and no others", () => {
    const contract = `Container Text TruncatedText Box Spacer Image Loader CancellableLoader Input SelectList SettingsList
      Markdown Editor VStack HStack ScrollView MouseRegion TuiMainScreen TuiAltScreen ProcessTerminal StdinBuffer
      KeybindingsManager CombinedAutocompleteProvider Marked CURSOR_MARKER renderFakeCursor isFocusable isViewportTUI
      compositeTuiLine Key matchesKey parseKey isKeyRelease isKeyRepeat decodeKittyPrintable setKittyProtocolActive
      isKittyProtocolActive TUI_KEYBINDINGS getKeybindings setKeybindings getSelectPageIndex visibleWidth truncateToWidth
      wrapTextWithAnsi sliceByColumn stripTerminalSequences replaceControlCharacters getOsc8LinkAtColumn hyperlink
      fuzzyMatch fuzzyFilter parseColor indexedColor rgbColor oklchColor okhslColor colorToHex colorToRgb colorToOklch
      colorToOkhsl mixColors foregroundAnsi backgroundAnsi styleText styleTextWithAnsi oklabToOkhslLightness
      detectCapabilities getCapabilities setCapabilities setCapabilityOverrides resetCapabilitiesCache
      getTerminalColorMode getCellDimensions setCellDimensions parseTerminalColorSchemeReport formatProgramStatus
      isAppleTerminalSession renderLatex getNativeClipboard allocateImageId calculateImageRows deleteAllKittyImages
      deleteKittyImage encodeITerm2 encodeKitty getGifDimensions getImageDimensions getJpegDimensions getPngDimensions
      getWebpDimensions imageFallback renderImage setImageTranscoder onComponentFailure`;
    expect(Object.keys(tui).sort()).toEqual(contract.split(/\s+/).sort());
  });
});
