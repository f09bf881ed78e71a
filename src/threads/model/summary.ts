import type { Place } from "./places.ts";
import type { Role, Cumulation, SummaryLine, Utterance } from "../../base/summary-line.ts";
import { fields, isObject, isText, parseJson } from "../../base/json.ts";
import { decodeText } from "../../base/lines.ts";
import { recordOf } from "./frame.ts";
import { CUMULATIVE_KIND } from "../plan/thread-state.ts";
import { rungKind, type Block } from "../plan/ladder.ts";
import { plainLine } from "../../text/shown.ts";

/** A summary as stored in an artifact, `rip.compaction_summary.v1`. */
export interface SummaryArtifact {
  readonly schema: "rip.compaction_summary.v1";
  readonly kind: string;
  readonly coverage: Coverage;
  readonly provenance: SummaryProvenance;
  readonly basis?: { readonly base_summary_artifact_id?: string; readonly note?: string };
  readonly summary_markdown: string;
}

interface Coverage {
  readonly thread_id: string;
  readonly from_seq: number;
  readonly from_message_id?: string;
  readonly to_seq: number;
  readonly to_message_id?: string;
}

interface SummaryProvenance {
  readonly actor_id: string;
  readonly origin: string;
  readonly produced_by?: { readonly type: string; readonly id: string };
}

/** The bytes of the artifact, without a line end. The fields must be in the order of the format. */
export function printSummary(summary: SummaryArtifact): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(summary));
}

const SCHEMA = "rip.compaction_summary.v1";
const isSummary = fields({
  kind: isText,
  coverage: fields({ thread_id: isText, from_seq: Number.isSafeInteger, to_seq: Number.isSafeInteger }),
  provenance: fields({ actor_id: isText, origin: isText }),
  summary_markdown: isText,
});

/** Parses a summary, or returns why the bytes are not one. Treats null like missing. */
export function parseSummary(bytes: Uint8Array): SummaryArtifact | { readonly fault: string } {
  const summary = withoutNulls(parseJson(decodeText(bytes) ?? ""));
  if (summary === undefined) return { fault: "it is not JSON" };
  if (recordOf(summary)["schema"] !== SCHEMA) return { fault: `its schema is not ${SCHEMA}` };
  if (isSummary(summary)) return summary as SummaryArtifact;
  return { fault: "its kind, coverage, provenance or summary_markdown is missing or of another form" };
}

/** The Markdown of one of our own summaries: a heading with the ordinals it covers, then its lines. */
export function printLines(lines: readonly SummaryLine[], ordinals: readonly [number, number]): string {
  return `# Messages ${ordinals[0]} to ${ordinals[1]}\n\n${lines.map((line) => `${printLine(line)}\n`).join("")}`;
}

/** One line of a summary, without LF. */
export function printLine({ seq, role, text }: SummaryLine): string {
  return `- #${seq} ${role}: ${text}`;
}

const LINE = /^- #(\d{1,10}) (user|assistant|system|tool): (.+)$/u;

/** The lines in a summary, in order. A line not in our format counts as text of the message `seq`; headings and blank lines are skipped. */
export function parseLines(markdown: string, seq: number): readonly SummaryLine[] {
  return markdown.split(/\r\n|\n|\r/u).flatMap((line): readonly SummaryLine[] => {
    const match = LINE.exec(line);
    if (match !== null) return [{ seq: Number(match[1]), role: match[2] as Role, text: match[3] as string }];
    const text = line.replace(/^\s*(?:[-*+]|\d+[.)])\s+/u, "").trim();
    return text === "" || line.startsWith("#") ? [] : [{ seq, role: "system", text }];
  });
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null)
      .map(([key, inner]) => [key, withoutNulls(inner)]),
  );
}

/** Maximum characters (UTF-16 code units) in the text of a cumulative summary. */
export const MOST_CHARACTERS = 20_000;

type MessageRef = Pick<Place, "ordinal" | "seq" | "id">;

