import { MemoryError } from "../../base/errors.ts";
import { shown } from "../../base/shown.ts";
import { type AnswerRecord, printRecord, recordPath } from "../../summarize/answers/record.ts";
import type { Memory } from "../memory.ts";
import { encode } from "../node-files.ts";
import type { Call } from "../operation.ts";
import { listAllRecords, readRecord } from "./answer-store.ts";
import type { DropInput } from "./inputs.ts";
import { jobParts, notFound } from "./jobs.ts";
import { appendLedger } from "./ledger.ts";
import type { DropResult } from "./results.ts";
import { openSubjects } from "./subjects.ts";

/** Sets an accepted answer aside. The same request does not go out again by itself. Errors: `job_not_found`, `artifact_damaged`, those of the disk. */
export async function dropAnswer(memory: Memory, input: DropInput, call: Call = {}): Promise<DropResult> {
  const { kind, label, digest } = jobParts(input.job);
  const listed = (await listAllRecords(memory, kind)).find(
    (record) => record.state === "accepted" && record.label === label && record.digest.startsWith(digest),
  );
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
    if (kind === "thread") await (await import("./thread-accept.ts")).appendBuiltIn(memory, record, call);
  };
  // Before, so that after a crash dropping it again goes on; after, since a run in between may have taken it once more.
  await restore();
  const path = await setAside(memory, record, listed.path);
  await restore();
  await appendLedger(memory, [{ event: "dropped", kind, label, digest: record.digest, model: record.model }]);
  const subject = await openSubjects(memory).find(kind, label);
  return { job_id: input.job, path, next: subject?.next ?? "heartwood compact" };
}

/** First kept under its new name, then gone under the old one: a crash between leaves it accepted, and dropping it again goes on. */
async function setAside(memory: Memory, record: AnswerRecord, from: string): Promise<string> {
  const dropped: AnswerRecord = { ...record, state: "dropped" };
  const path = recordPath(dropped);
  await memory.files.commit([{ path, bytes: encode(printRecord(dropped)), expect: "anything" }]);
  await memory.files.commit([{ path: from, bytes: undefined, expect: "anything" }]);
  return path;
}
