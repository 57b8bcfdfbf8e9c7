import { createHash } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { providerAuth } from "../../providers/provider-auth.js";
import type { AuthEvent, AuthPrompt, OAuthCredential, ProviderAuthInteraction } from "../types.js";
import { startCallbackServer } from "./callback-server.js";
import { oauthClient, oauthProviderIds, requireConfigured } from "./clients.js";
import { pastedCode } from "./loopback-flow.js";

/** An authorisation server that checks what clients send as strictly as the standards ask. */
class AuthorisationServer {
  readonly requests: { path: string; params: Record<string, string>; type: string }[] = [];
  /** Answers of the token endpoint to device polls, in order; then the token. */
  polls: { error: string; interval?: number }[] = [];
  /** Set by `authorise`. */
  #challenges = new Map<string, { challenge: string; redirectUri: string }>();
  #issued = 0;
  refreshTokens = new Set<string>();
  claims: Record<string, unknown> = {};
  #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        const type = request.headers["content-type"] ?? "";
        const params = type.includes("json") ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text));
        const path = request.url ?? "";
        this.requests.push({ path, params, type });
        const [status, body] = this.#answer(path, params, request.headers.authorization);
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
      });
    });
  }

  static async start(): Promise<AuthorisationServer> {
    const server = new AuthorisationServer();
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** What the browser does: consents, and is sent back with a code. Returns the address it ends at. */
  authorise(authorizeUrl: string): string {
    const { searchParams } = new URL(authorizeUrl);
    const redirectUri = searchParams.get("redirect_uri") ?? searchParams.get("callback_url") ?? "";
    expect(searchParams.get("code_challenge_method")).toBe("S256");
    const code = `code-${this.#challenges.size}`;
    this.#challenges.set(code, { challenge: searchParams.get("code_challenge") ?? "", redirectUri });
    const back = new URL(redirectUri);
    back.searchParams.set("code", code);
    const state = searchParams.get("state");
    if (state) back.searchParams.set("state", state);
    return back.href;
  }

  #answer(path: string, params: Record<string, string>, authorization: string | undefined): [number, unknown] {
    if (path === "/device") {
      return [
        200,
        {
          device_code: "dev",
          user_code: "ABCD-1234",
          verification_uri: `${this.url}/go`,
          interval: 0.01,
          expires_in: 60,
        },
      ];
    }
    if (path === "/copilot") {
      if (authorization !== "Bearer access-1") return [401, {}];
      return [200, { token: "tid=1;proxy-ep=proxy.example.test;x=1", expires_at: Date.now() / 1000 + 1500 }];
    }
    if (params["grant_type"]?.endsWith(":device_code")) {
      const poll = this.polls.shift();
      if (poll) return [400, poll];
      return params["device_code"] === "dev" ? this.#token() : [400, { error: "invalid_grant" }];
    }
    if (params["grant_type"] === "refresh_token") {
      if (!this.refreshTokens.delete(params["refresh_token"] ?? "")) return [400, { error: "invalid_grant" }];
      return this.#token();
    }
    const known = this.#challenges.get(params["code"] ?? "");
    const challenge = createHash("sha256")
      .update(params["code_verifier"] ?? "")
      .digest("base64url");
    if (!known || known.challenge !== challenge) return [400, { error: "invalid_grant" }];
    this.#challenges.delete(params["code"] ?? "");
    if (path === "/keys") return [200, { key: "sk-for-good" }];
    return known.redirectUri === params["redirect_uri"] ? this.#token() : [400, { error: "invalid_grant" }];
  }

  #token(): [number, unknown] {
    const number = ++this.#issued;
    this.refreshTokens.add(`refresh-${number}`);
    const payload = Buffer.from(JSON.stringify(this.claims)).toString("base64url");
    const access = Object.keys(this.claims).length > 0 ? `e30.${payload}.sig` : `access-${number}`;
    return [200, { access_token: access, refresh_token: `refresh-${number}`, expires_in: 3600, token_type: "Bearer" }];
  }
}

let server: AuthorisationServer;
beforeEach(async () => {
  server = await AuthorisationServer.start();
});
afterEach(() => {
  server.close();
  vi.unstubAllEnvs();
});

/** A user: opens addresses as a browser, answers prompts from a list, and may leave the rest unanswered. */
function user(
  answers: Partial<Record<AuthPrompt["type"], string | ((prompt: AuthPrompt) => string)>> = {},
  visit = true,
) {
  const events: AuthEvent[] = [];
  const interaction: ProviderAuthInteraction = {
    signal: new AbortController().signal,
    prompt: (prompt) => {
      const answer = answers[prompt.type];
      if (answer !== undefined) return Promise.resolve(typeof answer === "string" ? answer : answer(prompt));
      return new Promise((_resolve, reject) => {
        prompt.signal?.addEventListener("abort", () => reject(new Error("called off")));
      });
    },
    notify: (event) => {
      events.push(event);
      if (event.type === "auth_url" && visit) void fetch(server.authorise(event.url));
    },
  };
  return { events, interaction };
}

