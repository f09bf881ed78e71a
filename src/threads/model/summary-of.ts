import { CUMULATIVE_KIND } from "../plan/cut-points.ts";
import { rungKind, type Block } from "../plan/ladder.ts";
import type { SummaryLine } from "./summarizer.ts";
import { printLine, printLines, type SummaryArtifact, type SummaryProvenance } from "./summary-format.ts";

/** Characters (UTF-16 code units) that the text of a cumulative summary may have. */
export const MOST_CHARACTERS = 20_000;

/** The first and the last message of a stretch. */
export interface Span {
  readonly from: MessagePlace;
  readonly to: MessagePlace;
}

export interface MessagePlace {
  readonly ordinal: number;
  readonly seq: number;
  readonly id: string;
}

/** The summary of a block: a function of its messages alone, so that it has the same bytes whoever makes it and when. */
export function rungSummary(rung: {
  readonly thread_id: string;
  readonly block: Block;
  readonly span: Span;
  readonly lines: readonly SummaryLine[];
  readonly summarizer: string;
}): SummaryArtifact {
  const { thread_id, block, span, lines, summarizer } = rung;
  return {
    schema: "rip.compaction_summary.v1",
    kind: rungKind(block.level),
    coverage: {
      thread_id,
      from_seq: span.from.seq,
      from_message_id: span.from.id,
      to_seq: span.to.seq,
      to_message_id: span.to.id,
    },
    provenance: { actor_id: "heartwood", origin: "ladder", produced_by: { type: "summarizer", id: summarizer } },
    summary_markdown: printLines(lines, [span.from.ordinal, span.to.ordinal]),
  };
}

/** The characters that the lines of a cumulative summary up to this message may have. */
export function spaceFor(ordinal: number): number {
  return MOST_CHARACTERS - printLines([], [1, ordinal]).length;
}

/** A summary of everything up to a message. Of lines that do not fit, the last are left out. */
export function cumulativeSummary(summary: {
  readonly thread_id: string;
  readonly to: MessagePlace;
  readonly lines: readonly SummaryLine[];
  readonly provenance: SummaryProvenance;
  readonly base_summary_artifact_id: string | null;
  readonly summarizer: string;
}): SummaryArtifact {
  const { thread_id, to, lines, provenance, base_summary_artifact_id, summarizer } = summary;
  const base = base_summary_artifact_id === null ? {} : { base_summary_artifact_id };
  return {
    schema: "rip.compaction_summary.v1",
    kind: CUMULATIVE_KIND,
    coverage: { thread_id, from_seq: 0, to_seq: to.seq, to_message_id: to.id },
    provenance,
    basis: { ...base, note: summarizer },
    summary_markdown: printLines(fitting(lines, spaceFor(to.ordinal)), [1, to.ordinal]),
  };
}

function fitting(lines: readonly SummaryLine[], space: number): readonly SummaryLine[] {
  let left = space;
  const end = lines.findIndex((line) => (left -= printLine(line).length + 1) < 0);
  return end === -1 ? lines : lines.slice(0, end);
}
