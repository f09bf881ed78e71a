import { shortDigest } from "../../base/digest.ts";
import { printPrompt, requestDigest } from "../../summarize/answers/build-request.ts";
import { printJobId } from "../../summarize/answers/record.ts";
import type { PrintedPrompt, SummaryRequest } from "../../summarize/answers/request.ts";
import type { Memory } from "../memory.ts";
import type { Call } from "../operation.ts";
import { firstUsable, listAllRecords, readRecord, type ListedRecord } from "./answer-store.ts";
import type { RequestSpace, Subject } from "./subject.ts";

/** A request as it would go out, with its digest. */
export interface Prepared {
  readonly subject: Subject;
  readonly request: SummaryRequest;
  readonly printed: PrintedPrompt;
  /** 64 digits. */
  readonly digest: string;
  readonly jobId: string;
  /** o200k tokens of what goes out. */
  readonly promptTokens: number;
  /** The most that one try can cost: what goes out, and the budget of the answer. */
  readonly tokens: number;
}

/** Reads the sources of a subject and makes the request to that model. Errors: those of reading, `changed_by_other`. */
export async function prepareRequest(
  memory: Memory,
  subject: Subject,
  to: { readonly model: string; readonly space: RequestSpace; readonly call: Call },
): Promise<Prepared> {
  const request = await subject.request(to.space, to.call);
  const printed = printPrompt(request);
  const digest = requestDigest(request, to.model);
  const promptTokens = memory.tokens.count(printed.instructions) + memory.tokens.count(printed.prompt);
  const jobId = printJobId({ kind: subject.kind, label: subject.label, digest });
  return { subject, request, printed, digest, jobId, promptTokens, tokens: promptTokens + request.budgetTokens };
}

/** The records of a subject, of any basis. */
export async function recordsOf(memory: Memory, subject: Subject): Promise<readonly ListedRecord[]> {
  return (await listAllRecords(memory, subject.kind)).filter(({ label }) => label === subject.label);
}

/** Whether an answer was accepted for what the summary is of, and its record is whole. Reads only records of that basis. */
export async function isAccepted(memory: Memory, records: readonly ListedRecord[], basis: string): Promise<boolean> {
  return (await firstUsable(memory, records, basis)) !== undefined;
}

/** Whether this very request was answered before, whatever became of the answer; one whose record is damaged is none. */
export async function isAsked(memory: Memory, records: readonly ListedRecord[], digest: string): Promise<boolean> {
  for (const record of records)
    if (record.digest === shortDigest(digest) && (await readRecord(memory, record.path)) !== "damaged") return true;
  return false;
}
