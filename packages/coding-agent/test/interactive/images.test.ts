import { resetCapabilitiesCache, setCapabilities } from "@earendil-works/pi-tui";
import { afterEach, expect, it } from "vitest";
import { loadCodec } from "../../src/core/images/codec.js";
import { useMode } from "./in-process.js";

const start = useMode();
afterEach(resetCapabilitiesCache);

it("a picture of a tool that is no PNG is drawn by terminals that only draw those", async () => {
  const { mode, terminal } = await start();
  setCapabilities({ images: "kitty", trueColor: true, hyperlinks: true });
  const codec = await loadCodec();
  const jpeg = codec.encodeJpeg({ data: new Uint8Array(90 * 36 * 4).fill(90), width: 90, height: 36 }, 80);
  const image = { type: "image" as const, data: Buffer.from(jpeg).toString("base64"), mimeType: "image/jpeg" };
  const call = { type: "toolCall" as const, id: "c", name: "read", arguments: { path: "a.jpg" } };
  const result = { toolCallId: "c", toolName: "read", content: [image], isError: false, timestamp: 1 };
  const { session } = mode;
  session.sessionManager.appendMessage({ role: "user", content: "Look.", timestamp: 1 });
  const usage = {
    ...{ input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2 },
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  };
  const from = { api: "x", provider: "p", model: "m", usage, stopReason: "toolUse" as const, timestamp: 1 };
  session.sessionManager.appendMessage({ role: "assistant", content: [call], ...from });
  session.sessionManager.appendMessage({ role: "toolResult", ...result });
  mode.showSession();
  expect(await terminal.screen()).toContain("[Image: [image/jpeg] 90x36]");
  // Its rows stay free: the terminal draws over them.
  await expect.poll(() => terminal.screen()).not.toContain("[Image");
  expect(await terminal.screen()).toContain("read a.jpg");
});
