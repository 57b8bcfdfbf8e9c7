import { readFileSync, statSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { createConnection } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Fleet, useFleet } from "./fleet.js";

const start = useFleet();

async function gateway(fleet: Fleet): Promise<{ url: string; token: string }> {
  await fleet.serve("--http", "0");
  const url = new URL(fleet.served.serving?.gateway ?? "");
  return { url: url.origin, token: url.hash.replace("#token=", "") };
}

/** With any headers, also those that `fetch` forbids. */
function status(url: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    asking.on("error", reject);
    asking.end();
  });
}

describe("the HTTP gateway", () => {
  it("does what the socket does, for whoever has the token", async () => {
    const fleet = await start();
    const { url, token } = await gateway(fleet);
    expect(readFileSync(join(fleet.state, "token"), "utf8")).toBe(token);
    expect(statSync(join(fleet.state, "token")).mode & 0o777).toBe(0o600);
    const ask = async (method: string, path: string, body?: object) => {
      const response = await fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${token}` },
        ...(body && { body: JSON.stringify(body) }),
      });
      return { code: response.status, answer: JSON.parse(await response.text()) };
    };
    const { answer } = await ask("POST", "/v1/instances", { cwd: fleet.cwd, label: "by http" });
    expect(answer).toMatchObject({ ok: true, instance: { status: "online", label: "by http" } });
    const { id } = answer.instance;
    const events = await fetch(`${url}/v1/instances/${id}/events`, { headers: { authorization: `Bearer ${token}` } });
    expect(events.headers.get("content-type")).toBe("text/event-stream");
    const prompted = await ask("POST", `/v1/instances/${id}/prompts`, { message: "Hi", promptId: "p" });
    expect(prompted).toMatchObject({ code: 200, answer: { prompt: { promptId: "p", state: "accepted" } } });
    let text = "";
    const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader();
    while (!text.includes("agent_settled")) text += (await reader?.read())?.value ?? "";
    await reader?.cancel();
    expect(text).toMatch(/^id: \d+\.\d+\.\S*\ndata: \{"type":"entry"/m);
    await fleet.untilPrompt(id, "p", "delivered");
    expect(await ask("POST", `/v1/instances/${id}/rpc`, { type: "get_last_assistant_text" })).toMatchObject({
      answer: { response: { data: { text: "scripted answer" } } },
    });
    expect((await ask("GET", "/v1/instances/nobody")).code).toBe(404);
    expect((await ask("POST", "/v1/instances", { cwd: 7 })).code).toBe(400);
    expect((await ask("GET", `/v1/instances/${id}/events?cursor=a%20b`)).code).toBe(400);
    writeFileSync(join(fleet.state, "agents", id, "stderr.log"), "one\ntwo\nthree\n");
    expect((await ask("GET", `/v1/instances/${id}/logs?lines=2`)).answer.lines).toEqual(["two", "three"]);
    expect((await ask("GET", `/v1/instances/${id}/logs?lines=few`)).code).toBe(400);
    const metrics = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
    const lines = (await metrics.text()).split("\n");
    expect(lines).toContain('pi_instances{status="online"} 1');
    expect(lines).toContain('pi_prompts{state="delivered"} 1');
    expect(await ask("DELETE", `/v1/instances/${id}`)).toMatchObject({ code: 200, answer: { ok: true } });
  });

  it("refuses whoever has no token, comes by another name, or from another site", async () => {
    const fleet = await start();
    const { url, token } = await gateway(fleet);
    const authorization = `Bearer ${token}`;
    expect(await status(`${url}/v1/instances`, {})).toBe(401);
    expect(await status(`${url}/v1/instances`, { authorization: "Bearer wrong" })).toBe(401);
    expect(await status(`${url}/metrics`, {})).toBe(401);
    expect(await status(`${url}/v1/instances`, { authorization, host: "evil.example" })).toBe(403);
    expect(await status(`${url}/v1/instances`, { authorization, origin: "http://evil.example" })).toBe(403);
    expect(await status(`${url}/v1/instances`, { authorization, origin: url })).toBe(200);
    const large = await fetch(`${url}/v1/instances`, {
      method: "POST",
      headers: { authorization },
      body: "x".repeat(17 * 1024 * 1024),
    }).catch(() => undefined);
    expect(large?.status ?? 413).toBe(413);
    expect(await status(`${url}/healthz`, {})).toBe(200);
  });

  it("describes exactly the routes there are", async () => {
    const fleet = await start();
    const { url, token } = await gateway(fleet);
    const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as { paths: Record<string, object> };
    for (const [path, methods] of Object.entries(paths)) {
      for (const method of Object.keys(methods)) {
        expect(Object.keys((methods as Record<string, { responses: object }>)[method]?.responses ?? {})).toEqual(
          expect.arrayContaining(["403", "413"]),
        );
        const asked = path.replace("{id}", "nobody").replace("{dialog}", "d");
        const response = await fetch(url + asked, {
          method,
          headers: { authorization: `Bearer ${token}` },
          ...(method === "post" && { body: "{}" }),
        });
        // `No such address` would be a 404 as well.
        expect(await response.text(), `${method} ${path}`).not.toContain("No such address");
      }
    }
  });

  it("listens on the loopback address alone, and on none unless asked to", async () => {
    const fleet = await start();
    await fleet.serve();
    expect(fleet.served.serving?.gateway).toBeUndefined();
    const sockets = readFileSync("/proc/net/tcp", "utf8");
    await fleet.served.end();
    const { url } = await gateway(fleet);
    const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, "0");
    expect(sockets).not.toContain(`:${port} `);
    expect(readFileSync("/proc/net/tcp", "utf8")).toContain(`0100007F:${port} 00000000:0000 0A`);
    const idle = Array.from({ length: 300 }, () =>
      createConnection(Number(new URL(url).port), "127.0.0.1").on("error", () => {}),
    );
    await expect.poll(() => idle.filter(({ destroyed }) => destroyed).length).toBeGreaterThan(40);
    for (const socket of idle) socket.destroy();
    await expect.poll(() => status(`${url}/healthz`, {}).catch(() => 0)).toBe(200);
  });
});