const oauthOf = (provider: string, extra: object = {}) => {
  const { oauth } = providerAuth(provider, () => ({
    clientId: "mine",
    authorizeUrl: `${server.url}/authorize`,
    tokenUrl: `${server.url}/token`,
    redirect: { host: "127.0.0.1", port: 0, path: "/callback" },
    ...extra,
  }));
  if (!oauth) throw new Error(`no sign-in for ${provider}`);
  return oauth;
};

describe("browser sign-in", () => {
  test("PKCE, state and redirect; the token and its end are stored", async () => {
    const { interaction, events } = user();
    const before = Date.now();
    const credential = await oauthOf("custom").login(interaction);
    expect(credential).toMatchObject({ type: "oauth", access: "access-1", refresh: "refresh-1" });
    expect(credential.expires - before).toBeGreaterThanOrEqual(3_600_000 - 1);
    expect(events.map(({ type }) => type)).toEqual(["auth_url", "progress"]);
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]).toMatchObject({
      type: "application/x-www-form-urlencoded",
      params: { grant_type: "authorization_code", client_id: "mine" },
    });
  });

  test("a pasted address is as good as the callback", async () => {
    let address = "";
    const { interaction } = user({ manual_code: () => address }, false);
    const notify = interaction.notify;
    interaction.notify = (event) => {
      if (event.type === "auth_url") address = server.authorise(event.url);
      notify(event);
    };
    expect(await oauthOf("custom").login(interaction)).toMatchObject({ access: "access-1" });
  });

  test("a refusal, an abort, and a wrong verifier end it", async () => {
    const { interaction } = user({}, false);
    interaction.notify = (event) => {
      if (event.type !== "auth_url") return;
      const back = new URL(server.authorise(event.url));
      back.searchParams.delete("code");
      back.searchParams.set("error", "access_denied");
      void fetch(back);
    };
    await expect(oauthOf("custom").login(interaction)).rejects.toThrow("refused the sign-in: access_denied");
    const abort = new AbortController();
    const leaving = user({}, false).interaction;
    setTimeout(() => abort.abort(), 20);
    await expect(oauthOf("custom").login({ ...leaving, signal: abort.signal })).rejects.toThrow(
      "Sign-in was cancelled",
    );
    const pasted = user({ manual_code: "nonsense" }, false).interaction;
    await expect(oauthOf("custom").login(pasted)).rejects.toThrow(/^invalid_grant \(400 from 127\.0\.0\.1:\d+\)$/);
  });

  test("anthropic: JSON, the end 5 minutes early, sent as Bearer", async () => {
    const oauth = oauthOf("anthropic");
    expect(oauth).toMatchObject({ name: "Anthropic (Claude Pro/Max)", isSubscription: true });
    const credential = await oauth.login(user().interaction);
    expect(credential.expires - Date.now()).toBeLessThanOrEqual(3_600_000 - 300_000);
    expect(server.requests[0]?.type).toBe("application/json");
    expect(await oauth.toAuth(credential)).toEqual({
      apiKey: "access-1",
      headers: { Authorization: "Bearer access-1", "x-api-key": null },
    });
  });

  test("openai-codex: the account from the token", async () => {
    server.claims = { "https://api.openai.com/auth": { chatgpt_account_id: "acc" } };
    const credential = await oauthOf("openai-codex").login(user().interaction);
    expect(credential).toMatchObject({ accountId: "acc" });
  });

  test("openrouter: a key that does not end, without a client id", async () => {
    const oauth = oauthOf("openrouter", { clientId: undefined, tokenUrl: `${server.url}/keys` });
    const credential = await oauth.login(user().interaction);
    expect(credential).toEqual({ type: "oauth", access: "sk-for-good", refresh: "", expires: Number.MAX_SAFE_INTEGER });
  });
});

