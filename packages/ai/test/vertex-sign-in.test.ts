import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startScriptedServer } from "@pi/testkit";
import { expect, test } from "vitest";
import { streamSimple } from "../src/compat.js";
import type { FetchFunction } from "../src/types.js";
import { modelOn } from "./all-apis.js";

test("a service account signs in, and its token is sent", async () => {
  const server = await startScriptedServer({ script: [{ blocks: [{ type: "text", text: "ok" }] }], keys: ["token-1"] });
  const folder = mkdtempSync(join(tmpdir(), "pi-vertex-"));
  try {
    const { privateKey } = generateKeyPairSync("rsa", {
      modulusLength: 2048,
      privateKeyEncoding: { type: "pkcs8", format: "pem" },
      publicKeyEncoding: { type: "spki", format: "pem" },
    });
    const file = join(folder, "account.json");
    const account = { type: "service_account", project_id: "p", private_key: privateKey, client_email: "a@b.example" };
    writeFileSync(file, JSON.stringify(account));
    const asked: string[] = [];
    const send: FetchFunction = async (url, init) => {
      const address = url instanceof Request ? url.url : String(url);
      if (address.startsWith(server.url)) return fetch(url, init);
      asked.push(address);
      return Response.json({ access_token: "token-1", expires_in: 3600, token_type: "Bearer" });
    };
    const message = await streamSimple(
      modelOn(server, "google-vertex"),
      { messages: [{ role: "user", content: "hi", timestamp: 1 }] },
      {
        fetch: send,
        env: { GOOGLE_APPLICATION_CREDENTIALS: file, GOOGLE_CLOUD_PROJECT: "pro", GOOGLE_CLOUD_LOCATION: "loc" },
      },
    ).result();
    expect(message).toMatchObject({ stopReason: "stop", content: [{ type: "text", text: "ok" }] });
    expect(asked).toEqual([expect.stringMatching(/^https:\/\/[^/]*googleapis\.com\/.*token$/)]);
    expect(server.requests[0]?.headers["authorization"]).toBe("Bearer token-1");
    expect(server.requests[0]?.path).toMatch(
      /^\/vertex\/v1\/projects\/pro\/locations\/loc\/publishers\/google\/models\//,
    );
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
