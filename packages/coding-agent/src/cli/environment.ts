/** Environment variables that people may set, once: help and documentation derive from this table. */
export interface EnvironmentVariable {
  name: string;
  description: string;
}

export const environmentVariables: readonly EnvironmentVariable[] = [
  { name: "PI_CODING_AGENT_DIR", description: "Agent directory (default: ~/.pi/agent)" },
  { name: "PI_CODING_AGENT_SESSION_DIR", description: "Where sessions are kept; --session-dir comes first" },
  { name: "PI_OFFLINE", description: "1: no network but the model's, as --offline" },
  { name: "PI_TIMING", description: "1: print on stderr where the time of the start goes" },
  { name: "PI_STARTUP_BENCHMARK", description: "1: start at the terminal, show the session, and end" },
  { name: "NO_COLOR", description: "No colours" },
  { name: "HTTP_PROXY, HTTPS_PROXY, NO_PROXY", description: "How servers are reached" },
  { name: "VISUAL, EDITOR", description: "Editor for long prompts" },
  { name: "ANTHROPIC_API_KEY, OPENAI_API_KEY, ...", description: "Keys of model providers" },
];
