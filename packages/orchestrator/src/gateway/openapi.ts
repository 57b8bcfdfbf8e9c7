import { version } from "../version.js";

/** The gateway's routes in OpenAPI form. A test holds it against the routes there are. */
export function openApi(): object {
  const id = { name: "id", in: "path", required: true, schema: { type: "string" } };
  const answers = (description: string, type = "application/json") => ({
    "200": {
      description,
      content: { [type]: { schema: type === "application/json" ? { type: "object" } : { type: "string" } } },
    },
    "400": { description: "Not a valid request: `error` says why" },
    "401": { description: "No token, or a wrong one" },
    "403": { description: "Called by another name, or by a page of another site" },
    "404": { description: "No such instance" },
    "409": { description: "Not possible in the instance's state" },
    "413": { description: "A body that is too long" },
  });
  const body = (properties: object, required: string[]) => ({
    required: true,
    content: { "application/json": { schema: { type: "object", properties, required } } },
  });
  const text = { type: "string" };
  return {
    openapi: "3.1.0",
    info: { title: "pi-orchestrator", version },
    security: [{ bearer: [] }],
    components: { securitySchemes: { bearer: { type: "http", scheme: "bearer" } } },
    paths: {
      "/v1/instances": {
        get: { summary: "All agents", responses: answers("`instances`") },
        post: {
          summary: "Start an agent",
          requestBody: body(
            {
              cwd: text,
              label: text,
              provider: text,
              model: text,
              args: { type: "array", items: text },
              policy: { enum: ["never", "on-failure", "always"] },
              memoryMb: { type: "number" },
              idleSeconds: { type: "number" },
              instanceId: text,
            },
            ["cwd"],
          ),
          responses: answers("`instance`"),
        },
      },
      "/v1/instances/{id}": {
        get: {
          summary: "One agent, its open dialogs and last prompts",
          parameters: [id],
          responses: answers("`instance`"),
        },
        delete: {
          summary: "End an agent and forget it",
          parameters: [id],
          responses: answers("`interrupted` prompts"),
        },
      },
      "/v1/instances/{id}/prompts": {
        get: { summary: "What became of prompts", parameters: [id], responses: answers("`prompts`") },
        post: {
          summary: "Give a prompt; it is on the disk when this is answered",
          parameters: [id],
          requestBody: body(
            {
              message: text,
              streamingBehavior: { enum: ["steer", "followUp"] },
              promptId: text,
              images: { type: "array" },
            },
            ["message"],
          ),
          responses: answers("`prompt`"),
        },
      },
      "/v1/instances/{id}/rpc": {
        post: {
          summary: "One command of the agent's protocol",
          parameters: [id],
          requestBody: body({ type: text }, ["type"]),
          responses: answers("`response`"),
        },
      },
      "/v1/instances/{id}/dialogs/{dialog}": {
        post: {
          summary: "Answer a dialog: the first answer counts",
          parameters: [id, { ...id, name: "dialog" }],
          requestBody: body({ value: text, confirmed: { type: "boolean" }, cancelled: { const: true } }, []),
          responses: answers("`answered`"),
        },
      },
      "/v1/instances/{id}/logs": {
        get: {
          summary: "What the agent said on stderr, or the last of it",
          parameters: [id, { name: "lines", in: "query", schema: { type: "number" } }],
          responses: answers("`lines`"),
        },
      },
      "/v1/instances/{id}/events": {
        get: {
          summary: "Entries and events as server-sent events; `Last-Event-ID` or `cursor` says from where on",
          parameters: [id, { name: "cursor", in: "query", schema: text }],
          responses: answers("Frames", "text/event-stream"),
        },
      },
      "/metrics": { get: { summary: "Prometheus metrics", responses: answers("Metrics", "text/plain") } },
      "/healthz": { get: { summary: "Whether it runs", security: [], responses: answers("`ok`") } },
      "/openapi.json": { get: { summary: "This description", security: [], responses: answers("OpenAPI 3.1") } },
    },
  };
}
