import type { MemoryType } from "../../base/memory-type.ts";
import type { SourceText } from "../../tree/answers/match.ts";
import type { SummaryKind } from "../../tree/answers/record.ts";
import { answerTitles } from "../../tree/model/summary-format.ts";

/** A request for one summary, as a value: the same sources give the same request. */
export interface SummaryRequest {
  readonly kind: SummaryKind;
  /** `2026-03-15`, `2026-W11.late-1`, `ROOT`, `notes.120`. */
  readonly label: string;
  /** Digest of the content to summarize, 64 digits. */
  readonly basis: string;
  /** The version of the prompt: `node-prompt-2`, … */
  readonly promptRule: string;
  /** What to do: rules, sections, budget. For a job, includes the agent notes. */
  readonly instructions: string;
  readonly sources: readonly SourceText[];
  readonly mustKeep: readonly KeptEntry[];
  /** Maximum o200k tokens in the answer. */
  readonly budgetTokens: number;
  /** Maximum lines and UTF-8 bytes of the answer. */
  readonly space: { readonly lines: number; readonly bytes: number };
  /** Number of source lines that did not fit in the request. */
  readonly leftOut: number;
}

/** An entry of type `user` or `feedback`, which the summary contains verbatim, whatever the answer says. */
export interface KeptEntry {
  readonly topic: string;
  readonly type: MemoryType;
  readonly lines: readonly string[];
}

export interface PrintedPrompt {
  readonly instructions: string;
  readonly prompt: string;
}

export const keptTitle = "User and Feedback";

/** The headings allowed in an answer, in order: those of the summaries in docs/formats/tree.md, and of ROOT.md without its index. Empty for a thread. */
export function titlesOf(kind: SummaryKind): readonly string[] {
  if (kind === "thread") return [];
  return kind === "root" ? ["Active Context", "Recent Patterns", "Historical Summary"] : answerTitles(kind);
}

/** The section that an answer must have; empty for a thread, which has none. */
export function requiredTitle(kind: SummaryKind): string {
  return titlesOf(kind)[0] ?? "";
}
