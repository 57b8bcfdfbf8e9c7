/**
 * The image library behind one small interface. It is WebAssembly of two megabytes: loaded with the first image that
 * must be changed.
 */
import type { PhotonImage } from "@silvia-odwyer/photon-node";
import type { Pixels } from "./pixels.js";

/** Pictures with more pixels are not decoded: they would fill the memory of the process. */
const MAX_PIXELS = 100_000_000;

export interface ImageCodec {
  /** @throws when the bytes are no picture it knows */
  decode(bytes: Uint8Array): Pixels;
  resize(pixels: Pixels, width: number, height: number): Pixels;
  encodePng(pixels: Pixels): Uint8Array;
  /** @param quality 1 to 100 */
  encodeJpeg(pixels: Pixels, quality: number): Uint8Array;
}

/** Whether a picture of this size may be decoded. */
export function isDecodable(size: { width: number; height: number }): boolean {
  return size.width > 0 && size.height > 0 && size.width * size.height <= MAX_PIXELS;
}

/** Loads the library. */
export async function loadCodec(): Promise<ImageCodec> {
  const module = await import("@silvia-odwyer/photon-node");
  // A CommonJS module: what its named exports are depends on who loads it.
  const photon = "default" in module ? (module.default as typeof module) : module;
  const withImage = <T>(image: PhotonImage, use: (image: PhotonImage) => T): T => {
    try {
      return use(image);
    } finally {
      image.free();
    }
  };
  const pixelsOf = (image: PhotonImage): Pixels => ({
    data: image.get_raw_pixels(),
    width: image.get_width(),
    height: image.get_height(),
  });
  const imageOf = ({ data, width, height }: Pixels) => new photon.PhotonImage(data, width, height);
  return {
    decode: (bytes) => withImage(photon.PhotonImage.new_from_byteslice(bytes), pixelsOf),
    resize: (pixels, width, height) =>
      withImage(imageOf(pixels), (image) =>
        withImage(photon.resize(image, width, height, photon.SamplingFilter.Lanczos3), pixelsOf),
      ),
    encodePng: (pixels) => withImage(imageOf(pixels), (image) => image.get_bytes()),
    encodeJpeg: (pixels, quality) => withImage(imageOf(pixels), (image) => image.get_bytes_jpeg(quality)),
  };
}
