import { MemoryError } from "../../base/errors.ts";
import { cutOrdinals, cutRuleId, MANUAL_RULE, CUMULATIVE_KIND } from "../plan/cut-points.ts";
import { cumulativeCheckpoint, type Actor } from "../model/job-frames.ts";
import type { Place, ThreadHead } from "../store/thread-store.ts";
import type { ThreadMemory } from "../memory.ts";
import type { Call, InputFile } from "../../base/operation.ts";
import { stamp, checkProvenance, threadHead } from "../run/threads.ts";
import type * as I from "../run/inputs.ts";
import { strideOf } from "./cut-points.ts";
import type * as R from "../run/results.ts";
import { redact } from "../../text/redact/redact.ts";
import { parseSummary, printSummary, type Coverage, type SummaryArtifact } from "../model/summary.ts";

/**
 * Appends a checkpoint with a summary that the caller has. Errors: `usage` (not one place, or not one summary), `thread_not_found`, `invalid_stride`,
 * `message_not_found`, `not_a_message`, `invalid_body`, `artifact_not_found`, `invalid_artifact`, `artifact_damaged`.
 */
export async function recordCheckpoint(
  memory: ThreadMemory,
  input: I.CheckpointInput,
  call: Call = {},
): Promise<R.ManualResult> {
  const { thread_id, actor_id, origin } = input;
  requireOne({ to_message_id: input.to_message_id, to_seq: input.to_seq, stride_messages: input.stride_messages });
  requireOne({ summary_file: input.summary_file, artifact: input.artifact });
  checkProvenance(input);
  const cut_rule_id = input.stride_messages === undefined ? MANUAL_RULE : cutRuleId(strideOf(input.stride_messages));
  const head = await threadHead(memory, thread_id);
  const { seq: to_seq, id: to_message_id } = await placeOf(memory, head, input);
  const summary_artifact_id = await summaryOf(memory, input, { place: { to_seq, to_message_id }, call });
  const by = { actor_id, origin };
  const named = { cut_rule_id, summary_artifact_id, to_seq, to_message_id };
  const frame = cumulativeCheckpoint(stamp(memory), { ...named, by });
  await memory.threads.append({ thread_id, frames: [frame] });
  return { thread_id, checkpoint_id: frame.id, cut_rule_id, summary_artifact_id, to_seq, to_message_id };
}

function requireOne(choices: Readonly<Record<string, unknown>>): void {
  const given = Object.keys(choices).filter((name) => choices[name] !== undefined);
  if (given.length === 1) return;
  const seen = given.length === 0 ? "none of them was given" : `${given.join(" and ")} were given`;
  throw new MemoryError("usage", `Give one of ${Object.keys(choices).join(", ")}: ${seen}.`);
}

async function placeOf(memory: ThreadMemory, head: ThreadHead, input: I.CheckpointInput): Promise<Place> {
  const { thread_id } = head;
  if (input.to_message_id !== undefined) return placeOfId(memory, thread_id, input.to_message_id);
  if (input.to_seq !== undefined) return placeOfSeq(memory, thread_id, input.to_seq);
  const stride_messages = strideOf(input.stride_messages);
  const { message_count } = head;
  const [ordinal] = cutOrdinals({ message_count, stride_messages, limit: 1 });
  const [place] = ordinal === undefined ? [] : await memory.threads.places(thread_id, [{ ordinal }]);
  if (place !== undefined) return place;
  throw new MemoryError(
    "message_not_found",
    `Thread ${thread_id} has ${message_count} messages, so no cut point of the stride ${stride_messages} yet; give a smaller stride or a message.`,
    { thread_id },
  );
}

async function placeOfId(memory: ThreadMemory, thread_id: string, id: string): Promise<Place> {
  const [place] = await memory.threads.places(thread_id, [{ id }]);
  if (place !== undefined) return place;
  throw new MemoryError(
    "message_not_found",
    `Thread ${thread_id} has no message ${JSON.stringify(id.slice(0, 64))}; give the id of a continuity_message_appended frame of it.`,
    { thread_id },
  );
}

async function placeOfSeq(memory: ThreadMemory, thread_id: string, seq: number): Promise<Place> {
  const [place] = await memory.threads.places(thread_id, [{ seq }]);
  if (place?.seq === seq) return place;
  const last = place === undefined ? "there is none before it" : `the last one before it is ${place.seq}`;
  throw new MemoryError("not_a_message", `The frame ${seq} of thread ${thread_id} is no message; ${last}.`, {
    thread_id,
  });
}

async function summaryOf(
  memory: ThreadMemory,
  input: I.CheckpointInput,
  { place, call }: { readonly place: { readonly to_seq: number; readonly to_message_id: string }; readonly call: Call },
): Promise<string> {
  const { thread_id, summary_file: file, artifact, actor_id, origin } = input;
  const covered = { thread_id, ...place };
  if (file !== undefined) return storeGivenSummary(memory, { file, covered, provenance: { actor_id, origin } }, call);
  const id = artifact ?? "";
  const { coverage } = await givenArtifact(memory, id, covered);
  if (coverage.to_seq === place.to_seq) return id;
  throw new MemoryError(
    "invalid_artifact",
    `The artifact ${id} covers the frames up to ${coverage.to_seq}, and the checkpoint is at ${place.to_seq}; give one that ends there.`,
    { artifact_id: id },
  );
}

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
  given: { readonly file: InputFile; readonly covered: Covered; readonly provenance: Actor },
  call: Call = {},
): Promise<string> {
  const { actor_id, origin } = given.provenance;
  const summary: SummaryArtifact = {
    schema: "rip.compaction_summary.v1",
    kind: CUMULATIVE_KIND,
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
  if (kind !== CUMULATIVE_KIND) return `its kind is ${JSON.stringify(kind.slice(0, 60))}`;
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
