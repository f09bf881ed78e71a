import { pushAll } from "../../base/lists.ts";
import { blockSize } from "./ladder.ts";

/** A summary that may be part of the cover. Ordinals are 1-based and inclusive, over all messages up to the anchor. */
export interface Candidate {
  readonly from: number;
  readonly to: number;
  /** The level of a rung; null for a cumulative summary. */
  readonly level: number | null;
  /** The weight of the messages between its end and the anchor. */
  readonly distance: number;
}

/** A range of messages and how it is shown. Spans are contiguous from 1 to the last message. */
export type Span<C extends Candidate> =
  | { readonly kind: "summary"; readonly from: number; readonly to: number; readonly candidate: C }
  | PlainSpan;

export interface PlainSpan {
  readonly kind: "uncovered" | "raw";
  readonly from: number;
  readonly to: number;
}

/** Returns nothing for an empty range. */
export function plainSpan(kind: PlainSpan["kind"], from: number, to: number): readonly PlainSpan[] {
  return from <= to ? [{ kind, from, to }] : [];
}

/** Merges neighbors that are both raw or both uncovered. */
export function merged<S extends { readonly kind: string }>(
  spans: readonly (S | PlainSpan)[],
): readonly (S | PlainSpan)[] {
  const joined: (S | PlainSpan)[] = [];
  for (const span of spans) {
    const last = joined.at(-1);
    if (isPlain(span) && last !== undefined && isPlain(last) && last.kind === span.kind)
      joined[joined.length - 1] = { ...span, from: last.from };
    else joined.push(span);
  }
  return joined;
}

function isPlain(span: { readonly kind: string }): span is PlainSpan {
  return span.kind === "raw" || span.kind === "uncovered";
}

export interface CoverRequest<C extends Candidate> {
  readonly messages: number;
  /** The first ordinal whose message may be raw; greater than `messages` if none may. */
  readonly raw_from: number;
  /** Later ordinals whose messages may not be raw because they are too big, ascending. */
  readonly holes: readonly number[];
  /** If several rungs (or several cumulative summaries) have the same range, the first is used. */
  readonly candidates: readonly C[];
  readonly most: number;
}

/**
 * Chooses spans that contain every message exactly once, with at most `most` summaries. Minimizes, in this order: uncovered messages, messages in
 * cumulative summaries, summarized messages that could be raw, and the number of summaries. A rung of level k > 0 that ends less than
 * `blockSize(k)` before the anchor is used only if that leaves fewer messages uncovered or fits `most` better. The newest message stays raw if
 * allowed. Time: n · log n for n candidates, times `most` if that limit applies.
 */
export function selectCover<C extends Candidate>(request: CoverRequest<C>): readonly Span<C>[] {
  const candidates = usable(request);
  const all = solve(request, candidates, null);
  for (const nearness of NEARNESS) {
    const far = candidates.filter(
      ({ level, distance }) => (level ?? 0) === 0 || distance * nearness >= blockSize(level ?? 0),
    );
    const found = far.length === candidates.length ? all : solve(request, far, null);
    if (found.cost.uncovered === all.cost.uncovered && found.cost.summaries <= request.most)
      return spansTo(request, found);
  }
  return spansTo(request, all.cost.summaries <= request.most ? all : solve(request, candidates, request.most));
}

/** How many times closer to the anchor than its size a rung may be, tried in this order. */
const NEARNESS = [1, 4, 16, 64] as const;

function usable<C extends Candidate>({ messages, raw_from, holes, candidates }: CoverRequest<C>): readonly C[] {
  const newestIsRaw = raw_from <= messages && holes.at(-1) !== messages;
  const last = newestIsRaw ? messages - 1 : messages;
  const seen = new Set<string>();
  return candidates.filter(({ from, to, level }) => {
    const range = `${from}-${to}-${level === null ? "cumulative" : "rung"}`;
    if (from < 1 || to < from || to > last || seen.has(range)) return false;
    seen.add(range);
    return true;
  });
}

interface Cost {
  readonly uncovered: number;
  readonly cumulative: number;
  /** Summarized messages that could have been raw. */
  readonly lost: number;
  readonly summaries: number;
}

/** A cover of the messages before an ordinal: its last step, and the state before it. */
interface State<C> {
  readonly cost: Cost;
  readonly to: number;
  readonly candidate: C | null;
  readonly before: State<C> | null;
}

