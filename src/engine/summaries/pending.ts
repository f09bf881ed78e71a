import { summaryKinds } from "../../summarize/answers/request.ts";
import { MemoryError, type Warning } from "../../base/errors.ts";
import { shortDigest } from "../../base/digest.ts";
import { printedSources } from "../../summarize/answers/build-request.ts";
import type { Memory } from "../memory.ts";
import type { Call } from "../operation.ts";
import { listAllRecords, readRecord } from "./answer-store.ts";
import type { PendingInput } from "./inputs.ts";
import { findJob, jobSpace, prepareJob } from "./jobs.ts";
import { codesOf } from "./judge.ts";
import { isAccepted, type Prepared } from "./prepared.ts";
import type { PendingResult, SummaryJob } from "./results.ts";
import { openSubjects } from "./subjects.ts";
import type { Subject } from "./subject.ts";

const defaultLimit = 10;

/** The jobs, with all that an agent needs to answer them. Writes and sends nothing. Errors: `job_not_found`, `job_stale`, `invalid_config`. */
export async function readPending(memory: Memory, input: PendingInput, call: Call = {}): Promise<PendingResult> {
  if (input.job !== undefined) {
    const job = await jobOf(memory, await findJob(memory, input.job, { subjects: openSubjects(memory), call }));
    return { jobs: [job], hidden: { open: 0, over_limit: 0 }, warnings: [], next: nextOf([job]) };
  }
  const subjects = await subjectsOf(memory, input);
  const wanted = subjects.filter(({ state }) => state === "due" || (input.open === true && state === "open"));
  const { jobs, warnings, read } = await readJobs(memory, wanted, { limit: input.limit ?? defaultLimit, call });
  const hidden = { open: subjects.length - wanted.length, over_limit: wanted.length - read };
  return { jobs, hidden, warnings, next: nextOf(jobs) };
}

async function subjectsOf(memory: Memory, { kind }: PendingInput): Promise<readonly Subject[]> {
  const source = openSubjects(memory);
  const found: Subject[] = [];
  for (const each of kind === undefined ? summaryKinds : [kind]) {
    const records = Map.groupBy(await listAllRecords(memory, each), ({ label }) => label);
    for (const subject of await source.list(each))
      if (!(await isAccepted(memory, records.get(subject.label) ?? [], subject.basis))) found.push(subject);
  }
  return found;
}

/** One whose sources cannot be read now is passed over, with a warning. */
async function readJobs(
  memory: Memory,
  subjects: readonly Subject[],
  { limit, call }: { readonly limit: number; readonly call: Call },
): Promise<{ readonly jobs: readonly SummaryJob[]; readonly warnings: readonly Warning[]; readonly read: number }> {
  const space = await jobSpace(memory);
  const jobs: SummaryJob[] = [];
  const warnings: Warning[] = [];
  let read = 0;
  for (const subject of subjects) {
    if (jobs.length >= limit) break;
    call.signal?.throwIfAborted();
    read += 1;
    try {
      jobs.push(await jobOf(memory, await prepareJob(memory, subject, { space, call })));
    } catch (error) {
      if (!(error instanceof MemoryError) || error.code === "aborted") throw error;
      // There is nothing in its sources that may be told: nobody can do anything about that.
      if (error.code !== "not_found")
        warnings.push({ code: error.code, message: `${subject.kind} ${subject.label}: ${error.message}` });
    }
  }
  return { jobs, warnings, read };
}

async function jobOf(memory: Memory, prepared: Prepared): Promise<SummaryJob> {
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
async function refusedCodes(memory: Memory, { subject, digest }: Prepared): Promise<readonly string[]> {
  const refused = (await listAllRecords(memory, subject.kind)).filter(
    (record) => record.state === "refused" && record.label === subject.label && record.digest === shortDigest(digest),
  );
  const records = await Promise.all(refused.map(({ path }) => readRecord(memory, path)));
  const last = records
    .flatMap((record) => (typeof record === "object" ? [record] : []))
    .toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))[0];
  return codesOf({ findings: (last?.findings ?? []).filter(({ severity }) => severity === "error") });
}

function nextOf(jobs: readonly SummaryJob[]): string {
  const first = jobs[0];
  return first === undefined ? "heartwood status" : `heartwood summaries submit ${first.job_id} --file FILE`;
}
