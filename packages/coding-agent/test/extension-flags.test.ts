import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { usePi } from "./pi.js";

const start = usePi();

it("the help lists the options that extensions add, and says which extensions do not load", async () => {
  const pi = await start([]);
  const write = (folder: string, name: string, text: string) => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  const own = join(pi.agentDir, "extensions");
  write(
    own,
    "own.ts",
    `export default (pi) => {
      console.log("printed");
      pi.registerFlag("plan", { type: "boolean", description: "Only plan" });
      pi.registerFlag("depth", { type: "string" });
    };`,
  );
  write(
    own,
    "twin.ts",
    `export default (pi) => pi.registerFlag("plan", { type: "string", description: "never seen" });`,
  );
  write(
    join(pi.cwd, ".pi", "extensions"),
    "theirs.ts",
    `export default (pi) => pi.registerFlag("theirs", { type: "boolean" });`,
  );
  const help = await pi.run(["--help"]);
  expect(help.code).toBe(0);
  const rows = help.stdout.split("\n");
  const at = rows.indexOf("Extension CLI Flags:");
  expect(rows.slice(at + 1, at + 4)).toEqual([
    `  ${"--plan".padEnd(30)}Only plan`,
    `  ${"--depth <value>".padEnd(30)}Registered by ${join(own, "own.ts")}`,
    "",
  ]);
  expect(help.stderr).toContain('Flag "--plan" conflicts with');
  const trusted = await pi.run(["--help", "--approve"]);
  expect(trusted.stdout).toContain("--theirs");
  // What an extension added is no unknown option.
  const json = await pi.run(["--help", "--plan", "--none", "--mode", "json"]);
  expect(json.stderr).toContain("Unknown option: --none\n");
  // For whoever names a mode, stdout is the answer's own.
  expect(help.stdout).toContain("printed\n");
  expect(json.stderr).toContain("printed\n");
  expect(json.stdout).not.toContain("printed");
  expect(json.stdout).toContain("Extension CLI Flags:");
  expect((await pi.run(["--help", "-ne"])).stdout).not.toContain("Extension CLI Flags");
});
