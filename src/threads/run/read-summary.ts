import { MemoryError, type Warning } from "../../base/errors.ts";
import { redact } from "../../text/redact/redact.ts";
import { parseLines, parseSummary, type SummaryArtifact } from "../model/summary.ts";
import type { SummaryLine } from "../../base/summary-line.ts";
import type { ThreadMemory } from "../memory.ts";

/** How a frame names a summary: its artifact, and the thread and the last message it covers. */
interface NamedSummary {
  readonly artifact_id: string;
  readonly thread_id: string;
  readonly to_seq: number;
  /** `at_most`: the summary may end earlier, as with a handoff. Default: `exact`. */
  readonly ends?: "exact" | "at_most";
}

const UNREADABLE: ReadonlySet<string> = new Set(["invalid_artifact", "artifact_damaged", "not_a_file", "link_outside"]);

/** Opens a summary, or returns why it cannot be read; `thread verify` reports unreadable summaries that frames name. */
async function openSummary(
  memory: ThreadMemory,
  id: string,
): Promise<SummaryArtifact | { readonly code: string; readonly fault: string }> {
  try {
    const bytes = await memory.artifacts.get(id);
    if (bytes === undefined) return { code: "artifact_not_found", fault: "is not in the store" };
    const summary = parseSummary(bytes);
    return "fault" in summary ? { code: "invalid_artifact", fault: `cannot be read: ${summary.fault}` } : summary;
  } catch (error) {
    if (!(error instanceof MemoryError) || !UNREADABLE.has(error.code)) throw error;
    return { code: error.code, fault: `cannot be read (${error.code})` };
  }
}

export async function readSummary(memory: ThreadMemory, id: string): Promise<SummaryArtifact | undefined> {
  const summary = await openSummary(memory, id);
  return "fault" in summary ? undefined : summary;
}

/** Reads a summary; returns a warning if it is missing, damaged, or not the one the frame names. */
export async function readSummaryLines(
  memory: ThreadMemory,
  named: NamedSummary,
): Promise<readonly SummaryLine[] | Warning> {
  const { artifact_id, thread_id, to_seq } = named;
  const warned = (code: string, reason: string): Warning => ({
    code,
    message: `The summary ${artifact_id.slice(0, 64).replaceAll(/\s/gu, " ")} of ${thread_id} up to #${to_seq} ${reason}; it is left out.`,
  });
  const summary = await openSummary(memory, artifact_id);
  if ("fault" in summary) return warned(summary.code, summary.fault);
  const { coverage, kind, summary_markdown } = summary;
  const ends = named.ends === "at_most" ? coverage.to_seq <= to_seq : coverage.to_seq === to_seq;
  if (coverage.thread_id !== thread_id || !ends)
    return warned("invalid_artifact", "does not cover the messages in its frame");
  // A rung's lines are short and were redacted when made; each is checked again. Other summaries are treated as foreign text.
  if (!kind.startsWith("rung_v1/")) return linesOfMarkdown(summary_markdown, coverage.to_seq);
  const lines = parseLines(summary_markdown, coverage.to_seq).flatMap(wrapped);
  return lines.map((line) => ({ ...line, text: redact(line.text).text }));
}

/** The lines of any Markdown, prepared for contexts and summarizers: redacted and wrapped to the line limit. */
export function linesOfMarkdown(markdown: string, seq: number): readonly SummaryLine[] {
  return parseLines(redact(markdown).text, seq).flatMap(wrapped);
}

const LONGEST = 240;

/** Splits a line that is too long, at spaces if possible and never within a character. */
function wrapped(line: SummaryLine): readonly SummaryLine[] {
  if (line.text.length <= LONGEST) return [line];
  const pieces: SummaryLine[] = [];
  for (let rest = line.text; rest !== "";) {
    const space = rest.length > LONGEST ? rest.lastIndexOf(" ", LONGEST) : rest.length;
    const end = space > LONGEST / 2 ? space : wholeEnd(rest);
    pieces.push({ ...line, text: rest.slice(0, end) });
    rest = rest.slice(end).trimStart();
  }
  return pieces;
}

function wholeEnd(text: string): number {
  const code = text.charCodeAt(LONGEST - 1);
  return code >= 0xd800 && code <= 0xdbff ? LONGEST - 1 : LONGEST;
}
