import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Row, type RowResult, RowRunner } from "./row.js";
import { auth } from "./rows/auth.js";
import { doctor } from "./rows/doctor.js";
import { errors } from "./rows/errors.js";
import { messages } from "./rows/messages.js";
import { metadata } from "./rows/metadata.js";
import { mistyped } from "./rows/mistyped.js";
import { options } from "./rows/options.js";
import { packages } from "./rows/packages.js";
import { parsing } from "./rows/parsing.js";
import { sessions } from "./rows/sessions.js";
import { settings } from "./rows/settings.js";

/** Every row of the specification of the command line, against the bundled program. */
const sections = [parsing, options, errors, mistyped, metadata, sessions, packages, auth, messages, settings, doctor];
const rows = sections.flatMap((section) => section.rows);

let runner: RowRunner;
const results = new Map<Row, Promise<RowResult>>();
beforeAll(async () => {
  runner = await RowRunner.start();
  for (const [index, result] of runner.run(rows).entries()) {
    const row = rows[index];
    if (row) results.set(row, result);
  }
});
afterAll(() => runner.close());

// A row waits for those before it.
describe.each(sections)("$title", { timeout: 300_000 }, ({ rows: own }) => {
  it.each(own.map((row) => [row.about ?? `pi ${row.words.join(" ")}`, row] as const))("%s", async (_title, row) => {
    const result = await results.get(row);
    if (!result) throw new Error("not run");
    expectText(result.stderr, row.stderr ?? "");
    expectText(result.stdout, row.stdout ?? "");
    expect(result.code).toBe(row.code ?? 0);
    if (row.code === 1 && row.requested === undefined) expect(result.requests).toHaveLength(0);
    if (row.request) {
      const last = result.requests.at(-1);
      if (!last) throw new Error(`nothing was asked of the model; stderr: ${result.stderr}`);
      expect(row.request(last)).toEqual(row.requested);
    }
    if (row.after) expect(result.left).toEqual(row.left);
  });
});

function expectText(text: string, expected: string | RegExp): void {
  if (typeof expected === "string") expect(text).toBe(expected);
  else expect(text).toMatch(expected);
}
