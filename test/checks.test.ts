import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkSteps } from "../scripts/lib/checks.mjs";
import { root } from "../scripts/lib/setup.mjs";

/** A small repository under the real rules, clean until a test breaks it. */
let repo: string;
const clean: Record<string, string> = {
  "packages/ai/src/index.ts": "export const one = 1;\n",
  "packages/ai/src/http.ts": 'export const post = (): Promise<Response> => fetch("http://127.0.0.1");\n',
  "packages/ai/src/api/anthropic-messages.ts": 'import { post } from "../http.js";\n\nexport const ask = post;\n',
  "packages/agent/src/index.ts": 'export { one } from "@earendil-works/pi-ai";\n',
  "packages/coding-agent/src/index.ts": 'export { one } from "@earendil-works/pi-agent-core";\n',
  "packages/coding-agent/src/core/export-html/page/main.ts": "document.title = String(window.length);\n",
  "packages/orchestrator/src/gateway/page/main.ts": "document.title = String(window.length);\n",
  "packages/coding-agent/src/core/process/spawn.ts": 'export { spawn } from "node:child_process";\n',
};

beforeAll(() => {
  repo = mkdtempSync(join(tmpdir(), "pi-checks-"));
  for (const name of ["tsconfig.json", "biome.json", ".dependency-cruiser.cjs", "package.json", ".gitignore"]) {
    cpSync(join(root, name), join(repo, name));
  }
  for (const folder of ["ai", "agent", "coding-agent", "orchestrator"]) {
    mkdirSync(join(repo, "packages", folder), { recursive: true });
    cpSync(join(root, "packages", folder, "package.json"), join(repo, "packages", folder, "package.json"));
  }
  for (const page of [
    join("packages", "coding-agent", "src", "core", "export-html", "page"),
    join("packages", "orchestrator", "src", "gateway", "page"),
  ]) {
    mkdirSync(join(repo, page), { recursive: true });
    cpSync(join(root, page, "tsconfig.json"), join(repo, page, "tsconfig.json"));
  }
  // Third-party packages are the real ones; our own are those of this small repository.
  mkdirSync(join(repo, "node_modules", "@earendil-works"), { recursive: true });
  for (const name of ["typescript", "@types", "undici-types", "typebox"]) {
    symlinkSync(join(root, "node_modules", name), join(repo, "node_modules", name));
  }
  for (const [name, folder] of [
    ["pi-ai", "ai"],
    ["pi-agent-core", "agent"],
    ["pi-coding-agent", "coding-agent"],
  ]) {
    symlinkSync(join(repo, "packages", String(folder)), join(repo, "node_modules", "@earendil-works", String(name)));
  }
  spawnSync("git", ["init", "-q"], { cwd: repo });
  for (const [path, text] of Object.entries(clean)) put(path, text);
});

afterAll(() => rmSync(repo, { recursive: true, force: true }));

function put(path: string, text: string): void {
  mkdirSync(dirname(join(repo, path)), { recursive: true });
  writeFileSync(join(repo, path), text);
}

/** Exit code and output of one step of `npm run check` in the small repository. */
function check(name: string): { code: number | null; output: string } {
  const step = checkSteps.find((candidate) => candidate.name === name);
  if (!step) throw new Error(`no step ${name}`);
  const result = spawnSync(process.execPath, [join(root, "node_modules", step.script), ...step.args], {
    cwd: repo,
    encoding: "utf8",
  });
  return { code: result.status, output: result.stdout + result.stderr };
}

