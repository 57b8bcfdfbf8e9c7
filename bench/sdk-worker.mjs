// Many sessions in one process, each with an answered prompt; reports what they take together.
import {
  AgentSession,
  createAgentSession,
  ModelRuntime,
  SessionManager,
  SettingsManager,
} from "@earendil-works/pi-coding-agent";

const [count = "", agentDir = "", cwd = ""] = process.argv.slice(2);
const modelRuntime = await ModelRuntime.create({
  authPath: `${agentDir}/auth.json`,
  modelsPath: `${agentDir}/models.json`,
});
const model = modelRuntime.getModel("scripted", "scripted");
/** @type {AgentSession[]} */
const sessions = [];
const started = performance.now();
for (let number = 0; number < Number(count); number++) {
  const { session } = await createAgentSession({
    cwd,
    agentDir,
    modelRuntime,
    model,
    sessionManager: SessionManager.inMemory(cwd),
    settingsManager: SettingsManager.inMemory(),
  });
  await session.prompt("Say something.");
  if (session.messages.at(-1)?.role !== "assistant") throw new Error("no answer");
  sessions.push(session);
}
const ms = performance.now() - started;
console.log(JSON.stringify({ ms, peakMb: process.resourceUsage().maxRSS / 1024 }));
for (const session of sessions) session.dispose();
