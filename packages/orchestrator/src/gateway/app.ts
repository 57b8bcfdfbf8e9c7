import { timingSafeEqual } from "node:crypto";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { Handler } from "../handler.js";
import { checkRequest, errorAnswer, FrameError, longestFrame, parseObject } from "../ipc/protocol.js";
import { RequestError } from "../request-error.js";
import { AgentUnreachableError } from "../rpc-process.js";
import type { OrchestratorSupervisor } from "../supervisor.js";
import { metricsOf } from "./metrics.js";
import { openApi } from "./openapi.js";
import { pageHtml, pagePolicy } from "./page.js";
import { eventStream } from "./sse-sink.js";

export interface AppOptions {
  supervisor: OrchestratorSupervisor;
  handler: Handler;
  token: string;
  /** `host:port` under which it may be called: others are tricks of web pages. */
  hosts: () => readonly string[];
}

const open: ReadonlySet<string> = new Set(["/", "/healthz", "/openapi.json"]);

/** The gateway's routes: the requests of the socket, in HTTP's terms. */
export function gatewayApp({ supervisor, handler, token, hosts }: AppOptions): Hono {
  const app = new Hono();
  const metrics = metricsOf(supervisor);

  app.use(async (c, next) => {
    const origin = c.req.header("origin");
    const allowed = hosts();
    if (!allowed.includes(c.req.header("host") ?? "")) return refuse(c, 403, "Not a name of this gateway.");
    if (origin !== undefined && !allowed.some((host) => origin === `http://${host}`)) {
      return refuse(c, 403, "Pages of other sites have no business here.");
    }
    if (!open.has(c.req.path) && !isToken(c.req.header("authorization"), token)) {
      return refuse(c, 401, "Send the header Authorization: Bearer <token>; the token is in the state folder.");
    }
    // A request that comes while agents are being taken back finds them all.
    await supervisor.ready;
    await next();
    c.header("cache-control", "no-store");
    c.header("x-content-type-options", "nosniff");
    return undefined;
  });
  app.use(bodyLimit({ maxSize: longestFrame, onError: (c) => refuse(c, 413, `More than ${longestFrame} bytes.`) }));
  app.onError((error, c) => refuse(c, statusOf(error), error.message));
  app.notFound((c) => refuse(c, 404, "No such address. See /openapi.json."));

  const ask = async (c: Context, fields: Record<string, unknown>) => {
    const request = checkRequest(fields);
    if (request.type === "rpc_stream") throw new FrameError("Streams have an address of their own: events.");
    return c.body(await handler.answer(request), 200, { "content-type": "application/json" });
  };
  const idOf = (c: Context) => c.req.param("id") ?? "";
  const bodyOf = async (c: Context) => parseObject(await c.req.text());

  app.get("/", (c) =>
    c.html(pageHtml, 200, { "content-security-policy": pagePolicy, "referrer-policy": "no-referrer" }),
  );
  app.get("/healthz", (c) => c.json({ ok: true }));
  app.get("/openapi.json", (c) => c.json(openApi()));
  app.get("/metrics", async (c) => c.text(await metrics.metrics(), 200, { "content-type": metrics.contentType }));
  app.get("/v1/instances", (c) => ask(c, { type: "list" }));
  app.post("/v1/instances", async (c) => ask(c, { ...(await bodyOf(c)), type: "spawn" }));
  app.get("/v1/instances/:id", (c) => ask(c, { type: "status", instanceId: idOf(c) }));
  app.delete("/v1/instances/:id", (c) => ask(c, { type: "stop", instanceId: idOf(c) }));
  app.get("/v1/instances/:id/prompts", (c) => ask(c, { type: "prompts", instanceId: idOf(c) }));
  app.post("/v1/instances/:id/prompts", async (c) =>
    ask(c, { ...(await bodyOf(c)), type: "prompt", instanceId: idOf(c) }),
  );
  app.post("/v1/instances/:id/rpc", async (c) =>
    ask(c, { type: "rpc", instanceId: idOf(c), command: await bodyOf(c) }),
  );
  app.get("/v1/instances/:id/logs", (c) => {
    const lines = c.req.query("lines");
    return ask(c, { type: "logs", instanceId: idOf(c), ...(lines !== undefined && { lines: Number(lines) }) });
  });
  app.post("/v1/instances/:id/dialogs/:dialog", async (c) => {
    const { value, confirmed, cancelled } = await bodyOf(c);
    const answer = {
      ...(value !== undefined && { value }),
      ...(confirmed !== undefined && { confirmed }),
      ...(cancelled === true && { cancelled }),
    };
    const answered = supervisor.instance(idOf(c)).answerDialog({ id: c.req.param("dialog"), ...answer });
    return c.json({ type: "dialog_result", ok: true, answered });
  });
  app.get("/v1/instances/:id/events", (c) => {
    const cursor = c.req.header("last-event-id") ?? c.req.query("cursor") ?? "";
    let close = () => {};
    const { sink, body } = eventStream(() => close());
    close = handler.stream({ type: "rpc_stream", instanceId: idOf(c), cursor }, sink).onClose;
    return c.body(body, 200, { "content-type": "text/event-stream" });
  });
  return app;
}

function isToken(header: string | undefined, token: string): boolean {
  const given = Buffer.from(header ?? "");
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

function refuse(c: Context, status: 400 | 401 | 403 | 404 | 409 | 413 | 500, reason: string): Response {
  return c.json(errorAnswer(new Error(reason)), status);
}

function statusOf(error: Error): 400 | 404 | 409 | 500 {
  if (error instanceof FrameError) return 400;
  if (error instanceof AgentUnreachableError) return 409;
  if (error instanceof RequestError) {
    if (error.code === "unknown_instance") return 404;
    return error.code === "invalid_request" ? 400 : 409;
  }
  // The text is for whoever asked: a wrong cursor is one of these.
  return error.message.startsWith("Not a cursor") ? 400 : 500;
}
