import type { AgentTool } from "@earendil-works/pi-agent-core";
import { getCurrentSystemMessage, type SystemMessage } from "@earendil-works/pi-ai";
import type { ExtensionToolContext, ToolDefinition } from "../extensions/types.js";
import { buildSystemPromptSections } from "../system-prompt.js";
import type { ToolRegistry } from "../tool-registry.js";
import { wrapToolDefinition } from "../tools/tool-definition-wrapper.js";
import type { SessionCore } from "./session-core.js";

/** The tools of a session, which of them are active, and the system prompt that follows from them. */
export class ActiveTools {
  readonly #core: SessionCore;
  readonly #registry: ToolRegistry;
  #active: string[];
  /** The prompt may have changed since the transcript last declared it. */
  #mayHaveChanged = true;

  constructor(core: SessionCore, registry: ToolRegistry) {
    this.#core = core;
    this.#registry = registry;
    this.#active = registry.active;
    core.agent.state.tools = this.#agentTools();
  }

  get names(): string[] {
    return [...this.#active];
  }

  get definitions(): ToolDefinition[] {
    return [...this.#registry.definitions.values()];
  }

  definition(name: string): ToolDefinition | undefined {
    return this.#registry.definitions.get(name);
  }

  /** Kept tools keep their order, new ones follow; unknown names are ignored. */
  activate(names: readonly string[]): void {
    const wanted = names.filter((name) => this.#registry.definitions.has(name));
    const kept = this.#active.filter((name) => wanted.includes(name));
    this.#active = [...new Set([...kept, ...wanted])];
    this.#core.agent.state.tools = this.#agentTools();
    this.#mayHaveChanged = true;
  }

  promptSections(): Record<string, string> {
    const { cwd, resources } = this.#core.services;
    return buildSystemPromptSections({
      cwd,
      tools: this.#activeDefinitions(),
      customPrompt: resources.systemPrompt,
      appendSystemPrompt: resources.appendSystemPrompt,
      contextFiles: resources.contextFiles,
      skills: resources.skills,
      docs: resources.docs,
    });
  }

  /** What changed in the system prompt since the transcript last declared it; undefined when nothing did. */
  systemPatch(): SystemMessage | undefined {
    this.#mayHaveChanged = false;
    const declared = getCurrentSystemMessage(this.#core.agent.state.messages)?.sections ?? {};
    const wanted = this.promptSections();
    const sections: Record<string, string | null> = {};
    for (const [name, value] of Object.entries(wanted)) if (declared[name] !== value) sections[name] = value;
    for (const [name, value] of Object.entries(declared)) {
      if (value !== null && wanted[name] === undefined) sections[name] = null;
    }
    if (Object.keys(sections).length === 0) return undefined;
    return { role: "system", content: "", sections, timestamp: Date.now() };
  }

  /** As `systemPatch`, without looking when nothing can have changed: asked before every request. */
  systemPatchIfChanged(): SystemMessage | undefined {
    return this.#mayHaveChanged ? this.systemPatch() : undefined;
  }

  #activeDefinitions(): ToolDefinition[] {
    return this.#active.flatMap((name) => this.#registry.definitions.get(name) ?? []);
  }

  #agentTools(): AgentTool[] {
    return this.#activeDefinitions().map((definition) => wrapToolDefinition(definition, () => this.#toolContext()));
  }

  /** Getters, so that a tool that runs for long sees the state of the moment. */
  #toolContext(): ExtensionToolContext {
    const core = this.#core;
    const context = {
      get cwd() {
        return core.services.cwd;
      },
      get model() {
        return core.model;
      },
      get thinkingLevel() {
        return core.agent.state.thinkingLevel;
      },
      get sessionManager() {
        return core.sessionManager;
      },
      get tools() {
        return core.agent.state.tools;
      },
      executeTool() {
        return Promise.reject(new Error("Tools cannot call other tools in this release."));
      },
    };
    return context as unknown as ExtensionToolContext;
  }
}
