import { memoryTypes, type MemoryType, type Origin } from "../../base/memory-type.ts";
import { choice, file, flag, object, optional, text, whole, type ValueOf } from "../../base/schema.ts";
import type { Warning } from "../../base/errors.ts";
import type { LayerName, PrintedPassage } from "../context/print.ts";
import type { RecallWarning } from "../context/remembered.ts";
import type { EmbeddedCount } from "../memory.ts";
import type { SourceKind, SourceLevel } from "../index/search-index.ts";

const levels = ["raw", "daily", "weekly", "monthly", "root"] as const;

export const searchInput = () =>
  object({
    query: text("QUERY", 'words, "a phrase", prefix*, +must, -not, dates', { place: "argument" }),
    type: optional(choice(memoryTypes, "TYPE", "only memories of this type")),
    /** YYYY-MM-DD, inclusive. */
    since: optional(text("DATE", "from this day on")),
    until: optional(text("DATE", "up to and including this day")),
    level: optional(
      choice(levels, "LEVEL", "only this level of the tree (raw is the logs; threads and knowledge have no level)"),
    ),
    in: optional(
      text(
        "LIST",
        "where to search: a comma-separated list of raw, nodes, knowledge, memory and threads (default: all)",
      ),
    ),
    by: optional(choice(["passage", "session"], "UNIT", "what a hit is: a passage (default), or a whole session")),
    limit: optional(whole(1, 1000, "show at most N hits, up to 1000 (default: 10)")),
    explain: flag("explain the score of each passage"),
  });
export type SearchInput = ValueOf<ReturnType<typeof searchInput>>;

export const recallInput = () =>
  object({
    text: optional(
      text("TEXT", "what the user just said (default: standard input)", { place: "argument", stdinUnless: "batch" }),
    ),
    also: optional(
      text("WORDS", "other words that notes about it may use: synonyms, names, what the answer depends on"),
    ),
    /** In o200k tokens. */
    budget: optional(whole(100, 200_000, "token budget for the passages, 100 to 200000 (default: 2000)")),
    batch: optional(file("read JSON Lines {question_id, question, also}; print one {question_id, context} per line")),
    sessions: flag("rank whole sessions instead of passages"),
    limit: optional(whole(1, 50, "with --sessions: at most N of them, up to 50 (default: 10)")),
    explain: flag("explain the score of each passage"),
  });
export type RecallInput = ValueOf<ReturnType<typeof recallInput>>;

export const indexInput = () =>
  object({
    rebuild: flag("rebuild it from scratch"),
    embed: flag("also make all missing vectors of the embedding model; first shows what it takes"),
  });
export type IndexInput = ValueOf<ReturnType<typeof indexInput>>;

export const pinInput = () =>
  object({
    place: text("PLACE", "lines of a log (memory/2026-03-15.md:12-18) or messages of a thread (thread:ID:5)", {
      place: "argument",
    }),
  });
export type PinInput = ValueOf<ReturnType<typeof pinInput>>;

export type { RecallWarning } from "../context/remembered.ts";

export interface SearchResult {
  readonly query: string;
  /** The query as understood: words, phrases, days. */
  readonly understood: UnderstoodQuery;
  readonly hits: readonly SearchHit[];
  /** Whether there were more hits than `limit`. */
  readonly more: boolean;
  readonly took_ms: number;
  readonly not_indexed: number;
  readonly warnings: readonly Warning[];
}

export interface UnderstoodQuery {
  readonly words: readonly string[];
  readonly phrases: readonly string[];
  readonly must: readonly string[];
  readonly must_not: readonly string[];
  readonly since: string | null;
  readonly until: string | null;
  /** The part of the query that was read as days, or null. */
  readonly days_from: string | null;
}

export interface SearchHit {
  /** `memory/2026-03-15.md:12-18`, `thread:ID:5-7`. */
  readonly source: string;
  readonly kind: SourceKind;
  readonly level: SourceLevel;
  readonly type: MemoryType;
  /** Who its entry comes from; `null` if not recorded. */
  readonly origin: Origin | null;
  readonly date: string | null;
  /** Days from `date` to today; negative for a future day. */
  readonly age_days: number | null;
  readonly heading: string;
  /** One line, cut at `…`, with the found words between « and ». These characters in the text itself become ‹ and ›. */
  readonly snippet: string;
  readonly score: number;
  /** How long it was true, if a later statement replaces it. */
  readonly warning?: RecallWarning;
  /** How recall treats the place, if a person decided. */
  readonly recall?: "first" | "never";
  /** With `explain`: the parts of the score. */
  readonly why?: readonly ScorePart[];
}

export interface ScorePart {
  readonly part: string;
  readonly score: number;
}

/** `embedder`, `embeddable` and `not_embedded` are absent without an embedder. */
export interface IndexResult extends Partial<EmbeddedCount> {
  readonly sources: number;
  readonly indexed: number;
  readonly unchanged: number;
  readonly removed: number;
  readonly not_indexed: number;
  readonly chunks: number;
  readonly statements: number;
  /** With `embed`: how many vectors were made, also in the memories under this one. */
  readonly embedded?: number;
  readonly bytes: number;
  readonly took_ms: number;
  readonly warnings: readonly Warning[];
}

/** `embedder`, `embeddable` and `not_embedded` are absent without an embedder. */
export interface RecallResult extends Partial<EmbeddedCount> {
  readonly query: string;
  readonly steps: readonly RecallStep[];
  readonly context: readonly RecalledPassage[];
  /** o200k tokens of the passages' texts. */
  readonly tokens: number;
  /** o200k tokens of the printed context, with fence, dates and places. */
  readonly tokens_printed: number;
  /** Random mark that fences the printed context. No text in it contains the mark. */
  readonly mark: string;
  readonly not_indexed: number;
  readonly warnings: readonly Warning[];
}

/** Whole sessions, best first. */
export interface RankedSessions {
  readonly query: string;
  readonly sessions: readonly RankedSession[];
  readonly not_indexed: number;
  readonly warnings: readonly Warning[];
}

/** A section of a log or a note, or a thread. */
export interface RankedSession {
  /** `memory/2026-03-15.md:12-60`; of a thread, the run of messages that matches best: `thread:ID:5-40`. */
  readonly source: string;
  readonly date: string | null;
  /** Days from `date` to today. */
  readonly age_days: number | null;
  readonly heading: string;
  /** The best session scores 1. */
  readonly score: number;
  /** What matches best in it, at most two. */
  readonly passages: readonly SessionPassage[];
}

/** A sentence, or the beginning of a chunk; one line. */
export interface SessionPassage {
  readonly source: string;
  readonly text: string;
}

export interface RecallStep {
  /** The memory that was searched, if that is not the project's own. */
  readonly layer?: LayerName;
  readonly step: "root" | "manifest" | "search";
  readonly took_ms: number;
  /** How many candidates were considered, and how many were kept. */
  readonly candidates: number;
  readonly kept: number;
  /** Lines of ROOT.md, paths of nodes, or words searched for. */
  readonly notes: readonly string[];
}

export interface RecalledPassage extends PrintedPassage {
  readonly score: number;
  readonly why?: readonly ScorePart[];
}

/** One line with the paths of a day's logs; empty if there are none. */
export function logsTold({ logs = [] }: { readonly logs?: readonly string[] }): string {
  return logs.length === 0 ? "" : `The whole log of this day: ${logs.join(", ")}`;
}
