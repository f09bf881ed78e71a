import { sha256, shortDigest } from "../../base/digest.ts";
import { buildRequest } from "../../summarize/answers/build-request.ts";
import { isRefused, readAnswer } from "../../summarize/answers/read-answer.ts";
import type { AnswerRecord } from "../../summarize/answers/record.ts";
import type { AnswerFinding, SummaryRequest } from "../../summarize/answers/request.ts";
import { CUMULATIVE_KIND } from "../../thread/cut-points.ts";
import { printThreadAnswer, readThreadAnswer } from "../../thread/answered-summary.ts";
import type { SummaryArtifact } from "../../thread/summary-format.ts";
import type { StoredCheckpoint } from "../../ports/thread-store.ts";
import { MemoryError } from "../../base/errors.ts";
import type { Memory } from "../memory.ts";
import type { Call } from "../operation.ts";
import { readSummary } from "../threads/block-lines.ts";
import { readBase } from "../threads/delta.ts";
import { firstUsable, listRecords, readRecord } from "./answer-store.ts";
import { placeLines } from "./place-lines.ts";
import type { GivenAnswer, ReadAnswer, RequestSpace, Subject } from "./subject.ts";
import { appendAnswered } from "./thread-accept.ts";
import { threadSources } from "./thread-sources.ts";

export interface ThreadSubjectsInput {
  /** Subjects at most; at least 1. */
  readonly limit: number;
  /** This thread alone. */
  readonly thread_id?: string;
  /** `all`: also threads of which an answer to the newest summary is on record already. Default `unanswered`. */
  readonly of?: "unanswered" | "all";
}

/** Subjects that are listed at most. */
export const mostThreadSubjects = 100;
/** Threads that are looked at. */
const mostThreads = 200;
/** Checkpoints at one cut that are looked at. */
const mostCopies = 16;

/**
 * Threads whose newest cumulative checkpoint was made by the built-in summarizer and has no answer on record, the last appended to first. All are `due`.
 * At most 200 threads are looked at. An answer is put to use by `accept`, which may be called again.
 */
export async function threadSubjects(memory: Memory, input: ThreadSubjectsInput): Promise<readonly Subject[]> {
  const isAll = input.of === "all";
  const records = await acceptedThreads(memory);
  const subjects: Subject[] = [];
  for (const thread_id of await threadIds(memory, input.thread_id)) {
    if (subjects.length >= input.limit) break;
    const newest = await newestBuiltIn(memory, thread_id, isAll ? "any_copy" : "newest_copy");
    if (newest === undefined) continue;
    const subject = threadSubject(memory, newest);
    const own = isAll ? [] : records.filter(({ label }) => label === subject.label);
    if ((await firstUsable(memory, own, subject.basis)) === undefined) subjects.push(subject);
  }
  return subjects;
}

/** Puts answers to use that are on record and in no checkpoint, as a crash between the two leaves them. How many there were. Errors: as `accept`. */
export async function takeRecordedThreads(memory: Memory, call: Call): Promise<number> {
  const records = await acceptedThreads(memory);
  if (records.length === 0) return 0;
  let taken = 0;
  for (const thread_id of await threadIds(memory, undefined)) {
    const newest = await newestBuiltIn(memory, thread_id, "newest_copy");
    const subject = newest === undefined ? undefined : threadSubject(memory, newest);
    const found = records.find(({ label, basis }) => label === subject?.label && basis === shortDigest(subject.basis));
    const record = found === undefined ? undefined : await readRecord(memory, found.path);
    if (typeof record !== "object" || record.basis !== subject?.basis) continue;
    await subject.accept?.(record, call);
    taken += 1;
  }
  return taken;
}

async function acceptedThreads(memory: Memory) {
  return (await listRecords(memory, "thread")).filter(({ state }) => state === "accepted");
}

/** A store that is not there is not opened. */
async function threadIds(memory: Memory, one: string | undefined): Promise<readonly string[]> {
  if ((await memory.files.list(".heartwood/threads")).length === 0) return [];
  if (one !== undefined) return (await memory.threads.head(one)) === undefined ? [] : [one];
  return (await memory.threads.heads({ limit: mostThreads })).heads.map(({ thread_id }) => thread_id);
}

interface BuiltIn {
  readonly checkpoint: StoredCheckpoint;
  readonly thread_id: string;
  readonly summary: SummaryArtifact;
}

async function newestBuiltIn(
  memory: Memory,
  thread_id: string,
  which: "newest_copy" | "any_copy",
): Promise<BuiltIn | undefined> {
  const found = await memory.threads.checkpoints({ thread_id, kind: CUMULATIVE_KIND, limit: mostCopies });
  const copies = found.filter(({ to_seq, ordinals }) => to_seq === found[0]?.to_seq && ordinals !== null);
  for (const checkpoint of which === "newest_copy" ? copies.slice(0, 1) : copies) {
    const summary = await readSummary(memory, checkpoint.artifact_id);
    if (summary !== undefined && isBuiltIn(summary, checkpoint)) return { checkpoint, thread_id, summary };
  }
  return undefined;
}

function isBuiltIn({ provenance, basis, coverage }: SummaryArtifact, { to_seq }: StoredCheckpoint): boolean {
  const isOurs = provenance.produced_by?.type === "job" && /^built-in-thread-\d+$/u.test(basis?.note ?? "");
  return isOurs && coverage.to_seq === to_seq;
}

const nothingPlaced: AnswerFinding = {
  code: "missing_section",
  severity: "error",
  message: "No list item has words of a message, or names one; at least one is needed, as - #12 user: text.",
  line: null,
};

/** Lines and bytes of an answer: those of a cumulative summary. */
const space = { lines: 400, bytes: 60_000 };

function threadSubject(memory: Memory, { checkpoint, thread_id, summary }: BuiltIn): Subject {
  const { to_seq, to_message_id, artifact_id } = checkpoint;
  const label = `${thread_id}.${to_seq}`;
  const basis = sha256(["heartwood.basis.v1", "thread", label, artifact_id, ""].join("\n"));
  const count = (text: string): number => memory.tokens.count(text);
  const request = async ({ contextTokens, notes }: RequestSpace, call: Call): Promise<SummaryRequest> => {
    const baseId = summary.basis?.base_summary_artifact_id;
    const base = baseId === undefined ? null : ((await readBase(memory, thread_id, baseId)) ?? null);
    const [to] = await memory.threads.places(thread_id, [{ seq: to_seq }]);
    if (to === undefined)
      throw new MemoryError("not_a_message", `Thread ${thread_id} has no message up to ${to_seq}.`, { thread_id });
    const sources = await threadSources(memory, { thread_id, to, base }, call);
    return buildRequest({ kind: "thread", label, basis, sources, mustKeep: [], space, contextTokens, notes }, count);
  };
  const read = async (asked: SummaryRequest, answer: GivenAnswer): Promise<ReadAnswer> => {
    const { findings, lines, text, tokens } = readAnswer(asked, answer, count);
    if (isRefused(findings)) return { findings, summary: [], text, tokens };
    const items = readThreadAnswer(lines.map((line) => line.text));
    const summary = printThreadAnswer(placeLines(items, asked.sources));
    return { findings: summary.length > 0 ? findings : [...findings, nothingPlaced], summary, text, tokens };
  };
  return {
    kind: "thread",
    label,
    basis,
    state: "due",
    cut: { thread_id, to_seq, to_message_id },
    request,
    read,
    accept: async (record: AnswerRecord, call: Call) =>
      appendAnswered(memory, { record, builtIn: { artifact_id, summary }, checkpoint }, call),
    next: `heartwood thread compile ${thread_id}`,
  };
}
