import type { Warning } from "../../base/errors.ts";
import {
  lineText,
  countsOf,
  type Context,
  type Part,
  type SummaryPart,
  type HandoffPart,
  type UncoveredPart,
} from "../model/context.ts";
import { merged, plainSpan, type PlainSpan, selectCover, shareLines } from "../plan/cover.ts";
import type { ThreadMemory } from "../memory.ts";
import type { StoredCheckpoint } from "../store/thread-store.ts";
import { type Chain, readCandidates, readPart, type StoredCandidate, uncoveredPart } from "./context-chain.ts";
import { chooseNewest, GAP_TOKENS, summarisedSegments, NewestMessages, type RawChoice } from "./newest-messages.ts";
import { linesOfMarkdown, readSummaryLines } from "../run/read-summary.ts";
import { TokenMemo } from "../model/context-renderings.ts";
import type { SummaryLine } from "../../base/summary-line.ts";

/** The fields of a context other than its parts. */
export type ContextFacts = Pick<Context, "thread_id" | "title" | "until_seq" | "until_ms">;

export interface Compiled {
  readonly context: Context;
  /** o200k tokens in the text rendering. */
  readonly tokens: number;
  readonly checkpoints: readonly StoredCheckpoint[];
  readonly warnings: readonly Warning[];
}

/** Tokens in a summary with one short line, as a first estimate. */
const SUMMARY_TOKENS = 24;
const MOST_WARNINGS = 8;

interface Asked {
  readonly chain: Chain;
  readonly facts: ContextFacts;
  readonly budget: number;
}

type ReadSummary = Pick<LinesEntry, "lines" | "part">;

/** Compiles `covering_summaries_v1`. The number of reads is logarithmic in the thread's length, plus what the context shows. */
export class CoveringStrategy {
  readonly #memory: ThreadMemory;
  readonly #asked: Asked;
  readonly #memo: TokenMemo;
  readonly #newest: NewestMessages;
  readonly #warnings: Warning[] = [];

  constructor(memory: ThreadMemory, asked: Asked) {
    this.#memory = memory;
    this.#asked = asked;
    this.#memo = new TokenMemo(memory.tokens);
    this.#newest = new NewestMessages(memory, asked.chain, { budget: asked.budget, memo: this.#memo });
  }

