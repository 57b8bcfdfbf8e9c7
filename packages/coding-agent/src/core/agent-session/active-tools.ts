import type { AgentTool } from "@earendil-works/pi-agent-core";
import { getCurrentSystemMessage, type SystemMessage } from "@earendil-works/pi-ai";
import { waiting } from "../extensions/running/waits.js";
import type {
  NormalizedBuildSystemPromptOptions,
  RegisteredTool,
  ToolDefinition,
  ToolInfo,
} from "../extensions/types.js";
import { buildSystemPromptSections } from "../system-prompt.js";
import { isVisible, type ToolRegistry } from "../tool-registry.js";
import { wrapToolDefinition } from "../tools/tool-definition-wrapper.js";
import type { SessionCore } from "./session-core.js";

/** The tools of a session, which of them are active, and the system prompt that follows from them. */
export class ActiveTools {
  readonly #core: SessionCore;
  readonly #select: (fromExtensions: readonly RegisteredTool[]) => ToolRegistry;
  #registry: ToolRegistry;
  #active: string[];
  /** The prompt of the run in progress, as extensions want it. */
  #runPrompt: NormalizedBuildSystemPromptOptions | undefined;
  /** The active tools as they were told to extensions. */
  #toldTools: readonly string[] = [];
  /** The prompt may have changed since the transcript last declared it. */
  #mayHaveChanged = true;

  /** @param select chooses among the tools there are and those of extensions */
  constructor(core: SessionCore, select: (fromExtensions: readonly RegisteredTool[]) => ToolRegistry) {
    this.#core = core;
    this.#select = select;
    this.#registry = select(core.extensions.getAllRegisteredTools());
    this.#active = this.#registry.active;
    core.agent.state.tools = this.#agentTools(this.#activeDefinitions());
  }

