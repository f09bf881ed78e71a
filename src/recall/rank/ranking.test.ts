import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { minCoverage } from "./weights.ts";
import {
  maxCoverage,
  directnessOf,
  ownWords,
  rarities,
  bestCosines,
  scoreSections,
  type ScoredSection,
} from "./scores.ts";
import { wordsOnly } from "../../text/corrected.ts";
import { nothingKnown } from "../context/remembered.ts";
import { choosePassages, type PassageChoice, type ScoredRow } from "./choose.ts";
import type { StoredRow } from "../index/search-index.ts";
import { feedbackCandidates, feedbackTerms } from "./scores.ts";
import { sectionCounts } from "../../../test/fixtures/section-counts.ts";

const hits = (term: string, ...sections: readonly (readonly [number, number])[]) => ({
  term,
  sections: sectionCounts(sections),
});
const lengths = [1, 2, 3, 4, 5, 6, 7, 8].map((id) => [id, id === 3 ? 40 : 4] as const);
const chunks = sectionCounts(lengths);
const idsOf = (scored: readonly ScoredSection[]): readonly number[] => scored.map(({ section }) => section);

describe("sections", () => {
  it("rank higher with rarer words, with more of them, and if they are shorter", () => {
    const many = sectionCounts([...lengths, ...Array.from({ length: 90 }, (_, at) => [at + 10, 4] as const)]);
    const common = hits("plan", ...[...many.ids].map((id) => [id, 1] as const));
    const terms = [common, hits("oven", [2, 1], [3, 1])];
    expect(idsOf(scoreSections({ terms, chunks: many })).slice(0, 2)).toEqual([2, 3]);
    expect(idsOf(scoreSections({ terms: [hits("oven", [1, 1], [2, 3])], chunks }))).toEqual([2, 1]);
  });

  it("score 1 at the top, and equal ones are ordered by id", () => {
    const scored = scoreSections({ terms: [hits("oven", [4, 1], [5, 1])], chunks });
    expect(scored.map(({ section, score }) => [section, score])).toEqual([
      [4, 1],
      [5, 1],
    ]);
  });

  it("are empty if no word is known", () => expect(scoreSections({ terms: [], chunks })).toEqual([]));

  it("are found by meaning alone", () => {
    const cosines = bestCosines(Int32Array.of(1, 1, 2, 6), Float32Array.of(0.25, 0.75, 0.5, 0.25));
    expect(cosines).toEqual({ ids: Int32Array.of(1, 2, 6), cosines: Float32Array.of(0.75, 0.5, 0.25) });
    expect(idsOf(scoreSections({ terms: [], chunks, meaning: { cosines, share: 0.3 } }))[0]).toBe(1);
  });
});

describe("feedback", () => {
  const sections = [
    {
      score: 1,
      statements: [
        ["oven", "bread"],
        ["lisbon", "flour"],
      ],
    },
    { score: 0.9, statements: [["flour", "bread", "yeast"]] },
  ];
  const candidates = () => feedbackCandidates(sections, new Set(["oven"]));

  it("proposes words of the best sections, most frequent first, without the query's words", () => {
    expect(candidates().map(({ term }) => term)).toEqual(["bread", "flour", "yeast", "lisbon"]);
  });

  it("prefers words that are rare elsewhere, and drops words in no chunk", () => {
    const terms = feedbackTerms(candidates(), { rows: 100, counts: [90, 3, 3, 0] });
    expect(terms.map(({ term }) => term)).toEqual(["flour", "yeast", "bread"]);
    expect(terms[0]?.weight).toBeCloseTo(0.3);
  });
});

describe("a statement's own words", () => {
  const of = rarities([hits("oven", [1, 1]), hits("plan", [1, 4], [2, 4], [4, 4])], chunks);

  it("count more if they are rare, and if the statement is short", () => {
    expect(ownWords(["oven"], of)).toBeGreaterThan(ownWords(["plan"], of));
    expect(ownWords(["oven"], of)).toBeGreaterThan(ownWords(["oven", ..."abcdefghijklmnop"], of));
    expect(ownWords(["bread"], of)).toBe(0);
  });
});

