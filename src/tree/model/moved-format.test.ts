import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MemoryError } from "../../base/errors.ts";
import {
  largestMoved,
  parseMoved,
  parseMovedFile,
  printMoved,
  type MovedLogs,
  type ShorteningStep,
} from "./moved-format.ts";

const digest = fc.stringMatching(/^[0-9a-f]{64}$/u);
const day = fc.constantFrom("2026-01-03", "2026-02-28", "2024-02-29", "0001-01-01");

/** Ascending, disjoint ranges within `bytes`. */
const spansWithin = (bytes: number): fc.Arbitrary<readonly (readonly [number, number])[]> =>
  fc.uniqueArray(fc.nat({ max: bytes }), { maxLength: 8 }).map((ends) => {
    const sorted = ends.toSorted((a, b) => a - b);
    return Array.from(
      { length: Math.floor(sorted.length / 2) },
      (_, at) => [sorted[2 * at] ?? 0, sorted[2 * at + 1] ?? 0] as const,
    );
  });

const stepOf = (of: string): fc.Arbitrary<ShorteningStep> =>
  fc
    .record({ number: fc.integer({ min: 1, max: 12 }), bytes: fc.nat({ max: 100_000 }), a: digest, b: digest })
    .chain(({ number, bytes, a, b }) => {
      const part = `memory/archive/${of}.full${number === 1 ? "" : `-${number}`}.md`;
      const before = { bytes, sha256: a };
      const cut = spansWithin(bytes).map((spans): ShorteningStep => {
        const gone = spans.reduce((sum, [from, to]) => sum + to - from, 0);
        return { part, before, after: { bytes: bytes - gone, sha256: b }, change: { kind: "cut", spans } };
      });
      const rotated = fc.nat({ max: 5000 }).map((size): ShorteningStep => {
        return { part, before, after: { bytes: size, sha256: b }, change: { kind: "rotated" } };
      });
      return fc.oneof(cut, rotated);
    });

const moved: fc.Arbitrary<MovedLogs> = fc
  .uniqueArray(day, { maxLength: 4 })
  .chain((days) =>
    fc.tuple(
      ...days.map((of) =>
        fc
          .array(stepOf(of), { minLength: 1, maxLength: 4 })
          .map((steps): [string, readonly ShorteningStep[]] => [`memory/${of}.md`, steps]),
      ),
    ),
  )
  .map((entries) => new Map(entries));

function codeOf(text: string): string {
  try {
    parseMoved(text);
    return "read";
  } catch (error) {
    if (error instanceof MemoryError) return error.code;
    throw error;
  }
}

describe("the record of shortened notes", () => {
  it("reads back what it prints, whatever the content, sorted by path", () => {
    fc.assert(
      fc.property(moved, (logs) => {
        const text = printMoved(logs);
        expect(parseMoved(text)).toEqual(logs);
        expect(printMoved(parseMoved(text))).toBe(text);
        expect([...parseMoved(text).keys()]).toEqual([...logs.keys()].toSorted());
      }),
    );
  });

  it("has one step per line, as in its example", () => {
    const page = readFileSync(new URL("../../../docs/formats/audit.md", import.meta.url), "utf8");
    const example = /^```json moved\n([^]*?)^```$/mu.exec(page)?.[1] ?? "";
    expect(parseMoved(example).size).toBe(2);
    expect(printMoved(parseMoved(example))).toBe(example);
  });

  it("is archive_damaged when invalid, and newer_store when a newer program wrote it", () => {
    for (const text of [
      "",
      "{",
      "[]",
      "null",
      "1",
      "{}",
      '{"version":1}',
      '{"version":0,"logs":{}}',
      '{"version":"2"}',
    ])
      expect(codeOf(text), text).toBe("archive_damaged");
    expect(codeOf('{"version":1,"logs":{}}')).toBe("read");
    expect(codeOf('{"version":2,"logs":{}}')).toBe("newer_store");
  });

  it("is archive_damaged when larger than the maximum, without being decoded", () => {
    const large = { bytes: new Uint8Array(0), size: largestMoved + 1 };
    expect(() => parseMovedFile(large)).toThrow(expect.objectContaining({ code: "archive_damaged" }));
    const bytes = Buffer.from(printMoved(new Map()));
    expect(parseMovedFile({ bytes, size: bytes.length })).toEqual(new Map());
  });

  it("refuses paths that are not a day's log or not a part of it", () => {
    const mark = { bytes: 0, sha256: "0".repeat(64) };
    const withPaths = (log: string, part: string): string =>
      JSON.stringify({ version: 1, logs: { [log]: [{ kind: "rotated", part, before: mark, after: mark }] } });
    const [log, part] = ["memory/2026-01-03.md", "memory/archive/2026-01-03.full.md"];
    expect(codeOf(withPaths(log, part))).toBe("read");
    expect(codeOf(withPaths(log, "memory/archive/2026-01-03.full-12.md"))).toBe("read");
    for (const hostile of [
      "memory/archive/2026-01-04.full.md",
      "memory/archive/../../2026-01-03.full.md",
      "/etc/passwd",
      "memory/archive/2026-01-03.full.md/../x",
      "memory/archive/2026-01-03.full-1.md",
      "memory/archive/2026-01-03.full-02.md",
      "memory/archive/nodes/2026-01-03.full.md",
      "memory/2026-01-03.md",
      `${part}\n`,
      "",
    ])
      expect(codeOf(withPaths(log, hostile)), hostile).toBe("archive_damaged");
    for (const hostile of [
      "memory/2026-13-01.md",
      "memory/2026-01-03-standup.md",
      "MEMORY.md",
      "../2026-01-03.md",
      "__proto__",
      "memory/daily/2026-01-03.md",
    ])
      expect(codeOf(withPaths(hostile, part)), hostile).toBe("archive_damaged");
  });

  it("refuses ranges that overlap, are empty, exceed the note, or do not add up to the size", () => {
    const withCut = (cut: unknown, after: number): string =>
      JSON.stringify({
        version: 1,
        logs: {
          "memory/2026-01-03.md": [
            {
              kind: "cut",
              part: "memory/archive/2026-01-03.full.md",
              before: { bytes: 10, sha256: "0".repeat(64) },
              after: { bytes: after, sha256: "1".repeat(64) },
              cut,
            },
          ],
        },
      });
    expect(
      codeOf(
        withCut(
          [
            [1, 3],
            [5, 6],
          ],
          7,
        ),
      ),
    ).toBe("read");
    for (const [cut, after] of [
      [[[1, 3]], 7],
      [
        [
          [5, 6],
          [1, 3],
        ],
        7,
      ],
      [
        [
          [1, 3],
          [2, 4],
        ],
        6,
      ],
      [[[3, 3]], 10],
      [[[8, 11]], 7],
      [[[-1, 2]], 7],
      [[[0.5, 2]], 8.5],
      [[["1", 3]], 8],
      [[[1, 3, 5]], 8],
      ["1-3", 8],
      [undefined, 10],
    ] as const)
      expect(codeOf(withCut(cut, after)), JSON.stringify(cut)).toBe("archive_damaged");
  });

  it("fails only with its own codes", () => {
    fc.assert(
      fc.property(fc.json(), fc.jsonValue(), (text, logs) => {
        expect(["read", "archive_damaged", "newer_store"]).toContain(codeOf(text));
        expect(["read", "archive_damaged"]).toContain(codeOf(JSON.stringify({ version: 1, logs })));
      }),
    );
  });
});
