import type { Embedder, Vector } from "../recall/index/search-index.ts";
import { describeCases, endingOf, type Cases, type Expect, type Suite, type TestFunctions } from "./test-functions.ts";
import { greatest } from "../base/lists.ts";

/** An embedder that must understand English, the language of the test texts. */
export interface EmbedderHarness {
  readonly embedder: Embedder;
  close(): Promise<void>;
}

/** What every `Embedder` must do, whatever model it uses. */
export function describeEmbedder(suite: Suite<EmbedderHarness>, runner: TestFunctions): void {
  describeCases({ ...suite, cases }, runner);
}

const texts = ["We moved the meeting to Friday.", "The cat sleeps in the garden.", "The invoice was paid."];
const passage = { purpose: "passage" } as const;

const cases: Cases<EmbedderHarness> = {
  "the id is one word that does not change": async ({ embedder }, expect) => {
    const before = embedder.id;
    expect(/^[!-~]{1,200}$/u.test(before)).toBe(true);
    await embedder.embed(texts, passage);
    expect(embedder.id).toBe(before);
  },
  "each text gets a vector of unit length with one byte per dimension": async ({ embedder }, expect) => {
    const vectors = await embedder.embed(texts, passage);
    expect(vectors.map((vector) => vector instanceof Int8Array)).toEqual([true, true, true]);
    expect(vectors.map(({ length }) => length)).toEqual(Array(3).fill(embedder.dimensions));
    // Components above 0.5 are clipped and all are rounded, so the length is not exactly 1.
    expect(vectors.map((vector) => lengthOf(vector) > 0.8 && lengthOf(vector) < 1.1)).toEqual([true, true, true]);
  },
  "vectors are in the order of the texts, and a text's vector is the same alone, among others and when repeated":
    async ({ embedder }, expect) => {
      const all = await embedder.embed(texts, passage);
      const alone = await Promise.all(texts.map((text) => embedder.embed([text], passage)));
      expectAlike(expect, { one: alone.flat(), other: all });
      expectAlike(expect, { one: await embedder.embed(texts.toReversed(), passage), other: all.toReversed() });
    },
  "more texts than fit one model call each get a vector": async ({ embedder }, expect) => {
    const many = Array.from({ length: 150 }, (_, index) => texts[index % 3] ?? "");
    const vectors = await embedder.embed(many, passage);
    const first = vectors.slice(0, 3);
    expectAlike(expect, { one: vectors, other: many.map((_, index) => first[index % 3] ?? new Int8Array(0)) });
  },
  "no texts give no vectors, and a text without visible characters gets zeros": async ({ embedder }, expect) => {
    expect(await embedder.embed([], passage)).toEqual([]);
    const [before, ...blank] = await embedder.embed([texts[0] ?? "", "", " \n\t", "\u200B\u0000"], passage);
    expect(blank).toEqual(Array(3).fill(new Int8Array(before?.length ?? 0)));
  },
  "long texts and texts with broken characters get a vector": async ({ embedder }, expect) => {
    const odd = [`${"The cat sleeps in the garden. ".repeat(2000)}`, "The cat \uD800 sleeps 🎉 here"];
    const vectors = await embedder.embed(odd, passage);
    expect(vectors.map(({ length }) => length)).toEqual([embedder.dimensions, embedder.dimensions]);
  },
  "a query is embedded like any other text": async ({ embedder }, expect) => {
    const vectors = await embedder.embed(texts, { purpose: "query" });
    expect(vectors.map(({ length }) => length)).toEqual(Array(3).fill(embedder.dimensions));
  },
  "an already aborted signal stops it": async ({ embedder }, expect) => {
    expect(await endingOf(embedder.embed(texts, { ...passage, signal: AbortSignal.abort() }))).toBe("aborted");
  },
  "concurrent requests and requests after close are answered": async ({ embedder }, expect) => {
    const [one, other] = await Promise.all([embedder.embed(texts, passage), embedder.embed(texts, passage)]);
    await embedder.close?.();
    await embedder.close?.();
    const last = await embedder.embed(texts, passage);
    expectAlike(expect, { one, other: last });
    expectAlike(expect, { one: other, other: last });
  },
};

/** A model may round differently when it gets several texts at once. */
function expectAlike(
  expect: Expect,
  { one, other }: { readonly one: readonly Vector[]; readonly other: readonly Vector[] },
): void {
  expect(one.length).toBe(other.length);
  const furthest = one.map((vector, at) => greatest(vector.map((part, index) => part - (other[at]?.[index] ?? 0))));
  expect(greatest(furthest) <= 2).toBe(true);
}

function lengthOf(vector: Vector): number {
  return Math.sqrt(vector.reduce((sum, part) => sum + part * part, 0)) / 254;
}
