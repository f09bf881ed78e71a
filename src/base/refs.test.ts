import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limitRefs, mergeRefs, parseRefSuffix, printRefSuffix, type Ref } from "./refs.ts";

const read = (text: string): readonly Ref[] => parseRefSuffix(`x (${text})`, "2026-03-15").refs;
const merged = (text: string): string => printRefSuffix(mergeRefs(read(text)));

describe("found refs", () => {
  it("are distinguished from named refs", () => {
    expect(read("03-15:3, ~03-15:12-18, ~03-16")).toEqual([
      { log: "2026-03-15", from: 3, to: 3 },
      { log: "2026-03-15", from: 12, to: 18, found: "by_match" },
      { log: "2026-03-16", from: 0, to: 0, found: "by_match" },
    ]);
    for (const text of ["~~03-15:3", "03-15:~3", "~", "~02-30:1"]) expect(read(text)).toEqual([]);
  });

  it("are merged with each other, but not with named refs", () => {
    expect(merged("~03-15:3-5, ~03-15:6-9")).toBe(" (~03-15:3-9)");
    expect(merged("~03-15:3-5, 03-15:6-9")).toBe(" (~03-15:3-5, 03-15:6-9)");
    expect(merged("~03-15:3-7, 03-15:6-9")).toBe(" (~03-15:3-7, 03-15:6-9)");
  });

  it("are dropped if all their lines are named", () => {
    expect(merged("~03-15:6-9, 03-15:6-9")).toBe(" (03-15:6-9)");
    expect(merged("~03-15:6-9, 03-15:5-7, 03-15:8-12, ~03-15")).toBe(" (~03-15, 03-15:5-12)");
  });

  it("give way to named refs if there is not enough space", () => {
    const refs = read("~03-15:90, 03-15:3, ~03-14:8, 03-13:2");
    expect(printRefSuffix(limitRefs(refs, 3))).toBe(" (03-13:2, ~03-14:8, 03-15:3)");
    expect(printRefSuffix(limitRefs(refs, 1))).toBe(" (03-15:3)");
  });

  it("lose no lines when merged, and named lines stay named, in any order and grouping", () => {
    const ref: fc.Arbitrary<Ref> = fc
      .tuple(
        fc.constantFrom("2026-03-14", "2026-03-15"),
        fc.integer({ min: 1, max: 30 }),
        fc.nat({ max: 6 }),
        fc.boolean(),
      )
      .map(([log, from, more, isFound]) => ({
        log,
        from,
        to: from + more,
        ...(isFound ? { found: "by_match" as const } : {}),
      }));
    const linesOf = (refs: readonly Ref[], which: "named" | "all"): readonly string[] => {
      const counted = which === "all" ? refs : refs.filter(({ found }) => found === undefined);
      const lines = counted.flatMap(({ log, from, to }) =>
        Array.from({ length: to - from + 1 }, (_, index) => `${log}:${String(from + index).padStart(3, "0")}`),
      );
      return [...new Set(lines)].toSorted();
    };
    fc.assert(
      fc.property(fc.array(ref, { maxLength: 12 }), fc.nat({ max: 12 }), (refs, cut) => {
        const once = mergeRefs(refs);
        for (const which of ["named", "all"] as const) expect(linesOf(once, which)).toEqual(linesOf(refs, which));
        expect(mergeRefs(once)).toEqual(once);
        expect(mergeRefs(refs.toReversed())).toEqual(once);
        const twice = mergeRefs([...mergeRefs(refs.slice(0, cut)), ...mergeRefs(refs.slice(cut))]);
        for (const which of ["named", "all"] as const) expect(linesOf(twice, which)).toEqual(linesOf(refs, which));
      }),
      { numRuns: 500, seed: 20_260_315 },
    );
  });
});
