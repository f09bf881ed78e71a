import { MemoryError } from "../../base/errors.ts";
import { cutRuleId, MANUAL_RULE, CUMULATIVE_KIND } from "../plan/thread-state.ts";
import type { Actor } from "../model/job-frames.ts";
import type { Place, ThreadHead } from "../store/thread-store.ts";
import type { ThreadMemory } from "../memory.ts";
import { type Call, type InputFile, readInputText } from "../../base/operation.ts";
import { checkpointDraft, checkProvenance, placeOfMessage, threadHead } from "../run/threads.ts";
import type * as I from "../run/inputs.ts";
import { newestCut, strideOf } from "./cut-points.ts";
import type * as R from "../run/results.ts";
import { redact } from "../../text/redact/redact.ts";
import { parseSummary, printSummary, type SummaryArtifact } from "../model/summary.ts";

/**
 * Appends a checkpoint with a summary from the caller. Errors: `usage` (unless there is exactly one place and one summary), `thread_not_found`,
 * `invalid_stride`, `message_not_found`, `not_a_message`, `invalid_body`, `artifact_not_found`, `invalid_artifact`, `artifact_damaged`.
 */
export async function recordCheckpoint(
  memory: ThreadMemory,
  input: I.CheckpointInput,
  call: Call = {},
): Promise<R.ManualResult> {
  const { thread_id, actor_id, origin, stride_messages, summary_file, artifact } = input;
  requireOne({ to_message_id: input.to_message_id, to_seq: input.to_seq, stride_messages });
  requireOne({ summary_file, artifact });
  checkProvenance(input);
  const by = { actor_id, origin };
  const cut_rule_id = stride_messages === undefined ? MANUAL_RULE : cutRuleId(strideOf(stride_messages));
  const { seq: to_seq, id: to_message_id } = await placeOf(memory, await threadHead(memory, thread_id), input);
  const covered = { thread_id, to_seq, to_message_id };
  const given = summary_file ?? artifact ?? "";
  const summary_artifact_id = await givenSummary(memory, { given, covered, by, ends: "exact" }, call);
  const named = { cut_rule_id, summary_artifact_id, to_seq, to_message_id };
  const frame = checkpointDraft(memory, named, by);
  await memory.threads.append({ thread_id, frames: [frame] });
  return { thread_id, checkpoint_id: frame.id, ...named };
}

function requireOne(choices: Readonly<Record<string, unknown>>): void {
  const given = Object.keys(choices).filter((name) => choices[name] !== undefined);
  if (given.length === 1) return;
  const seen = given.length === 0 ? "none was passed" : `${given.join(" and ")} were passed`;
  throw new MemoryError("usage", `Pass exactly one of ${Object.keys(choices).join(", ")}; ${seen}.`);
}

async function placeOf(memory: ThreadMemory, head: ThreadHead, input: I.CheckpointInput): Promise<Place> {
  const { thread_id, message_count } = head;
  const { to_message_id: id, to_seq: seq } = input;
  if (id !== undefined) return placeOfMessage(memory, thread_id, id);
  const stride = strideOf(input.stride_messages);
  const target = seq === undefined ? { ordinal: newestCut(message_count, stride) } : { seq };
  const [place] = await memory.threads.places(thread_id, [target]);
  if (place !== undefined && (seq ?? place.seq) === place.seq) return place;
  if (seq === undefined) {
    const sentence = `Thread ${thread_id} has ${message_count} messages, too few for a cut point with stride ${stride}; pass a smaller stride or a message.`;
    throw new MemoryError("message_not_found", sentence, { thread_id });
  }
  const last = place === undefined ? "there is no message before it" : `the last message before it is ${place.seq}`;
  const sentence = `Frame ${seq} of thread ${thread_id} is not a message; ${last}.`;
  throw new MemoryError("not_a_message", sentence, { thread_id });
}

/** Maximum bytes of a caller's summary. */
const LONGEST = 1024 * 1024;

export interface Covered {
  readonly thread_id: string;
  readonly to_seq: number;
  readonly to_message_id: string | null;
}

interface Given {
  /** Markdown, or the id of a stored summary. */
  readonly given: InputFile | string;
  readonly covered: Covered;
  readonly by: Actor;
  /** `at_most`: a stored summary may cover less. */
  readonly ends: "exact" | "at_most";
}

/**
 * Returns the artifact id of a summary from the caller. Markdown is redacted and stored as a cumulative summary; a stored artifact must be a
 * cumulative summary of the thread. Errors: `invalid_body`, `artifact_not_found`, `invalid_artifact`, `artifact_damaged`, file and store errors.
 */
export async function givenSummary(
  memory: ThreadMemory,
  { given, covered, by, ends }: Given,
  { signal }: Call,
): Promise<string> {
  const { thread_id, to_seq, to_message_id } = covered;
  if (typeof given !== "string") {
    const summary: SummaryArtifact = {
      schema: "rip.compaction_summary.v1",
      kind: CUMULATIVE_KIND,
      coverage: { thread_id, from_seq: 0, to_seq, ...(to_message_id === null ? {} : { to_message_id }) },
      provenance: by,
      summary_markdown: redact(await markdownIn(given, signal)).text,
    };
    return memory.artifacts.put(printSummary(summary));
  }
  const details = { artifact_id: given };
  const bytes = await memory.artifacts.get(given);
  if (bytes === undefined)
    throw new MemoryError("artifact_not_found", `Artifact ${given} is not in the store; check the id.`, details);
  const summary = parseSummary(bytes);
  const fault = "fault" in summary ? summary.fault : misfit(summary, covered, ends);
  if (fault === undefined) return given;
  const wanted = `a cumulative_v1 summary of ${thread_id} up to frame ${to_seq}${ends === "exact" ? "" : " or earlier"}`;
  const sentence = `Artifact ${given} cannot be used here: ${fault}; pass ${wanted}.`;
  throw new MemoryError("invalid_artifact", sentence, details);
}

function misfit(
  { kind, coverage }: SummaryArtifact,
  { thread_id, to_seq }: Covered,
  ends: Given["ends"],
): string | undefined {
  if (kind !== CUMULATIVE_KIND) return `its kind is ${JSON.stringify(kind.slice(0, 60))}`;
  if (coverage.thread_id !== thread_id)
    return `it belongs to thread ${JSON.stringify(coverage.thread_id.slice(0, 96))}`;
  const isWithin = ends === "exact" ? coverage.to_seq === to_seq : coverage.to_seq <= to_seq;
  return isWithin ? undefined : `it covers the frames up to ${coverage.to_seq}`;
}

async function markdownIn(file: InputFile, signal: AbortSignal | undefined): Promise<string> {
  const text = await readInputText(file, { what: "summary", most: LONGEST, signal });
  if (text.trim() !== "") return text;
  throw new MemoryError("invalid_body", `The summary ${file.name} is empty; it must contain Markdown.`);
}
