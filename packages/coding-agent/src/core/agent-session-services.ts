import { existsSync } from "node:fs";
import { join } from "node:path";
import { getAgentDir } from "../config.js";
import { ModelRuntime } from "./models/model-runtime.js";
import { type ContextFile, loadProjectContextFiles } from "./resources/context-files.js";
import { findProductDocs, type ProductDocs } from "./resources/product-docs.js";
import type { Skill } from "./resources/skill-file.js";
import { loadSkills } from "./resources/skills.js";
import { SettingsManager } from "./settings/settings-manager.js";
import { readTextIfExists } from "./storage/files.js";
import { readNamedFile } from "./storage/named-file.js";

export interface AgentSessionRuntimeDiagnostic {
  type: "info" | "warning" | "error";
  message: string;
}

/** Texts of the project and the user that go into the system prompt. */
export interface PromptResources {
  contextFiles: ContextFile[];
  systemPrompt?: string;
  appendSystemPrompt: string[];
  skills: Skill[];
  /** Where the product's own documents are. */
  docs: ProductDocs;
}

/** What belongs to a working directory: settings, credentials, models, resources. */
export interface AgentSessionServices {
  cwd: string;
  agentDir: string;
  settingsManager: SettingsManager;
  modelRuntime: ModelRuntime;
  resources: PromptResources;
  /** Problems met on the way; never printed here. */
  diagnostics: AgentSessionRuntimeDiagnostic[];
}

export interface CreateAgentSessionServicesOptions {
  cwd: string;
  agentDir?: string | undefined;
  settingsManager?: SettingsManager | undefined;
  modelRuntime?: ModelRuntime | undefined;
  /** Text, or the path of a file that holds it. */
  systemPrompt?: string | undefined;
  /** As `systemPrompt`, each. Given = APPEND_SYSTEM.md is not looked for. */
  appendSystemPrompt?: string[] | undefined;
  noContextFiles?: boolean | undefined;
  /** Skills to load before the user's own: folders and Markdown files. */
  skillPaths?: string[] | undefined;
  /** Only those of `skillPaths`. */
  noSkills?: boolean | undefined;
}

export function createAgentSessionServices(options: CreateAgentSessionServicesOptions): AgentSessionServices {
  const { cwd, agentDir = getAgentDir() } = options;
  const settingsManager = options.settingsManager ?? SettingsManager.create(cwd, agentDir);
  const modelRuntime = options.modelRuntime ?? new ModelRuntime({ agentDir });
  const diagnostics: AgentSessionRuntimeDiagnostic[] = settingsManager
    .drainErrors()
    .map(({ error }) => ({ type: "warning", message: error.message }));
  const modelsError = modelRuntime.getError();
  if (modelsError) diagnostics.push({ type: "warning", message: `errors loading models.json:\n${modelsError}` });
  const warn = (message: string) => diagnostics.push({ type: "warning", message });
  const { skills, diagnostics: skillProblems } = loadSkills({
    cwd,
    agentDir,
    skillPaths: options.skillPaths ?? [],
    includeDefaults: options.noSkills !== true,
  });
  for (const { path, message } of skillProblems) warn(`${path}: ${message}`);
  const systemPrompt = textOrFile(options.systemPrompt, warn) ?? readTextIfExists(join(agentDir, "SYSTEM.md"));
  const appended = options.appendSystemPrompt?.map((value) => textOrFile(value, warn) ?? "");
  const appendFile = appended ? undefined : readTextIfExists(join(agentDir, "APPEND_SYSTEM.md"));
  return {
    cwd,
    agentDir,
    settingsManager,
    modelRuntime,
    resources: {
      contextFiles: options.noContextFiles ? [] : loadProjectContextFiles({ cwd, agentDir }, warn),
      ...(systemPrompt !== undefined && { systemPrompt }),
      appendSystemPrompt: appended ?? (appendFile === undefined ? [] : [appendFile]),
      skills,
      docs: findProductDocs(),
    },
    diagnostics,
  };
}

/** A value that names an existing file stands for its text. */
function textOrFile(value: string | undefined, warn: (message: string) => void): string | undefined {
  if (value === undefined || value.includes("\n") || value.length > 4096 || !existsSync(value)) return value;
  try {
    return readNamedFile(value)
      .toString("utf8")
      .replace(/^\uFEFF/, "");
  } catch (error) {
    warn(`Could not read ${value}, so it is used as text: ${(error as Error).message}`);
    return value;
  }
}
