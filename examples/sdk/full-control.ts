/** A host that decides everything: directory, settings, models, tools. Nothing is read from the home directory. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createAgentSession,
  defineTool,
  ModelRuntime,
  SessionManager,
  SettingsManager,
} from "@earendil-works/pi-coding-agent";

const cwd = mkdtempSync(join(tmpdir(), "host-"));
const modelRuntime = await ModelRuntime.create({ authPath: join(cwd, "auth.json"), modelsPath: null });
modelRuntime.registerProvider("gateway", {
  baseUrl: process.env["GATEWAY_URL"] ?? "http://127.0.0.1:8080",
  api: "anthropic-messages",
  apiKey: process.env["GATEWAY_KEY"] ?? "none",
  models: [{ id: "m1", name: "M1", reasoning: false, input: ["text"], contextWindow: 100_000, maxTokens: 4000 }],
});
const model = modelRuntime.getModel("gateway", "m1");

const clock = defineTool({
  name: "clock",
  label: "clock",
  description: "Tells the time",
  parameters: { type: "object", properties: {} },
  async execute() {
    return { content: [{ type: "text", text: "It is noon." }], details: undefined };
  },
});

const { session } = await createAgentSession({
  cwd,
  agentDir: join(cwd, "agent"),
  modelRuntime,
  ...(model && { model }),
  tools: ["read", "clock"],
  customTools: [clock],
  sessionManager: SessionManager.inMemory(cwd),
  settingsManager: SettingsManager.inMemory({ compaction: { enabled: false }, retry: { maxRetries: 1 } }),
});
session.subscribe((event) => {
  if (event.type === "tool_execution_end") console.log(`[${event.toolName}]`);
});
await session.prompt("What time is it?");
console.log(session.getLastAssistantText());
session.dispose();
