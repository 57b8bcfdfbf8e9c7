import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { usePi } from "./pi.js";

const startPi = usePi();

/** A project whose settings take the model's tools away, which its requests show. */
async function project() {
  const pi = await startPi(Array.from({ length: 4 }, () => ({ blocks: [{ type: "text" as const, text: "ok" }] })));
  mkdirSync(join(pi.cwd, ".pi"));
  writeFileSync(join(pi.cwd, ".pi", "settings.json"), '{"defaultTools": []}');
  const tools = async (...args: string[]) => {
    const run = await pi.pi([...args, "-p", "x"]);
    expect(run).toMatchObject({ code: 0, stdout: "ok\n", stderr: "" });
    const body = pi.server.requests.at(-1)?.body as { tools?: unknown[] };
    return body.tools?.length ?? 0;
  };
  return { pi, tools };
}

describe("settings of a project", () => {
  it("count when the project is trusted, for one start or for good", async () => {
    const { pi, tools } = await project();
    expect(await tools()).toBe(4);
    expect(await tools("--approve")).toBe(0);
    pi.configure("trust.json", JSON.stringify({ [pi.home]: true }));
    expect(await tools()).toBe(0);
    expect(await tools("--no-approve")).toBe(4);
  });

  it("a trust store that cannot be read stops the start", async () => {
    const { pi } = await project();
    pi.configure("trust.json", "[]");
    const run = await pi.pi(["-p", "x"]);
    expect(run).toMatchObject({ code: 1, stdout: "" });
    expect(run.stderr).toBe(
      `Error: Invalid trust store ${join(pi.agentDir, "trust.json")}: expected an object\nCorrect or remove it. Until then no project with settings of its own can be opened.\n`,
    );
    expect(pi.server.requests).toEqual([]);
  });

  it("the proxy of the user's settings is used", async () => {
    const { pi } = await project();
    pi.configure("settings.json", JSON.stringify({ httpProxy: "http://127.0.0.1:9", retry: { enabled: false } }));
    const run = await pi.pi(["-p", "x"], { env: { NO_PROXY: "", no_proxy: "" } });
    expect(run).toMatchObject({ code: 1, stdout: "" });
    expect(pi.server.requests).toEqual([]);
  });
});
