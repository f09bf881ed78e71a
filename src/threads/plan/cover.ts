import { pushAll } from "../../base/lists.ts";
import { blockSize } from "./ladder.ts";

/** A summary that may be part of the covering. Ordinals are 1-based and inclusive, over all messages up to the anchor. */
export interface Candidate {
  readonly from: number;
  readonly to: number;
  /** The level of a rung; null for a cumulative summary. */
  readonly level: number | null;
  /** The weight of the messages between its end and the anchor. */
  readonly distance: number;
}

/** A stretch of messages and what represents it. Spans join from 1 to the last message. */
export type Span<C extends Candidate> =
  | { readonly kind: "summary"; readonly from: number; readonly to: number; readonly candidate: C }
  | PlainSpan;

export interface PlainSpan {
  readonly kind: "uncovered" | "raw";
  readonly from: number;
  readonly to: number;
}

/** Nothing when it is empty. */
export function plainSpan(kind: PlainSpan["kind"], from: number, to: number): readonly PlainSpan[] {
  return from <= to ? [{ kind, from, to }] : [];
}

/** Neighbours that are both raw, or both uncovered, as one. */
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
  /** From this ordinal on messages may be raw; above `messages` when none may. */
  readonly raw_from: number;
  /** Ordinals from there on that may not, ascending: they are too big. */
  readonly holes: readonly number[];
  /** Of several rungs, and of several cumulative summaries, with the same range the first counts. */
  readonly candidates: readonly C[];
  readonly most: number;
}

/**
 * Chooses spans that contain every message exactly once. As little as possible is uncovered with `most` summaries; then as few messages as
 * possible are in cumulative summaries, then as many as possible are raw, then the summaries are as few as possible. A rung of level k > 0 that ends
 * less than `blockSize(k)` before the anchor is taken only when it leaves less uncovered or fits into `most` better. The newest message stays raw
 * when it may be. Time: candidates · log of candidates, and times `most` when `most` bites.
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

/** How much nearer than its size a rung may be, tried in this order. */
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
  /** Messages in summaries that could have been raw. */
  readonly lost: number;
  readonly summaries: number;
}

/** A covering up to before an ordinal: its last step, and the state before it. */
interface State<C> {
  readonly cost: Cost;
  readonly to: number;
  readonly candidate: C | null;
  readonly before: State<C> | null;
}

/** A shortest path from 1 to the end over the places where candidates begin and end. With a cap, one layer for each number of summaries. */
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
    // Of equals the later one: its last step begins later, so finer summaries are nearer.
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

/** With the messages up to before `to` in a summary, or raw where they may be, else uncovered. */
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
  /** How many lines each summary has, the oldest summary first. */
  readonly lines: readonly number[];
  /** What a line costs, in tokens; asked at most once for each line, and only for those that may be dealt. */
  readonly cost: (summary: number, line: number) => number;
  /** Tokens for all lines. */
  readonly space: number;
}

/**
 * How many lines each summary gets, from its first on. Lines are dealt out in rounds, one to each summary, from the newest summary to the oldest. A summary whose next line does not fit gets no more; so
 * every summary has its first line before any has two, as far as the space reaches.
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
