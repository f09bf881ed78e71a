import type { IndexFilter, IndexQuery, IndexTerm, SearchIndex } from "../recall/index/search-index.ts";
import {
  type SearchIndexHarness,
  contentOf,
  put,
  rules,
  sectionOf,
  textOf,
  writeCases,
} from "./search-index-cases/writing.ts";
import { type Cases, type Suite, type TestFunctions, describeCases } from "./test-functions.ts";

const word = (text: string, weight = 1) => ({ kind: "word", text, weight }) as const;

async function textsOf(index: SearchIndex, query: Partial<IndexQuery>): Promise<readonly string[]> {
  const found = await index.find({ any: [], limit: 100, ...query });
  return (
    await index.rows(
      "chunk",
      found.map(({ id }) => id),
    )
  ).map(({ text }) => text);
}

async function holding(index: SearchIndex, term: IndexTerm): Promise<readonly string[]> {
  return (await textsOf(index, { any: [{ ...term, weight: 1 }] })).toSorted();
}

const findCases: Cases<SearchIndexHarness> = {
  "words are found by their stem, in any case, with and without accents": async ({ index }, expect) => {
    await index.write(rules, [put("a", "We were running to the Café"), put("b", "nothing here")]);
    for (const text of ["run", "RUNS", "cafe", "Café", "CAFÉS"])
      expect([text, await holding(index, { kind: "word", text })]).toEqual([text, ["We were running to the Café"]]);
    expect(await holding(index, { kind: "word", text: "ru" })).toEqual([]);
  },
  "phrases, beginnings and parts are found as what they are": async ({ index }, expect) => {
    const japanese = textOf("東京タワーへ", { parts: "東京 京タ タワ ワー ーへ" });
    const chunks = [textOf("the token bucket leaks"), textOf("a bucket of token rings"), japanese];
    await index.write(rules, [{ key: "a", put: contentOf([{ ...sectionOf([]), chunks }]) }]);
    expect(await holding(index, { kind: "phrase", text: "token bucket" })).toEqual(["the token bucket leaks"]);
    expect(await holding(index, { kind: "word", text: "token-bucket" })).toEqual(["the token bucket leaks"]);
    expect(await holding(index, { kind: "prefix", text: "buck" })).toEqual([
      "a bucket of token rings",
      "the token bucket leaks",
    ]);
    expect(await holding(index, { kind: "part", text: "京タ" })).toEqual(["東京タワーへ"]);
    expect(await holding(index, { kind: "word", text: "京タ" })).toEqual(["東京タワーへ"]);
    expect(await holding(index, { kind: "part", text: "タワ ワー" })).toEqual(["東京タワーへ"]);
    expect(await holding(index, { kind: "part", text: "token" })).toEqual([]);
  },
  "rarer words and more of them score higher, in shorter rows more, and equal ones are in the order of their ids":
    async ({ index }, expect) => {
      const texts = ["fox", "fox bird bird", "bird", "bird cat", "bird dog", "fox and many other words beside it"];
      await index.write(rules, [{ key: "a", put: contentOf([sectionOf(texts)]) }]);
      expect((await textsOf(index, { any: [word("fox"), word("bird")] })).slice(0, 2)).toEqual([
        "fox bird bird",
        "fox",
      ]);
      expect(await textsOf(index, { any: [word("fox")] })).toEqual([texts[0], texts[1], texts[5]]);
      const found = await index.find({ any: [word("bird")], limit: 3 });
      expect(found.length).toBe(3);
      expect(found.every(({ score }, at) => at === 0 || score <= (found[at - 1]?.score ?? 0))).toBe(true);
      const [cat, dog] = await textsOf(index, { any: [word("cat"), word("dog")] });
      expect([cat, dog]).toEqual(["bird cat", "bird dog"]);
    },
  "a weight counts a term so many times": async ({ index }, expect) => {
    await index.write(rules, [{ key: "a", put: contentOf([sectionOf(["red fox", "red bird"])]) }]);
    const one = await index.find({ any: [word("fox")], limit: 1 });
    const four = await index.find({ any: [word("fox", 4)], limit: 1 });
    expect(Math.abs((four[0]?.score ?? 0) / (one[0]?.score ?? 1) - 4) < 1e-4).toBe(true);
    expect((await textsOf(index, { any: [word("fox"), word("bird", 3)] }))[0]).toBe("red bird");
  },
  "what must be there is there, and what must not is not": async ({ index }, expect) => {
    const texts = ["red fox", "red bird", "blue fox", "red fox bird"];
    await index.write(rules, [{ key: "a", put: contentOf([sectionOf(texts)]) }]);
    const must = (text: string): IndexTerm => ({ kind: "word", text });
    expect((await textsOf(index, { all: [must("red"), must("fox")] })).toSorted()).toEqual(["red fox", "red fox bird"]);
    expect((await textsOf(index, { any: [word("bird")], all: [must("red"), must("fox")] }))[0]).toBe("red fox bird");
    expect(await textsOf(index, { any: [word("fox")], none: [must("red")] })).toEqual(["blue fox"]);
    expect(await textsOf(index, { any: [word("fox")], all: [must("none")] })).toEqual([]);
  },
  "without a word all rows are given, the newest day first, those without a day last": async ({ index }, expect) => {
    const day = (at: string) => ({ from: at, to: at });
    await index.write(rules, [
      put("a", "old", day("2026-01-01")),
      put("b", "none"),
      put("d", "newer", day("2026-02-01")),
      put("c", "new", day("2026-02-01")),
    ]);
    expect(await textsOf(index, {})).toEqual(["new", "newer", "old", "none"]);
    expect(await textsOf(index, { none: [{ kind: "word", text: "old" }], limit: 1 })).toEqual(["new"]);
  },
  "no text is a command: quotes, signs, NUL and nothing at all are words or nothing": async ({ index }, expect) => {
    await index.write(rules, [put("a", 'say "NEAR(x)" AND -y OR z* ^w {text}: 100%')]);
    const odd = [
      '"',
      '""" OR a',
      "NEAR(x, y)",
      "*",
      "",
      "\0",
      "a\0b",
      "text : x",
      "^",
      "-",
      "🦀",
      "\ud800",
      "(((",
      "x AND",
    ];
    for (const text of odd)
      for (const kind of ["word", "phrase", "prefix", "part"] as const) {
        const rows = await index.find({ any: [{ kind, text, weight: 1 }], limit: 5 });
        expect(rows.length <= 1).toBe(true);
      }
    expect((await holding(index, { kind: "phrase", text: 'say "NEAR' })).length).toBe(1);
  },
  "statements are not chunks: no word finds them, but their section has them": async ({ index }, expect) => {
    const section = { ...sectionOf(["a chunk with foxes"]), statements: [textOf("I like foxes", { weight: 1 })] };
    await index.write(rules, [{ key: "a", put: contentOf([section]) }]);
    expect(await textsOf(index, { any: [word("fox")] })).toEqual(["a chunk with foxes"]);
    expect(await index.frequencies(["fox", "like"])).toEqual({ rows: 1, counts: [1, 0] });
    expect([await index.count("chunk"), await index.count("statement")]).toEqual([1, 1]);
    const [chunk] = await index.find({ any: [word("fox")], limit: 1 });
    const statements = await index.rowsOfSections("statement", [chunk?.section ?? 0]);
    expect(statements.map(({ text }) => text)).toEqual(["I like foxes"]);
  },
  "hits are counted by section, and so are all rows": async ({ index }, expect) => {
    const sections = [sectionOf(["fox", "fox fox", "bird"]), sectionOf(["bird"])];
    await index.write(rules, [{ key: "a", put: contentOf(sections) }, put("b", "fox", { kind: "memory" })]);
    const terms = [word("fox"), word("bird"), word("none")];
    const all = await index.sectionHits(terms, {});
    const ids = [...all.rows.keys()].toSorted((a, b) => a - b);
    expect(ids.map((id) => all.rows.get(id))).toEqual([3, 1, 1]);
    expect(all.terms.map((hits) => ids.map((id) => hits.get(id) ?? 0))).toEqual([
      [2, 0, 1],
      [1, 1, 0],
      [0, 0, 0],
    ]);
    const own = await index.sectionHits(terms, { kinds: ["memory"] });
    expect([[...own.rows.values()], own.terms.map((hits) => hits.size)]).toEqual([[1], [1, 0, 0]]);
  },
};

