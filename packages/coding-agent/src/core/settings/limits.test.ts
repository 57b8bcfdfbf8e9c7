import { describe, expect, it } from "vitest";
import type { Settings } from "./settings.js";
import { SettingsManager } from "./settings-manager.js";

const manager = (settings: object) => SettingsManager.inMemory(settings as Settings);

describe("limits in ms", () => {
  it.each<[object, number | undefined]>([
    [{}, undefined],
    [{ websocketConnectTimeoutMs: 500 }, 500],
    [{ websocketConnectTimeoutMs: 0 }, 0],
    [{ websocketConnectTimeoutMs: "disabled" }, 0],
  ])("for a connection: %j", (settings, expected) => {
    expect(manager(settings).getWebSocketConnectTimeoutMs()).toBe(expected);
  });

  it.each(["soon", -1, null, {}])("for a connection, not %j", (value) => {
    expect(() => manager({ websocketConnectTimeoutMs: value }).getWebSocketConnectTimeoutMs()).toThrow(
      `Invalid websocketConnectTimeoutMs setting: ${typeof value === "string" ? value : JSON.stringify(value)}`,
    );
  });

  it.each<[object, number]>([
    [{}, 300_000],
    [{ httpIdleTimeoutMs: 5 }, 5],
    [{ httpIdleTimeoutMs: 0 }, 2_147_483_647],
    [{ httpIdleTimeoutMs: "disabled" }, 2_147_483_647],
  ])("for silence: %j", (settings, expected) => {
    expect(manager(settings).getHttpIdleTimeoutMs()).toBe(expected);
  });
});
