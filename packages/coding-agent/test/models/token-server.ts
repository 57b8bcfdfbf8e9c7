import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A token endpoint that renews tokens, as strict or as lenient as a test needs. */
export class TokenServer {
  /** Refresh tokens that were used, in order. */
  readonly used: string[] = [];
  /** Access tokens that were issued. */
  readonly issued: string[] = [];
  /** True = a refresh token is good once only, as with providers that rotate them. */
  rotates = true;
  /** How long an answer takes, in ms. */
  delayMs = 30;
  /** Answers with this error instead. */
  error: string | undefined;
  readonly #valid: Set<string>;
  readonly #server: Server;

  private constructor(valid: string[]) {
    this.#valid = new Set(valid);
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const params = new URLSearchParams(Buffer.concat(chunks).toString("utf8"));
        const [status, body] = this.#answer(params.get("refresh_token") ?? "");
        setTimeout(() => {
          response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
        }, this.delayMs);
      });
    });
  }

  static async start(...valid: string[]): Promise<TokenServer> {
    const server = new TokenServer(valid);
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/token`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(refresh: string): [number, unknown] {
    this.used.push(refresh);
    if (this.error !== undefined) return [400, { error: this.error, error_description: `about ${refresh}` }];
    if (!this.#valid.has(refresh)) return [400, { error: "invalid_grant" }];
    if (this.rotates) this.#valid.delete(refresh);
    const number = this.issued.length + 1;
    this.#valid.add(`refresh-${number}`);
    this.issued.push(`access-${number}`);
    return [200, { access_token: `access-${number}`, refresh_token: `refresh-${number}`, expires_in: 3600 }];
  }
}
