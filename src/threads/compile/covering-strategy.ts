import type { Warning } from "../../base/errors.ts";
import { lineText, printContext, countsOf, type Context, type Part } from "../model/context.ts";
import { selectCover, shareLines } from "../plan/cover.ts";
import type { ThreadMemory } from "../memory.ts";
import type { StoredCheckpoint } from "../store/thread-store.ts";
import type { SummaryLine } from "../../base/summary-line.ts";
import { type Chain, readCandidates, type StoredCandidate } from "./context-chain.ts";
import { hasLines, merged, replaced, shrunk, withLines } from "./draft.ts";
import type { Entry, OpeningEntry, PlainEntry, SummaryEntry } from "./draft.ts";
import { chooseNewest, GAP_TOKENS, summarisedSegments, NewestMessages, type RawChoice } from "./newest-messages.ts";
import { linesOfMarkdown, readSummaryLines } from "../run/read-summary.ts";
import { frameAt } from "../run/threads.ts";
import { TokenMemo } from "../model/context-renderings.ts";
import { pushAll } from "../../base/lists.ts";

/** What a context says of itself besides its parts. */
export type ContextFacts = Pick<Context, "thread_id" | "title" | "until_seq" | "until_ms">;

export interface Compiled {
  readonly context: Context;
  /** o200k tokens of the text rendering. */
  readonly tokens: number;
  readonly checkpoints: readonly StoredCheckpoint[];
  readonly warnings: readonly Warning[];
}

/** Tokens that a summary with one short line takes: what is tried first. */
const SUMMARY_TOKENS = 24;
const MOST_WARNINGS = 8;

type ReadSummary = Pick<SummaryEntry, "lines" | "until_ms">;

/** Compiles `covering_summaries_v1`. Reads a logarithm of the thread's length, and what it shows. */
export class CoveringStrategy {
  readonly #memory: ThreadMemory;
  readonly #chain: Chain;
  readonly #facts: ContextFacts;
  readonly #budget: number;
  readonly #memo: TokenMemo;
  readonly #newest: NewestMessages;
  readonly #warnings: Warning[] = [];

  constructor(
    memory: ThreadMemory,
    input: { readonly chain: Chain; readonly facts: ContextFacts; readonly budget: number },
  ) {
    this.#memory = memory;
    this.#chain = input.chain;
    this.#facts = input.facts;
    this.#budget = input.budget;
    this.#memo = new TokenMemo(memory.tokens);
    this.#newest = new NewestMessages(memory, input.chain, { budget: input.budget, memo: this.#memo });
  }

