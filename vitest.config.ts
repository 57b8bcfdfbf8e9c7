import { defineConfig } from "vitest/config";
import { browserScript } from "./scripts/lib/browser-script.mjs";

// Packages are tested from their sources: the "@pi/source" condition of each package's exports map names them.
export default defineConfig({
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
  test: {
    include: ["packages/*/src/**/*.test.ts", "packages/*/test/**/*.test.ts", "test/**/*.test.ts"],
    globalSetup: ["./vitest.global.ts"],
    setupFiles: ["./vitest.setup.ts"],
    testTimeout: process.env["PI_SOAK"] ? 600_000 : 30_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    // Styles are texts that pages are made of.
    css: true,
    // One more than the two cores there are: end-to-end tests wait a good part of their time.
    maxWorkers: 3,
  },
});
