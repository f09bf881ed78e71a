import { plainLine } from "../../text/shown.ts";
import { CUMULATIVE_KIND } from "../plan/cut-points.ts";
import { parseLines, printLine, printLines, type SummaryArtifact } from "./summary-format.ts";
import { spaceFor, type MessagePlace } from "./summary-of.ts";
import type { SummaryLine } from "./summarizer.ts";

/** What made the lines of a summary from an answer: `basis.note` of its artifact. */
export const ANSWER_NOTE = "answer-1";

/** Characters (UTF-16 units) of a line's text, and lines of an answer. */
const LONGEST = 240;
const MOST_LINES = 400;

/** One item of an answer about a thread. */
export interface ThreadAnswerItem {
  /** The message that it names; `undefined` without one. */
  readonly seq: number | undefined;
  readonly text: string;
}

/** The list items of an answer, plain text on one line each: `- #12 user: text` names a message, `- text` none. What is anything else counts as nothing. */
export function readThreadAnswer(lines: readonly string[]): readonly ThreadAnswerItem[] {
  return lines
    .slice(0, 10 * MOST_LINES)
    .flatMap(itemOf)
    .slice(0, MOST_LINES);
}

const ITEM =
  /^\s*(?:[-*+]|\d{1,3}[.)])\s+(?:#(\d{1,10})(?![\p{L}\p{N}])[\s:]*)?(?:(?:user|assistant|system|tool):\s*)?(.*)$/u;

function itemOf(line: string): readonly ThreadAnswerItem[] {
  const match = ITEM.exec(line);
  const text = plainLine(match?.[2] ?? "", LONGEST);
  const seq = match?.[1];
  return text === "" ? [] : [{ seq: seq === undefined ? undefined : Number(seq), text }];
}

/** Lines as a record keeps them, the newest first; of one message in their order. The same line twice is one. */
export function printThreadAnswer(lines: readonly SummaryLine[]): readonly string[] {
  return [...new Set(lines.toSorted((a, b) => b.seq - a.seq).map(printLine))];
}

/**
 * The cumulative summary at a cut made from an answer: its lines, then those of the built-in summary whose messages it does not name, while there is room.
 * A function of the record and of the built-in summary.
 */
export function answeredSummary(of: {
  readonly to: MessagePlace;
  /** As `printThreadAnswer` prints them. */
  readonly answer: readonly string[];
  readonly model: string;
  readonly builtIn: { readonly artifact_id: string; readonly summary: SummaryArtifact };
}): SummaryArtifact {
  const { to, model, builtIn } = of;
  const { thread_id } = builtIn.summary.coverage;
  const told = parseLines(of.answer.join("\n"), to.seq)
    .map((line) => ({ ...line, text: plainLine(line.text, LONGEST) }))
    .filter(({ text, seq }) => text !== "" && seq <= to.seq);
  const named = new Set(told.map(({ seq }) => seq));
  const others = parseLines(builtIn.summary.summary_markdown, to.seq).filter(({ seq }) => !named.has(seq));
  return {
    schema: "rip.compaction_summary.v1",
    kind: CUMULATIVE_KIND,
    coverage: { thread_id, from_seq: 0, to_seq: to.seq, to_message_id: to.id },
    provenance: { actor_id: "heartwood", origin: "summaries", produced_by: { type: "model", id: model } },
    basis: { base_summary_artifact_id: builtIn.artifact_id, note: ANSWER_NOTE },
    summary_markdown: printLines(fitting([...told, ...others], spaceFor(to.ordinal)), [1, to.ordinal]),
  };
}

/** Each line that still fits, so that a long one does not hide shorter ones behind it. */
function fitting(lines: readonly SummaryLine[], space: number): readonly SummaryLine[] {
  let left = space;
  return lines.filter((line) => {
    const size = printLine(line).length + 1;
    if (size > left) return false;
    left -= size;
    return true;
  });
}
