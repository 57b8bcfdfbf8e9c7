/** Old names of settings. Pure. Source: cli-and-config.md section 4.1. */
import { isObject, type JsonObject } from "./merge.js";

/** The settings under their present names; a present name that is there already wins. The same object when none is old. */
export function migratedSettings(settings: JsonObject): JsonObject {
  const { queueMode, websockets, ...current } = settings;
  const { skills, retry } = settings;
  let migrated = current;
  if (queueMode !== undefined) migrated = { steeringMode: queueMode, ...migrated };
  if (typeof websockets === "boolean") migrated = { transport: websockets ? "websocket" : "sse", ...migrated };
  if (isObject(skills)) {
    const { enableSkillCommands, customDirectories } = skills;
    const { skills: _old, ...others } = migrated;
    migrated = {
      ...(enableSkillCommands !== undefined && { enableSkillCommands }),
      ...others,
      ...(Array.isArray(customDirectories) && { skills: customDirectories }),
    };
  }
  if (isObject(retry) && retry["maxDelayMs"] !== undefined) {
    const { maxDelayMs, provider, ...others } = retry;
    const below = isObject(provider) ? provider : {};
    migrated = { ...migrated, retry: { ...others, provider: { maxRetryDelayMs: maxDelayMs, ...below } } };
  }
  const isOld = queueMode !== undefined || websockets !== undefined || migrated !== current;
  return isOld ? migrated : settings;
}
