import { expect, it } from "vitest";
import { inTemporaryFolder } from "../../test/temporary-folder.js";
import type { InlineExtension } from "../core/extensions/types.js";
import { parseArgs } from "./args.js";
import { listModels } from "./list-models.js";

let agentDir: string;
inTemporaryFolder("pi-list-models-", (path) => {
  agentDir = path;
});

const provider = (id: string): InlineExtension => ({
  name: id,
  factory: (pi) => {
    const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
    const model = {
      id: "m",
      name: "M",
      reasoning: false,
      input: ["text" as const],
      cost,
      contextWindow: 1,
      maxTokens: 1,
    };
    pi.registerProvider(id, { baseUrl: "http://x", apiKey: "k", api: "openai-completions", models: [model] });
  },
});
const list = (...extensionFactories: InlineExtension[]) =>
  listModels({ args: parseArgs(["--list-models"]), cwd: agentDir, agentDir, extensionFactories });

it("extensions bring their models along", async () => {
  const { text, problems } = await list(provider("theirs"), provider("others"));
  expect(text).toMatch(/^others +m .*\ntheirs +m /m);
  expect(problems).toEqual([]);
});

it("and say what is wrong with them", async () => {
  const broken: InlineExtension = {
    name: "broken",
    factory: () => {
      throw new Error("no good");
    },
  };
  const { text, problems } = await list(broken, provider("theirs"));
  expect(text).toMatch(/^theirs +m /m);
  expect(problems).toEqual([expect.stringContaining('Error: Failed to load extension "<inline:broken>": no good')]);
});
