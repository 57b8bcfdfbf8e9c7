import { expect, test } from "vitest";
import { IssuedLedger } from "../src/issued.js";
import type { RequestView } from "../src/wire/wire.js";

/** JSON of a request that a test bends out of shape. */
// biome-ignore lint/suspicious/noExplicitAny: the tables change foreign JSON at arbitrary places.
export type Bendable = any;

/** A change to an accepted request, and what the provider says then; undefined: it still accepts. */
export type Row = [title: string, bend: (body: Bendable) => void, problem: RegExp | undefined];

export interface Subject {
  body: object;
  headers?: Record<string, string>;
  model?: string;
  /** Prepares what counts as issued. */
  issue?(issued: IssuedLedger): void;
  findProblems(request: RequestView): string[];
}

/** One test per row: the unbent request is accepted, the bent one is refused in the given words. */
export function problemTable(subject: Subject, rows: Row[]): void {
  const problemsOf = (bend: (body: Bendable) => void) => {
    const body = structuredClone(subject.body) as Record<string, unknown>;
    bend(body);
    const issued = new IssuedLedger();
    subject.issue?.(issued);
    return subject.findProblems({ body, headers: subject.headers ?? {}, model: subject.model ?? "m", issued });
  };
  test("accepts the request that the table starts from", () => {
    expect(problemsOf(() => undefined)).toEqual([]);
  });
  test("survives anything in any place", () => {
    for (const junk of [null, 1, "x", [], [null], [[]], {}, [{ content: [null, 3] }], [{ parts: 1 }]]) {
      for (const field of Object.keys(subject.body)) {
        expect(() => problemsOf((body) => Object.assign(body, { [field]: junk }))).not.toThrow();
      }
    }
  });
  test.each(rows)("%s", (_title, bend, problem) => {
    const problems = problemsOf(bend);
    if (problem === undefined) expect(problems).toEqual([]);
    else expect(problems).toContainEqual(expect.stringMatching(problem));
  });
}
