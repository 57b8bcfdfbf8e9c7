import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFindTool } from "../find.js";
import type { GrepQuery } from "./grep-query.js";
import { searchWithoutRipgrep } from "./js-search.js";
import { sortByPath } from "./path-order.js";
import { searchWithRipgrep } from "./rg-search.js";
import { findRipgrep } from "./ripgrep.js";

let home: string;
let program: string;
const homeBefore = process.env["HOME"];
beforeAll(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "agreement-test-")));
  // The excludes of whoever runs the tests are none of theirs.
  process.env["HOME"] = home;
  program = (await findRipgrep()) ?? "";
  expect(program).not.toBe("");
});
afterAll(() => {
  if (homeBefore === undefined) delete process.env["HOME"];
  else process.env["HOME"] = homeBefore;
  rmSync(home, { recursive: true, force: true });
});

const name = fc.constantFrom("a", "b.ts", "c.log", ".hid", "d e", "é", "漢.ts", "😀", "build", "X.md", "sub", "[x]");
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
const line = fc.constantFrom("needle", "a needle b", "Needle", "x", "", "\tneedle\r", "né😀 needle", "n".repeat(600));
const content = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(fc.array(line, { maxLength: 6 }), fc.boolean())
      .map(([lines, ends]) => lines.join("\n") + (ends ? "\n" : "")),
  },
  { weight: 1, arbitrary: fc.constant("\0 needle\nneedle\n") },
  { weight: 1, arbitrary: fc.constant(`${"filler\n".repeat(12_000)}needle\n\0`) },
  { weight: 1, arbitrary: fc.constant("\ufeffneedle\n") },
  { weight: 1, arbitrary: fc.constant(`${"a needle b ".repeat(300)}\r\nneedle\r`) },
);
const rule = fc.constantFrom(
  "*.log",
  "build/",
  "/a",
  "!c.log",
  "!build/",
  "sub/*",
  "!sub/a",
  "# note",
  "d e",
  "**/b.ts",
  "a/**",
  "é",
  "!*",
  "*",
  "\\[x]",
  "X.md",
  ".hid",
  "a/b.ts",
  "!/a",
  "",
  "  ",
);
const ignoreFile = fc.record({
  dir: fc.oneof(fc.constant(""), path),
  name: fc.constantFrom(".gitignore", ".gitignore", ".gitignore", ".ignore", ".rgignore", ".git/info/exclude"),
  rules: fc.array(rule, { maxLength: 4 }),
  crlf: fc.boolean(),
});
const tree = fc.record({
  files: fc.array(fc.record({ path, content }), { maxLength: 14 }),
  ignoreFiles: fc.array(ignoreFile, { maxLength: 4 }),
  repositories: fc.array(fc.oneof(fc.constant(""), path), { maxLength: 2 }),
  directories: fc.array(path, { maxLength: 2 }),
  links: fc.array(fc.record({ path, target: fc.oneof(path, fc.constant("nowhere")) }), { maxLength: 2 }),
});
type Tree = typeof tree extends fc.Arbitrary<infer T> ? T : never;

/** Makes what can be made; an entry in the way of another one stays out. */
function make(root: string, { files, ignoreFiles, repositories, directories, links }: Tree): void {
  const attempt = (make: () => void) => {
    try {
      make();
    } catch {
      // In the way of another entry.
    }
  };
  const put = (file: string, text: string) =>
    attempt(() => {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), text);
    });
  for (const repository of repositories) put(join(repository, ".git/config"), "needle\n");
  for (const file of files) put(file.path, file.content);
  for (const { dir, name: file, rules, crlf } of ignoreFiles) put(join(dir, file), rules.join(crlf ? "\r\n" : "\n"));
  for (const directory of directories) attempt(() => mkdirSync(join(root, directory), { recursive: true }));
  for (const link of links) attempt(() => symlinkSync(link.target, join(root, link.path)));
}

/** Runs a check in a fresh directory, and in a directory of it. */
async function inTree(made: Tree, inner: boolean, check: (dir: string) => Promise<void>): Promise<void> {
  const root = mkdtempSync(join(home, "tree-"));
  try {
    make(root, made);
    const [sub] = readdirSync(root, { withFileTypes: true }).filter(
      (entry) => entry.isDirectory() && entry.name !== ".git",
    );
    await check(inner && sub ? join(root, sub.name) : root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const runs = process.env["PI_SOAK"] ? 2000 : 80;

describe("with and without ripgrep", () => {
  it("grep finds the same", { timeout: 600_000 }, async () => {
    const query = fc.record({
      pattern: fc.constantFrom(
        "needle",
        "(?i)needle",
        "^need",
        "e$",
        "n.{3}le",
        "[[:alpha:]]+ b\\z",
        "",
        "\\bneedle\\b",
        "né.",
      ),
      glob: fc.constantFrom(
        undefined,
        undefined,
        "*.ts",
        "!*.ts",
        "sub/*",
        "a/**",
        "build",
        "!build/",
        "*.{ts,log}",
        "./b.ts",
      ),
      ignoreCase: fc.boolean(),
      literal: fc.constantFrom(false, false, true),
      context: fc.constantFrom(0, 0, 1, 3),
      limit: fc.constantFrom(1, 2, 5, 100),
    });
    await fc.assert(
      fc.asyncProperty(tree, query, fc.boolean(), async (made, asked, inner) => {
        await inTree(made, inner, async (dir) => {
          const file = readdirSync(dir, { withFileTypes: true }).find((entry) => entry.isFile());
          const places = [{ path: dir, isDirectory: true }];
          if (file) places.push({ path: join(dir, file.name), isDirectory: false });
          for (const place of places) {
            const whole: GrepQuery = { ...asked, ...(place.isDirectory ? {} : { glob: undefined }), ...place };
            const results = [];
            for (const search of [searchWithRipgrep.bind(undefined, program), searchWithoutRipgrep]) {
              const { lines, hasMore, linesTruncated } = await search(whole, undefined);
              results.push({ lines, hasMore, linesTruncated });
            }
            expect(results[1]).toEqual(results[0]);
          }
        });
      }),
      { numRuns: runs },
    );
  });

  it("find finds the files that ripgrep lists", { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(tree, fc.boolean(), async (generated, inner) => {
        // Where ripgrep is told that no repository is needed, it knows of none; `find` still stops at their roots.
        const isRepository = generated.repositories.includes("");
        const made = isRepository
          ? generated
          : {
              ...generated,
              repositories: [],
              ignoreFiles: generated.ignoreFiles.filter(({ name }) => !name.startsWith(".git/")),
            };
        const requirement = isRepository ? [] : ["--no-require-git"];
        await inTree(made, inner, async (dir) => {
          const { content: found } = await createFindTool(dir).execute("1", { pattern: "*" });
          const text = found[0]?.type === "text" ? found[0].text : "";
          const listed = spawnSync(
            program,
            ["--no-config", "--files", "--hidden", "--null", ...requirement, "--glob", "!.git", "--", "."],
            { cwd: dir, encoding: "utf8" },
          );
          const expected = listed.stdout
            .split("\0")
            .filter((file) => file !== "")
            .map((file) => ({ path: file.slice(2) }));
          const entries = readdirSync(dir, { recursive: true, withFileTypes: true });
          const links = new Set(
            entries
              .filter((entry) => entry.isSymbolicLink())
              .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1)),
          );
          const files = text
            .split("\n")
            .filter((file) => !file.endsWith("/") && !links.has(file) && !file.startsWith("No files found"));
          expect(files).toEqual(sortByPath(expected).map((file) => file.path));
        });
      }),
      { numRuns: runs },
    );
  });
});
