import { MemoryError } from "../../base/errors.ts";
import { redact } from "../../base/redact/index.ts";
import { shown } from "../../base/shown.ts";
import type { Memory } from "../memory.ts";
import type { Call, InputFile } from "../operation.ts";
import { listAllRecords, readRecord, type ListedRecord } from "./answer-store.ts";
import type { SubmitInput } from "./inputs.ts";
import { findJob, jobParts, pullModel } from "./jobs.ts";
import { codesOf, judgeAnswer, type Judged } from "./judge.ts";
import { appendLedger } from "./ledger.ts";
import { isAccepted, recordsOf, type Prepared } from "./prepared.ts";
import type { SubmitResult } from "./results.ts";
import { openSubjects } from "./subjects.ts";
import { takeRecordedThreads } from "./thread-subject.ts";

/** Bytes of a file that are read at most; every answer that could be accepted is far shorter. */
const longestFile = 1024 * 1024;
const longestBy = 96;

/**
 * Checks and records the answer of an agent. A refused one is kept aside. Errors: `job_not_found`, `job_stale`, `invalid_body` (not UTF-8, too long), `usage`
 * (`by`), those of the disk.
 */
export async function submitAnswer(memory: Memory, input: SubmitInput, call: Call = {}): Promise<SubmitResult> {
  const by = checkBy(input.by);
  const answered = await answeredJob(memory, input.job);
  if (answered !== undefined) {
    await takeRecordedThreads(memory, call);
    return known(input.job, nextOfAnswered(input.job));
  }
  const prepared = await findJob(memory, input.job, { subjects: openSubjects(memory), call });
  const { subject, request, jobId, digest } = prepared;
  if (await isAccepted(memory, await recordsOf(memory, subject), request.basis)) return known(jobId, subject.next);
  const text = await textIn(input.file, call.signal);
  const judged = await judgeAnswer(memory, prepared, {
    given: { text, end: "complete" },
    model: pullModel,
    ...(by === undefined ? {} : { by }),
    tokens: undefined,
    call,
  });
  if (judged.outcome === "written") {
    const { kind, label } = subject;
    const outcome = judged.record.state === "accepted" ? "accepted" : "refused";
    const codes = codesOf(judged.record);
    await appendLedger(memory, [{ event: "submitted", kind, label, digest, model: pullModel, outcome, codes }]);
  }
  return resultOf(prepared, judged);
}

function resultOf({ jobId, subject }: Prepared, judged: Judged): SubmitResult {
  const { record, path, outcome } = judged;
  if (record.state === "accepted" && outcome === "known") return known(jobId, subject.next);
  const isRefused = record.state === "refused";
  return {
    job_id: jobId,
    state: isRefused ? "refused" : "accepted",
    findings: record.findings,
    path,
    late: subject.state === "fixed",
    next: isRefused ? `heartwood summaries submit ${jobId} --file FILE` : subject.next,
  };
}

/** The accepted answer to this very job, whatever became of its sources since. Errors: `job_not_found`. */
async function answeredJob(memory: Memory, job: string): Promise<ListedRecord | undefined> {
  const { kind, label, digest } = jobParts(job);
  const found = (await listAllRecords(memory, kind)).filter(
    (record) => record.state === "accepted" && record.label === label && record.digest.startsWith(digest),
  );
  for (const record of found) if ((await readRecord(memory, record.path)) !== "damaged") return record;
  return undefined;
}

/** The label of a thread's answer is its id and the cut. */
function nextOfAnswered(job: string): string {
  const { kind, label } = jobParts(job);
  return kind === "thread" ? `heartwood thread compile ${label.slice(0, label.lastIndexOf("."))}` : "heartwood compact";
}

function known(jobId: string, next: string): SubmitResult {
  return { job_id: jobId, state: "known", findings: [], path: null, late: false, next };
}

function checkBy(by: string | undefined): string | undefined {
  if (by === undefined || (by.trim() !== "" && by.length <= longestBy && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(by)))
    return by === undefined ? undefined : redact(by).text;
  throw new MemoryError(
    "usage",
    `by is ${JSON.stringify(shown(by, longestBy))}; give one line of at most ${longestBy} characters.`,
    { field: "by" },
  );
}

async function textIn(file: InputFile, signal: AbortSignal | undefined): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of file.chunks(signal)) {
    size += chunk.length;
    if (size > longestFile)
      throw new MemoryError("invalid_body", `The answer ${file.name} is longer than ${longestFile} bytes; shorten it.`);
    chunks.push(chunk);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new MemoryError("invalid_body", `The answer ${file.name} is not UTF-8; convert it first (iconv -t utf-8).`);
  }
}
