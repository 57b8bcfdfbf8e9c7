import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { browserScript } from "./scripts/lib/browser-script.mjs";
import { LongFilesFirst } from "./vitest.sequencer.js";

/** Tests of whole programs, of the repository, and those that put modules of their own in place of others. */
const apart = ["packages/{coding-agent,orchestrator}/test/**/*.test.ts", "test/**/*.test.ts", ...filesThatMock()];

// Packages are tested from their sources: the "@pi/source" condition of each package's exports map names them.
const common: Pick<TestProjectInlineConfiguration, "plugins" | "resolve" | "ssr"> = {
  plugins: [
    {
      name: "browser-scripts",
      enforce: "pre",
      async load(id) {
        if (!id.endsWith("?browser")) return undefined;
        return `export default ${JSON.stringify(await browserScript(id.replace(/\?browser$/, "")))}`;
      },
    },
  ],
  resolve: { conditions: ["@pi/source"] },
  ssr: { resolve: { conditions: ["@pi/source"] } },
};

const commonTest: TestProjectInlineConfiguration["test"] = {
  setupFiles: ["./vitest.setup.ts"],
  testTimeout: process.env["PI_SOAK"] ? 600_000 : 30_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 15_000 } },
  // Styles are texts that pages are made of.
  css: true,
};

export default defineConfig({
  test: {
    globalSetup: ["./vitest.global.ts"],
    // One more than the two cores there are: end-to-end tests wait a good part of their time.
    maxWorkers: 3,
    sequence: { sequencer: LongFilesFirst },
    projects: [
      {
        ...common,
        test: {
          ...commonTest,
          name: "apart",
          include: apart,
          sequence: { groupOrder: 1 },
        },
      },
      {
        ...common,
        test: {
          ...commonTest,
          name: "together",
          include: ["packages/*/src/**/*.test.ts", "packages/*/test/**/*.test.ts"],
          exclude: ["**/node_modules/**", ...apart],
          // A process and its modules serve many files: to start one and to load everything again takes longer than most
          // tests. What a test changes of the process (environment, timers, globals) it must put back.
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
    ],
  },
});

/** Mocks of modules outlive their file where files share modules. */
function filesThatMock(): string[] {
  return readdirSync("packages", { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".test.ts") && !path.includes("node_modules"))
    .map((path) => join("packages", path))
    .filter((path) => /\bvi\.(mock|doMock)\(/.test(readFileSync(path, "utf8")));
}
