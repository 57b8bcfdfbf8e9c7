import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LiveRing } from "./live-ring.js";

describe("the ring of events", () => {
  it("keeps the newest without a gap, within its limit", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 30 })),
        fc.integer({ min: 0, max: 100 }),
        fc.nat(),
        (lines, limit, from) => {
          const ring = new LiveRing(limit);
          for (const line of lines) ring.add(line);
          expect(ring.lastSeq).toBe(lines.length);
          const kept = ring.after(0);
          expect(kept.map(({ seq }) => seq)).toEqual(kept.map((_, at) => ring.firstSeq + at));
          expect(kept.map(({ line }) => line)).toEqual(lines.slice(ring.firstSeq - 1));
          if (kept.length > 1) expect(kept.reduce((sum, { line }) => sum + line.length, 0)).toBeLessThanOrEqual(limit);
          if (lines.length > 0) expect(kept.at(-1)?.seq).toBe(lines.length);
          expect(ring.after(from)).toEqual(kept.filter(({ seq }) => seq > from));
        },
      ),
    );
  });

  it("forgets in bulk without losing what it has", () => {
    const ring = new LiveRing(10);
    for (let count = 0; count < 5000; count++) ring.add("x");
    expect(ring.after(0).map(({ seq }) => seq)).toEqual([4991, 4992, 4993, 4994, 4995, 4996, 4997, 4998, 4999, 5000]);
  });
});
