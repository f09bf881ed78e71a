import type {
  IndexFilter,
  SearchIndex,
  IndexedSection,
  IndexedText,
  SourceChange,
  SourceContent,
} from "../../recall/index/search-index.ts";
import { endingOf, type Cases } from "../test-functions.ts";

/** The texts of the chunks that contain a word, best first. */
async function found(index: SearchIndex, word: string): Promise<readonly string[]> {
  const any = [{ kind: "word", text: word, weight: 1 }] as const;
  const rows = await index.find({ any, limit: 100 });
  const stored = await index.rows(
    "chunk",
    rows.map(({ id }) => id),
  );
  return stored.map(({ text }) => text);
}

export const writeCases: Cases<SearchIndexHarness> = {
  "its generation changes with every write, also one by another opening, and with nothing else": async (
    { index, other },
    expect,
  ) => {
    const absent = await index.generation();
    expect(absent).toBe("");
    await index.write(rules, [put("a", "the red fox")]);
    const first = await index.generation();
    await found(index, "fox");
    expect([first === absent, await index.generation()]).toEqual([false, first]);
    await other.write(rules, [put("b", "a blue bird")]);
    const second = await index.generation();
    await index.write(rules, [put("c", "x")], { before: "anew" });
    expect(new Set([first, second, await index.generation()]).size).toBe(3);
  },
  "an absent index answers with nothing and says that it is absent": async ({ index }, expect) => {
    expect(await index.state(rules)).toEqual({ is: "absent", sources: [], bytes: 0 });
    expect(await found(index, "x")).toEqual([]);
    expect(await index.rowsOfSections("chunk", [1])).toEqual([]);
    expect((await index.vectors({})).ids.length).toBe(0);
    expect(await index.frequencies(["x"])).toEqual({ rows: 0, counts: [0] });
    const hits = await index.sectionHits([{ kind: "word", text: "x" }], {});
    expect([hits.rows.size, hits.terms.map((sections) => sections.size)]).toEqual([0, [0]]);
  },
  "what is put in is found, also by another opening, and listed with its stamp and digest": async (
    { index, other },
    expect,
  ) => {
    await index.write(rules, [put("a", "the red fox"), put("b", "a blue bird", { kind: "knowledge", stamp: "s2" })]);
    expect(await found(other, "fox")).toEqual(["the red fox"]);
    const { is, sources } = await other.state(rules);
    expect(is).toBe("ready");
    expect(sources.toSorted((a, b) => (a.key < b.key ? -1 : 1))).toEqual([
      { key: "a", kind: "raw", stamp: "s1", digest: "d1" },
      { key: "b", kind: "knowledge", stamp: "s2", digest: "d1" },
    ]);
  },
  "a source that is put in again replaces what was there, and a removed one is found no more": async (
    { index, other },
    expect,
  ) => {
    await index.write(rules, [put("a", "old words"), put("b", "other words")]);
    expect((await found(other, "words")).length).toBe(2);
    await index.write(rules, [put("a", "new words")]);
    expect(await found(other, "old")).toEqual([]);
    expect((await found(other, "words")).toSorted()).toEqual(["new words", "other words"]);
    await other.write(rules, [
      { key: "b", remove: true },
      { key: "none", remove: true },
    ]);
    expect(await found(index, "words")).toEqual(["new words"]);
    expect((await index.state(rules)).sources.length).toBe(1);
  },
  "after any number of changes what is found is what was put in last": async ({ index }, expect) => {
    const last = new Map<string, string>();
    for (let round = 0; round < 40; round++) {
      const key = `k${(round * 7) % 11}`;
      const text = `common word${round} ${"filler ".repeat(round % 5)}end`;
      last.set(key, text);
      await index.write(rules, [put(key, text)]);
    }
    expect((await found(index, "common")).toSorted()).toEqual([...last.values()].toSorted());
    for (const [, text] of last) expect(await found(index, text.split(" ")[1] ?? "")).toEqual([text]);
  },
  "a new stamp changes nothing else": async ({ index }, expect) => {
    await index.write(rules, [put("a", "the red fox")]);
    await index.write(rules, [{ key: "a", restamp: "s9" }]);
    expect((await index.state(rules)).sources).toEqual([{ key: "a", kind: "raw", stamp: "s9", digest: "d1" }]);
    expect(await found(index, "fox")).toEqual(["the red fox"]);
  },
  "an index of other rules is absent, and is rebuilt by the first write": async ({ index }, expect) => {
    await index.write(rules, [put("a", "the red fox")]);
    const { is, because, sources } = await index.state("rules-2");
    expect([is, because, sources]).toEqual(["absent", "other_rules", []]);
    await index.write("rules-2", [put("b", "a blue bird")]);
    expect(await found(index, "fox")).toEqual([]);
    expect((await index.state("rules-2")).sources.map(({ key }) => key)).toEqual(["b"]);
  },
  "a write that begins from nothing forgets what was there": async ({ index }, expect) => {
    await index.write(rules, [put("a", "the red fox")]);
    await index.write(rules, [put("b", "a blue bird")], { before: "anew" });
    expect((await index.state(rules)).sources.map(({ key }) => key)).toEqual(["b"]);
    await index.write(rules, [], { before: "anew" });
    expect(await index.state(rules).then(({ is, sources }) => [is, sources])).toEqual(["ready", []]);
  },
  "it can be used again after it was closed": async ({ index }, expect) => {
    await index.write(rules, [put("a", "the red fox")]);
    await index.close();
    await index.close();
    expect(await found(index, "fox")).toEqual(["the red fox"]);
  },
  "rows say where they are, in the order that was asked for; those that are gone are left out": async (
    { index },
    expect,
  ) => {
    const section = sectionOf(["one", "two"], {
      heading: "H",
      type: "user",
      origin: "agent",
      day: "2026-03-15",
      lines: [3, 9],
    });
    const statements = [textOf("said", { lines: [4, 4], weight: 0.5 })];
    const days = { from: "2026-03-15", to: "2026-03-15" };
    await index.write(rules, [{ key: "k#1", put: contentOf([{ ...section, statements }], { name: "k", ...days }) }]);
    const ids = (await index.find({ any: [], limit: 9 })).map(({ id }) => id);
    const rows = await index.rows("chunk", [...ids.toReversed(), 99_999]);
    expect(rows.map(({ text }) => text)).toEqual(["two", "one"]);
    const [row] = await index.rowsOfSections("statement", [rows[0]?.section ?? 0]);
    const { id: _id, section: _section, ...told } = row ?? { id: 0, section: 0 };
    expect(told).toEqual({
      source: "k",
      kind: "raw",
      level: "raw",
      heading: "H",
      type: "user",
      origin: "agent",
      day: "2026-03-15",
      sectionLines: [3, 9],
      lines: [4, 4],
      text: "said",
      weight: 0.5,
    });
  },
  "vectors come back as they were put in, of rows that have one": async ({ index, other }, expect) => {
    const statements = [
      textOf("a", { vector: Int8Array.of(1, -2) }),
      textOf("b"),
      textOf("c", { vector: Int8Array.of(127, -127) }),
    ];
    const section = { ...sectionOf(["x"]), statements };
    await index.write(rules, [{ key: "a", put: contentOf([section]) }, put("b", "y", { kind: "memory" })]);
    const table = await other.vectors({});
    expect([table.dimensions, [...table.vectors]]).toEqual([2, [1, -2, 127, -127]]);
    const rows = await other.rows("statement", [...table.ids]);
    expect(rows.map(({ text }) => text)).toEqual(["a", "c"]);
    expect([...table.sections]).toEqual(rows.map((row) => row.section));
    expect((await other.vectors({ kinds: ["raw"] })).ids).toEqual(table.ids);
    expect((await other.vectors({ kinds: ["memory"] })).ids.length).toBe(0);
    await index.write(rules, [{ key: "a", remove: true }]);
    expect((await other.vectors({})).ids.length).toBe(0);
  },
  "vectors keep to their sections and sources: of several lengths those written last, and of a filter those that pass":
    async ({ index }, expect) => {
      const said = (text: string, ...vector: readonly number[]) => textOf(text, { vector: Int8Array.from(vector) });
      const of = (...statements: readonly ReturnType<typeof said>[]) => ({ ...sectionOf(["x"]), statements });
      await index.write(rules, [
        { key: "old", put: contentOf([of(said("o", 1, 2, 3))]) },
        { key: "a", put: contentOf([of(said("a1", 1, 1), said("a2", 2, 2)), of(said("a3", 3, 3))]) },
        { key: "m", put: contentOf([of(said("m1", 4, 4))], { kind: "memory" }) },
        { key: "k", put: contentOf([of(said("k1", 5, 5)), of(said("k2", 6, 6))], { kind: "knowledge" }) },
      ]);
      const told = async (filter: IndexFilter): Promise<readonly unknown[]> => {
        const { dimensions, ids, sections, vectors } = await index.vectors(filter);
        const rows = await index.rows("statement", [...ids]);
        expect([...sections]).toEqual(rows.map(({ section }) => section));
        return [dimensions, rows.map(({ text }) => text).join(" "), [...vectors].filter((_, at) => at % 2 === 0)];
      };
      expect(await told({})).toEqual([2, "a1 a2 a3 m1 k1 k2", [1, 2, 3, 4, 5, 6]]);
      expect(await told({ kinds: ["raw", "knowledge"] })).toEqual([2, "a1 a2 a3 k1 k2", [1, 2, 3, 5, 6]]);
      expect(await told({ kinds: ["memory"] })).toEqual([2, "m1", [4]]);
    },
  "what was written of a source is given back as it was, in its order, and nothing of another or of none": async (
    { index },
    expect,
  ) => {
    expect(await index.sectionsOf("a")).toEqual([]);
    const statements = [textOf("said", { lines: [4, 4], weight: 0.5 }), textOf("so", { lines: [5, 6], weight: 0.25 })];
    const first = sectionOf(["one", "日本"], {
      heading: "H",
      type: "user",
      day: "2026-03-15",
      lines: [1, 9],
      digest: "x1",
    });
    const chunks = [textOf("三\u0000 four", { lines: [12, 13], parts: "三 fo" })];
    const second = { ...first, heading: "", lines: [10, 13] as const, chunks, statements, digest: "x2" };
    await index.write(rules, [put("b", "other"), { key: "a", put: contentOf([first, second], { name: "n" }) }]);
    await index.write(rules, [put("c", "later")]);
    expect(await index.sectionsOf("a")).toEqual([first, second]);
    expect([await index.sectionsOf("n"), await index.sectionsOf("none")]).toEqual([[], []]);
    expect((await index.sectionsOf("c")).map((section) => section.chunks.map(({ text }) => text))).toEqual([["later"]]);
  },
  "rows are found by the lines that they contain, the first and the last one too, and by their sections, each once":
    async ({ index }, expect) => {
      const chunks = [
        textOf("one", { lines: [1, 3] }),
        textOf("two", { lines: [4, 6] }),
        textOf("three", { lines: [7, 7] }),
      ];
      await index.write(rules, [
        { key: "k#0", put: contentOf([{ ...sectionOf([], { lines: [1, 7] }), chunks }], { name: "k" }) },
        { key: "k#1", put: contentOf([sectionOf(["four"], { lines: [1, 1] })], { name: "k" }) },
        put("other", "five"),
      ]);
      const at = async (...lines: readonly (readonly [number, number])[]): Promise<string> => {
        const rows = await index.rowsAt(
          "chunk",
          lines.map((one) => ({ source: "k", lines: one })),
        );
        return rows.map(({ text }) => text).join(" ");
      };
      expect([await at([3, 3]), await at([4, 4]), await at([6, 7])]).toEqual(["one", "two", "two three"]);
      expect([await at([8, 9]), await at([1, 1]), await at([4, 5], [5, 6])]).toEqual(["", "one four", "two"]);
      const [section = 0] = (await index.find({ any: [{ kind: "word", text: "two", weight: 1 }], limit: 1 })).map(
        (row) => row.section,
      );
      const rows = await index.rowsOfSections("chunk", [section, section]);
      expect(rows.map(({ text }) => text)).toEqual(["one", "two", "three"]);
    },
  "a signal that is given ends a write with nothing written": async ({ index }, expect) => {
    const ending = await endingOf(index.write(rules, [put("a", "x")], { signal: AbortSignal.abort() }));
    expect(ending === "fulfilled").toBe(false);
    expect((await index.state(rules)).is).toBe("absent");
  },
};

export const rules = "rules-1";

export function textOf(text: string, more: Partial<IndexedText> = {}): IndexedText {
  return { lines: [1, 1], text, parts: "", weight: 0, ...more };
}

/** A section with a chunk of each text. */
export function sectionOf(texts: readonly string[], more: Partial<IndexedSection> = {}): IndexedSection {
  const chunks = texts.map((text, index) => textOf(text, { lines: [index + 1, index + 1] }));
  const lines = [1, texts.length] as const;
  return { heading: "", type: "project", origin: "", day: "", lines, chunks, statements: [], digest: "", ...more };
}

export function contentOf(sections: readonly IndexedSection[], more: Partial<SourceContent> = {}): SourceContent {
  return { kind: "raw", level: "raw", from: "", to: "", stamp: "s1", digest: "d1", sections, ...more };
}

/** A source with one section and one chunk. */
export function put(key: string, text: string, more: Partial<SourceContent> = {}): SourceChange {
  return { key, put: contentOf([sectionOf([text], { day: more.to ?? "" })], more) };
}

/** Two openings of one index, which is absent at first. */
export interface SearchIndexHarness {
  readonly index: SearchIndex;
  readonly other: SearchIndex;
  close(): Promise<void>;
}
