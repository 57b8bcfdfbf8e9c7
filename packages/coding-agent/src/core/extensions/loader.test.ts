import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as agentCore from "@earendil-works/pi-agent-core";
import * as ai from "@earendil-works/pi-ai/compat";
import * as tui from "@earendil-works/pi-tui";
import * as typebox from "typebox";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createEventBus } from "./event-bus.js";
import { ExtensionModules, inlineSources, loadExtensions, namedSources } from "./loader.js";
import { hostModulesOfSources } from "./loading/host-modules.js";
import { createExtensionRuntime, invalidateRuntime } from "./runtime.js";
import type { ExtensionAPI, ExtensionFactory } from "./types.js";

let root: string;
let modules: ExtensionModules;
/** What extensions of these tests leave behind. */
const seen = globalThis as unknown as { seen: Record<string, unknown> };
// The whole program is transpiled for the first extension: from its sources, and only here.
beforeAll(async () => {
  await hostModulesOfSources();
}, 300_000);
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "pi-loader-")));
  modules = new ExtensionModules(join(root, "agent"));
  seen.seen = {};
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
}

function load(names: string[], runtime = createExtensionRuntime()) {
  return loadExtensions(
    names.flatMap((name) => namedSources(name, root)),
    { cwd: root, runtime, modules },
  );
}

function loadInline(...factories: ExtensionFactory[]) {
  return loadExtensions(inlineSources(factories), { cwd: root, runtime: createExtensionRuntime(), modules });
}

/** Loads one file that puts what it has to say into `seen`. */
async function run(file: string): Promise<Record<string, unknown>> {
  const { errors } = await load([file]);
  expect(errors).toEqual([]);
  return seen.seen;
}

const command = 'pi.registerCommand("c", { handler: async () => {} });';

describe.skipIf(process.platform === "win32")("what is no file", () => {
  it.each<[string, (path: string) => void, string]>([
    ["a pipe that nobody writes to", (path) => execFileSync("mkfifo", [path]), "it is a named pipe, but a file is"],
    ["a link to nothing", (path) => symlinkSync("/nowhere/at/all", path), "it is a link to nothing"],
    ["a link in circles", (path) => symlinkSync(path, path), "it is a link that leads in circles"],
    ["a link to a device", (path) => symlinkSync("/dev/zero", path), "it is a device, but a file is"],
  ])("%s: is told, and not waited for", async (_, make, reason) => {
    make(join(root, "odd.ts"));
    const { errors } = await load(["odd.ts"]);
    expect(errors).toEqual([{ path: join(root, "odd.ts"), error: expect.stringContaining(reason) }]);
  });
});

