import { MemoryError } from "../../base/errors.ts";
import { redact } from "../../text/redact/redact.ts";
import { shown } from "../../text/shown.ts";
import type { SummaryMemory } from "../memory.ts";
import type { Call, InputFile } from "../../base/operation.ts";
import {
  commitRecord,
  firstUsable,
  listAllRecords,
  type ListedRecord,
  readRecord,
  appendLedger,
} from "../../tree/run/answer-store.ts";
import type { DropInput, SubmitInput } from "./inputs.ts";
import type { DropResult, SubmitResult } from "./results.ts";
import { findJob, jobParts, notFound, pullModel } from "./pending.ts";
import { codesOf, judgeAnswer } from "./subject.ts";
import { openSubjects } from "./subjects.ts";
import { appendBuiltIn, takeRecordedThreads } from "./thread-subject.ts";

/** Bytes of a file that are read at most; every answer that could be accepted is far shorter. */
const longestFile = 1024 * 1024;
const longestBy = 96;

/**
 * Checks and records the answer of an agent. A refused one is kept aside. Errors: `job_not_found`, `job_stale`, `invalid_body` (not UTF-8, too long), `usage`
 * (`by`), those of the disk.
 */
export async function submitAnswer(memory: SummaryMemory, input: SubmitInput, call: Call = {}): Promise<SubmitResult> {
  const by = checkBy(input.by);
  const { kind, label } = jobParts(input.job);
  for (const { path } of await acceptedFor(memory, input.job))
    if ((await readRecord(memory, path)) !== "damaged") {
      // Whatever became of its sources since.
      await takeRecordedThreads(memory, call);
      const thread = label.slice(0, label.lastIndexOf("."));
      return known(input.job, kind === "thread" ? `heartwood thread compile ${thread}` : "heartwood compact");
    }
  const prepared = await findJob(memory, input.job, call);
  const { subject, jobId, digest } = prepared;
  const records = await listAllRecords(memory, subject.kind);
  if ((await firstUsable(memory, records, subject)) !== undefined) return known(jobId, subject.next);
  const text = await textIn(input.file, call.signal);
  const { record, path, outcome } = await judgeAnswer(memory, prepared, {
    text,
    end: "complete",
    model: pullModel,
    by,
    call,
  });
  const state = record.state === "accepted" ? "accepted" : "refused";
  if (outcome === "written") {
    const codes = codesOf(record.findings);
    await appendLedger(memory, [{ event: "submitted", kind, label, digest, model: pullModel, outcome: state, codes }]);
  } else if (state === "accepted") return known(jobId, subject.next);
  return {
    job_id: jobId,
    state,
    findings: record.findings,
    path,
    late: subject.state === "fixed",
    next: state === "refused" ? `heartwood summaries submit ${jobId} --file FILE` : subject.next,
  };
}

/** The accepted answers to this very job. Errors: `job_not_found`. */
async function acceptedFor(memory: SummaryMemory, job: string): Promise<readonly ListedRecord[]> {
  const { kind, label, digest } = jobParts(job);
  return (await listAllRecords(memory, kind)).filter(
    (record) => record.state === "accepted" && record.label === label && record.digest.startsWith(digest),
  );
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

/** Sets an accepted answer aside. The same request does not go out again by itself. Errors: `job_not_found`, `artifact_damaged`, those of the disk. */
export async function dropAnswer(memory: SummaryMemory, input: DropInput, call: Call = {}): Promise<DropResult> {
  const { kind, label } = jobParts(input.job);
  const [listed] = await acceptedFor(memory, input.job);
  if (listed === undefined) throw notFound(input.job, "no accepted answer of that name is on record");
  const record = await readRecord(memory, listed.path);
  if (record === "missing") throw notFound(input.job, "its record was taken away meanwhile");
  if (record === "damaged")
    throw new MemoryError(
      "artifact_damaged",
      `${shown(listed.path, 300)} is damaged, and is not used anyway: restore it, or delete it.`,
      { path: listed.path },
    );
  const restore = async (): Promise<void> => {
    if (kind === "thread") await appendBuiltIn(memory, record, call);
  };
  // Before, so that after a crash dropping it again goes on; after, since a run in between may have taken it once more.
  await restore();
  // First kept under its new name: a crash between the two leaves it accepted, and dropping it again goes on.
  const { path } = await commitRecord(memory, { ...record, state: "dropped" });
  await memory.files.commit([{ path: listed.path, bytes: undefined, expect: "anything" }]);
  await restore();
  await appendLedger(memory, [{ event: "dropped", kind, label, digest: record.digest, model: record.model }]);
  const subject = await openSubjects(memory).find(kind, label);
  return { job_id: input.job, path, next: subject?.next ?? "heartwood compact" };
}