/** What is wrong: the step that finds it, where, with which text, and what the step says on one line with the path. */
const faults: [what: string, step: string, path: string, text: string, found: string][] = [
  ["a type error", "types", "packages/ai/src/typed.ts", 'export const one: number = "1";\n', "error TS2322"],
  [
    "a type error in the exported page",
    "types of the exported page",
    "packages/coding-agent/src/core/export-html/page/main.ts",
    "document.title = window;\n",
    "error TS2322",
  ],
  [
    "a type error in the fleet page",
    "types of the fleet page",
    "packages/orchestrator/src/gateway/page/main.ts",
    "document.title = window;\n",
    "error TS2322",
  ],
  [
    "a page's window outside of the exported page",
    "types",
    "packages/ai/src/page.ts",
    "export const one = window;\n",
    "error TS2304",
  ],
  [
    "an unused variable",
    "lint",
    "packages/ai/src/unused.ts",
    "const unused = 1;\nexport const one = 1;\n",
    "lint/correctness/noUnusedVariables",
  ],
  ["bad formatting", "lint", "packages/ai/src/format.ts", "export   const one=1\n", "format"],
  [
    "a print outside the modes",
    "lint",
    "packages/ai/src/print.ts",
    'console.log("x");\nexport const one = 1;\n',
    "lint/suspicious/noConsole",
  ],
  [
    "a request past the HTTP door",
    "lint",
    "packages/agent/src/request.ts",
    'export const one = fetch("http://127.0.0.1");\n',
    "lint/style/noRestrictedGlobals",
  ],
  [
    "an upward import",
    "dependency rules",
    "packages/ai/src/upward.ts",
    'export { one } from "@earendil-works/pi-agent-core";\n',
    "error floor-ai: ",
  ],
  [
    "a cycle",
    "dependency rules",
    "packages/ai/src/api/cycle-a.ts",
    'export { cycle } from "./cycle-b.js";\n',
    "error no-circular: ",
  ],
  [
    "a deep import",
    "dependency rules",
    "packages/agent/src/deep.ts",
    'export { one } from "../../ai/src/index.js";\n',
    "error no-deep-imports: ",
  ],
  [
    "the HTTP door from outside the API files",
    "dependency rules",
    "packages/ai/src/door.ts",
    'export { post as one } from "./http.js";\n',
    "error door-http-users: ",
  ],
  [
    "a socket past the HTTP door",
    "dependency rules",
    "packages/ai/src/socket.ts",
    'export { request as one } from "node:https";\n',
    "error door-http: ",
  ],
  [
    "a child process past its door",
    "dependency rules",
    "packages/coding-agent/src/main.ts",
    'export { spawn } from "node:child_process";\n',
    "error door-process: ",
  ],
  [
    "a session written past the storage door",
    "dependency rules",
    "packages/coding-agent/src/core/session-store/x.ts",
    'export { writeFileSync } from "node:fs";\n',
    "error door-storage: ",
  ],
  [
    "an import of what is not there",
    "dependency rules",
    "packages/ai/src/nowhere.ts",
    'export { one } from "./not-there.js";\n',
    "error not-to-unresolvable: ",
  ],
];
/** The other half of the cycle. */
const beside: Record<string, string> = {
  "packages/ai/src/api/cycle-b.ts": 'export { cycle } from "./cycle-a.js";\n',
};

describe("npm run check", () => {
  it.each(checkSteps.map(({ name }) => name))("%s: passes on clean code", (name) => {
    expect(check(name)).toMatchObject({ code: 0 });
  });

  describe.each(checkSteps.map(({ name }) => name))("%s", (step) => {
    const own = faults.filter(([, ofStep]) => ofStep === step);
    // One run finds all that is wrong, each in a file of its own.
    let result: ReturnType<typeof check>;
    beforeAll(() => {
      const broken = Object.fromEntries(own.map(([, , path, text]) => [path, text]));
      if (step === "dependency rules") Object.assign(broken, beside);
      for (const [path, text] of Object.entries(broken)) put(path, text);
      result = check(step);
      for (const path of Object.keys(broken)) rmSync(join(repo, path));
      for (const [path, text] of Object.entries(clean)) put(path, text);
    });

    it("fails on what is wrong", () => {
      expect(own).not.toEqual([]);
      expect(result.code).not.toBe(0);
    });

    it.each(own)("refuses %s", (_what, _step, path, _text, found) => {
      const lines = result.output.split("\n");
      const at = lines.findIndex((line) => line.includes(path) && line.includes(found));
      expect(at, result.output).not.toBe(-1);
      // What the linter marks so is a remark, which passes.
      expect(lines[at + 2] ?? "").not.toMatch(/^ {2}i /);
    });
  });
});
