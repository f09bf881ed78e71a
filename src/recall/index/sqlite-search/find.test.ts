import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { IndexQuery, SearchIndex, StoredRow, WeightedTerm } from "../search-index.ts";
import { createSeededRandom } from "../../../testing/index.ts";
import { nodeSqlite } from "../../../platform/sqlite.ts";
import { createSqliteSearch } from "../sqlite-search.ts";
import { bestPlaces } from "../../rank/scores.ts";
import fc from "fast-check";

const folder = mkdtempSync(join(tmpdir(), "heartwood-find-"));
const opened: SearchIndex[] = [];
afterAll(async () => {
  for (const index of opened) await index.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A chunk of each text, in one section. */
async function indexOf(texts: readonly string[]): Promise<SearchIndex> {
  const index = createSqliteSearch({ folder: join(folder, `${opened.length}`), driver: nodeSqlite });
  opened.push(index);
  const chunks = texts.map((text, at) => ({ lines: [at + 1, at + 1] as const, text, parts: "", weight: 0 }));
  const lines = [1, texts.length] as const;
  const section = {
    heading: "",
    type: "project",
    origin: "",
    day: "",
    lines,
    chunks,
    statements: [],
    digest: "",
  } as const;
  const put = { kind: "raw", level: "raw", from: "", to: "", stamp: "s", digest: "d", sections: [section] } as const;
  await index.write("rules", [{ key: "a", put }]);
  return index;
}

interface Hit {
  readonly row: StoredRow | undefined;
  readonly score: number;
}

async function found(index: SearchIndex, query: Partial<IndexQuery>): Promise<readonly Hit[]> {
  const hits = await index.find({ any: [], limit: 10, ...query });
  const ids = hits.map(({ id }) => id);
  const rows = new Map((await index.rows("chunk", ids)).map((row) => [row.id, row]));
  return hits.map(({ id, score }) => ({ row: rows.get(id), score }));
}

const term = (text: string, weight = 1): WeightedTerm => ({ kind: "word", text, weight });

/** Textbook BM25 (k1 1.2, b 0.75). */
function scoresOf(texts: readonly string[], terms: readonly WeightedTerm[]): readonly number[] {
  const counts = texts.map((text) => terms.map((one) => text.split(" ").filter((word) => word === one.text).length));
  const mean = texts.reduce((sum, { length }) => sum + length, 0) / texts.length;
  return texts.map((text, at) =>
    terms.reduce((sum, { weight }, place) => {
      const holding = counts.filter((row) => (row[place] ?? 0) > 0).length;
      const count = counts[at]?.[place] ?? 0;
      const rarity = weight * Math.log(1 + (texts.length - holding + 0.5) / (holding + 0.5));
      return sum + (rarity * 2.2 * count) / (count + 1.2 * (0.25 + (0.75 * text.length) / mean));
    }, 0),
  );
}

const vocabulary = ["fox", "bird", "x", "zoö", "ñu", "日本", "y2", "river", "mountain", "q"];

describe("the scores of chunks", () => {
  test("are BM25 of their text, for words of any script and length, even beyond the first 200", async () => {
    const random = createSeededRandom(3);
    const texts = Array.from({ length: 700 }, () =>
      [...random.bytes(2 + ((random.bytes(1)[0] ?? 0) % 9))].map((byte) => vocabulary[byte % 16] ?? "filler").join(" "),
    );
    const index = await indexOf(texts);
    for (const terms of [[term("fox")], [term("x"), term("ñu", 3)], [term("zoö"), term("日本"), term("q", 2)]]) {
      const wanted = scoresOf(texts, terms);
      const hits = await found(index, { any: terms, limit: 400 });
      expect(hits).toHaveLength(Math.min(400, wanted.filter((score) => score > 0).length));
      for (const { row, score } of hits) expect(score).toBeCloseTo(wanted[(row?.lines[0] ?? 0) - 1] ?? 0, 4);
      const scores = hits.map(({ score }) => score);
      expect(scores).toEqual(scores.toSorted((one, other) => other - one));
    }
  });

  test("count a required term once, whether or not it is also an alternative", async () => {
    const texts = ["red fox", "red bird", "blue fox", "grey dog", "grey cat"];
    const index = await indexOf(texts);
    const [alone] = scoresOf(texts, [term("red"), term("fox")]);
    const both = await found(index, { any: [term("red"), term("fox")], all: [term("red"), term("fox")] });
    const must = await found(index, { any: [], all: [term("red"), term("fox")] });
    for (const hits of [both, must]) {
      expect(hits.map(({ row }) => row?.text)).toEqual(["red fox"]);
      expect(hits[0]?.score).toBeCloseTo(alone ?? 0, 4);
    }
    const beginning = await found(index, { any: [{ kind: "prefix", text: "fo", weight: 1 }] });
    expect(beginning.map(({ score }) => score > 0.5)).toEqual([true, true]);
  });
});

describe("an index of 45,000 chunks", () => {
  /** `often` is in all of them, twice in every third; `half` in every second, `some` in 300, `rare` in 30. */
  const large = indexOf(
    Array.from({ length: 45_000 }, (_, at) =>
      [
        "often",
        at % 3 === 0 ? "often" : "other",
        at % 2 === 0 ? "half" : "rest",
        at % 151 === 0 ? "some" : "thing",
        at % 1500 === 0 ? "rare" : "word",
      ].join(" "),
    ),
  );

  test("reads the list of a frequent word if rarer ones have too few rows", async () => {
    const hits = await found(await large, { any: [term("often"), term("rare")], limit: 100 });
    expect(hits).toHaveLength(100);
    expect(hits.slice(0, 30).every(({ row }) => row?.text.includes("rare"))).toBe(true);
    const three = await found(await large, { any: [term("often"), term("half"), term("rare")], limit: 60 });
    expect(three.slice(30).every(({ row }) => row?.text.includes("half"))).toBe(true);
    expect(three).toHaveLength(60);
  });

  test("counts a frequent word only in the texts of the best rows", async () => {
    const hits = await found(await large, { any: [term("often"), term("half"), term("some")], limit: 40 });
    const texts = hits.map(({ row }) => row?.text ?? "");
    expect(texts.every((text) => text.startsWith("often often half some"))).toBe(true);
  });

  test("reads the list of a frequent prefix, which is not counted in texts", async () => {
    const any = [{ kind: "prefix", text: "othe", weight: 1 } as const, term("half"), term("some")];
    const texts = (await found(await large, { any, limit: 40 })).map(({ row }) => row?.text ?? "");
    expect(texts.every((text) => text.startsWith("often other half some"))).toBe(true);
  });

  test("returns as many hits as requested, later ones with no higher score than the best", async () => {
    const hits = await found(await large, { any: [term("half"), term("some")], limit: 1500 });
    const scores = hits.map(({ score }) => score);
    expect(scores).toHaveLength(1500);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(new Set(hits.map(({ row }) => row?.id)).size).toBe(1500);
  });
});

describe("the best places", () => {
  test("are the first of a full sort", () => {
    const scores = fc.array(fc.integer({ min: 0, max: 5 }));
    fc.assert(
      fc.property(scores, fc.integer({ min: 1, max: 8 }), (given, most) => {
        const all = given
          .map((score, place) => ({ place, score }))
          .filter(({ score }) => score > 0)
          .toSorted((a, b) => b.score - a.score || a.place - b.place);
        expect(bestPlaces(Float32Array.from(given), most)).toEqual(all.slice(0, most).map(({ place }) => place));
      }),
    );
  });
});
