import type { Warning } from "../../base/errors.ts";
import type { MemoryType, Origin } from "../../base/memory-type.ts";
import type { PrintedPassage } from "../context/print.ts";
import type { RecallWarning } from "../context/remembered.ts";
import type { SourceKind, SourceLevel } from "../index/search-index.ts";

export type { RecallWarning } from "../context/remembered.ts";

export interface SearchResult {
  readonly query: string;
  /** How it was understood: words, phrases, days. */
  readonly understood: UnderstoodQuery;
  readonly hits: readonly SearchHit[];
  /** Whether there were more than `limit`. */
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
  /** Who its entry comes from; `null` where that is not recorded. */
  readonly origin: Origin | null;
  readonly date: string | null;
  /** Days from that day to today; negative for a day to come. */
  readonly age_days: number | null;
  readonly heading: string;
  /** One line, cut at `…`, with the found words between « and »; where the text itself has these, they are ‹ and ›. */
  readonly snippet: string;
  readonly score: number;
  /** Until when it held, if a later statement replaces it. */
  readonly warning?: RecallWarning;
  /** With `explain`: what the score is made of. */
  readonly why?: readonly ScorePart[];
}

export interface ScorePart {
  readonly part: string;
  readonly score: number;
}

export interface IndexResult {
  readonly sources: number;
  readonly indexed: number;
  readonly unchanged: number;
  readonly removed: number;
  readonly not_indexed: number;
  readonly chunks: number;
  readonly statements: number;
  readonly bytes: number;
  readonly took_ms: number;
  readonly warnings: readonly Warning[];
}

export interface RecallResult {
  readonly query: string;
  readonly steps: readonly RecallStep[];
  readonly context: readonly RecalledPassage[];
  /** o200k tokens of the passages' texts. */
  readonly tokens: number;
  /** The same of what is printed: with fence, dates and places. */
  readonly tokens_printed: number;
  /** Random; fences the printed context, which contains no text with it. */
  readonly mark: string;
  readonly not_indexed: number;
  readonly warnings: readonly Warning[];
}

export interface RecallStep {
  readonly step: "root" | "manifest" | "search";
  readonly took_ms: number;
  /** What it looked at, and what it kept. */
  readonly candidates: number;
  readonly kept: number;
  /** Lines of ROOT.md, paths of nodes, or words looked for. */
  readonly notes: readonly string[];
}

export interface RecalledPassage extends PrintedPassage {
  readonly score: number;
  readonly why?: readonly ScorePart[];
}

/** One line that says where the whole log of a day is; empty when the text is all of it. */
export function logsTold({ logs = [] }: { readonly logs?: readonly string[] }): string {
  return logs.length === 0 ? "" : `The whole log of this day: ${logs.join(", ")}`;
}
