import { shortDigest } from "../../base/digest.ts";
import { MemoryError, type Warning } from "../../base/errors.ts";
import { decodeText } from "../../base/lines.ts";
import { pushAll } from "../../base/lists.ts";
import { redact } from "../../text/redact/redact.ts";
import { shown } from "../../text/shown.ts";
import { printedSources } from "../request/build-request.ts";
import { parseJobId } from "../request/record.ts";
import { type SummaryKind, summaryKinds } from "../request/request.ts";
import { readConfiguration } from "../../tree/setup/configuration.ts";
import type { SummaryMemory } from "../memory.ts";
import type { Call } from "../../base/operation.ts";
import { firstUsable, listAllRecords, readRecord } from "./answer-store.ts";
import type { PendingInput } from "./inputs.ts";
import type { PendingResult, SummaryJob } from "./results.ts";
import { effectiveSettings, pullContextTokens } from "./settings.ts";
import { codesOf, errorsIn, type Prepared, prepareRequest, type RequestSpace, unreadable } from "./subject.ts";
import { openSubjects } from "./subjects.ts";

const defaultLimit = 10;

/** The jobs, with all that an agent needs to answer them. Writes and sends nothing. Errors: `job_not_found`, `job_stale`, `invalid_config`. */
export async function readPending(memory: SummaryMemory, input: PendingInput, call: Call = {}): Promise<PendingResult> {
  if (input.job !== undefined) {
    const job = await jobOf(memory, await findJob(memory, input.job, call));
    return { jobs: [job], hidden: { open: 0, over_limit: 0 }, warnings: [], next: nextOf([job]) };
  }
  const { kind, open, limit = defaultLimit } = input;
  const source = openSubjects(memory);
  const space = await jobSpace(memory);
  const jobs: SummaryJob[] = [];
  const warnings: Warning[] = [];
  const hidden = { open: 0, over_limit: 0 };
  for (const each of kind === undefined ? summaryKinds : [kind]) {
    const records = await listAllRecords(memory, each);
    for (const subject of await source.list(each)) {
      if ((await firstUsable(memory, records, subject)) !== undefined) continue;
      if (subject.state !== "due" && open !== true) hidden.open += 1;
      else if (jobs.length >= limit) hidden.over_limit += 1;
      else {
        call.signal?.throwIfAborted();
        try {
          jobs.push(await jobOf(memory, await prepareRequest(memory, subject, { model: pullModel, space, call })));
        } catch (error) {
          pushAll(warnings, unreadable(subject, error));
        }
      }
    }
  }
  return { jobs, hidden, warnings, next: nextOf(jobs) };
}

async function jobOf(memory: SummaryMemory, prepared: Prepared): Promise<SummaryJob> {
  const { subject, request, digest } = prepared;
  return {
    job_id: prepared.jobId,
    kind: subject.kind,
    period: subject.kind === "thread" ? null : subject.label,
    cut: subject.cut ?? null,
    prompt: prepared.printed.instructions,
    sources: printedSources(request),
    budget_tokens: request.budgetTokens,
    must_keep: request.mustKeep.map(({ topic, type, lines }) => ({ topic, type, text: lines.join("\n") })),
    digest,
    state: subject.state,
    tokens: prepared.promptTokens,
    left_out_lines: request.leftOut,
    refused: await refusedCodes(memory, prepared),
  };
}

/** Why the last answer to this request was refused. */
async function refusedCodes(memory: SummaryMemory, { subject, digest }: Prepared): Promise<readonly string[]> {
  const refused = (await listAllRecords(memory, subject.kind)).filter(
    (record) => record.state === "refused" && record.label === subject.label && record.digest === shortDigest(digest),
  );
  const records = await Promise.all(refused.map(({ path }) => readRecord(memory, path)));
  const last = records
    .flatMap((record) => (typeof record === "object" ? [record] : []))
    .toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))[0];
  return codesOf(errorsIn(last?.findings ?? []));
}

function nextOf(jobs: readonly SummaryJob[]): string {
  const first = jobs[0];
  return first === undefined ? "heartwood status" : `heartwood summaries submit ${first.job_id} --file FILE`;
}

/** Who answers jobs, in records and digests. */
export const pullModel = "pull";

const notesPath = "memory/agents/compaction/AGENT.md";
/** Bytes that are read of them: secrets are found in more than what is kept, so that none is cut in two. */
const readNotes = 64 * 1024;

/** What a job may hold, with the notes of agents. */
async function jobSpace(memory: SummaryMemory): Promise<RequestSpace> {
  const { configuration } = await readConfiguration(memory);
  const { adapter, contextTokens } = effectiveSettings(memory, configuration);
  const notes = await readAgentNotes(memory);
  const space = { contextTokens: adapter === "pull" ? contextTokens : pullContextTokens };
  return notes === undefined ? space : { ...space, notes };
}

async function readAgentNotes(memory: SummaryMemory): Promise<string | undefined> {
  const read = await memory.files.read(notesPath, { from: 0, to: readNotes });
  if (read === undefined) return undefined;
  // The last line may be cut, also inside of a character.
  const end = read.size > readNotes ? Math.max(0, Buffer.from(read.bytes).lastIndexOf(10)) : read.bytes.length;
  const text = decodeText(read.bytes.subarray(0, end));
  if (text === undefined) return undefined;
  return redact(text).text.replaceAll("\r\n", "\n").trim() || undefined;
}

/** The parts of a job id. Errors: `job_not_found`. */
export function jobParts(job: string): { readonly kind: SummaryKind; readonly label: string; readonly digest: string } {
  const parts = parseJobId(job);
  if (parts !== undefined) return parts;
  throw notFound(job, "a job is named as daily-2026-03-15-9f2c1f3a");
}

/** The request that a job id stands for. Errors: `job_not_found`, `job_stale`, those of reading. */
export async function findJob(memory: SummaryMemory, job: string, call: Call): Promise<Prepared> {
  const { kind, label, digest } = jobParts(job);
  const subject = await openSubjects(memory).find(kind, label);
  if (subject === undefined) throw notFound(job, "nothing of that name can be summarised now");
  const to = { model: pullModel, space: await jobSpace(memory), call };
  const prepared = await prepareRequest(memory, subject, to).catch((error: unknown) => {
    if (!(error instanceof MemoryError) || error.code !== "changed_by_other") throw error;
    // Only the next run decides what the job will be.
    throw stale(
      job,
      "its sources have changed; run heartwood compact, then list the jobs with heartwood summaries pending",
    );
  });
  if (prepared.digest.startsWith(digest)) return prepared;
  const now = prepared.jobId;
  throw stale(job, `its sources, its notes or the prompt have changed; the job is ${now} now`, { now });
}

function stale(job: string, why: string, more: { readonly now?: string } = {}): MemoryError {
  const name = shown(job, 160);
  const message = `The job ${name} is no longer what it was: ${why}. Nothing was recorded.`;
  return new MemoryError("job_stale", message, { job: name, ...more });
}

export function notFound(job: string, why: string): MemoryError {
  return new MemoryError(
    "job_not_found",
    `There is no job ${JSON.stringify(shown(job, 160))}: ${why}; list the jobs with heartwood summaries pending.`,
    { job: shown(job, 160) },
  );
}
