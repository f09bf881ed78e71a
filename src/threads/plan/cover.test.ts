import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { selectCover, type Candidate, type CoverRequest, type Span, shareLines } from "./cover.ts";
import { blockSize } from "./ladder.ts";

const candidates = (messages: number): fc.Arbitrary<readonly Candidate[]> =>
  fc.array(
    fc
      .record({
        from: fc.integer({ min: 1, max: messages }),
        size: fc.integer({ min: 1, max: messages }),
        level: fc.option(fc.integer({ min: 0, max: 3 })),
        distance: fc.integer({ min: 0, max: 600_000 }),
      })
      .map(({ from, size, level, distance }) => ({ from, to: Math.min(messages, from + size - 1), level, distance })),
    { maxLength: 7 },
  );

const requests: fc.Arbitrary<CoverRequest<Candidate>> = fc.integer({ min: 1, max: 12 }).chain((messages) =>
  fc.record({
    messages: fc.constant(messages),
    raw_from: fc.integer({ min: 1, max: messages + 1 }),
    holes: fc.constant([] as number[]),
    candidates: candidates(messages),
    most: fc.integer({ min: 0, max: 8 }),
  }),
);

const withHoles: fc.Arbitrary<CoverRequest<Candidate>> = requests.chain((request) =>
  fc
    .subarray([...Array(request.messages).keys()].map((at) => at + 1).filter((at) => at >= request.raw_from))
    .map((holes) => ({ ...request, holes })),
);

const size = ({ from, to }: { readonly from: number; readonly to: number }): number => to - from + 1;
const count = (spans: readonly Span<Candidate>[], kind: string): number =>
  spans.filter((span) => span.kind === kind).reduce((sum, span) => sum + size(span), 0);
const newestIsRaw = ({ messages, raw_from, holes }: CoverRequest<Candidate>): boolean =>
  raw_from <= messages && !holes.includes(messages);

/** Every choice of non-overlapping summaries, and the number of messages each leaves uncovered. */
function choices(
  request: CoverRequest<Candidate>,
): readonly { uncovered: number; cumulative: number; lost: number; summaries: number }[] {
  const last = newestIsRaw(request) ? request.messages - 1 : request.messages;
  const usable = request.candidates.filter(({ to }) => to <= last);
  const found = [];
  for (let mask = 0; mask < 2 ** usable.length; mask += 1) {
    const chosen = usable.filter((_, at) => (mask >> at) % 2 === 1).toSorted((a, b) => a.from - b.from);
    if (chosen.length > request.most || chosen.some(({ from }, at) => from <= (chosen[at - 1]?.to ?? 0))) continue;
    const inside = (at: number): boolean => chosen.some(({ from, to }) => at >= from && at <= to);
    const mayBeRaw = (at: number): boolean => at >= request.raw_from && !request.holes.includes(at);
    const all = [...Array(request.messages).keys()].map((at) => at + 1);
    const uncovered = all.filter((at) => !inside(at) && !mayBeRaw(at)).length;
    const lost = all.filter((at) => inside(at) && mayBeRaw(at)).length;
    const cumulative = chosen.filter(({ level }) => level === null).reduce((sum, one) => sum + size(one), 0);
    found.push({ uncovered, cumulative, lost, summaries: chosen.length });
  }
  return found;
}

