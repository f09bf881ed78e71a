import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BestRows } from "./best-rows.ts";
import { PostingCollector } from "./collect.ts";
import { parsePostings, printPostings, unitedPostings } from "./posting-format.ts";
import { partKey, termOf, termsIn } from "./tokens.ts";

const rows = fc
  .uniqueArray(fc.integer({ min: 1, max: 2 ** 31 - 1 }), { maxLength: 50 })
  .map((ids) => ids.toSorted((a, b) => a - b));

describe("postings", () => {
  test("parse∘print = id, but for rows that are gone", () => {
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 255 }), (ids, count) => {
        const counts = ids.map((_, at) => (at % 3 === 0 ? 1 : count));
        const bytes = printPostings(ids, counts);
        const all = parsePostings(bytes, ids.length, () => 1);
        expect([[...all.rows], [...all.counts]]).toEqual([ids, counts]);
        const even = parsePostings(bytes, ids.length, (row) => (row % 2 === 0 ? 1 : 0));
        expect([...even.rows]).toEqual(ids.filter((id) => id % 2 === 0));
      }),
    );
  });

  test("any bytes are read in bounded time and space", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(), (bytes, count) => {
        expect(parsePostings(bytes, count, () => 1).rows.length).toBeLessThanOrEqual(bytes.length);
      }),
    );
  });

  test("united ones are those of either, with both counts", () => {
    fc.assert(
      fc.property(rows, rows, (a, b) => {
        const of = (ids: readonly number[]) => ({
          rows: Int32Array.from(ids),
          counts: new Uint8Array(ids.length).fill(2),
        });
        const { rows: united, counts } = unitedPostings([of(a), of([]), of(b)]);
        expect([...united]).toEqual([...new Set([...a, ...b])].toSorted((x, y) => x - y));
        united.forEach((row, at) => expect(counts[at]).toBe(a.includes(row) && b.includes(row) ? 4 : 2));
      }),
    );
  });

  test("words of a text are collected by term, parts apart from them", () => {
    const collector = new PostingCollector();
    expect(collector.add(1, "Running runs", "run")).toBe(3);
    expect(collector.add(5, "a run", "")).toBe(2);
    const lists = new Map(collector.lists());
    expect(lists.get("run")).toEqual({ rows: [1, 5], counts: [2, 1] });
    expect(lists.get(partKey("run"))).toEqual({ rows: [1], counts: [1] });
    expect([...lists.keys()]).toEqual([...lists.keys()].toSorted());
  });
});

describe("a collector", () => {
  test("collects of any texts what their terms are", () => {
    const word = fc.oneof(
      fc.constantFrom("a", "Running", "runs", "x1", "café", "東京", "-", "_", "\n"),
      fc.string({ maxLength: 8 }),
    );
    fc.assert(
      fc.property(fc.array(fc.array(word, { maxLength: 30 }), { maxLength: 12 }), (texts) => {
        const collector = new PostingCollector();
        const wanted = new Map<string, Map<number, number>>();
        texts.forEach((words, row) => {
          const text = words.join(" ");
          const terms = termsIn(text);
          expect(collector.add(row, text, "")).toBe(terms.length);
          for (const term of terms) {
            const rowsOf = wanted.get(term) ?? new Map<number, number>();
            wanted.set(term, rowsOf.set(row, (rowsOf.get(row) ?? 0) + 1));
          }
        });
        const found = collector
          .lists()
          .map(([term, list]) => [term, list.rows.map((row, at) => [row, list.counts[at]])]);
        const all = [...wanted].map(([term, rowsOf]) => [term, [...rowsOf]] as const);
        expect(found).toEqual(all.toSorted(([a], [b]) => (a < b ? -1 : 1)));
      }),
    );
  });

  test("knows more words than fit into its first table", () => {
    const collector = new PostingCollector();
    for (let row = 0; row < 300; row++)
      collector.add(row, Array.from({ length: 100 }, (_, at) => `w${row * 100 + at}q`).join(" "), "");
    expect(collector.lists().length).toBe(30_000);
  });
});

describe("terms", () => {
  test("case, accents and English endings make no difference; letters of other scripts do", () => {
    expect(["Cafés", "CAFÉ", "café", "RUNNING"].map(termOf)).toEqual(["cafe", "cafe", "cafe", "run"]);
    expect(termOf("が")).not.toBe(termOf("か"));
    expect(termOf("한국")).toBe("한국");
    expect(termsIn("snake_case, E_CONN: src/a.ts 100%")).toEqual([
      "snake",
      "case",
      "e",
      "conn",
      "src",
      "a",
      "ts",
      "100",
    ]);
    expect(termsIn("🦀 … \0")).toEqual([]);
  });
});

describe("the best rows", () => {
  test("are those of a sort, cut", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 5 })), fc.integer({ min: 1, max: 8 }), (scores, most) => {
        const best = new BestRows(most);
        scores.forEach((score, row) => best.add(row, score));
        const all = scores.map((score, row) => ({ row, score })).toSorted((a, b) => b.score - a.score || a.row - b.row);
        expect(best.sorted()).toEqual(all.slice(0, most));
      }),
    );
  });
});
