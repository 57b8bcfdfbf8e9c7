/** Models that do not chat, and cache warming. Types only: nothing answers such requests yet. Source: llm.md section 17. */
import type {
  Api,
  BaseModel,
  ImageContent,
  JsonValue,
  Model,
  ProviderRequestOptions,
  TextContent,
  Usage,
} from "../types.js";

export type KnownImageApi = "openrouter-images";
export type ImageApi = KnownImageApi | (string & {});

/** A model that makes images. */
export interface ImageModel<A extends ImageApi = ImageApi> extends BaseModel<A> {
  type: "image";
  output: ("text" | "image")[];
}

export type ImagesInputContent = TextContent | ImageContent;
export type ImagesOutputContent = TextContent | ImageContent;
export type ImagesStopReason = "stop" | "error" | "aborted";

export interface ImagesContext {
  input: ImagesInputContent[];
}

export interface AssistantImages {
  output: ImagesOutputContent[];
  stopReason: ImagesStopReason;
  errorMessage?: string;
  usage?: Usage;
}

export type ProviderImagesOptions = ProviderRequestOptions<ImageModel>;
export type ImagesOptions = ProviderImagesOptions;
export type ImagesFunction<A extends ImageApi = ImageApi> = (
  model: ImageModel<A>,
  context: ImagesContext,
  options?: ImagesOptions,
) => Promise<AssistantImages>;

export interface ProviderImages {
  generateImages: ImagesFunction;
}

export type KnownClassifierApi =
  | "typesafe-system-one"
  | "cloudflare-workers-ai-system-one"
  | "llama-cpp-classify"
  | "openai-decisions";
export type ClassifierApi = KnownClassifierApi | (string & {});

/** A model that answers typed questions with probabilities. */
export interface ClassifierModel<A extends ClassifierApi = ClassifierApi> extends BaseModel<A> {
  type: "classifier";
  contextWindow: number;
}

export interface ClassifierChoiceQuestion {
  type: "choice";
  id: string;
  question: string;
  choices: string[];
}
export interface ClassifierScoreQuestion {
  type: "score";
  id: string;
  question: string;
  min?: number;
  max?: number;
}
export interface ClassifierBoolQuestion {
  type: "bool";
  id: string;
  question: string;
}
export type ClassifierQuestion = ClassifierChoiceQuestion | ClassifierScoreQuestion | ClassifierBoolQuestion;

export interface ClassifierContext {
  state: JsonValue;
  images?: ImageContent[];
  questions: ClassifierQuestion[];
}

export interface ClassifierChoiceAnswer {
  type: "choice";
  id: string;
  choice: string;
  probabilities: Record<string, number>;
}
export interface ClassifierScoreAnswer {
  type: "score";
  id: string;
  score: number;
}
export interface ClassifierBoolAnswer {
  type: "bool";
  id: string;
  value: boolean;
  probability: number;
}
export type ClassifierAnswer = ClassifierChoiceAnswer | ClassifierScoreAnswer | ClassifierBoolAnswer;
export type ClassifierStopReason = "stop" | "error" | "aborted";

export interface ClassifierResult {
  answers: ClassifierAnswer[];
  stopReason: ClassifierStopReason;
  errorMessage?: string;
  usage?: Usage;
}

export type ClassifierOptions = ProviderRequestOptions<ClassifierModel>;
export type ClassifierFunction<A extends ClassifierApi = ClassifierApi> = (
  model: ClassifierModel<A>,
  context: ClassifierContext,
  options?: ClassifierOptions,
) => Promise<ClassifierResult>;

export interface ProviderClassifier {
  classify: ClassifierFunction;
}

export interface SystemOneCompat {
  [flag: string]: JsonValue;
}

// ---------------------------------------------------------------------------------------------------------------------

export interface ModelTypeMap {
  chat: Model<Api>;
  image: ImageModel<ImageApi>;
  classifier: ClassifierModel<ClassifierApi>;
}
export type ModelType = keyof ModelTypeMap;
export type AnyModel = ModelTypeMap[ModelType];

export type CacheWarmingPhase = "streaming" | "idle";
export type CacheWarmingAction = "warm" | "skip";
export interface CacheWarmingDecision {
  action: CacheWarmingAction;
  /** US dollars. */
  expectedSavings: number;
  reason?: string;
}
