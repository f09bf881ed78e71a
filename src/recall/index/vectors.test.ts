import { expect, test } from "vitest";
import { MemoryError } from "../../base/errors.ts";
import type { IndexedSection } from "./search-index.ts";
import { VectorRun } from "./vectors.ts";

function sectionOf(...weights: readonly number[]): IndexedSection {
  const statements = weights.map((weight) => ({ lines: [1, 1] as const, text: `of ${weight}`, parts: "", weight }));
  return { heading: "", type: "project", origin: "", day: "", lines: [1, 1], chunks: [], statements, digest: "" };
}

function embedderOf(embed: (texts: readonly string[]) => Promise<readonly Int8Array[]>) {
  return { id: "e", open: async () => ({ id: "e", dimensions: 2, embed }) };
}

test("statements of weight 0.1 and more get a vector; of zeros it is none", async () => {
  const given: string[] = [];
  const run = new VectorRun(
    embedderOf(async (texts) => {
      given.push(...texts);
      return texts.map((text) => (text === "of 0.5" ? new Int8Array(2) : Int8Array.of(127, 0)));
    }),
    "whole",
    {},
  );
  const { sections, vectors } = await run.of([sectionOf(0.09, 0.1), sectionOf(0.5, 1)]);
  expect([vectors, given]).toEqual(["made", ["of 0.1", "of 0.5", "of 1"]]);
  expect(sections.map(({ statements }) => statements.map(({ vector }) => vector !== undefined))).toEqual([
    [false, true],
    [false, true],
  ]);
});

test("after a failure no more are asked for; a call that was stopped is no failure", async () => {
  let asked = 0;
  const embedder = embedderOf(async () => {
    asked += 1;
    throw new MemoryError("io", "No answer.");
  });
  const run = new VectorRun(embedder, "whole", {});
  expect([(await run.of([sectionOf(1)])).vectors, (await run.of([sectionOf(1)])).vectors]).toEqual(["later", "later"]);
  expect([asked, run.warnings.length]).toEqual([1, 1]);
  const stopped = new VectorRun(embedder, "whole", { signal: AbortSignal.abort() });
  await expect(stopped.of([sectionOf(1)])).rejects.toThrow();
  expect(stopped.warnings).toEqual([]);
});
