import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";
import { createAgentSessionRuntime } from "../../src/core/agent-session-runtime.js";
import { createAgentSessionServices } from "../../src/core/agent-session-services.js";
import { createAgentSessionFromServices } from "../../src/core/sdk.js";
import { SessionManager } from "../../src/core/session-manager.js";
import { displaySettings } from "../../src/modes/interactive/display.js";
import { Front } from "../../src/modes/interactive/front.js";
import { InteractiveMode } from "../../src/modes/interactive/interactive-mode.js";
import { EmulatedTerminal } from "./emulator.js";

/** The mode in this process, on an emulated terminal, with an empty session in memory. */
export function useMode(): (
  columns?: number,
  rows?: number,
) => Promise<{ mode: InteractiveMode; terminal: EmulatedTerminal }> {
  const endings: (() => void)[] = [];
  afterEach(() => {
    for (const end of endings.splice(0)) end();
  });
  return async (columns = 80, rows = 24) => {
    const home = mkdtempSync(join(tmpdir(), "pi-mode-"));
    const services = await createAgentSessionServices({ cwd: home, agentDir: home });
    const runtime = await createAgentSessionRuntime(
      async ({ sessionManager }) => {
        return { ...(await createAgentSessionFromServices({ services, sessionManager })), services };
      },
      { cwd: home, agentDir: home, sessionManager: SessionManager.inMemory(home) },
    );
    const terminal = new EmulatedTerminal(columns, rows);
    const front = new Front({ agentDir: home, display: displaySettings(services.settingsManager), terminal });
    const mode = new InteractiveMode(runtime, { front });
    mode.init();
    endings.push(() => {
      mode.stop("resume-hint");
      rmSync(home, { recursive: true, force: true });
    });
    return { mode, terminal };
  };
}
