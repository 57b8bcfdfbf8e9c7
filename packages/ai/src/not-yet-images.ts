/**
 * Names of the contract about models that make images and about the loading of Bedrock: they exist, so that imports
 * resolve. No such model is bundled, and what would need one says so. Source: exports.md section 1.3 ([L]).
 */
import type {
  AssistantImages,
  ImageModel,
  ImagesContext,
  ImagesFunction,
  ImagesOptions,
} from "./models/other-model-types.js";

/** Id of a built-in provider of such models: there is none. */
export type BuiltinImageProvider = never;
export type ImagesApiFunction = ImagesFunction;

/** The implementation of one API for images. */
export interface ImagesApiProvider {
  api: string;
  generateImages: ImagesApiFunction;
}

const NOT_YET = "Image generation is not available in this release.";

/** Always undefined: no model for images is bundled. */
export function getImageModel(_provider: string, _id: string): ImageModel | undefined {
  return undefined;
}

/** Always empty: no model for images is bundled. */
export function getImageModels(_provider: string): ImageModel[] {
  return [];
}

/** Always empty: no model for images is bundled. */
export function getImageProviders(): BuiltinImageProvider[] {
  return [];
}

/** Never rejects: the answer is an error. */
export function generateImages(
  _model: ImageModel,
  _context: ImagesContext,
  _options?: ImagesOptions,
): Promise<AssistantImages> {
  return Promise.resolve({ output: [], stopReason: "error", errorMessage: NOT_YET });
}

/** Never rejects: the answer is an error. */
export const generateImagesOpenRouter: typeof generateImages = generateImages;

/** @throws Error always */
export function registerImagesApiProvider(_provider: ImagesApiProvider, _sourceId?: string): void {
  throw new Error(NOT_YET);
}

/** Always undefined: none can be registered. */
export function getImagesApiProvider(_api: string): ImagesApiProvider | undefined {
  return undefined;
}

/** There are none to register. */
export function registerBuiltInImagesApiProviders(): void {}

/** @throws Error always: the API is loaded with its first request, from this package */
export function setBedrockProviderModule(_module: unknown): void {
  throw new Error(
    "The Bedrock API of this release cannot be replaced. Register one of your own with registerApiProvider.",
  );
}

/** @throws Error always: see `setBedrockProviderModule` */
export const setBedrockProviderLoader: (loader: unknown) => void = setBedrockProviderModule;
