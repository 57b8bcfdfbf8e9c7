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

function withFile<T>(path: string, text: string, run: () => T): T {
  put(path, text);
  try {
    return run();
  } finally {
    const original = clean[path];
    if (original === undefined) rmSync(join(repo, path));
    else put(path, original);
  }
}

describe("npm run check", () => {
  it.each(checkSteps.map(({ name }) => name))("%s: passes on clean code", (name) => {
    expect(check(name)).toMatchObject({ code: 0 });
  });

  it.each<[string, string, string, string, string]>([
    ["a type error", "types", "packages/ai/src/index.ts", 'export const one: number = "1";\n', "TS2322"],
    [
      "a type error in the exported page",
      "types of the exported page",
      "packages/coding-agent/src/core/export-html/page/main.ts",
      "document.title = window;\n",
      "TS2322",
    ],
    [
      "a type error in the fleet page",
      "types of the fleet page",
      "packages/orchestrator/src/gateway/page/main.ts",
      "document.title = window;\n",
      "TS2322",
    ],
    [
      "a page's window outside of the exported page",
      "types",
      "packages/ai/src/index.ts",
      "export const one = window;\n",
      "TS2304",
    ],
    [
      "an unused variable",
      "lint",
      "packages/ai/src/index.ts",
      "const unused = 1;\nexport const one = 1;\n",
      "noUnusedVariables",
    ],
    ["bad formatting", "lint", "packages/ai/src/index.ts", "export   const one=1\n", "format"],
    [
      "a print outside the modes",
      "lint",
      "packages/ai/src/index.ts",
      'console.log("x");\nexport const one = 1;\n',
      "noConsole",
    ],
    [
      "a request past the HTTP door",
      "lint",
      "packages/agent/src/index.ts",
      'export const one = fetch("http://127.0.0.1");\n',
      "HTTP door",
    ],
    [
      "an upward import",
      "dependency rules",
      "packages/ai/src/index.ts",
      'export { one } from "@earendil-works/pi-agent-core";\n',
      "floor-ai",
    ],
    [
      "a cycle",
      "dependency rules",
      "packages/ai/src/http.ts",
      'export { ask as post } from "./api/anthropic-messages.js";\n',
      "no-circular",
    ],
    [
      "a deep import",
      "dependency rules",
      "packages/agent/src/index.ts",
      'export { one } from "../../ai/src/index.js";\n',
      "no-deep-imports",
    ],
    [
      "the HTTP door from outside the API files",
      "dependency rules",
      "packages/ai/src/index.ts",
      'export { post as one } from "./http.js";\n',
      "door-http-users",
    ],
    [
      "a socket past the HTTP door",
      "dependency rules",
      "packages/ai/src/index.ts",
      'export { request as one } from "node:https";\n',
      "door-http",
    ],
    [
      "a child process past its door",
      "dependency rules",
      "packages/coding-agent/src/main.ts",
      'export { spawn } from "node:child_process";\n',
      "door-process",
    ],
    [
      "a session written past the storage door",
      "dependency rules",
      "packages/coding-agent/src/core/session-store/x.ts",
      'export { writeFileSync } from "node:fs";\n',
      "door-storage",
    ],
    [
      "an import of what is not there",
      "dependency rules",
      "packages/ai/src/index.ts",
      'export { one } from "./nowhere.js";\n',
      "not-to-unresolvable",
    ],
  ])("refuses %s (%s)", (_name, step, path, text, reason) => {
    const { code, output } = withFile(path, text, () => check(step));
    expect(output).toContain(reason);
    expect(code).not.toBe(0);
  });
});
