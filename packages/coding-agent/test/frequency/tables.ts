/** What real extensions use, by how many do: extensions.md section 11. */
const words = (text: string) => text.trim().split(/\s+/);

/** Values by module. */
export const values = {
  "pi-coding-agent": words(`
    Theme DynamicBorder keyHint getAgentDir getMarkdownTheme BorderedLoader DEFAULT_MAX_BYTES DEFAULT_MAX_LINES formatSize
    truncateHead CustomEditor withFileMutationQueue createBashTool convertToLlm parseFrontmatter CONFIG_DIR_NAME
    copyToClipboard ModelRegistry serializeConversation createReadTool createWriteTool createEditTool
    createBashToolDefinition createReadToolDefinition createWriteToolDefinition createEditToolDefinition createGrepTool
    createFindTool createLsTool createGrepToolDefinition createFindToolDefinition createLsToolDefinition defineTool
    formatReadLineRange truncateLine truncateTail VERSION SessionManager SettingsManager buildSessionContext
    highlightCode getLanguageFromPath getSettingsListTheme getSelectListTheme keyText rawKeyHint
    ModelSelectorComponent createAgentSession
    createReadOnlyTools createExtensionRuntime loadSkills generateDiffString generateUnifiedPatch renderDiff resizeImage
    createLocalBashOperations isToolCallEventType isBashToolResult`),
  /** Those that only few extensions use and that no other test is about. */
  "pi-coding-agent, rarely": words(`
    AssistantMessageComponent BashExecutionComponent BranchSummaryMessageComponent CompactionSummaryMessageComponent
    CustomMessageComponent SkillInvocationMessageComponent ToolExecutionComponent UserMessageComponent FooterComponent
    truncateToVisualLines getPackageDir getReadmePath getDocsPath getExamplesPath getShellConfig getPowerShellConfig
    CURRENT_SESSION_VERSION parseSessionEntries migrateSessionEntries buildContextEntries buildSessionProjection
    getLatestCompactionEntry sessionEntryToContextMessages parseSkillBlock DEFAULT_COMPACTION_SETTINGS
    calculateContextTokens estimateTokens shouldCompact getLastAssistantUsage findTurnStartIndex findCutPoint compact
    generateSummary generateSummaryWithUsage collectEntriesForBranchSummary prepareBranchEntries generateBranchSummary
    CredentialSynchronizationError resolveModelScopeWithDiagnostics stripFrontmatter wrapRegisteredTool
    wrapRegisteredTools createCodingTools createSyntheticSourceInfo createEventBus formatSkillsForPrompt
    loadSkillsFromDir hasTrustRequiringProjectResources convertToPng detectSupportedImageMimeTypeFromFile
    formatDimensionNote isReadToolResult isEditToolResult isWriteToolResult isGrepToolResult isFindToolResult
    isLsToolResult isPowerShellToolResult createLocalPowerShellOperations createPowerShellTool
    createPowerShellToolDefinition VIRTUAL_MODEL_STATE_ENTRY createCodemodeExtension createMcpExtension
    createToolSearchExtension`),
  "pi-tui": words(`
    Text truncateToWidth matchesKey visibleWidth Container Spacer Box Key SelectList wrapTextWithAnsi Input Markdown
    fuzzyFilter Editor isKeyRelease SettingsList getCapabilities parseKey CURSOR_MARKER renderFakeCursor
    CancellableLoader Image TruncatedText decodeKittyPrintable deleteKittyImage fuzzyMatch getKeybindings hyperlink
    isKeyRepeat`),
  "pi-ai": words(`
    StringEnum complete completeSimple uuidv7 Type calculateCost collapseSystemMessages
    createAssistantMessageEventStream getCurrentSystemPrompt getCurrentTools getCurrentSystemMessage
    ToolCallArgumentsStream anthropicMessagesApi openAIResponsesApi openAICompletionsApi registerApiProvider
    createProvider streamSimple getModel clampThinkingLevel getSupportedThinkingLevels parseJsonWithRepair`),
  "pi-agent-core": words("Agent"),
  typebox: words("Type"),
  "typebox/compile": words("Compile"),
  "typebox/value": words("Check Errors"),
};

/** Types by module. */
export const types = {
  "pi-coding-agent": words(`
    ExtensionAPI ExtensionContext ExtensionCommandContext SessionEntry AgentToolResult MessageRenderOptions
    TruncationResult ToolRenderResultOptions MessageRenderer ExtensionUIContext AgentSession`),
  "pi-tui": words(`
    Component TUI SelectItem Focusable KeyId OverlayHandle AutocompleteItem EditorTheme SettingItem KeybindingsManager
    AutocompleteProvider OverlayOptions OverlayAnchor`),
  "pi-ai": words(
    "Model Api AssistantMessage Message TextContent UserMessage ThinkingLevel ImageContent ProviderHeaders",
  ),
  "pi-agent-core": words("AgentToolResult AgentMessage ThinkingLevel Agent AgentTool StreamFn"),
  typebox: words("Static TUnsafe TSchema"),
};

/** Members of what extensions are given, as the coverage of the examples names them. */
export const members = [
  ...words(`
    session_start session_shutdown before_agent_start turn_end agent_end input session_tree turn_start agent_start
    tool_call tool_result agent_settled model_select user_bash session_before_fork session_before_switch
    session_compact`).map((name) => `event:${name}`),
  ...words(`
    notify custom select setStatus theme setEditorText confirm setWidget getEditorText editor input setEditorComponent
    onTerminalInput`).map((name) => `ui.${name}`),
  ...words(`
    on registerCommand registerTool sendMessage exec appendEntry registerMessageRenderer registerShortcut
    sendUserMessage getThinkingLevel events getActiveTools setActiveTools registerFlag getFlag setModel
    setThinkingLevel getAllTools`).map((name) => `pi.${name}`),
  ...words(`
    ui hasUI sessionManager cwd model modelRegistry mode isIdle waitForIdle navigateTree signal hasPendingMessages
    isProjectTrusted getSystemPrompt`).map((name) => `ctx.${name}`),
  ...words("getBranch getEntries getSessionFile getSessionId getLeafId").map((name) => `session.${name}`),
  ...words("find getApiKeyAndHeaders complete").map((name) => `models.${name}`),
  ...words("renderResult renderCall promptSnippet promptGuidelines executionMode renderShell").map(
    (name) => `tool.${name}`,
  ),
];

/** Gone, and still imported: they read as undefined. */
export const removed = { "pi-tui": words("getEditorKeybindings") };