describe("how directly a message is answered by words", () => {
  const of = new Map([
    ["oven", 3],
    ["lisbon", 3],
    ["repair", 3],
    ["bread", 3],
  ]);

  it("is 0 if no statement contains more than one word of many, and 1 if one contains most of them", () => {
    expect(directnessOf([["oven", "hot"], ["lisbon"]], of)).toBe(0);
    expect(directnessOf([["hot"], ["oven", "lisbon", "repair"]], of)).toBe(1);
  });

  it("does not grow with repeated words, and is 0 without words", () => {
    expect(directnessOf([["oven", "oven", "oven"]], of)).toBe(0);
    expect(directnessOf([], of)).toBe(0);
    expect(directnessOf([["oven"]], new Map())).toBe(0);
  });
});

const row = (id: number, section: number, text: string, weight = 0.5): ScoredRow => ({
  row: { id, section, lines: [id, id], text, weight } as unknown as StoredRow,
  words: 0,
});
const holding = (words: number, one: ScoredRow): ScoredRow => ({ ...one, words });
const section = (id: number, score: number): ScoredSection => ({
  section: id,
  score,
});
const choose = (choice: Partial<PassageChoice>) =>
  choosePassages({
    direct: 0,
    focus: 0,
    sections: [],
    chunks: [],
    statements: [],
    budget: 100,
    tokens: (text) => text.length,
    known: nothingKnown,
    ...choice,
  });

describe("coverage of a message by the best section", () => {
  const stands = (...ids: readonly number[]) => sectionCounts(ids.map((id) => [id, 1] as const));
  const word = (weight: number, ...ids: readonly number[]) => ({ weight, whole: [stands(...ids)], pieces: [] });

  it("is the largest share of its words, by weight, in one section", () => {
    expect(maxCoverage([word(1, 7), word(3, 8), word(1, 8)])).toBeCloseTo(4 / 5);
    expect(maxCoverage([word(2), word(2, 1)])).toBe(0.5);
    expect(maxCoverage([])).toBe(0);
  });

  it("counts a word as whole if one of six pieces is found, and only the heaviest words of a long message", () => {
    expect(
      maxCoverage([{ weight: 2, whole: [], pieces: [stands(1), ...Array.from({ length: 5 }, () => stands())] }]),
    ).toBe(1);
    const long = Array.from({ length: 40 }, () => word(1));
    expect(maxCoverage([...long, word(1, 3), word(1, 3)])).toBeGreaterThan(minCoverage);
  });
});

