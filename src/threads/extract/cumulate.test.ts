import fc from "fast-check";
import { expect, test } from "vitest";
import { builtInThreadSummarizer as summarizer } from "./built-in.ts";
import type { SummaryLine } from "../../base/summary-line.ts";

const most = 20_000;

/** As the artifacts print a line, with its line end. */
function sizeOf(lines: readonly SummaryLine[]): number {
  return lines.reduce((sum, { seq, role, text }) => sum + `- #${seq} ${role}: ${text}\n`.length, 0);
}

function strideOf(number: number, messages: number): readonly SummaryLine[] {
  return Array.from({ length: 60 }, (_, at) => ({
    seq: number * messages + Math.floor((at * messages) / 60) + 1,
    role: at % 2 === 0 ? "user" : "assistant",
    text: `The ledger of ${wordOf(number * 61 + at)} was decided to stay with ${wordOf(number * 67 + at + 9999)} and ${wordOf(at * 71 + number + 777)}`,
  }));
}

/** A word of its own for every number. */
function wordOf(number: number): string {
  return Array.from(
    String(number * 7919),
    (digit) => "bdfgklmnrt".charAt(Number(digit)) + "aeiou".charAt(Number(digit) % 5),
  ).join("");
}

function afterStrides(strides: number, messages: number): readonly SummaryLine[] {
  let base: readonly SummaryLine[] = [];
  for (let number = 0; number < strides; number++)
    base = summarizer.cumulate({
      base,
      delta: strideOf(number, messages),
      base_to_seq: number * messages,
      to_seq: (number + 1) * messages,
      space: most,
    });
  return base;
}

test("a cumulative summary fits its space and begins with the newest line", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 100, max: 20_000 }), (strides, space) => {
      const base = afterStrides(Math.min(strides, 12), 100);
      const to_seq = 1_300;
      const lines = summarizer.cumulate({ base, delta: strideOf(12, 100), base_to_seq: 1_200, to_seq, space });
      expect(sizeOf(lines)).toBeLessThanOrEqual(space);
      const seqs = lines.map(({ seq }) => seq);
      expect(seqs).toEqual(seqs.toSorted((a, b) => b - a));
    }),
    { numRuns: 20 },
  );
});

test("after a hundred strides the newest has its share and the oldest is not gone", () => {
  for (const messages of [100, 1_000]) {
    const lines = afterStrides(100, messages);
    const newest = lines.filter(({ seq }) => seq > 99 * messages);
    const oldest = lines.filter(({ seq }) => seq <= 37 * messages);
    expect(sizeOf(lines)).toBeGreaterThan(most * 0.9);
    expect(sizeOf(newest)).toBeGreaterThan(most / 7 - 300);
    expect(sizeOf(oldest)).toBeGreaterThan(most / 7 - 300);
  }
});

test("a full base does not keep the next stride out", () => {
  const base = afterStrides(30, 100);
  const delta = [{ seq: 3_050, role: "user" as const, text: "yes" }];
  const lines = summarizer.cumulate({ base, delta, base_to_seq: 3_000, to_seq: 3_100, space: most });
  expect(lines[0]).toEqual(delta[0]);
});

test("without a base the best lines of the delta fill the space", () => {
  const delta = strideOf(0, 100);
  const lines = summarizer.cumulate({ base: [], delta, base_to_seq: 0, to_seq: 100, space: most });
  expect(lines.length).toBeGreaterThan(50);
});

test("nothing gives nothing", () => {
  expect(summarizer.cumulate({ base: [], delta: [], base_to_seq: 0, to_seq: 0, space: most })).toEqual([]);
});
