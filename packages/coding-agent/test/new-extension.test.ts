import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cleanEnvironment, usePi } from "./pi.js";

const start = usePi();

describe("--new-extension", () => {
  it("makes an extension that loads, whose tool the model can call, and whose test runs with nothing installed", async () => {
    const pi = await start([
      { blocks: [{ type: "toolCall", name: "roll_dice", arguments: { count: 2 } }] },
      { blocks: [{ type: "text", text: "rolled" }] },
    ]);
    const made = await pi.run(["--new-extension", "dice"]);
    expect(made).toMatchObject({ code: 0, stderr: "" });
    expect(made.stdout.split("\n")).toEqual([
      "Made dice: README.md, index.test.mjs, index.ts, package.json, tsconfig.json",
      "Try it:  pi -e dice",
      "Test it: cd dice && npm test",
      "",
    ]);
    const folder = join(pi.cwd, "dice");
    expect(readdirSync(folder).toSorted()).toEqual([
      ...[".gitignore", "README.md", "index.test.mjs", "index.ts", "node_modules", "package.json", "tsconfig.json"],
    ]);
    expect(JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))).toMatchObject({
      name: "dice",
      pi: { extensions: ["./index.ts"] },
    });
    expect(await pi.pi(["-p", "-e", "dice", "roll"])).toMatchObject({ code: 0, stdout: "rolled\n", stderr: "" });
    expect(pi.server.requests[1]?.conversation.lastResults[0]?.text).toMatch(/^[1-6], [1-6]$/);

    const run = () =>
      spawnSync(process.execPath, ["--test"], {
        cwd: folder,
        encoding: "utf8",
        env: { ...cleanEnvironment(), HOME: pi.home },
      });
    const passed = run();
    expect(passed.stdout).toMatch(/^# pass 3$/m);
    expect(passed.status).toBe(0);
    // A test that cannot fail would be worth nothing.
    const code = readFileSync(join(folder, "index.ts"), "utf8");
    writeFileSync(join(folder, "index.ts"), code.replace('dice.join(", ")', '"six"'));
    expect(run().stdout).toMatch(/^# fail 1$/m);
  }, 60_000);

  it("touches nothing that is there, and says what a name must be", async () => {
    const pi = await start([]);
    mkdirSync(join(pi.cwd, "full"));
    writeFileSync(join(pi.cwd, "full", "mine"), "");
    expect(await pi.run(["--new-extension", "full"])).toMatchObject({
      code: 1,
      stdout: "",
      stderr: `Error: ${join(pi.cwd, "full")} is not empty. Name a folder that does not exist yet.\n`,
    });
    expect(readdirSync(join(pi.cwd, "full"))).toEqual(["mine"]);
    expect((await pi.run(["--new-extension", "Big Name"])).stderr).toBe(
      'Error: "Big Name" cannot be the name of a package. Use small letters, digits, ".", "_" and "-".\n',
    );
    expect((await pi.run(["--new-extension"])).code).toBe(1);
    mkdirSync(join(pi.cwd, "empty"));
    expect((await pi.run(["--new-extension", "empty"])).code).toBe(0);
  });

  it("takes no prompt away: the words of one are a prompt", async () => {
    const pi = await start(() => ({ blocks: [{ type: "text", text: "as you say" }] }));
    expect(await pi.pi(["-p", "extension", "new", "dice"])).toMatchObject({ code: 0, stdout: "as you say\n" });
    expect(pi.server.requests.map(({ conversation }) => conversation.turns.at(-1))).toMatchObject([
      { text: "extension" },
      { text: "new" },
      { text: "dice" },
    ]);
    expect(execFileSync("ls", { cwd: pi.cwd, encoding: "utf8" })).toBe("");
  });
});