  async compile(): Promise<Compiled> {
    const opening = await this.#opening();
    const bare: readonly Entry[] = [...opening, ...plain("uncovered", 1, this.#chain.messages)];
    const room = this.#budget - (await this.#costOf(bare)) - 2 * GAP_TOKENS;
    const raw = await chooseNewest(this.#newest, this.#chain, { room, half: Math.floor(this.#budget / 2) });
    const covered = await this.#chooseCover(
      opening,
      raw,
      Math.floor((room + 2 * GAP_TOKENS - raw.tokens) / SUMMARY_TOKENS),
    );
    return this.#fit(await this.#fillOlder(await this.#dealLines(covered)));
  }

  async #opening(): Promise<readonly Entry[]> {
    const { beginning } = this.#chain;
    if (beginning === null) return [];
    const { thread_id, to_seq } = beginning;
    const nothing = { kind: "opening", lines: null, shown: 0 } as const;
    if (beginning.kind === "unknown") return [nothing];
    const { artifact_id, markdown } = beginning;
    const lines =
      artifact_id === null
        ? linesOfMarkdown(markdown ?? "", to_seq)
        : await readSummaryLines(this.#memory, { artifact_id, thread_id, to_seq, ends: "at_most" });
    if (!("code" in lines)) return [{ ...nothing, lines }];
    this.#warnings.push(lines);
    return [nothing];
  }

  /** A covering whose summaries can be read and have room for a line each, as far as possible. `mostSummaries`: what is tried first. */
  async #chooseCover(opening: readonly Entry[], raw: RawChoice, mostSummaries: number): Promise<readonly Entry[]> {
    const segments = summarisedSegments(this.#chain, raw);
    const found = await Promise.all(segments.map((segment) => readCandidates(this.#memory, this.#chain, segment)));
    let candidates = found.flat();
    let most = Math.max(0, mostSummaries);
    const known = new Map<StoredCandidate, ReadSummary | Warning>();
    for (let broken = 0; ;) {
      const spans = selectCover({ messages: this.#chain.messages, ...raw, candidates, most });
      const chosen = spans.flatMap((span) => (span.kind === "summary" ? [span.candidate] : []));
      if (await this.#readBroken(chosen, known)) {
        broken += 1;
        // A missing summary is seldom the only one.
        if (broken > 1) await this.#readBroken(candidates, known);
        candidates = candidates.filter((one) => !("code" in (known.get(one) ?? {})));
        continue;
      }
      const entries = spans.flatMap((span): readonly Entry[] => {
        if (span.kind !== "summary") return [span];
        const read = known.get(span.candidate);
        return read === undefined || "code" in read ? [] : [{ ...span, ...read, shown: 0 }];
      });
      const draft = [...opening, ...entries];
      const over = (await this.#costOf(draft.map(withFirstLine))) - this.#budget;
      if (over <= 0 || chosen.length === 0) return draft;
      most = Math.max(0, Math.min(most, chosen.length) - Math.max(1, Math.ceil(over / (2 * SUMMARY_TOKENS))));
    }
  }

  /** Reads the candidates that are not known yet. Whether one of these cannot be used. */
  async #readBroken(
    candidates: readonly StoredCandidate[],
    known: Map<StoredCandidate, ReadSummary | Warning>,
  ): Promise<boolean> {
    const open = candidates.filter((candidate) => !known.has(candidate));
    const read = open.map(async (candidate) => {
      const { artifact_id, to_seq } = candidate.checkpoint;
      const { thread_id } = candidate.segment;
      const lines = await readSummaryLines(this.#memory, { artifact_id, thread_id, to_seq });
      if ("code" in lines) {
        known.set(candidate, lines);
        return [lines];
      }
      const last = await frameAt(this.#memory, thread_id, to_seq);
      known.set(candidate, { lines, until_ms: last?.timestamp_ms ?? null });
      return [];
    });
    const bad = (await Promise.all(read)).flat();
    pushAll(this.#warnings, bad.slice(0, Math.max(0, MOST_WARNINGS - this.#warnings.length)));
    return bad.length > 0;
  }

  async #dealLines(entries: readonly Entry[]): Promise<readonly Entry[]> {
    const withText = entries.filter(hasLines).map(({ lines }) => lines);
    const cost = (summary: number, line: number): number => {
      const text = withText[summary]?.[line];
      return text === undefined ? 0 : this.#memo.count(lineText(text));
    };
    // A summary without lines has another heading, so the rest is counted with one line of each.
    const firsts = withText.reduce((sum, { length }, summary) => sum + (length > 0 ? cost(summary, 0) : 0), 0);
    const space = this.#budget - (await this.#costOf(entries.map(withFirstLine))) + firsts;
    const lines = shareLines({ lines: withText.map(({ length }) => length), cost, space });
    return withLines(entries, lines);
  }

  /** What remains goes to older messages: those that no summary covers, and summaries whose messages all fit. */
  async #fillOlder(entries: readonly Entry[]): Promise<readonly Entry[]> {
    let filled = entries;
    let left = this.#budget - (await this.#costOf(entries));
    for (;;) {
      const first = filled.findIndex(({ kind }) => kind === "raw");
      const older = filled[first - 1];
      if (older === undefined || older.kind === "opening" || older.kind === "raw") return filled;
      const lines = older.kind === "summary" ? older.lines.slice(0, older.shown).map(lineText) : [];
      const from = await this.#rawFrom(older, left + this.#memo.sum(lines));
      if (from > older.to || (older.kind === "summary" && from > older.from)) return filled;
      const rest = plain("uncovered", older.from, from - 1);
      filled = merged(replaced(filled, older, [...rest, ...plain("raw", from, older.to)]));
      left = this.#budget - (await this.#costOf(filled));
      if (from > older.from || left <= 0) return filled;
    }
  }

  /** The first of the newest messages of a stretch that fit. */
  async #rawFrom({ from, to }: { readonly from: number; readonly to: number }, space: number): Promise<number> {
    let [first, left] = [to + 1, space];
    while (first > from) {
      const message = await this.#newest.read(first - 1);
      if (message === undefined || message.tokens > left) break;
      left -= message.tokens;
      first -= 1;
    }
    return first;
  }

  /** Leaves out what is over the budget: seldom anything, since everything was counted before. The last count is of the whole text. */
  async #fit(entries: readonly Entry[]): Promise<Compiled> {
    for (let draft = entries; ;) {
      const context = await this.#contextOf(draft);
      const isOver = this.#memo.most(context) > this.#budget;
      const tokens = isOver ? 0 : this.#memory.tokens.count(printContext(context));
      const less = isOver || tokens > this.#budget ? shrunk(draft) : undefined;
      if (less === undefined) {
        const checkpoints = draft.flatMap((entry) => (entry.kind === "summary" ? [entry.candidate.checkpoint] : []));
        return { context, tokens, checkpoints, warnings: this.#warnings };
      }
      draft = less;
    }
  }

  async #costOf(entries: readonly Entry[]): Promise<number> {
    return this.#memo.most(await this.#contextOf(entries));
  }

  async #contextOf(entries: readonly Entry[]): Promise<Context> {
    const parts = (await Promise.all(entries.map((entry) => this.#partsOf(entry)))).flat();
    return { ...this.#facts, counts: countsOf(parts), parts };
  }

  async #partsOf(entry: Entry): Promise<readonly Part[]> {
    switch (entry.kind) {
      case "opening":
        return this.#openingParts(entry);
      case "summary":
        return [this.#summaryPart(entry)];
      case "uncovered":
        return this.#uncoveredParts(entry);
      case "raw": {
        const parts: Part[] = [];
        for (let ordinal = entry.from; ordinal <= entry.to; ordinal += 1) {
          const message = await this.#newest.read(ordinal);
          if (message !== undefined) parts.push(message.part);
        }
        return parts;
      }
    }
  }

  #openingParts({ lines, shown }: OpeningEntry): readonly Part[] {
    const { beginning } = this.#chain;
    if (beginning === null) return [];
    const { thread_id, to_seq } = beginning;
    if (beginning.kind === "unknown" || lines === null)
      return [{ kind: "uncovered", thread_id, from_seq: 0, to_seq, messages: null }];
    const { artifact_id } = beginning;
    const chosen = inOrder(lines.slice(0, shown));
    if (artifact_id === null) return [{ kind: "handoff", thread_id, to_seq, lines: chosen }];
    const named = { thread_id, artifact_id, note: "handoff", from_seq: 0, to_seq };
    return [{ kind: "summary", ...named, messages: null, until_ms: null, lines: chosen, state: "there" }];
  }

  #summaryPart({ from, to, candidate, lines, shown, until_ms }: SummaryEntry): Part {
    const { thread_id } = candidate.segment;
    const { artifact_id, kind: note, from_seq, to_seq } = candidate.checkpoint;
    const named = { thread_id, artifact_id, note, from_seq, to_seq, messages: to - from + 1 };
    return { kind: "summary", ...named, until_ms, lines: inOrder(lines.slice(0, shown)), state: "there" };
  }

  #uncoveredParts({ from, to }: PlainEntry): Promise<readonly Part[]> {
    const inside = this.#chain.segments.flatMap(({ thread_id, messages_before, messages }) => {
      const first = Math.max(1, from - messages_before);
      const last = Math.min(messages, to - messages_before);
      return first <= last ? [{ thread_id, first, last }] : [];
    });
    return Promise.all(
      inside.map(async ({ thread_id, first, last }): Promise<Part> => {
        const ends = await this.#memory.threads.places(thread_id, [{ ordinal: first }, { ordinal: last }]);
        const [from_seq, to_seq] = [ends[0]?.seq ?? 0, ends[1]?.seq ?? 0];
        return { kind: "uncovered", thread_id, from_seq, to_seq, messages: last - first + 1 };
      }),
    );
  }
}

function plain(kind: "raw" | "uncovered", from: number, to: number): readonly Entry[] {
  return from <= to ? [{ kind, from, to }] : [];
}

function withFirstLine(entry: Entry): Entry {
  return hasLines(entry) ? { ...entry, shown: Math.min(1, entry.lines.length) } : entry;
}

/** In the order in which they were said. */
function inOrder(lines: readonly SummaryLine[]): readonly SummaryLine[] {
  return lines.toSorted((one, other) => one.seq - other.seq);
}