describe("device code", () => {
  const device = (provider: string, extra: object = {}) =>
    oauthOf(provider, { authorizeUrl: undefined, deviceUrl: `${server.url}/device`, ...extra });

  test("polls until the user has entered the code, slower when asked", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      server.polls = [{ error: "authorization_pending" }, { error: "slow_down", interval: 2 }];
      const { interaction, events } = user();
      const result = device("xai").login(interaction);
      let done = false;
      void result.finally(() => {
        done = true;
      });
      while (!done) {
        await vi.advanceTimersByTimeAsync(500);
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(await result).toMatchObject({ access: "access-1", refresh: "refresh-1" });
      expect(events[0]).toMatchObject({ type: "device_code", userCode: "ABCD-1234", intervalSeconds: 1 });
      expect(server.requests.map(({ path }) => path)).toEqual(["/device", "/token", "/token", "/token"]);
    } finally {
      vi.useRealTimers();
    }
  });

  test("an expired code", async () => {
    server.polls = [{ error: "expired_token" }];
    await expect(device("meta").login(user().interaction)).rejects.toThrow("Device flow timed out");
    server.polls = [{ error: "access_denied" }];
    await expect(device("meta").login(user().interaction)).rejects.toThrow("access_denied");
  });

  test("github-copilot: exchanged for a Copilot token, whose host is used; renewed by the GitHub token", async () => {
    const oauth = device("github-copilot", { exchangeUrl: `${server.url}/copilot` });
    const credential = await oauth.login(user({ text: "" }).interaction);
    expect(credential).toMatchObject({ refresh: "access-1", access: expect.stringContaining("proxy-ep") });
    expect(await oauth.toAuth(credential)).toMatchObject({ baseUrl: "https://api.example.test" });
    const renewed = await oauth.refresh({ ...credential, availableModelIds: ["a"] }, AbortSignal.timeout(5000));
    expect(renewed).toMatchObject({ refresh: "access-1", availableModelIds: ["a"] });
    expect(await oauth.toAuth({ ...credential, access: "plain", enterpriseUrl: "corp.test" })).toMatchObject({
      baseUrl: "https://copilot-api.corp.test",
    });
  });
});

describe("renewal", () => {
  test("a new refresh token takes the place of the old one; extras stay", async () => {
    server.refreshTokens.add("r0");
    const old: OAuthCredential = { type: "oauth", access: "a0", refresh: "r0", expires: 1, account: "x" };
    const oauth = oauthOf("custom");
    const renewed = await oauth.refresh(old, AbortSignal.timeout(5000));
    expect(renewed).toMatchObject({ access: "access-1", refresh: "refresh-1", account: "x" });
    await expect(oauth.refresh(old, AbortSignal.timeout(5000))).rejects.toThrow("invalid_grant");
  });
});

describe("the table of clients", () => {
  test("without a client id a sign-in says so and how to set it; no id is built in", async () => {
    for (const provider of oauthProviderIds) {
      const client = oauthClient(provider);
      if (!client) throw new Error(provider);
      expect(client.clientId).toBeUndefined();
      if (client.isPublic) continue;
      expect(() => requireConfigured(provider, client)).toThrow(
        /needs a client id of your own registration\. Set clientId/,
      );
    }
    const { oauth } = providerAuth("openai-codex");
    await expect(oauth?.login(user().interaction)).rejects.toThrow(
      /auth-clients\.json in the agent directory, or the id in PI_OAUTH_CLIENT_ID_OPENAI_CODEX\./,
    );
    expect(providerAuth("groq").oauth).toBeUndefined();
  });

  test("the environment sets an id, a configured one wins", () => {
    vi.stubEnv("PI_OAUTH_CLIENT_ID_KIMI_CODING", "env");
    expect(oauthClient("kimi-coding")?.clientId).toBe("env");
    expect(oauthClient("kimi-coding", { clientId: "file" })?.clientId).toBe("file");
  });
});

describe("the callback server (llm.md section 11.4)", () => {
  const options = { host: "localhost", port: 0, path: "/cb", state: "s", mayMove: true };

  test("GET only, its own path, its own state, one answer, never stored", async () => {
    const callback = await startCallbackServer(options);
    const base = callback.redirectUri.replace("localhost", "127.0.0.1");
    const ask = async (suffix: string, init?: RequestInit) => {
      const response = await fetch(base + suffix, init);
      return [response.status, await response.text(), response.headers.get("cache-control")] as const;
    };
    try {
      expect((await ask("?state=s&code=c", { method: "POST" }))[0]).toBe(405);
      expect((await ask("x?state=s&code=c"))[0]).toBe(404);
      expect(await ask("?state=wrong&code=c")).toEqual([400, "State mismatch.", "no-store"]);
      expect((await ask("?code=c"))[0]).toBe(400);
      expect((await ask("?state=s"))[0]).toBe(400);
      expect((await ask("?state=s&code=c"))[0]).toBe(200);
      expect((await ask("?state=s&code=d"))[0]).toBe(409);
      expect(await callback.code).toBe("c");
    } finally {
      callback.close();
    }
  });

  test("a taken port: another one, or an error that names it", async () => {
    const first = await startCallbackServer(options);
    const port = Number(new URL(first.redirectUri).port);
    const second = await startCallbackServer({ ...options, port });
    expect(new URL(second.redirectUri).port).not.toBe(String(port));
    await expect(startCallbackServer({ ...options, port, mayMove: false })).rejects.toThrow(`127.0.0.1:${port}`);
    first.close();
    second.close();
  });

  test.each([
    ["abc", "abc"],
    [" abc#s ", "abc"],
    ["http://localhost/cb?code=abc&state=s", "abc"],
    ["code=abc&state=s", "abc"],
    ["", undefined],
  ])("pasted %j", (text, code) => {
    expect(pastedCode(text, "s")).toBe(code);
    expect(() => pastedCode("abc#other", "s")).toThrow("State mismatch.");
  });
});