  get names(): string[] {
    return [...this.#active];
  }

  /** All there are, active or not. */
  get infos(): ToolInfo[] {
    return [...this.#registry.definitions.values()].map((tool) => this.#info(tool));
  }

  /** What tools may run: everything that is not withdrawn, nor for the model alone. */
  get callable(): AgentTool[] {
    const visible = [...this.#registry.definitions.values()].filter(isVisible);
    return this.#agentTools(visible.filter(({ exposure }) => exposure !== "model-only"));
  }

  definition(name: string): ToolDefinition | undefined {
    return this.#registry.definitions.get(name);
  }

  /** The extension a tool comes from; undefined for built-in ones. */
  ownerOf(name: string): string | undefined {
    const source = this.#registry.sourceInfos.get(name);
    return source && this.#core.extensions.extensions.find(({ path }) => path === source.path)?.path;
  }

  /** Kept tools keep their order, new ones follow; unknown and withdrawn names are ignored. */
  activate(names: readonly string[]): void {
    const wanted = names.filter((name) => isVisible(this.#registry.definitions.get(name)));
    const kept = this.#active.filter((name) => wanted.includes(name));
    this.#active = [...new Set([...kept, ...wanted])];
    this.#changed();
  }

  /** The extensions have other tools now: new ones become active as they say, the rest stays as it is. */
  refresh(): void {
    const known = this.#registry.definitions;
    this.#registry = this.#select(this.#core.extensions.getAllRegisteredTools());
    const { definitions, active } = this.#registry;
    // One that was withdrawn and is there again is as good as new.
    const fresh = active.filter((name) => !isVisible(known.get(name)));
    this.#active = [...this.#active, ...fresh].filter((name) => isVisible(definitions.get(name)));
    this.#changed();
  }

  /** The prompt must be looked at again: what it is made from has changed. */
  promptChanged(): void {
    this.#mayHaveChanged = true;
  }

  /** What the system prompt is made from now. */
  promptOptions(): NormalizedBuildSystemPromptOptions {
    const { cwd, resources } = this.#core.services;
    const tools = this.#activeDefinitions();
    return {
      ...(resources.systemPrompt !== undefined && { customPrompt: resources.systemPrompt }),
      selectedTools: this.names,
      hiddenTools: [],
      toolSnippets: Object.fromEntries(
        tools.flatMap(({ name, promptSnippet }) => (promptSnippet ? [[name, promptSnippet]] : [])),
      ),
      toolGuidelines: Object.fromEntries(
        tools.flatMap(({ name, promptGuidelines }) => (promptGuidelines ? [[name, [...promptGuidelines]]] : [])),
      ),
      promptGuidelines: [],
      appendSystemPrompt: resources.appendSystemPrompt.join("\n\n"),
      sections: {},
      cwd,
      contextFiles: [...resources.contextFiles],
      skills: [...resources.skills],
    };
  }

  /** Lets extensions make the prompt of one run: what they change in the options shows at once. */
  beginRunPrompt(): NormalizedBuildSystemPromptOptions {
    this.#runPrompt = this.promptOptions();
    this.#toldTools = this.names;
    return this.#runPrompt;
  }

  endRunPrompt(): void {
    if (!this.#runPrompt) return;
    this.#runPrompt = undefined;
    this.#mayHaveChanged = true;
  }

  /** @throws Error `Invalid system prompt section name: <name>` */
  promptSections(): Record<string, string> {
    const options = this.#runPrompt ?? this.promptOptions();
    if (options.forceSystemPrompt !== undefined) return { preamble: options.forceSystemPrompt };
    const { selectedTools, hiddenTools, toolSnippets, toolGuidelines } = options;
    // While nobody chose others, tools that become active during the run count too.
    const isLive = selectedTools.join() === this.#toldTools.join();
    const told = isLive || !this.#runPrompt ? this.#activeDefinitions().map(({ name }) => name) : selectedTools;
    return buildSystemPromptSections({
      cwd: options.cwd,
      tools: told
        .filter((name) => !hiddenTools.includes(name))
        .map((name) => ({
          name,
          promptSnippet: toolSnippets[name] ?? this.definition(name)?.promptSnippet,
          promptGuidelines: toolGuidelines[name] ?? this.definition(name)?.promptGuidelines,
        })),
      customPrompt: options.customPrompt,
      appendSystemPrompt: options.appendSystemPrompt === "" ? [] : [options.appendSystemPrompt],
      contextFiles: options.contextFiles,
      skills: options.skills,
      docs: this.#core.services.resources.docs,
      promptGuidelines: options.promptGuidelines,
      sections: options.sections,
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

  #changed(): void {
    this.#core.agent.state.tools = this.#agentTools(this.#activeDefinitions());
    this.#mayHaveChanged = true;
  }

  #activeDefinitions(): ToolDefinition[] {
    return this.#active.flatMap((name) => this.#registry.definitions.get(name) ?? []);
  }

  #agentTools(definitions: readonly ToolDefinition[]): AgentTool[] {
    const { extensions } = this.#core;
    return definitions.map((definition) => {
      const tool = wrapToolDefinition(definition, (toolCallId, signal) =>
        extensions.createToolContext(toolCallId, signal),
      );
      const extensionPath = this.ownerOf(definition.name);
      if (extensionPath === undefined) return tool;
      const { execute } = tool;
      const wait = { extensionPath, what: `the tool "${definition.name}"` };
      return { ...tool, execute: (...call: Parameters<typeof execute>) => waiting(wait, execute(...call)) };
    });
  }

  #info(tool: ToolDefinition): ToolInfo {
    const { name, description, parameters, promptGuidelines, exposure = "direct" } = tool;
    const sourceInfo = this.#registry.sourceInfos.get(name);
    if (!sourceInfo) throw new Error(`Tool ${name} has no source`);
    return {
      name,
      description,
      parameters,
      exposure,
      sourceInfo,
      ...(promptGuidelines && { promptGuidelines }),
      ...(tool.namespace && { namespace: tool.namespace }),
      ...(tool.annotations && { annotations: tool.annotations }),
      ...(tool.reachesTools !== undefined && { reachesTools: tool.reachesTools }),
    };
  }
}