/** Finds a shortest path from 1 to the end over the points where candidates begin and end. With a cap, uses one layer per number of summaries. */
function solve<C extends Candidate>(request: CoverRequest<C>, candidates: readonly C[], cap: number | null): State<C> {
  const ends = new Set([1, request.messages + 1]);
  for (const { from, to } of candidates) ends.add(from).add(to + 1);
  const points = [...ends].toSorted((a, b) => a - b);
  const starting = Map.groupBy(candidates, ({ from }) => from);
  const layers = cap === null ? 1 : Math.min(cap, candidates.length) + 1;
  const best = Array.from({ length: layers }, () => new Map<number, State<C>>());
  const offer = (layer: number, before: State<C>, candidate: C | null, to: number): void => {
    const state = { cost: costAfter(request, before, candidate, to), to, candidate, before };
    const there = best[layer]?.get(to);
    // On a tie the later state wins: its last step begins later, so finer summaries are closer to the end.
    if (there === undefined || compare(state.cost, there.cost) <= 0) best[layer]?.set(to, state);
  };
  const zero: Cost = { uncovered: 0, cumulative: 0, lost: 0, summaries: 0 };
  best[0]?.set(1, { cost: zero, to: 1, candidate: null, before: null });
  for (const [index, point] of points.entries()) {
    const next = points[index + 1];
    for (let layer = 0; layer < layers; layer += 1) {
      const state = best[layer]?.get(point);
      if (state === undefined || next === undefined) continue;
      offer(layer, state, null, next);
      const above = cap === null ? layer : layer + 1;
      if (above < layers)
        for (const candidate of starting.get(point) ?? []) offer(above, state, candidate, candidate.to + 1);
    }
  }
  const found = best.flatMap((layer) => layer.get(request.messages + 1) ?? []);
  return found.reduce((least, state) => (compare(state.cost, least.cost) < 0 ? state : least));
}

/** The cost after showing the messages before `to`: in the candidate if there is one, else raw where allowed and uncovered elsewhere. */
function costAfter<C extends Candidate>(
  { raw_from, holes }: CoverRequest<C>,
  { cost, to: from }: State<C>,
  candidate: C | null,
  to: number,
): Cost {
  const first = Math.min(to, Math.max(from, raw_from));
  const raw = to - first - holes.filter((hole) => hole >= first && hole < to).length;
  const size = to - from;
  if (candidate === null) return { ...cost, uncovered: cost.uncovered + size - raw };
  const cumulative = cost.cumulative + (candidate.level === null ? size : 0);
  return { ...cost, cumulative, lost: cost.lost + raw, summaries: cost.summaries + 1 };
}

function compare(a: Cost, b: Cost): number {
  return a.uncovered - b.uncovered || a.cumulative - b.cumulative || a.lost - b.lost || a.summaries - b.summaries;
}

function spansTo<C extends Candidate>({ raw_from, holes }: CoverRequest<C>, end: State<C>): readonly Span<C>[] {
  const spans: Span<C>[][] = [];
  for (let state = end; state.before !== null; state = state.before) {
    const [from, to] = [state.before.to, state.to];
    const { candidate } = state;
    if (candidate !== null) {
      spans.unshift([{ kind: "summary", from, to: to - 1, candidate }]);
      continue;
    }
    let next = Math.max(from, Math.min(raw_from, to));
    const step: Span<C>[] = [...plainSpan("uncovered", from, next - 1)];
    for (const hole of holes.filter((ordinal) => ordinal >= next && ordinal < to)) {
      pushAll(step, [...plainSpan("raw", next, hole - 1), ...plainSpan("uncovered", hole, hole)]);
      next = hole + 1;
    }
    spans.unshift([...step, ...plainSpan("raw", next, to - 1)]);
  }
  return merged(spans.flat());
}

interface ShareRequest {
  /** The number of lines in each summary, oldest summary first. */
  readonly lines: readonly number[];
  /** The cost of a line in tokens; called at most once per line, and only for lines that may be shown. */
  readonly cost: (summary: number, line: number) => number;
  /** Tokens available for all lines. */
  readonly space: number;
}

/**
 * How many lines to show of each summary, starting with its first. Lines are dealt in rounds, one per summary, from the newest summary to the oldest.
 * A summary whose next line does not fit gets no more. As far as the space allows, every summary gets one line before any gets two.
 */
export function shareLines({ lines, cost, space }: ShareRequest): readonly number[] {
  const dealt = lines.map(() => 0);
  let left = space;
  let open = [...lines.keys()].toReversed();
  for (let round = 0; open.length > 0; round += 1) {
    open = open.filter((summary) => {
      if (round >= (lines[summary] ?? 0)) return false;
      const price = cost(summary, round);
      if (price > left) return false;
      left -= price;
      dealt[summary] = round + 1;
      return true;
    });
  }
  return dealt;
}