describe("a cover", () => {
  test("contains every message exactly once, raw only where allowed, and no more summaries than requested", () => {
    fc.assert(
      fc.property(withHoles, (request) => {
        const spans = selectCover(request);
        let next = 1;
        for (const span of spans) {
          expect(span.from).toBe(next);
          expect(span.to).toBeGreaterThanOrEqual(span.from);
          next = span.to + 1;
          if (span.kind === "raw") {
            expect(span.from).toBeGreaterThanOrEqual(request.raw_from);
            expect(request.holes.some((hole) => hole >= span.from && hole <= span.to)).toBe(false);
          }
          if (span.kind === "summary") expect([span.candidate.from, span.candidate.to]).toEqual([span.from, span.to]);
        }
        expect(next).toBe(request.messages + 1);
        expect(spans.filter(({ kind }) => kind === "summary").length).toBeLessThanOrEqual(request.most);
        if (newestIsRaw(request)) expect(spans.at(-1)?.kind).toBe("raw");
      }),
      { numRuns: 500 },
    );
  });

  test("leaves the fewest messages uncovered of all covers with at most that many summaries", () => {
    fc.assert(
      fc.property(withHoles, (request) => {
        const least = Math.min(...choices(request).map(({ uncovered }) => uncovered));
        expect(count(selectCover(request), "uncovered")).toBe(least);
      }),
      { numRuns: 500 },
    );
  });

  test("with all candidates far enough away, prefers rungs over cumulative summaries, then raw messages, then fewer summaries", () => {
    const far = withHoles.map((request) => ({
      ...request,
      candidates: request.candidates.map((one) => ({ ...one, distance: blockSize(3) })),
    }));
    fc.assert(
      fc.property(far, (request) => {
        const spans = selectCover(request);
        const summaries = spans.flatMap((span) => (span.kind === "summary" ? [span.candidate] : []));
        const [best] = choices(request).toSorted(
          (a, b) =>
            a.uncovered - b.uncovered || a.cumulative - b.cumulative || a.lost - b.lost || a.summaries - b.summaries,
        );
        expect({
          uncovered: count(spans, "uncovered"),
          cumulative: summaries.filter(({ level }) => level === null).reduce((sum, one) => sum + size(one), 0),
          summaries: summaries.length,
        }).toEqual({ uncovered: best?.uncovered, cumulative: best?.cumulative, summaries: best?.summaries });
      }),
      { numRuns: 500 },
    );
  });

  test("uses no rung closer to the anchor than its size while finer ones exist", () => {
    // One message per unit: 256 complete blocks of level 0, and all blocks above them.
    const messages = 256;
    const all: Candidate[] = [];
    for (const level of [0, 1, 2, 3, 4])
      for (let from = 1; from + 4 ** level - 1 <= messages; from += 4 ** level) {
        const to = from + 4 ** level - 1;
        all.push({ from, to, level, distance: (messages - to) * 8192 });
      }
    const spans = selectCover({ messages, raw_from: 255, holes: [], candidates: all, most: 99 });
    const summaries = spans.flatMap((span) => (span.kind === "summary" ? [span] : []));
    expect(count(spans, "uncovered")).toBe(0);
    for (const { candidate } of summaries)
      if (candidate.level !== 0) expect(candidate.distance).toBeGreaterThanOrEqual(blockSize(candidate.level ?? 0));
    expect(summaries.length).toBeLessThanOrEqual(24);
    const few = selectCover({ messages, raw_from: 255, holes: [], candidates: all, most: 11 });
    expect(count(few, "uncovered")).toBe(0);
    const fewest = selectCover({ messages, raw_from: 255, holes: [], candidates: all, most: 2 });
    expect(count(fewest, "summary")).toBe(128);
  });

  test("a message that is too big is shown through the rung that contains it", () => {
    const rung: Candidate = { from: 3, to: 5, level: 0, distance: 0 };
    const spans = selectCover({ messages: 8, raw_from: 2, holes: [5], candidates: [rung], most: 4 });
    expect(spans.map(({ kind, from, to }) => `${kind} ${from}-${to}`)).toEqual([
      "uncovered 1-1",
      "raw 2-2",
      "summary 3-5",
      "raw 6-8",
    ]);
  });
});

const costs = fc.array(fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 6 }), { maxLength: 6 });

describe("dealing out lines", () => {
  test("never exceeds the space", () => {
    fc.assert(
      fc.property(costs, fc.integer({ min: 0, max: 400 }), (all, space) => {
        const share = shareLines({ lines: all.map((one) => one.length), cost: (s, l) => all[s]?.[l] ?? 0, space });
        const spent = share.map((lines, s) => (all[s] ?? []).slice(0, lines).reduce((a, b) => a + b, 0));
        expect(spent.reduce((a, b) => a + b, 0)).toBeLessThanOrEqual(space);
      }),
    );
  });

  test("gives every summary a line before any gets two, and asks for each price only once", () => {
    fc.assert(
      fc.property(costs, fc.integer({ min: 0, max: 400 }), (all, space) => {
        const asked: string[] = [];
        const cost = (s: number, l: number): number => {
          asked.push(`${s}/${l}`);
          return all[s]?.[l] ?? 0;
        };
        const lines = shareLines({ lines: all.map((one) => one.length), cost, space });
        expect(new Set(asked).size).toBe(asked.length);
        const firsts = all.reduce((sum, one) => sum + (one[0] ?? 0), 0);
        if (firsts <= space) expect(lines.every((count, s) => count > 0 || all[s]?.length === 0)).toBe(true);
      }),
    );
  });

  test("goes from the newest summary to the oldest", () => {
    expect(shareLines({ lines: [3, 3, 3], cost: () => 10, space: 45 })).toEqual([1, 1, 2]);
    expect(shareLines({ lines: [3, 1, 0], cost: () => 10, space: 100 })).toEqual([3, 1, 0]);
  });
});
