import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach } from "vitest";
import { createAgentSessionRuntime } from "../../src/core/agent-session-runtime.js";
import { createAgentSessionServices } from "../../src/core/agent-session-services.js";
import type { ExtensionFactory } from "../../src/core/extensions/types.js";
import { createAgentSessionFromServices } from "../../src/core/sdk.js";
import { SessionManager } from "../../src/core/session-manager.js";
import { displaySettings } from "../../src/modes/interactive/display.js";
import { Front } from "../../src/modes/interactive/front.js";
import { InteractiveMode } from "../../src/modes/interactive/interactive-mode.js";
import { EmulatedTerminal } from "./emulator.js";

export interface ModeOptions {
  /** In the folder that is working directory and agent directory. */
  files?: Record<string, string>;
  factories?: ExtensionFactory[];
  /** For this run. */
  theme?: string;
}

/** The mode in this process, on an emulated terminal, with an empty session in memory. */
export function useMode(): (
  columns?: number,
  rows?: number,
  options?: ModeOptions,
) => Promise<{ mode: InteractiveMode; terminal: EmulatedTerminal }> {
  const endings: (() => void)[] = [];
  afterEach(() => {
    for (const end of endings.splice(0)) end();
  });
  return async (columns = 80, rows = 24, { files = {}, factories, theme } = {}) => {
    const home = mkdtempSync(join(tmpdir(), "pi-mode-"));
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(home, name)), { recursive: true });
      writeFileSync(join(home, name), text);
    }
    const services = await createAgentSessionServices({
      cwd: home,
      agentDir: home,
      resourceLoaderOptions: { extensionFactories: factories },
    });
    const runtime = await createAgentSessionRuntime(
      async ({ sessionManager }) => {
        return { ...(await createAgentSessionFromServices({ services, sessionManager })), services };
      },
      { cwd: home, agentDir: home, sessionManager: SessionManager.inMemory(home) },
    );
    const terminal = new EmulatedTerminal(columns, rows);
    const front = new Front({ agentDir: home, display: displaySettings(services.settingsManager), terminal, theme });
    const mode = new InteractiveMode(runtime, { front });
    mode.init();
    endings.push(() => {
      mode.stop("resume-hint");
      rmSync(home, { recursive: true, force: true });
    });
    return { mode, terminal };
  };
}
