import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { filteredResources } from "./filtered-resources.js";
import { type Filter, switched } from "./resource-filter.js";

const root = "/pkg";
const paths = ["themes/a.json", "themes/b.json", "themes/deep/c.json", "themes/d-e.json"].map(
  (one) => `${root}/${one}`,
);
const metadata = { source: "s", scope: "user", origin: "package" } as const;

const taken = (options: object, base: object | undefined) => (filter: Filter) => {
  const offered = { extensions: [], skills: [], prompts: [], themes: paths };
  const entry = { source: "s", ...options, ...(filter && { themes: [...filter] }) };
  return filteredResources(offered, root, entry, base as never, metadata).themes.map(({ enabled }) => enabled);
};

const entry = fc.oneof(
  fc.constantFrom("themes/a.json", "./themes/b.json", "themes/deep", "themes/*.json", "*", "!**/c.json", "!themes/a*"),
  fc.tuple(fc.constantFrom("+", "-"), fc.constantFrom(...paths)).map(([sign, path]) => `${sign}${path.slice(5)}`),
);

describe("switching one resource of a package", () => {
  it("reaches the other state and leaves all others as they are, whatever the filter is", () => {
    fc.assert(
      fc.property(
        fc.option(fc.array(entry, { maxLength: 5 }), { nil: undefined }),
        fc.array(fc.nat(paths.length - 1), { minLength: 1, maxLength: 6 }),
        fc.constantFrom({}, { autoload: false }),
        (start, switches, options) => {
          const base = "autoload" in options ? { source: "s", themes: ["themes/a.json"] } : undefined;
          const ask = taken(options, base);
          let filter: Filter = start;
          for (const index of switches) {
            const before = ask(filter);
            filter = switched({ paths, baseDir: root, filter, taken: ask }, paths[index] as string);
            expect(ask(filter)).toEqual(before.map((state, at) => (at === index ? !state : state)));
          }
        },
      ),
    );
  });

  it.each<[Filter, number, Filter]>([
    [undefined, 0, ["-themes/a.json"]],
    [["-themes/a.json"], 0, undefined],
    [["-themes/a.json", "-themes/b.json"], 0, ["-themes/b.json"]],
    [[], 1, ["themes/b.json"]],
    [["!themes/*.json"], 1, ["!themes/*.json", "+themes/b.json"]],
    [["themes/a.json"], 0, ["themes/a.json", "-themes/a.json"]],
  ])("%j: the shortest way to say it", (filter, index, expected) => {
    const ask = taken({}, undefined);
    expect(switched({ paths, baseDir: root, filter, taken: ask }, paths[index] as string)).toEqual(expected);
  });
});