async function passing(index: SearchIndex, filter: IndexFilter): Promise<string> {
  const any = [{ kind: "word", text: "x", weight: 1 }] as const;
  const found = await index.find({ any, limit: 100, ...filter });
  const rows = await index.rows(
    "chunk",
    found.map(({ id }) => id),
  );
  return rows
    .map(({ text }) => text.slice(2))
    .toSorted()
    .join(" ");
}

async function fill(index: SearchIndex): Promise<void> {
  const day = (at: string, until = at) => ({ from: at, to: at === "" ? "" : until });
  await index.write(rules, [
    { key: "r1", put: contentOf([sectionOf(["x r1"], { day: "2026-03-01" })], day("2026-03-01")) },
    {
      key: "r2",
      put: contentOf(
        [sectionOf(["x r2u"], { day: "2026-03-02", type: "user" }), sectionOf(["x r2p"], { day: "2026-03-02" })],
        day("2026-03-02"),
      ),
    },
    {
      key: "w",
      put: contentOf([sectionOf(["x w"], { day: "2026-03-08" })], {
        ...day("2026-03-02", "2026-03-08"),
        kind: "node",
        level: "weekly",
      }),
    },
    { key: "m", put: contentOf([sectionOf(["x m"], { type: "user" })], { kind: "memory", level: "none" }) },
    {
      key: "t",
      put: contentOf([sectionOf(["x t1"], { day: "2026-03-01" }), sectionOf(["x t9"], { day: "2026-03-09" })], {
        ...day("2026-03-01", "2026-03-09"),
        kind: "thread",
        level: "none",
      }),
    },
  ]);
}

