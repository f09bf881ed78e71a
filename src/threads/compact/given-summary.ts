import { MemoryError } from "../../base/errors.ts";
import { redact } from "../../text/redact/redact.ts";
import { parseSummary, printSummary, type Coverage, type SummaryArtifact } from "../model/summary-format.ts";
import type { ThreadMemory } from "../memory.ts";
import type { Call, InputFile } from "../../base/operation.ts";
import type { Provenance } from "../run/inputs.ts";

/** Bytes of a summary that a caller gives. */
const LONGEST = 1024 * 1024;

/** What a summary that a caller gives is to cover. */
export interface Covered {
  readonly thread_id: string;
  readonly to_seq: number;
  readonly to_message_id: string | null;
}

/** Stores Markdown as a cumulative summary, with secrets replaced, and returns its id. Errors: `invalid_body`; those of the file and the store. */
export async function storeGivenSummary(
  memory: ThreadMemory,
  given: { readonly file: InputFile; readonly covered: Covered; readonly provenance: Provenance },
  call: Call = {},
): Promise<string> {
  const { actor_id, origin } = given.provenance;
  const summary: SummaryArtifact = {
    schema: "rip.compaction_summary.v1",
    kind: "cumulative_v1",
    coverage: coverageOf(given.covered),
    provenance: { actor_id, origin },
    summary_markdown: redact(await markdownIn(given.file, call.signal)).text,
  };
  return memory.artifacts.put(printSummary(summary));
}

/**
 * A cumulative summary of the thread that ends at or before `to_seq`. Errors: `artifact_not_found`, `invalid_artifact` (no summary, of another kind or
 * thread, or one that covers more), `artifact_damaged`.
 */
export async function givenArtifact(memory: ThreadMemory, id: string, covered: Covered): Promise<SummaryArtifact> {
  const bytes = await memory.artifacts.get(id);
  if (bytes === undefined)
    throw new MemoryError("artifact_not_found", `There is no artifact ${id} in the store; check the id.`, {
      artifact_id: id,
    });
  const summary = parseSummary(bytes);
  const fault = "fault" in summary ? summary.fault : misfit(summary, covered);
  if (fault === undefined && !("fault" in summary)) return summary;
  throw new MemoryError(
    "invalid_artifact",
    `The artifact ${id} is no summary that fits: ${fault ?? "it cannot be read"}; give a cumulative_v1 summary of ${covered.thread_id} up to the frame ${covered.to_seq} at most.`,
    { artifact_id: id },
  );
}

function misfit({ kind, coverage }: SummaryArtifact, { thread_id, to_seq }: Covered): string | undefined {
  if (kind !== "cumulative_v1") return `its kind is ${JSON.stringify(kind.slice(0, 60))}`;
  if (coverage.thread_id !== thread_id) return `it is of the thread ${JSON.stringify(coverage.thread_id.slice(0, 96))}`;
  return coverage.to_seq > to_seq ? `it covers the frames up to ${coverage.to_seq}` : undefined;
}

function coverageOf({ thread_id, to_seq, to_message_id }: Covered): Coverage {
  return { thread_id, from_seq: 0, to_seq, ...(to_message_id === null ? {} : { to_message_id }) };
}

async function markdownIn(file: InputFile, signal: AbortSignal | undefined): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of file.chunks(signal)) {
    size += chunk.length;
    if (size > LONGEST)
      throw new MemoryError("invalid_body", `The summary ${file.name} is longer than ${LONGEST} bytes; shorten it.`);
    chunks.push(chunk);
  }
  const text = decoded(Buffer.concat(chunks), file.name);
  if (text.trim() !== "") return text;
  throw new MemoryError("invalid_body", `The summary ${file.name} is empty; give Markdown.`);
}

function decoded(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new MemoryError("invalid_body", `The summary ${name} is not UTF-8; convert it first (iconv -t utf-8).`);
  }
}
