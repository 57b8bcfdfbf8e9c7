import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { createModels } from "../models/create-models.js";
import {
  createLocalProvider,
  defaultLocalServers,
  discoverLocalModels,
  type LocalServer,
  localServersFromEnvironment,
} from "./local.js";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** A server that answers some paths with JSON and refuses the rest. */
async function serve(
  kind: LocalServer["kind"],
  answers: Record<string, unknown | ((body: string) => unknown)>,
): Promise<LocalServer> {
  return listen(kind, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const answer = answers[`${request.method} ${request.url}`];
      const body = typeof answer === "function" ? answer(Buffer.concat(chunks).toString("utf8")) : answer;
      response.writeHead(body === undefined ? 404 : 200, { "content-type": "application/json" });
      response.end(typeof body === "string" ? body : JSON.stringify(body ?? { error: "no" }));
    });
  });
}

async function listen(kind: LocalServer["kind"], listener: RequestListener): Promise<LocalServer> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { kind, name: kind, url: `http://127.0.0.1:${port}` };
}

const summary = async (...list: LocalServer[]) => {
  const { models, found } = await discoverLocalModels(list);
  return {
    models: models.map(({ id, contextWindow, maxTokens, reasoning, input }) =>
      [id, contextWindow, maxTokens, reasoning, input.includes("image")].join(" "),
    ),
    found: found.map(({ server, count }) => `${server.name} ${count}`),
  };
};

describe("servers without models", () => {
  test.each<[LocalServer["kind"], Record<string, unknown>, number]>([
    ["ollama", { "GET /api/tags": { models: [] } }, 1],
    ["ollama", { "GET /api/tags": { models: null } }, 1],
    ["lmstudio", { "GET /api/v0/models": { data: [] } }, 1],
    ["llama", { "GET /v1/models": { data: [] } }, 1],
    ["vllm", { "GET /v1/models": { data: [] } }, 1],
    // Names that cannot be typed or shown.
    ["ollama", { "GET /api/tags": { models: [{ name: "" }, { name: "\u001b[2J" }] } }, 1],
    // Something else than a model server.
    ["ollama", { "GET /api/tags": {} }, 0],
    ["vllm", { "GET /v1/models": "<html>" }, 0],
    ["vllm", {}, 0],
  ])("%s %j: %i", async (kind, answers, count) => {
    const { models, found, empty } = await discoverLocalModels([await serve(kind, answers)]);
    expect([models, found, empty.length]).toEqual([[], [], count]);
  });

  test.each(["nonsense", "ollama=127.0.0.1:11434", "http://", "ftp://host", "http://a:1,::"])(
    "PI_LOCAL_SERVERS=%s is called wrong",
    (value) => {
      expect(() => localServersFromEnvironment({ PI_LOCAL_SERVERS: value })).toThrow(
        /^PI_LOCAL_SERVERS holds what is no address: ".+"\. It is a list like this: /,
      );
    },
  );
});

describe("model servers on this machine (llm.md section 12)", () => {
  test("Ollama: abilities, the size in force, no embedding models", async () => {
    const shown: Record<string, unknown> = {
      "qwen3:8b": { capabilities: ["completion", "tools", "thinking"], model_info: { "qwen3.context_length": 40960 } },
      "llava:7b": { capabilities: ["completion", "vision"], model_info: { "llama.context_length": 32768 } },
      "nomic:1": { capabilities: ["embedding"] },
      "plain:1": { capabilities: ["tools"] },
    };
    const ollama = await serve("ollama", {
      "GET /api/tags": { models: [...Object.keys(shown), "odd:1"].map((name) => ({ name })) },
      "GET /api/ps": { models: [{ name: "llava:7b", context_length: 4096 }] },
      "POST /api/show": (body: string) => shown[JSON.parse(body).model],
    });
    expect(await summary(ollama)).toEqual({
      models: [
        "qwen3:8b 40960 16384 true false",
        "llava:7b 4096 4096 false true",
        "plain:1 128000 16384 false false",
        "odd:1 128000 16384 false false",
      ],
      found: ["ollama 4"],
    });
  });

  test("LM Studio: its own list, or the common one", async () => {
    const own = await serve("lmstudio", {
      "GET /api/v0/models": {
        data: [
          { id: "a", type: "llm", max_context_length: 32768, loaded_context_length: 8192 },
          { id: "b", type: "vlm", max_context_length: 32768 },
          { id: "c", type: "embeddings" },
        ],
      },
    });
    const old = await serve("lmstudio", { "GET /v1/models": { data: [{ id: "d" }] } });
    expect((await summary(own, old)).models).toEqual([
      "a 8192 8192 false false",
      "b 32768 16384 false true",
      "d 128000 16384 false false",
    ]);
  });

  test("llama-server, its router, vLLM", async () => {
    const llama = await serve("llama", {
      "GET /v1/models": { data: [{ id: "gguf", meta: { n_ctx_train: 131072 } }] },
      "GET /props": { default_generation_settings: { n_ctx: 8192 }, modalities: { vision: true } },
    });
    const router = await serve("llama", { "GET /models": { data: [{ id: "one", meta: { n_ctx_train: 4096 } }] } });
    const vllm = await serve("vllm", {
      "GET /v1/models": { data: [{ id: "org/model", max_model_len: 65536 }, { id: 7 }] },
    });
    expect((await summary(llama, router, vllm)).models).toEqual([
      "gguf 8192 8192 false true",
      "one 4096 4096 false false",
      "org/model 65536 16384 false false",
    ]);
  });

  test("whoever is not there, hangs, or talks nonsense is left out, in bounded time", async () => {
    const hanging = await listen("ollama", () => undefined);
    const nonsense = await serve("vllm", { "GET /v1/models": "<html>" });
    const wrong = await serve("lmstudio", { "GET /v1/models": { data: { id: 1 } } });
    const gone: LocalServer = { kind: "llama", name: "gone", url: "http://127.0.0.1:1" };
    const good = await serve("vllm", { "GET /v1/models": { data: [{ id: "m" }] } });
    const started = Date.now();
    expect(await summary(hanging, nonsense, wrong, gone, good)).toMatchObject({ found: ["vllm 1"] });
    expect(Date.now() - started).toBeLessThan(10_000);
  });

  test("of two servers with the same id the first is asked; no key is needed, no proxy is used", async () => {
    const answer = { "GET /v1/models": { data: [{ id: "m" }] } };
    const [first, second] = [await serve("vllm", answer), await serve("vllm", answer)];
    const { models: list, found } = await discoverLocalModels([first, second]);
    expect(list).toMatchObject([{ provider: "local", api: "openai-completions", baseUrl: `${first.url}/v1` }]);
    expect(found).toHaveLength(1);
    const models = createModels();
    models.setProvider(createLocalProvider(list));
    expect(await models.getAvailable()).toEqual(list);
    expect(await models.getAuth("local")).toMatchObject({ auth: { apiKey: "local" }, env: { NO_PROXY: "*" } });
  });

  test("PI_LOCAL_SERVERS", () => {
    const read = (value?: string) =>
      localServersFromEnvironment(value === undefined ? {} : { PI_LOCAL_SERVERS: value });
    expect(read()).toBe(defaultLocalServers);
    expect(read("")).toEqual([]);
    expect(read("ollama=http://127.0.0.1:5000/, http://box:9/v1")).toEqual([
      { kind: "ollama", name: "Ollama", url: "http://127.0.0.1:5000" },
      { kind: "vllm", name: "http://box:9", url: "http://box:9" },
    ]);
  });
});