const cases: readonly (readonly [IndexFilter, string])[] = [
  [{}, "m r1 r2p r2u t1 t9 w"],
  [{ kinds: ["raw"] }, "r1 r2p r2u"],
  [{ kinds: ["memory", "node"] }, "m w"],
  [{ kinds: [] }, ""],
  [{ levels: ["weekly"] }, "w"],
  [{ types: ["user"] }, "m r2u"],
  [{ types: ["user"], kinds: ["raw"] }, "r2u"],
  [{ since: "2026-03-02" }, "r2p r2u t9 w"],
  [{ until: "2026-03-01" }, "r1 t1"],
  [{ since: "2026-03-05", until: "2026-03-06" }, ""],
  [{ since: "2026-03-02", until: "2026-03-08" }, "r2p r2u w"],
  [{ since: "2026-03-03", until: "2026-03-08" }, ""],
  [{ since: "2026-03-09", until: "2026-03-09" }, "t9"],
  [{ since: "2027-01-01" }, ""],
];

const filterCases: Cases<SearchIndexHarness> = {
  "filters by kind, level, type and days apply together; a node passes when all of its days do": async (
    { index },
    expect,
  ) => {
    await fill(index);
    for (const [filter, wanted] of cases)
      expect([JSON.stringify(filter), await passing(index, filter)]).toEqual([JSON.stringify(filter), wanted]);
  },
  "a limit counts what passes the filter": async ({ index }, expect) => {
    await fill(index);
    const any = [{ kind: "word", text: "x", weight: 1 }] as const;
    const found = await index.find({ any, limit: 1, kinds: ["memory"] });
    expect(found.length).toBe(1);
  },
};

/** What every `SearchIndex` must do. What becomes of a damaged or a locked one, and of several processes, test the adapter itself. */
export function describeSearchIndex(suite: Suite<SearchIndexHarness>, runner: TestFunctions): void {
  describeCases({ ...suite, cases: { ...writeCases, ...findCases, ...filterCases } }, runner);
}