  async compile(): Promise<Compiled> {
    const { chain, budget } = this.#asked;
    const opening = await this.#opening();
    const space = budget - (await this.#costOf([...opening, ...plainSpan("uncovered", 1, chain.messages)]));
    const half = Math.floor(budget / 2);
    const raw = await chooseNewest(this.#newest, chain, { room: space - 2 * GAP_TOKENS, half });
    const covered = await this.#chooseCover(opening, raw, Math.floor((space - raw.tokens) / SUMMARY_TOKENS));
    return this.#fit(await this.#fillOlder(await this.#dealLines(covered)));
  }

  async #opening(): Promise<readonly Entry[]> {
    const { beginning } = this.#asked.chain;
    if (beginning === null) return [];
    const { thread_id, to_seq } = beginning;
    if (beginning.kind === "unknown") return [unknownEntry(beginning)];
    const { artifact_id, markdown } = beginning;
    if (artifact_id === null)
      return [openingEntry({ kind: "handoff", thread_id, to_seq, lines: [] }, linesOfMarkdown(markdown ?? "", to_seq))];
    const named = { thread_id, artifact_id, note: "handoff", from_seq: 0, to_seq };
    const part: SummaryPart = { kind: "summary", ...named, messages: null, until_ms: null, lines: [], state: "there" };
    const lines = await readSummaryLines(this.#memory, { artifact_id, thread_id, to_seq, ends: "at_most" });
    if (!("code" in lines)) return [openingEntry(part, lines)];
    this.#warnings.push(lines);
    return [unknownEntry(beginning)];
  }

  /** Chooses a cover whose summaries are readable and, as far as possible, each have room for one line. `mostSummaries`: the limit to try first. */
  async #chooseCover(opening: readonly Entry[], raw: RawChoice, mostSummaries: number): Promise<readonly Entry[]> {
    const { chain, budget } = this.#asked;
    const segments = summarisedSegments(chain, raw);
    const found = await Promise.all(segments.map((segment) => readCandidates(this.#memory, chain, segment)));
    let most = Math.max(0, mostSummaries);
    // Unreadable candidates are null.
    const known = new Map<StoredCandidate, ReadSummary | null>();
    for (;;) {
      const candidates = found.flat().filter((candidate) => known.get(candidate) !== null);
      const spans = selectCover({ messages: chain.messages, ...raw, candidates, most });
      const chosen = spans.flatMap((span) => (span.kind === "summary" ? [span.candidate] : []));
      for (const candidate of chosen) if (!known.has(candidate)) known.set(candidate, await this.#read(candidate));
      if (chosen.some((candidate) => known.get(candidate) === null)) continue;
      const entries = spans.map((span): Entry =>
        span.kind === "summary"
          ? { ...span, ...(known.get(span.candidate) as ReadSummary), kind: "lines", shown: 0 }
          : span,
      );
      const draft = [...opening, ...entries];
      const over = (await this.#costOf(draft.map(withFirstLine))) - budget;
      if (over <= 0 || chosen.length === 0) return draft;
      most = Math.max(0, Math.min(most, chosen.length) - Math.max(1, Math.ceil(over / (2 * SUMMARY_TOKENS))));
    }
  }

  async #read({ segment, checkpoint, from, to }: StoredCandidate): Promise<ReadSummary | null> {
    const asked = { note: checkpoint.kind, messages: to - from + 1 };
    const { part, lines } = await readPart(this.#memory, segment.thread_id, checkpoint, asked);
    if (!("code" in lines)) return { part, lines };
    if (this.#warnings.length < MOST_WARNINGS) this.#warnings.push(lines);
    return null;
  }

  async #dealLines(entries: readonly Entry[]): Promise<readonly Entry[]> {
    const withText = entries.filter(hasLines).map(({ lines }) => lines);
    const cost = (summary: number, line: number): number => {
      const text = withText[summary]?.[line];
      return text === undefined ? 0 : this.#memo.count(lineText(text));
    };
    // A summary without lines has a different heading, so the cost of everything else is computed with one line per summary.
    const firsts = withText.reduce((sum, { length }, summary) => sum + (length > 0 ? cost(summary, 0) : 0), 0);
    const space = this.#asked.budget - (await this.#costOf(entries.map(withFirstLine))) + firsts;
    const lines = shareLines({ lines: withText.map(({ length }) => length), cost, space });
    return withLines(entries, lines);
  }

  /** Uses the remaining budget for older messages: those that no summary covers, and summaries whose messages all fit. */
  async #fillOlder(entries: readonly Entry[]): Promise<readonly Entry[]> {
    let filled = entries;
    let left = this.#asked.budget - (await this.#costOf(entries));
    for (;;) {
      const first = filled.findIndex(({ kind }) => kind === "raw");
      const older = filled[first - 1];
      const isSummary = older?.kind === "lines" && older.candidate !== null;
      if (!isSummary && older?.kind !== "uncovered") return filled;
      const lines = isSummary ? older.lines.slice(0, older.shown).map(lineText) : [];
      const from = await this.#rawFrom(older, left + this.#memo.sum(lines));
      if (from > older.to || (isSummary && from > older.from)) return filled;
      const rest = plainSpan("uncovered", older.from, from - 1);
      filled = merged(replaced(filled, older, [...rest, ...plainSpan("raw", from, older.to)]));
      left = this.#asked.budget - (await this.#costOf(filled));
      if (from > older.from || left <= 0) return filled;
    }
  }

  /** The ordinal from which all messages to the end of the stretch fit. */
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

  /** Removes whatever exceeds the budget. Rarely needed, because everything was counted before. */
  async #fit(entries: readonly Entry[]): Promise<Compiled> {
    for (let draft = entries; ;) {
      const context = await this.#contextOf(draft);
      const less = this.#memo.most(context) > this.#asked.budget ? shrunk(draft) : undefined;
      if (less === undefined) {
        const checkpoints = draft.flatMap((entry) => (hasLines(entry) ? (entry.candidate?.checkpoint ?? []) : []));
        return { context, tokens: this.#memo.text(context), checkpoints, warnings: this.#warnings };
      }
      draft = less;
    }
  }

  async #costOf(entries: readonly Entry[]): Promise<number> {
    return this.#memo.most(await this.#contextOf(entries));
  }

  async #contextOf(entries: readonly Entry[]): Promise<Context> {
    const parts = (await Promise.all(entries.map((entry) => this.#partsOf(entry)))).flat();
    return { ...this.#asked.facts, counts: countsOf(parts), parts };
  }

  async #partsOf(entry: Entry): Promise<readonly Part[]> {
    switch (entry.kind) {
      case "unknown":
        return [entry.part];
      case "lines":
        // In the order of the conversation.
        return [{ ...entry.part, lines: entry.lines.slice(0, entry.shown).toSorted((a, b) => a.seq - b.seq) }];
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

  async #uncoveredParts({ from, to }: PlainSpan): Promise<readonly Part[]> {
    const inside = this.#asked.chain.segments.map(({ thread_id, messages_before, messages }) =>
      uncoveredPart(this.#memory, thread_id, [
        Math.max(1, from - messages_before),
        Math.min(messages, to - messages_before),
      ]),
    );
    return (await Promise.all(inside)).flat();
  }
}

function withFirstLine(entry: Entry): Entry {
  return hasLines(entry) ? { ...entry, shown: Math.min(1, entry.lines.length) } : entry;
}

/** A part of a draft context: which messages are raw, which are summarized, and how many lines of each summary are shown. Ordinals count across the chain. */
type Entry = PlainSpan | LinesEntry | UnknownEntry;

/** A summary of messages, or the handed-over summary before the first message. */
interface LinesEntry {
  readonly kind: "lines";
  readonly from: number;
  readonly to: number;
  /** Null for a handed-over summary, which may cover any number of messages. */
  readonly candidate: StoredCandidate | null;
  /** Without its lines. */
  readonly part: SummaryPart | HandoffPart;
  readonly lines: readonly SummaryLine[];
  readonly shown: number;
}

/** What precedes the first message and is not shown. */
interface UnknownEntry {
  readonly kind: "unknown";
  readonly part: UncoveredPart;
}

function hasLines(entry: Entry): entry is LinesEntry {
  return entry.kind === "lines";
}

function openingEntry(part: LinesEntry["part"], lines: readonly SummaryLine[]): LinesEntry {
  return { kind: "lines", from: 0, to: 0, candidate: null, part, lines, shown: 0 };
}

function unknownEntry({ thread_id, to_seq }: Pick<UncoveredPart, "thread_id" | "to_seq">): UnknownEntry {
  return { kind: "unknown", part: { kind: "uncovered", thread_id, from_seq: 0, to_seq, messages: null } };
}

/** Sets how many lines each summary entry shows, in order. An entry with lines that shows none of them is hidden. */
function withLines(entries: readonly Entry[], shown: readonly number[]): readonly Entry[] {
  let next = 0;
  return merged(
    entries.map((entry) => {
      if (!hasLines(entry)) return entry;
      const count = shown[next++] ?? 0;
      return count === 0 && entry.lines.length > 0 ? hidden(entry) : { ...entry, shown: count };
    }),
  );
}

/** Removes a little from the draft; undefined if nothing can be removed. Lines go first, then the smallest summaries, then the oldest messages. */
function shrunk(entries: readonly Entry[]): readonly Entry[] | undefined {
  const withText = entries.filter(hasLines);
  const longest = withText.toSorted((a, b) => b.shown - a.shown)[0];
  if (longest !== undefined && longest.shown > 1)
    return replaced(entries, longest, [{ ...longest, shown: longest.shown - 1 }]);
  const smallest = withText.toSorted((a, b) => sizeOf(a) - sizeOf(b))[0];
  if (smallest !== undefined) return merged(replaced(entries, smallest, [hidden(smallest)]));
  const oldest = entries.find((entry): entry is PlainSpan => entry.kind === "raw");
  if (oldest === undefined) return undefined;
  const { from, to } = oldest;
  return merged(replaced(entries, oldest, [...plainSpan("uncovered", from, from), ...plainSpan("raw", from + 1, to)]));
}

function replaced(entries: readonly Entry[], old: Entry, by: readonly Entry[]): readonly Entry[] {
  return entries.flatMap((entry) => (entry === old ? by : [entry]));
}

function hidden({ candidate, part, from, to }: LinesEntry): Entry {
  return candidate === null ? unknownEntry(part) : { kind: "uncovered", from, to };
}

function sizeOf({ candidate, from, to }: LinesEntry): number {
  return candidate === null ? Number.MAX_VALUE : to - from;
}
