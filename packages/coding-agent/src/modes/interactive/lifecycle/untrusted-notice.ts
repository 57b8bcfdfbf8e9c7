import type { AgentSession } from "../../../core/agent-session.js";
import { hasTrustRequiringProjectResources } from "../../../core/trust-manager.js";

/** A word about a project whose own settings and resources do not count; undefined for all others. */
export function untrustedNotice({ settingsManager, sessionManager }: AgentSession): string | undefined {
  if (settingsManager.isProjectTrusted() || !hasTrustRequiringProjectResources(sessionManager.getCwd()))
    return undefined;
  return "This project is not trusted: its settings, extensions, skills, prompts and themes are left out. /trust decides about it.";
}
