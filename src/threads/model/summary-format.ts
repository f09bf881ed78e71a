import type { Role } from "./frame.ts";
import type { SummaryLine } from "./summarizer.ts";

/** A summary as it lies in the artifact store, `rip.compaction_summary.v1`. */
export interface SummaryArtifact {
  readonly schema: "rip.compaction_summary.v1";
  readonly kind: string;
  readonly coverage: Coverage;
  readonly provenance: SummaryProvenance;
  readonly basis?: { readonly base_summary_artifact_id?: string; readonly note?: string };
  readonly summary_markdown: string;
}

export interface Coverage {
  readonly thread_id: string;
  readonly from_seq: number;
  readonly from_message_id?: string;
  readonly to_seq: number;
  readonly to_message_id?: string;
}

export interface SummaryProvenance {
  readonly actor_id: string;
  readonly origin: string;
  readonly produced_by?: { readonly type: string; readonly id: string };
}

/** The bytes of the artifact: `JSON.stringify` in the order of the format, without a line end. */
export function printSummary(summary: SummaryArtifact): Uint8Array {
  const { schema, kind, coverage, provenance, basis, summary_markdown } = summary;
  const { thread_id, from_seq, from_message_id, to_seq, to_message_id } = coverage;
  const { actor_id, origin, produced_by } = provenance;
  const ordered = {
    schema,
    kind,
    coverage: { thread_id, from_seq, from_message_id, to_seq, to_message_id },
    provenance: { actor_id, origin, produced_by },
    basis,
    summary_markdown,
  };
  return new TextEncoder().encode(JSON.stringify(ordered));
}

/** Reads a summary; a sentence's end when the bytes are none. Null and missing are the same. */
export function parseSummary(bytes: Uint8Array): SummaryArtifact | { readonly fault: string } {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return { fault: "it is no JSON" };
  }
  const summary = recordOf(value);
  const coverage = recordOf(summary?.["coverage"]);
  const provenance = recordOf(summary?.["provenance"]);
  if (summary?.["schema"] !== "rip.compaction_summary.v1")
    return { fault: "its schema is not rip.compaction_summary.v1" };
  if (coverage === undefined || typeof coverage["thread_id"] !== "string") return { fault: "it names no thread" };
  if (!Number.isSafeInteger(coverage["from_seq"]) || !Number.isSafeInteger(coverage["to_seq"]))
    return { fault: "its coverage has no from_seq and to_seq" };
  if (typeof summary["kind"] !== "string" || typeof summary["summary_markdown"] !== "string")
    return { fault: "it has no kind or no summary_markdown" };
  if (typeof provenance?.["actor_id"] !== "string" || typeof provenance["origin"] !== "string")
    return { fault: "its provenance has no actor_id and origin" };
  return withoutNulls(summary) as unknown as SummaryArtifact;
}

/** The Markdown of a summary of our own: the ordinals that it covers, then its lines. */
export function printLines(lines: readonly SummaryLine[], ordinals: readonly [number, number]): string {
  return `# Messages ${ordinals[0]} to ${ordinals[1]}\n\n${lines.map((line) => `${printLine(line)}\n`).join("")}`;
}

/** One line of a summary, without LF. */
export function printLine({ seq, role, text }: SummaryLine): string {
  return `- #${seq} ${role}: ${text}`;
}

const LINE = /^- #(\d{1,10}) (user|assistant|system|tool): (.+)$/u;

/**
 * The lines of a summary, in their order. Lines of others, which do not have our form, are taken as text of the message `seq`; headings and blank
 * lines are none.
 */
export function parseLines(markdown: string, seq: number): readonly SummaryLine[] {
  return markdown.split(/\r\n|\n|\r/u).flatMap((line): readonly SummaryLine[] => {
    const match = LINE.exec(line);
    if (match !== null) return [{ seq: Number(match[1]), role: match[2] as Role, text: match[3] as string }];
    const text = line.replace(/^\s*(?:[-*+]|\d+[.)])\s+/u, "").trim();
    return text === "" || line.startsWith("#") ? [] : [{ seq, role: "system", text }];
  });
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  const record = recordOf(value);
  if (record === undefined) return value;
  return Object.fromEntries(
    Object.entries(record)
      .filter(([, inner]) => inner !== null)
      .map(([key, inner]) => [key, withoutNulls(inner)]),
  );
}
