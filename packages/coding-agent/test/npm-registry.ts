import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

interface Version {
  manifest: { name: string; version: string };
  tarball: Buffer;
}

/** An npm registry on this machine: what `npm install` needs of one. */
export class NpmRegistry {
  readonly #server: Server;
  readonly #packages = new Map<string, Version[]>();
  readonly #dir = mkdtempSync(join(tmpdir(), "pi-registry-"));

  private constructor() {
    this.#server = createServer((request, response) => {
      const path = decodeURIComponent(request.url ?? "").slice(1);
      const [name = "", file] = path.split("/-/");
      const versions = this.#packages.get(name);
      if (!versions) {
        response.writeHead(404, { "content-type": "application/json" }).end('{"error":"Not found"}');
        return;
      }
      if (file === undefined) {
        response
          .writeHead(200, { "content-type": "application/json" })
          .end(JSON.stringify(this.#document(name, versions)));
        return;
      }
      const version = versions.find(({ manifest }) => file === `${manifest.version}.tgz`);
      response.writeHead(version ? 200 : 404).end(version?.tarball);
    });
  }

  static async start(): Promise<NpmRegistry> {
    const registry = new NpmRegistry();
    await new Promise<void>((resolve) => registry.#server.listen(0, "127.0.0.1", resolve));
    return registry;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Publishes a version made of these files beside its `package.json`. */
  publish(manifest: { name: string; version: string; [field: string]: unknown }, files: Record<string, string>): void {
    const root = mkdtempSync(join(this.#dir, "package-"));
    for (const [name, text] of Object.entries({ ...files, "package.json": JSON.stringify(manifest) })) {
      mkdirSync(dirname(join(root, "package", name)), { recursive: true });
      writeFileSync(join(root, "package", name), text);
    }
    const packed = spawnSync("tar", ["-czf", "package.tgz", "package"], { cwd: root });
    if (packed.status !== 0) throw new Error(`tar failed: ${packed.stderr}`);
    const version: Version = { manifest, tarball: readFileSync(join(root, "package.tgz")) };
    this.#packages.set(manifest.name, [...(this.#packages.get(manifest.name) ?? []), version]);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    rmSync(this.#dir, { recursive: true, force: true });
  }

  #document(name: string, versions: readonly Version[]): object {
    const all = versions.map(({ manifest, tarball }) => {
      const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
      const dist = { tarball: `${this.url}/${name}/-/${manifest.version}.tgz`, integrity };
      return [manifest.version, { ...manifest, dist }];
    });
    return { name, "dist-tags": { latest: versions.at(-1)?.manifest.version }, versions: Object.fromEntries(all) };
  }
}
