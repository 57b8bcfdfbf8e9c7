import type { AgentSession } from "./agent-session.js";
import type { AgentSessionRuntimeDiagnostic, AgentSessionServices } from "./agent-session-services.js";

/** Owns the current session and the services behind it; what a mode drives. */
export class AgentSessionRuntime {
  readonly session: AgentSession;
  readonly services: AgentSessionServices;
  readonly modelFallbackMessage: string | undefined;

  constructor(session: AgentSession, services: AgentSessionServices, modelFallbackMessage?: string) {
    this.session = session;
    this.services = services;
    this.modelFallbackMessage = modelFallbackMessage;
  }

  get cwd(): string {
    return this.services.cwd;
  }

  get diagnostics(): readonly AgentSessionRuntimeDiagnostic[] {
    return this.services.diagnostics;
  }

  /** Aborts the run, waits for its results to be stored, and ends the session. */
  async dispose(): Promise<void> {
    await this.session.abort();
    this.session.dispose();
    // A renewed token that is not stored is lost for good.
    await this.services.modelRuntime.settleCredentialWrites();
  }
}
