/** The system's clipboard, where a native module gives access to it. */
export interface NativeClipboard {
  getText(): Promise<string | null | undefined>;
  /** A PNG. */
  getImage(): Promise<Uint8Array | null | undefined>;
  getFilePaths?(): Promise<string[] | null | undefined>;
  setText?(text: string): Promise<void>;
}

/** The clipboard by a native module; none is part of this package, so that callers use the system's programs. */
export function getNativeClipboard(): NativeClipboard | undefined {
  return undefined;
}