describe("files that load", () => {
  it.each<[string, string, string]>([
    [
      "an ES module in TypeScript",
      "a.ts",
      `export default function (pi: unknown) { (pi as any).registerFlag("f", { type: "boolean" }); }`,
    ],
    ["JavaScript with ES syntax", "a.js", `export default (pi) => pi.registerFlag("f", { type: "boolean" });`],
    [".mjs", "a.mjs", `export default (pi) => pi.registerFlag("f", { type: "boolean" });`],
    [".mts", "a.mts", `export default (pi: any): void => pi.registerFlag("f", { type: "boolean" });`],
    ["CommonJS", "a.cjs", `module.exports = function (pi) { pi.registerFlag("f", { type: "boolean" }); };`],
    ["CommonJS in .js", "a.js", `module.exports = (pi) => pi.registerFlag("f", { type: "boolean" });`],
    [
      "an async factory",
      "a.ts",
      `export default async (pi: any) => { await new Promise((r) => setTimeout(r, 5)); pi.registerFlag("f", { type: "boolean" }); }`,
    ],
    [
      "top-level await",
      "a.ts",
      `const type = await Promise.resolve("boolean"); export default (pi: any) => pi.registerFlag("f", { type });`,
    ],
    [
      "enums, namespaces and parameter properties",
      "a.ts",
      `enum Kind { Flag = "f" } namespace N { export const type = "boolean"; } class C { constructor(readonly kind: Kind) {} }
       export default (pi: any) => pi.registerFlag(new C(Kind.Flag).kind, { type: N.type });`,
    ],
    [
      "types imported without saying so, and names that are gone",
      "a.ts",
      `import { ExtensionAPI, SessionSwitchEvent, noSuchValue } from "@mariozechner/pi-coding-agent";
       let event: SessionSwitchEvent | undefined;
       export default (pi: ExtensionAPI) => pi.registerFlag(noSuchValue === undefined ? "f" : "no", { type: "boolean" });`,
    ],
  ])("%s", async (_what, name, text) => {
    write({ [name]: text });
    const { extensions, errors } = await load([name]);
    expect(errors).toEqual([]);
    expect([...(extensions[0]?.flags.keys() ?? [])]).toEqual(["f"]);
  });

  it("imports of its own, however they are written, JSON and dynamic ones", async () => {
    write({
      "x/index.ts": `import { b } from "./b"; import { c } from "./c.ts"; import { d } from "./d.js"; import data from "./data.json";
        import { dirname } from "node:path"; import { createRequire } from "node:module";
        const require = createRequire(import.meta.url);
        export default async () => {
          const { e } = await import("./e.ts");
          globalThis.seen = { sum: [b, c, d, data.j, e].join(""), here: import.meta.dirname === __dirname, file: import.meta.url, name: require("./package.json").name, dirname: dirname(__filename) };
        }`,
      "x/b.ts": `export const b: string = "b";`,
      "x/c.ts": `export const c = "c" as const;`,
      "x/d.ts": `export const d = "d";`,
      "x/e.ts": `export const e = "e";`,
      "x/data.json": `{ "j": "j" }`,
      "x/package.json": `{ "name": "pkg" }`,
    });
    const found = await run("x");
    expect(found).toEqual({
      sum: "bcdje",
      here: true,
      file: `file://${join(root, "x/index.ts")}`,
      name: "pkg",
      dirname: join(root, "x"),
    });
  });
});

