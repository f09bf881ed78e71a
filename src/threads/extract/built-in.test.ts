import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { builtInThreadSummarizer as summarizer } from "./built-in.ts";
import type { SummaryLine, Role } from "../../base/summary-line.ts";

function linesOf(...said: readonly (readonly [role: Role, text: string])[]): readonly SummaryLine[] {
  return summarizer.extract(said.map(([role, text], at) => ({ seq: at + 1, role, text })));
}

describe("the first line of a block", () => {
  test("is what the user says in plain words, not tool records", () => {
    const records = Array.from(
      { length: 30 },
      (_, at) => `{"id": ${9000 + at * 7}, "owner": "Torlen${at}", "state": "must index", "sum": "5df5${at}ba1f"},`,
    );
    const lines = linesOf(["tool", records.join("\n")], ["user", "my sister keeps the crooked ladder in the barn"]);
    expect(lines[0]?.text).toBe("my sister keeps the crooked ladder in the barn");
  });

  test("is something said once, not catalogue entries that differ in names and numbers", () => {
    const entries = Array.from(
      { length: 12 },
      (_, at) =>
        `The painter Vik${"abcdefghijkl".charAt(at)}ha showed a mirror in Tor${at}sa in 15${40 + at} with Bel${at}do.`,
    );
    const lines = linesOf(
      ["assistant", entries.slice(0, 6).join("\n")],
      ["assistant", "It turned out that the ladder blocked the door of the mill."],
      ["assistant", entries.slice(6).join("\n")],
    );
    expect(lines.slice(0, 2).map(({ seq }) => seq)).toContain(2);
  });

  test("is not a log line, even if it names a cause", () => {
    const log = Array.from(
      { length: 9 },
      (_, at) => `2026-03-2${at}T10:24:07Z ERROR index Haca${at} failed after 305 ms because the session was closed`,
    );
    const lines = linesOf(["tool", log.join("\n")], ["user", "we go with the amber lamp for the chapel"]);
    expect(lines[0]?.seq).toBe(2);
  });
});

describe("a line", () => {
  test("is the whole sentence of a wrapped paragraph", () => {
    const [line] = linesOf([
      "user",
      "We moved the archive of the choir to the cellar of the town hall \r\nbecause the roof of the old school is leaking.",
    ]);
    expect(line?.text).toBe(
      "We moved the archive of the choir to the cellar of the town hall because the roof of the old school is leaking.",
    );
  });

  test("does not end at a title before a name", () => {
    const [line] = linesOf(["user", "My appointment with Dr. Okonkwo was moved to Tuesday."]);
    expect(line?.text).toBe("My appointment with Dr. Okonkwo was moved to Tuesday.");
  });

  test("that begins with a word referring back includes the preceding sentence", () => {
    const filler = Array.from("abcdefghijklmnop", (letter): [Role, string] => [
      "user",
      `We decided that the ${letter}urrel and the ${letter}ondel go to ${letter.toUpperCase()}astrup by ${letter}ivvle.`,
    ]);
    const lines = linesOf(...filler, ["user", "That is a heron. It must never be fed because it belongs to Quillon."]);
    expect(lines.map(({ text }) => text)).toContain(
      "That is a heron. It must never be fed because it belongs to Quillon.",
    );
  });
});

test("different facts of one form are kept, even next to a repeated sentence", () => {
  const said = Array.from({ length: 60 }, (_, at): readonly [Role, string] => {
    return ["user", `The port of service ${at} is ${8000 + at}. We decided to keep it.`];
  });

  expect(linesOf(...said)).toHaveLength(16);
});

const most = 20_000;

/** Size of the printed lines, with line ends. */
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

/** A distinct word for every number. */
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

test("after a hundred strides the newest has its share and the oldest is still included", () => {
  for (const messages of [100, 1_000]) {
    const lines = afterStrides(100, messages);
    const newest = lines.filter(({ seq }) => seq > 99 * messages);
    const oldest = lines.filter(({ seq }) => seq <= 37 * messages);
    expect(sizeOf(lines)).toBeGreaterThan(most * 0.9);
    expect(sizeOf(newest)).toBeGreaterThan(most / 7 - 300);
    expect(sizeOf(oldest)).toBeGreaterThan(most / 7 - 300);
  }
});

test("a full base does not exclude the next stride", () => {
  const base = afterStrides(30, 100);
  const delta = [{ seq: 3_050, role: "user" as const, text: "yes" }];
  const lines = summarizer.cumulate({ base, delta, base_to_seq: 3_000, to_seq: 3_100, space: most });
  expect(lines[0]).toEqual(delta[0]);
});

test("without a base, the best lines of the delta fill the space", () => {
  const delta = strideOf(0, 100);
  const lines = summarizer.cumulate({ base: [], delta, base_to_seq: 0, to_seq: 100, space: most });
  expect(lines.length).toBeGreaterThan(50);
});

test("empty input gives no lines", () => {
  expect(summarizer.cumulate({ base: [], delta: [], base_to_seq: 0, to_seq: 0, space: most })).toEqual([]);
});
