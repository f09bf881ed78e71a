import { pushAll } from "../../base/lists.ts";
import type { Call } from "../../base/operation.ts";
import type { SummaryLine, Utterance } from "../../base/summary-line.ts";
import { redact } from "../../text/redact/redact.ts";
import type { SummaryArtifact } from "../../threads/model/summary.ts";
import { summarizerOf } from "../../threads/run/block-lines.ts";
import { readBase } from "../../threads/run/cumulative-lines.ts";
import { RawReader } from "../../threads/run/raw-reader.ts";
import { linesOfMarkdown } from "../../threads/run/read-summary.ts";
import type { Place } from "../../threads/store/thread-store.ts";
import type { SourceText, SourceTextLine } from "../../tree/answers/match.ts";
import type { SummaryMemory } from "../memory.ts";
import { sendableLines } from "../request/sendable-lines.ts";

/** Weight of the newest messages, which are read in full; older ones are read through the lines of the built-in summary. */
const mostRaw = 2 * 1024 * 1024;
/** Weight of the messages extracted together, as at the finest rung. */
const together = 8192;
/** Characters of a line including its role; pieces of long lines are shorter. */
const longestText = 1_100;

/**
 * What a model reads for a cut: the lines of the summary before it (of the built-in one if too much was added since), then the last messages. Uses
 * bounded memory.
 */
export async function threadSources(
  memory: SummaryMemory,
  { thread_id, to, summary }: { readonly thread_id: string; readonly to: Place; readonly summary: SummaryArtifact },
  call: Call,
): Promise<readonly SourceText[]> {
  const baseId = summary.basis?.base_summary_artifact_id;
  const base = baseId === undefined ? undefined : await readBase(memory, thread_id, baseId);
  const [covered] = base === undefined ? [] : await memory.threads.places(thread_id, [{ seq: base.to_seq }]);
  const start = covered?.weight ?? 0;
  const [first] = await memory.threads.places(thread_id, [{ weight: Math.max(start, to.weight - mostRaw) }]);
  const from = first?.weight_before ?? start;
  const markdown = from > start ? summary.summary_markdown : (base?.markdown ?? "");
  const onPage = async (): Promise<void> => call.signal?.throwIfAborted();
  const range = { thread_id, from_seq: first?.seq ?? 0, to_seq: to.seq };
  const reader = new RawReader(memory.threads, { ...range, weight: from, onPage });
  const messages: SourceTextLine[] = [];
  for (let end = from; end < to.weight;) {
    end = Math.min(end + together, to.weight);
    pushAll(messages, linesOfMessages(memory, await reader.take(end)));
  }
  return [
    { name: `${thread_id}: before`, lines: linesOfSummary(linesOfMarkdown(markdown, to.seq)) },
    { name: `${thread_id}: #${messages[0]?.seq} to #${messages.at(-1)?.seq}`, lines: messages },
  ].filter(({ lines }) => lines.length > 0);
}

/** Lines of a summary; earlier ones weigh more. */
function linesOfSummary(lines: readonly SummaryLine[]): readonly SourceTextLine[] {
  return lines
    .map(({ seq, role, text }, at) => ({ text: `${role}: ${text}`, refs: [], seq, weight: lines.length - at }))
    .toSorted((a, b) => a.seq - b.seq);
}

function linesOfMessages(memory: SummaryMemory, said: readonly Utterance[]): readonly SourceTextLine[] {
  const chosen = Map.groupBy(said.length === 0 ? [] : summarizerOf(memory).extract(said), ({ seq }) => seq);
  return said.flatMap(({ seq, role, text }) => {
    const beginnings = chosen.get(seq)?.map((line) => line.text.slice(0, 40)) ?? [];
    const weightOf = (line: string): number =>
      beginnings.some((beginning) => line.includes(beginning)) ? 2 : Math.min(1, beginnings.length);
    return sendableLines([{ text: redact(text).text, refs: [], seq }])
      .filter((line) => line.text.trim() !== "")
      .map((line) => {
        const said = `${role}: ${line.text.trim().slice(0, longestText)}`.toWellFormed();
        return { ...line, text: said, weight: weightOf(said) };
      });
  });
}