describe("modules of the program", () => {
  const specifiers: [string, string, unknown][] = [
    ...["@earendil-works", "@mariozechner"].flatMap<[string, string, unknown]>((scope) => [
      [`${scope}/pi-agent-core`, "Agent", agentCore.Agent],
      [`${scope}/pi-tui`, "Text", tui.Text],
      [`${scope}/pi-ai`, "getModel", ai.getModel],
      [`${scope}/pi-ai`, "Type", typebox.Type],
      [`${scope}/pi-ai`, "StringEnum", ai.StringEnum],
      [`${scope}/pi-ai/compat`, "complete", ai.complete],
      [`${scope}/pi-ai/compat`, "Type", typebox.Type],
    ]),
    ["typebox", "Type", typebox.Type],
    ["@sinclair/typebox", "Type", typebox.Type],
  ];

  it.each(specifiers)("%s gives our %s to ES modules and CommonJS", async (specifier, name, expected) => {
    write({
      "esm.ts": `import { ${name} } from "${specifier}"; import * as all from "${specifier}";
        export default async () => { globalThis.seen = { named: ${name}, all: all.${name}, later: (await import("${specifier}")).${name} }; }`,
      "cjs.cjs": `const { ${name} } = require("${specifier}"); module.exports = () => { globalThis.seen = { named: ${name} }; };`,
    });
    const esm = await run("esm.ts");
    expect(esm["named"]).toBe(expected);
    expect(esm["all"]).toBe(expected);
    expect(esm["later"]).toBe(expected);
    expect((await run("cjs.cjs"))["named"]).toBe(expected);
  });

  it.each(["@earendil-works/pi-coding-agent", "@mariozechner/pi-coding-agent"])(
    "%s is the running program",
    async (specifier) => {
      const { defineTool } = await import("./define-tool.js");
      write({
        "a.ts": `import { defineTool } from "${specifier}"; export default () => { globalThis.seen = { defineTool }; }`,
      });
      expect((await run("a.ts"))["defineTool"]).toBe(defineTool);
    },
  );

  it.each(["pi-ai/models", "pi-ai/oauth", "pi-ai/providers/all"])("%s resolves", async (path) => {
    write({
      "a.ts": `import * as all from "@mariozechner/${path}"; export default () => { globalThis.seen = { all: typeof all }; }`,
    });
    expect(await run("a.ts")).toEqual({ all: "object" });
  });

  it.each(["typebox/value", "typebox/compile", "@sinclair/typebox/value"])("%s resolves", async (specifier) => {
    write({
      "a.ts": `import * as all from "${specifier}"; export default () => { globalThis.seen = { count: Object.keys(all).length }; }`,
    });
    expect((await run("a.ts"))["count"]).toBeGreaterThan(0);
  });

  it("are ours in dependencies too, also when those have a copy of their own", async () => {
    const copy = {
      "package.json": '{"name":"@earendil-works/pi-tui","type":"module","main":"index.js"}',
      "index.js": "export class Text {}",
    };
    const dependency = (kind: string, index: string) => ({
      [`x/node_modules/dep-${kind}/package.json`]: `{"name":"dep-${kind}","type":"${kind}","main":"index.js","peerDependencies":{"@earendil-works/pi-tui":"*"}}`,
      [`x/node_modules/dep-${kind}/index.js`]: index,
    });
    write({
      "x/node_modules/@earendil-works/pi-tui/package.json": copy["package.json"],
      "x/node_modules/@earendil-works/pi-tui/index.js": copy["index.js"],
      ...dependency("module", `export { Text } from "@earendil-works/pi-tui";`),
      ...dependency("commonjs", `exports.Text = require("@earendil-works/pi-tui").Text;`),
      "x/index.ts": `import { Text as a } from "dep-module"; import { Text as b } from "dep-commonjs"; import { Text as c } from "@earendil-works/pi-tui";
        export default () => { globalThis.seen = { a, b, c }; }`,
    });
    const { a, b, c } = await run("x");
    expect([a, b, c]).toEqual([tui.Text, tui.Text, tui.Text]);
    expect(a).toBe(tui.Text);
  });

  it("leaves other dependencies to Node, from the real folder of a linked extension", async () => {
    write({
      "store/x/node_modules/dep/package.json": `{"name":"dep","type":"module","exports":"./main.js"}`,
      "store/x/node_modules/dep/main.js": `export const value = await Promise.resolve(7);`,
      "store/x/index.ts": `import { value } from "dep"; export default () => { globalThis.seen = { value }; }`,
      "linked/keep": "",
    });
    symlinkSync(join(root, "store/x"), join(root, "linked/x"));
    expect(await run("linked/x")).toEqual({ value: 7 });
  });

  it.each([
    `import { createRequire } from "node:module"; const require = createRequire(import.meta.url);`,
    `import module from "module"; const require = module.createRequire(import.meta.url);`,
    `import * as module from "node:module"; const require = module.createRequire(new URL("./x.js", import.meta.url));`,
  ])("are ours for a require that an extension makes itself: %s", async (line) => {
    write({
      "x/index.ts": `${line}
        export default () => { globalThis.seen = {
          Text: require("@mariozechner/pi-tui").Text,
          Type: require("@sinclair/typebox").Type,
          part: require("./part").part,
          data: require("./data.json").n,
          path: typeof require("node:path").join,
          resolved: require.resolve("./data.json"),
        }; }`,
      "x/part.ts": `export const part: number = 5;`,
      "x/data.json": `{"n":3}`,
    });
    expect(await run("x")).toEqual({
      Text: tui.Text,
      Type: typebox.Type,
      part: 5,
      data: 3,
      path: "function",
      resolved: join(root, "x/data.json"),
    });
  });

  it("are ours in packages of a store that node_modules link into, which say so or not", async () => {
    const pkg = (name: string, rest: object = {}) =>
      JSON.stringify({ name, type: "module", main: "index.js", ...rest });
    write({
      "store/ui@1/node_modules/ui/package.json": pkg("ui", { dependencies: { deep: "*" } }),
      "store/ui@1/node_modules/ui/index.js": `export { Text } from "@earendil-works/pi-tui"; export { value } from "deep";`,
      "store/deep@1/node_modules/deep/package.json": pkg("deep"),
      "store/deep@1/node_modules/deep/index.js": `export const value = "deep";`,
      "x/node_modules/keep": "",
      "x/index.ts": `import { Text, value } from "ui"; export default () => { globalThis.seen = { Text, value }; }`,
    });
    symlinkSync(join(root, "store/deep@1/node_modules/deep"), join(root, "store/ui@1/node_modules/deep"));
    symlinkSync(join(root, "store/ui@1/node_modules/ui"), join(root, "x/node_modules/ui"));
    expect(await run("x")).toEqual({ Text: tui.Text, value: "deep" });
  });

  it("an unknown subpath of ours comes from the extension's own copy, if it has one", async () => {
    write({
      "x/node_modules/@mariozechner/pi-ai/package.json": `{"name":"@mariozechner/pi-ai","type":"module","exports":{"./*":"./*"}}`,
      "x/node_modules/@mariozechner/pi-ai/dist/old.js": `export const old = "its own";`,
      "x/index.ts": `import { old } from "@mariozechner/pi-ai/dist/old.js"; import { getModel } from "@mariozechner/pi-ai";
        export default () => { globalThis.seen = { old, getModel }; }`,
    });
    expect(await run("x")).toEqual({ old: "its own", getModel: ai.getModel });
  });

  it("an unknown subpath names itself", async () => {
    write({ "a.ts": `import { x } from "@earendil-works/pi-ai/utils/x"; export default () => x;` });
    const { errors } = await load(["a.ts"]);
    expect(errors[0]?.error).toMatch(/Cannot find module '@earendil-works\/pi-ai\/utils\/x'/);
  });
});

