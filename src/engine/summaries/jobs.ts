import { MemoryError } from "../../base/errors.ts";
import { decodeText } from "../../base/lines.ts";
import { redact } from "../../base/redact/index.ts";
import { shown } from "../../base/shown.ts";
import { parseJobId } from "../../summarize/answers/record.ts";
import type { SummaryKind } from "../../summarize/answers/request.ts";
import { readConfiguration } from "../configuration.ts";
import type { Memory } from "../memory.ts";
import type { Call } from "../operation.ts";
import { prepareRequest, type Prepared } from "./prepared.ts";
import { effectiveSettings, pullContextTokens } from "./settings.ts";
import type { SubjectSource } from "./subject-source.ts";
import type { RequestSpace, Subject } from "./subject.ts";

/** Who answers jobs, in records and digests. */
export const pullModel = "pull";

const notesPath = "memory/agents/compaction/AGENT.md";
/** Bytes of the notes that stand in a job. */
const mostNotes = 8 * 1024;
/** Bytes that are read of them: secrets are found in more than what is kept, so that none is cut in two. */
const readNotes = 64 * 1024;

/** What a job may hold, with the notes of agents. */
export async function jobSpace(memory: Memory): Promise<RequestSpace> {
  const { configuration } = await readConfiguration(memory);
  const { adapter, contextTokens } = effectiveSettings(memory, configuration);
  const notes = await readAgentNotes(memory);
  const space = { contextTokens: adapter === "pull" ? contextTokens : pullContextTokens };
  return notes === undefined ? space : { ...space, notes };
}

async function readAgentNotes(memory: Memory): Promise<string | undefined> {
  const read = await memory.files.read(notesPath, { from: 0, to: readNotes });
  if (read === undefined) return undefined;
  // The last line may be cut, also inside of a character.
  const end = read.size > readNotes ? Math.max(0, Buffer.from(read.bytes).lastIndexOf(10)) : read.bytes.length;
  const text = decodeText(read.bytes.subarray(0, end));
  if (text === undefined) return undefined;
  const clean = Buffer.from(redact(text).text.replaceAll("\r\n", "\n").trim(), "utf8");
  return clean.length === 0 ? undefined : textWithin(clean, mostNotes);
}

/** The first bytes of a text, without half a character at their end. */
function textWithin(bytes: Buffer, most: number): string {
  let end = Math.min(bytes.length, most);
  while (end > 0 && end < bytes.length && ((bytes[end] ?? 0) & 0b1100_0000) === 0b1000_0000) end -= 1;
  return bytes.toString("utf8", 0, end);
}

/** The parts of a job id. Errors: `job_not_found`. */
export function jobParts(job: string): { readonly kind: SummaryKind; readonly label: string; readonly digest: string } {
  const parts = parseJobId(job);
  if (parts !== undefined) return parts;
  throw notFound(job, "a job is named as daily-2026-03-15-9f2c1f3a");
}

/** The request that a job id stands for. Errors: `job_not_found`, `job_stale`, those of reading. */
export async function findJob(
  memory: Memory,
  job: string,
  tools: { readonly subjects: SubjectSource; readonly call: Call },
): Promise<Prepared> {
  const { kind, label, digest } = jobParts(job);
  const subject = await tools.subjects.find(kind, label);
  if (subject === undefined) throw notFound(job, "nothing of that name can be summarised now");
  const space = await jobSpace(memory);
  const prepared = await prepareJob(memory, subject, { space, call: tools.call }).catch((error: unknown) => {
    throw error instanceof MemoryError && error.code === "changed_by_other" ? behind(job) : error;
  });
  if (prepared.digest.startsWith(digest)) return prepared;
  throw new MemoryError(
    "job_stale",
    `The job ${shown(job, 160)} is no longer what it was: its sources, its notes or the prompt have changed; the job is ${prepared.jobId} now. Nothing was recorded.`,
    { job, now: prepared.jobId },
  );
}

/** Before the next run nobody can say what the job will be. */
function behind(job: string): MemoryError {
  const name = shown(job, 160);
  return new MemoryError(
    "job_stale",
    `The job ${name} is no longer what it was: its sources have changed; run heartwood compact, then list the jobs with heartwood summaries pending. Nothing was recorded.`,
    { job: name },
  );
}

export async function prepareJob(
  memory: Memory,
  subject: Subject,
  with_: { readonly space: RequestSpace; readonly call: Call },
): Promise<Prepared> {
  return prepareRequest(memory, subject, { model: pullModel, ...with_ });
}

export function notFound(job: string, why: string): MemoryError {
  return new MemoryError(
    "job_not_found",
    `There is no job ${JSON.stringify(shown(job, 160))}: ${why}; list the jobs with heartwood summaries pending.`,
    { job: shown(job, 160) },
  );
}
