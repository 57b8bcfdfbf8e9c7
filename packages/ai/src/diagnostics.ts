import type { AssistantMessage, AssistantMessageDiagnostic, DiagnosticErrorInfo, JsonObject } from "./types.js";

/** A readable text for anything that may be thrown. */
export function formatThrownValue(value: unknown): string {
  if (value instanceof Error) return value.message || value.name;
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    // Cycles and the like have no JSON.
    return String(value);
  }
}

/** What is worth keeping of a thrown value. */
export function extractDiagnosticError(error: unknown): DiagnosticErrorInfo {
  const info: DiagnosticErrorInfo = { message: formatThrownValue(error) };
  if (!(error instanceof Error)) return info;
  info.name = error.name;
  if (error.stack !== undefined) info.stack = error.stack;
  const code = "code" in error ? error.code : undefined;
  if (typeof code === "string" || typeof code === "number") info.code = code;
  return info;
}

/** A note about something that went wrong on the way to an answer. `error` may be undefined. */
export function createAssistantMessageDiagnostic(
  type: string,
  error: unknown,
  details?: JsonObject,
): AssistantMessageDiagnostic {
  const diagnostic: AssistantMessageDiagnostic = { type, timestamp: Date.now() };
  if (error !== undefined) diagnostic.error = extractDiagnosticError(error);
  if (details !== undefined) diagnostic.details = details;
  return diagnostic;
}

/** Adds a note to a message. */
export function appendAssistantMessageDiagnostic(
  message: AssistantMessage,
  diagnostic: AssistantMessageDiagnostic,
): void {
  message.diagnostics = [...(message.diagnostics ?? []), diagnostic];
}