describe("the passages of a context", () => {
  it("are the best chunks in their share, then statements from many sections", () => {
    const chosen = choose({
      sections: [section(1, 1), section(2, 0.9)],
      chunks: [holding(2, row(1, 1, "c".repeat(30))), holding(2, row(2, 1, "d".repeat(30)))],
      statements: [row(3, 1, "a told thing one"), row(4, 1, "a told thing two"), row(5, 2, "a told thing six")],
    });
    expect(chosen.map(({ unit, row: { id } }) => [unit, id])).toEqual([
      ["chunk", 1],
      ["statement", 3],
      ["statement", 5],
      ["statement", 4],
    ]);
  });

  it("repeat nothing: neither a sentence of a chosen chunk nor the same sentence from another section", () => {
    const chosen = choose({
      sections: [section(1, 1), section(2, 1)],
      chunks: [holding(1, row(1, 1, "User: I live in Oslo. Ok"))],
      statements: [row(2, 1, "I live in Oslo."), row(3, 1, "We own a boat"), row(4, 2, "we own a BOAT!")],
    });
    expect(chosen.map(({ row: { id } }) => id)).toEqual([1, 3]);
  });

  it("omit what the reader knows and the reader's own words, and weak ones do not take their place", () => {
    const statements = [
      holding(3, row(1, 1, "We own a boat.", 0.9)),
      holding(3, row(2, 1, "The boat is red.", 0.9)),
      holding(0, row(3, 1, "x".repeat(60), 0.01)),
    ];
    const ids = (known: PassageChoice["known"]) =>
      choose({ sections: [section(1, 1)], statements, known }).map(({ row: { id } }) => id);
    expect(ids(nothingKnown)).toEqual([1, 2]);
    expect(ids({ ...nothingKnown, seen: wordsOnly("12: we own a BOAT\n13: it floats") })).toEqual([2]);
    expect(ids({ ...nothingKnown, isOwn: ({ lines: [line] }) => line === 2 })).toEqual([1]);
  });

  it("prefer statements of higher weight", () => {
    const statements = [
      holding(2, row(1, 1, "what is it to me?", 0.2)),
      holding(1, row(2, 1, "we own two boats", 0.8)),
    ];
    expect(choose({ sections: [section(1, 1)], statements }).map(({ row: { id } }) => id)).toEqual([2, 1]);
  });

  it("are ranked by their own words if the message is answered directly, and include what was said next", () => {
    const said = (id: number, words: number, weight: number) => ({
      ...row(id, 1, `number ${"oxymoron".slice(id)} was said`, weight),
      words,
    });
    const statements = [said(1, 0, 0.9), said(2, 8, 0.1), said(3, 0, 0.1), said(4, 0, 0.1), said(5, 0, 0.1)];
    const ids = (direct: number) =>
      choose({ sections: [section(1, 1)], statements, direct }).map(({ row: { id } }) => id);
    expect(ids(0)[0]).toBe(1);
    expect(ids(1).slice(0, 3)).toEqual([2, 1, 3]);
  });

  it("include the sentence before one that refers back to it, if both are in one line and there is room", () => {
    const turn = (id: number, line: number, text: string, weight: number) => {
      const one = row(id, 1, text, weight);
      return { ...one, row: { ...one.row, lines: [line, line] as const } };
    };
    const statements = [
      turn(1, 1, "the shop is at the quay", 0.2),
      turn(2, 1, "It opened in 2020 for us.", 0.9),
      turn(3, 2, "She sold it to my uncle.", 0.8),
    ];
    const ids = (budget: number) =>
      choose({ sections: [section(1, 1)], statements, budget }).map(({ row: { id } }) => id);
    expect(ids(100)).toEqual([2, 1, 3]);
    expect(ids(30)).toEqual([2]);
  });

  it("include both sentences around one, in its line, if the message is short, but none that may not be chosen", () => {
    const turn = (id: number, line: number, weight: number) => {
      const one = row(id, 1, `number ${id} was said`, weight);
      return { ...one, row: { ...one.row, lines: [line, line] as const } };
    };
    const statements = [turn(1, 1, 0.9), turn(2, 2, 0.1), turn(3, 2, 0.8), turn(4, 2, 0.6), turn(5, 2, 0.7)];
    const ids = (more: Partial<PassageChoice>) =>
      choose({ sections: [section(1, 1)], statements, budget: 300, ...more }).map(({ row: { id } }) => id);
    expect(ids({ focus: 0 })).toEqual([1, 3, 5, 4]);
    expect(ids({ focus: 1 })).toEqual([1, 3, 2, 4, 5]);
    expect(ids({ focus: 1, may: new Set([1, 3, 5]) })).toEqual([1, 3, 5]);
  });

  it("leave out those far below the best and those without a score, however much room is left", () => {
    const chosen = choose({
      budget: 1000,
      sections: [section(1, 1), section(2, 0.1)],
      chunks: [holding(9, row(1, 2, "the best chunk")), holding(3, row(2, 1, "a worse one")), row(3, 1, "one of none")],
      statements: [
        row(4, 1, "we own two boats", 0.9),
        row(5, 1, "and then she said", 0.05),
        row(6, 1, "nothing at all", 0),
        row(7, 2, "they own a far boat", 0.9),
      ],
    });
    expect(chosen.map(({ row: { id } }) => id)).toEqual([1, 4]);
  });

  it("never exceed the budget, and do not depend on the order of the statements", () => {
    const statement = fc.record({
      section: fc.nat(5),
      text: fc.string({ minLength: 1 }),
      weight: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(
        fc.array(statement),
        fc.nat(200),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (rows, budget, direct) => {
          const statements = rows.map((one, id) => row(id, one.section, one.text, one.weight));
          const sections = [0, 1, 2, 3].map((id) => section(id, 1 - id / 4));
          const choice = { sections, chunks: statements, budget, direct };
          const chosen = choose({ ...choice, statements });
          expect(chosen.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(budget);
          expect(choose({ ...choice, statements: statements.toReversed() })).toEqual(chosen);
        },
      ),
    );
  });
});
