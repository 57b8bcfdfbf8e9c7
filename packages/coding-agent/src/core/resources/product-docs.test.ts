import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findProductDocs } from "./product-docs.js";

it("finds the documents of this very package", () => {
  const { docs = "" } = findProductDocs({});
  expect(existsSync(join(docs, "tools.md"))).toBe(true);
});

it("goes by PI_PACKAGE_DIR, and leaves out what is not there", () => {
  const dir = mkdtempSync(join(tmpdir(), "product-docs-test-"));
  try {
    expect(findProductDocs({ PI_PACKAGE_DIR: dir })).toEqual({});
    writeFileSync(join(dir, "README.md"), "");
    mkdirSync(join(dir, "examples"));
    expect(findProductDocs({ PI_PACKAGE_DIR: dir })).toEqual({
      readme: join(dir, "README.md"),
      examples: join(dir, "examples"),
    });
  } finally {
    rmSync(dir, { recursive: true });
  }
});