export interface Span {
  readonly from: MessageRef;
  readonly to: MessageRef;
}

/** The summary of a block. Depends only on the block's messages, so its bytes are always the same. */
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

/** Maximum characters for the lines in a cumulative summary up to this message. */
export function spaceFor(ordinal: number): number {
  return MOST_CHARACTERS - printLines([], [1, ordinal]).length;
}

/** A summary of everything up to a message, with as many lines as fit. `summarizer`: the id of the summarizer that made them. */
export function cumulativeSummary(summary: {
  readonly thread_id: string;
  readonly to: MessageRef;
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

/** Keeps each line that still fits, so a long line does not exclude shorter lines after it. */
function fitting(lines: readonly SummaryLine[], space: number): readonly SummaryLine[] {
  let left = space;
  return lines.filter((line) => {
    const size = printLine(line).length + 1;
    if (size > left) return false;
    left -= size;
    return true;
  });
}

/** Writes the lines of thread summaries. Pure and deterministic; the work is bounded by the size of the arguments. */
export interface ThreadSummarizer {
  /** Changes whenever the output would change. */
  readonly id: string;
  /** The lines worth keeping from consecutive messages of at most one level 0 block, most informative first. */
  extract(utterances: readonly Utterance[]): readonly SummaryLine[];
  /** The lines worth keeping from consecutive parts, most informative first. Each part has its most informative line first. */
  merge(parts: readonly (readonly SummaryLine[])[]): readonly SummaryLine[];
  /**
   * The lines in a cumulative summary, newest first, with at most `space` characters of text in total. `delta` contains the lines since the base;
   * they always get their share, however full the base is.
   */
  cumulate(input: Cumulation): readonly SummaryLine[];
}

/** Marks summaries made from an answer, as `basis.note` of the artifact. */
export const ANSWER_NOTE = "answer-1";

/** Maximum characters (UTF-16 units) per line, and maximum lines per answer. */
const LONGEST = 240;
const MOST_LINES = 400;

export interface ThreadAnswerItem {
  /** The seq of the message the item names; `undefined` if it names none. */
  readonly seq: number | undefined;
  readonly text: string;
}

/** The list items in an answer, each as one line of plain text. `- #12 user: text` names a message, `- text` does not. Everything else is ignored. */
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

/** The lines as a record stores them: newest message first, lines for one message in their given order, duplicates removed. */
export function printThreadAnswer(lines: readonly SummaryLine[]): readonly string[] {
  return [...new Set(lines.toSorted((a, b) => b.seq - a.seq).map(printLine))];
}

/**
 * The cumulative summary at a cut point, made from an answer: the answer's lines, then, as space allows, the built-in summary's lines about
 * messages the answer does not name. Depends only on the record and the built-in summary.
 */
export function answeredSummary(of: {
  readonly to: MessageRef;
  /** As printed by `printThreadAnswer`. */
  readonly answer: readonly string[];
  readonly model: string;
  readonly builtIn: { readonly artifact_id: string; readonly summary: SummaryArtifact };
}): SummaryArtifact {
  const { to, model, builtIn } = of;
  const { thread_id } = builtIn.summary.coverage;
  const answered = parseLines(of.answer.join("\n"), to.seq)
    .map((line) => ({ ...line, text: plainLine(line.text, LONGEST) }))
    .filter(({ text, seq }) => text !== "" && seq <= to.seq);
  const named = new Set(answered.map(({ seq }) => seq));
  const others = parseLines(builtIn.summary.summary_markdown, to.seq).filter(({ seq }) => !named.has(seq));
  return cumulativeSummary({
    thread_id,
    to,
    lines: [...answered, ...others],
    provenance: { actor_id: "heartwood", origin: "summaries", produced_by: { type: "model", id: model } },
    base_summary_artifact_id: builtIn.artifact_id,
    summarizer: ANSWER_NOTE,
  });
}