describe("what fails", () => {
  it.each<[string, string, RegExp]>([
    ["no factory", "export const a = 1;", /^Extension does not export a valid factory function: .*a\.ts$/],
    ["a syntax error", "export default (\n\n  = 3", /^Failed to load extension: [^\n]* \(\S+a\.ts:3:\d+\)$/],
    ["a module that is missing", `import "./none.js"; export default () => {}`, /^Failed to load extension: .*none/],
    ["a throw while it loads", `\n\nthrow new Error("boom");`, /^Failed to load extension: boom \(.*a\.ts:3/],
    [
      "a throw of the factory",
      `export default () => {\n\n  throw new TypeError("boom");\n};`,
      /^Failed to load extension: boom \(.*a\.ts:3/,
    ],
    ["a throw of something else", `export default () => { throw "text"; }`, /^Failed to load extension: text$/],
    [
      "a rejection",
      `export default async () => { throw new Error("late"); }`,
      /^Failed to load extension: late \(.*a\.ts:1/,
    ],
    [
      "an action during load",
      `export default (pi: any) => pi.appendEntry("x");`,
      /^Failed to load extension: Extension runtime not initialized\. Action methods cannot be called during extension loading\./,
    ],
    [
      "setModel during load",
      `export default (pi: any) => pi.setModel({});`,
      /^Failed to load extension: Extension runtime not initialized \(.*a\.ts:1/,
    ],
    [
      "a tool without parameters",
      `export default (pi: any) => pi.registerTool({ name: "t", execute() {} });`,
      /Tool "t" registered by extension ".*a\.ts" must define an object parameter schema\./,
    ],
    [
      "a command without name",
      `export default (pi: any) => pi.registerCommand("", { handler() {} });`,
      /Command registered by extension ".*a\.ts" must have a non-empty string name\. /,
    ],
    [
      "a command without handler",
      `export default (pi: any) => pi.registerCommand("c", {});`,
      /Command "\/c" registered by extension ".*a\.ts" must define handler\(\)\./,
    ],
    [
      "a flag with a wrong default",
      `export default (pi: any) => pi.registerFlag("f", { type: "boolean", default: "x" });`,
      /Invalid default for flag "f": expected boolean, got string/,
    ],
  ])("%s is named", async (_what, text, expected) => {
    write({ "a.ts": text, "b.ts": `export default (pi: any) => { ${command} };` });
    const { extensions, errors } = await load(["a.ts", "b.ts"]);
    expect(errors).toEqual([{ path: join(root, "a.ts"), error: expect.stringMatching(expected) }]);
    expect(extensions.map(({ path }) => path)).toEqual([join(root, "b.ts")]);
  });

  it("a built-in extension that there is not", async () => {
    const { errors } = await load(["builtin:nothing"]);
    expect(errors).toEqual([{ path: "builtin:nothing", error: "Unknown built-in extension: builtin:nothing" }]);
  });

  it("a path that is not there", async () => {
    const { errors } = await load(["none.ts"]);
    expect(errors).toEqual([
      { path: join(root, "none.ts"), error: `Extension path does not exist: ${join(root, "none.ts")}` },
    ]);
  });

  it("leaves nothing behind, and its pi is dead", async () => {
    let pi: ExtensionAPI | undefined;
    const heard = vi.fn();
    const bus = createEventBus();
    const runtime = createExtensionRuntime(bus);
    const { extensions, errors } = await loadExtensions(
      inlineSources([
        {
          name: "bad",
          factory(api) {
            pi = api;
            api.events.on("x", heard);
            api.registerProvider("p", { baseUrl: "http://localhost" });
            throw new Error("no");
          },
        },
      ]),
      { cwd: root, runtime, modules },
    );
    expect(extensions).toEqual([]);
    expect(errors).toHaveLength(1);
    expect(runtime.queuedProviders).toEqual([]);
    bus.emit("x", 1);
    expect(heard).not.toHaveBeenCalled();
    expect(() => pi?.on("session_start", () => {})).toThrow(
      'Extension "<inline:bad>" failed to load and its API is no longer active.',
    );
  });
});

describe("several extensions", () => {
  it("keep their order; the same file counts once", async () => {
    write({ "a.ts": "export default () => {}", "b.ts": "export default () => {}" });
    symlinkSync(join(root, "a.ts"), join(root, "same.ts"));
    const { extensions } = await load(["b.ts", "a.ts", "same.ts", "b.ts"]);
    expect(extensions.map(({ path }) => path)).toEqual([join(root, "b.ts"), join(root, "a.ts")]);
  });

  it("of one tool or flag name: the later one is told", async () => {
    const tool = {
      name: "t",
      label: "t",
      description: "t",
      parameters: typebox.Type.Object({}),
      execute: async () => ({ content: [], details: 1 }),
    };
    const { errors, extensions } = await loadInline(
      (pi) => {
        pi.registerTool(tool);
        pi.registerFlag("f", { type: "string" });
      },
      (pi) => {
        pi.registerTool(tool);
        pi.registerFlag("f", { type: "string" });
      },
    );
    expect(extensions).toHaveLength(2);
    expect(errors).toEqual([
      { path: "<inline:2>", error: 'Tool "t" conflicts with <inline:1>' },
      { path: "<inline:2>", error: 'Flag "--f" conflicts with <inline:1>' },
    ]);
  });

  it("see their own flags only", async () => {
    const runtime = createExtensionRuntime();
    let values: unknown[] = [];
    await loadExtensions(
      inlineSources([
        (pi) => pi.registerFlag("f", { type: "string", default: "d" }),
        (pi) => {
          pi.registerFlag("g", { type: "boolean" });
          values = [pi.getFlag("f"), pi.getFlag("g")];
          runtime.flagValues.set("g", true);
          values.push(pi.getFlag("g"));
        },
      ]),
      { cwd: root, runtime, modules },
    );
    expect(values).toEqual([undefined, undefined, true]);
  });
});

describe("modules over time", () => {
  it("a factory runs again without the file being read again, until the modules are cleared", async () => {
    write({
      "a.ts": `globalThis.seen.reads = (globalThis.seen.reads ?? 0) + 1; export default () => { globalThis.seen.runs = (globalThis.seen.runs ?? 0) + 1; }`,
    });
    await load(["a.ts"]);
    await load(["a.ts"]);
    expect(seen.seen).toEqual({ reads: 1, runs: 2 });
    write({ "a.ts": `globalThis.seen.reads = "new"; export default () => {}` });
    modules.clear();
    await load(["a.ts"]);
    expect(seen.seen["reads"]).toBe("new");
  });

  it("reads what is imported afresh too", async () => {
    write({
      "a.ts": `import { v } from "./v.ts"; export default () => { globalThis.seen = { v }; }`,
      "v.ts": "export const v = 1;",
    });
    expect(await run("a.ts")).toEqual({ v: 1 });
    write({ "v.ts": "export const v = 2;" });
    modules.clear();
    expect(await run("a.ts")).toEqual({ v: 2 });
  });

  it("keeps transpiled files in the agent directory, and goes on where it may not write", async () => {
    write({ "a.ts": "export default () => { globalThis.seen = { ok: 1 }; }", "agent-file": "" });
    await load(["a.ts"]);
    expect(readdirSync(join(root, "agent/cache/extensions")).length).toBeGreaterThan(0);
    modules = new ExtensionModules(join(root, "agent-file"));
    expect(await run("a.ts")).toEqual({ ok: 1 });
  });
});

describe("a runtime that is over", () => {
  it("makes every call of pi throw, and ends its subscriptions", async () => {
    let pi: ExtensionAPI | undefined;
    const heard = vi.fn();
    const bus = createEventBus();
    const runtime = createExtensionRuntime(bus);
    const factory: ExtensionFactory = (api) => {
      pi = api;
      api.events.on("x", heard);
    };
    await loadExtensions(inlineSources([factory]), { cwd: root, runtime, modules });
    invalidateRuntime(runtime);
    bus.emit("x", 1);
    expect(heard).not.toHaveBeenCalled();
    const words = /extension ctx is stale/;
    expect(() => pi?.getActiveTools()).toThrow(words);
    expect(() => pi?.on("session_start", () => {})).toThrow(words);
    expect(() => pi?.events.emit("x", 1)).toThrow(words);
    await expect(pi?.exec("true", [])).rejects.toThrow(words);
  });

  it("handlers of the bus that throw or reject are told by extension and channel", async () => {
    const bus = createEventBus();
    const runtime = createExtensionRuntime(bus);
    const report = vi.fn();
    runtime.report = report;
    const factory: ExtensionFactory = (pi) => {
      pi.events.on("x", () => {
        throw new Error("at once");
      });
      pi.events.on("x", async () => {
        throw new Error("later");
      });
    };
    await loadExtensions(inlineSources([factory]), { cwd: root, runtime, modules });
    bus.emit("x", 1);
    await vi.waitFor(() => expect(report).toHaveBeenCalledTimes(2));
    expect(report.mock.calls.map(([{ extensionPath, event, error }]) => [extensionPath, event, error])).toEqual([
      ["<inline:1>", "events:x", "at once"],
      ["<inline:1>", "events:x", "later"],
    ]);
  });
});
