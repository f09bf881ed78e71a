import { sha256, shortDigest } from "../../base/digest.ts";
import { MemoryError } from "../../base/errors.ts";
import { pushAll } from "../../base/lists.ts";
import type { Call } from "../../base/operation.ts";
import type { SummaryMemory } from "../memory.ts";
import { buildRequest } from "../request/build-request.ts";
import { matchLines } from "../../tree/answers/match.ts";
import type { AnswerRecord, AnswerFinding } from "../../tree/answers/record.ts";
import type { SourceText, SourceTextLine } from "../../tree/answers/match.ts";
import type { SummaryRequest } from "../request/request.ts";
import { sendableLines } from "../request/sendable-lines.ts";
import { firstUsable, listAllRecords, listRecords, readRecord } from "../../tree/run/answer-store.ts";
import { type RequestSpace, type Subject, readWith } from "./subject.ts";
import { redact } from "../../text/redact/redact.ts";
import { wordKeys } from "../../text/word-keys.ts";
import { decide } from "../../threads/compact/jobs.ts";
import { stamp } from "../../threads/run/threads.ts";
import { summarizerOf, type Base, linesToBuildOn, readBase } from "../../threads/run/cumulative-lines.ts";
import {
  ANSWER_NOTE,
  type ThreadAnswerItem,
  answeredSummary,
  printThreadAnswer,
  readThreadAnswer,
  type SummaryArtifact,
  printSummary,
} from "../../threads/model/summary.ts";
import type { Role, SummaryLine, Utterance } from "../../base/summary-line.ts";
import { cumulativeCheckpoint } from "../../threads/model/job-frames.ts";
import { CUMULATIVE_KIND } from "../../threads/plan/cut-points.ts";
import { stretchesOf } from "../../threads/plan/ladder.ts";
import { BlockLines } from "../../threads/run/block-lines.ts";
import { readSummary } from "../../threads/run/read-summary.ts";
import { RawReader } from "../../threads/run/raw-reader.ts";
import type { Place, StoredCheckpoint } from "../../threads/store/thread-store.ts";

interface ThreadSubjectsInput {
  /** Subjects at most; at least 1. */
  readonly limit: number;
  /** This thread alone. */
  readonly thread_id?: string | undefined;
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
export async function threadSubjects(memory: SummaryMemory, input: ThreadSubjectsInput): Promise<readonly Subject[]> {
  const records = await listAllRecords(memory, "thread");
  const subjects: Subject[] = [];
  for (const thread_id of await threadIds(memory, input.thread_id)) {
    if (subjects.length >= input.limit) break;
    const subject = await subjectOf(memory, thread_id);
    if (subject !== undefined && (await firstUsable(memory, records, subject)) === undefined) subjects.push(subject);
  }
  return subjects;
}

/** Puts answers to use that are on record and in no checkpoint, as a crash between the two leaves them. How many there were. Errors: as `accept`. */
export async function takeRecordedThreads(memory: SummaryMemory, call: Call): Promise<number> {
  const records = (await listRecords(memory, "thread")).filter(({ state }) => state === "accepted");
  if (records.length === 0) return 0;
  let taken = 0;
  for (const thread_id of await threadIds(memory, undefined)) {
    const subject = await subjectOf(memory, thread_id);
    if (subject === undefined) continue;
    const found = records.find(({ label, basis }) => label === subject.label && basis === shortDigest(subject.basis));
    const record = found === undefined ? undefined : await readRecord(memory, found.path);
    if (typeof record !== "object" || record.basis !== subject.basis) continue;
    await subject.accept?.(record, call);
    taken += 1;
  }
  return taken;
}

/** A store that is not there is not opened. */
async function threadIds(memory: SummaryMemory, one: string | undefined): Promise<readonly string[]> {
  if ((await memory.files.list(".heartwood/threads")).length === 0) return [];
  if (one !== undefined) return (await memory.threads.head(one)) === undefined ? [] : [one];
  return (await memory.threads.heads({ limit: mostThreads })).heads.map(({ thread_id }) => thread_id);
}

interface BuiltIn {
  readonly checkpoint: StoredCheckpoint;
  readonly thread_id: string;
  readonly summary: SummaryArtifact;
}

/** The newest cumulative checkpoint of a thread as a subject, where the built-in summarizer made it. */
async function subjectOf(memory: SummaryMemory, thread_id: string): Promise<Subject | undefined> {
  const found = await memory.threads.checkpoints({ thread_id, kind: CUMULATIVE_KIND, limit: mostCopies });
  const checkpoint = found.find(({ to_seq, ordinals }) => to_seq === found[0]?.to_seq && ordinals !== null);
  const summary = checkpoint === undefined ? undefined : await readSummary(memory, checkpoint.artifact_id);
  if (checkpoint === undefined || summary === undefined || !isBuiltIn(summary, checkpoint)) return undefined;
  return threadSubject(memory, { checkpoint, thread_id, summary });
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

function threadSubject(memory: SummaryMemory, { checkpoint, thread_id, summary }: BuiltIn): Subject {
  const { to_seq, to_message_id, artifact_id } = checkpoint;
  const label = `${thread_id}.${to_seq}`;
  const basis = sha256(["heartwood.basis.v1", "thread", label, artifact_id, ""].join("\n"));
  const request = async ({ contextTokens, notes }: RequestSpace, call: Call): Promise<SummaryRequest> => {
    const baseId = summary.basis?.base_summary_artifact_id;
    const base = baseId === undefined ? null : ((await readBase(memory, thread_id, baseId)) ?? null);
    const [to] = await memory.threads.places(thread_id, [{ seq: to_seq }]);
    if (to === undefined)
      throw new MemoryError("not_a_message", `Thread ${thread_id} has no message up to ${to_seq}.`, { thread_id });
    const sources = await threadSources(memory, { thread_id, to, base }, call);
    const facts = { kind: "thread", label, basis, sources, mustKeep: [], space, contextTokens, notes } as const;
    return buildRequest(facts, (text) => memory.tokens.count(text));
  };
  return {
    kind: "thread",
    label,
    basis,
    state: "due",
    cut: { thread_id, to_seq, to_message_id },
    request,
    read: (asked, given) =>
      readWith({ request: asked, given, memory }, (lines) => {
        const items = readThreadAnswer(lines.map((line) => line.text));
        const placed = printThreadAnswer(placeLines(items, asked.sources));
        return { summary: placed, refusals: placed.length > 0 ? [] : [nothingPlaced] };
      }),
    accept: async (record: AnswerRecord, call: Call) =>
      appendAnswered(memory, { record, builtIn: { artifact_id, summary }, checkpoint }, call),
    next: `heartwood thread compile ${thread_id}`,
  };
}

/** Items of an answer as lines of messages that the sources have: the one that an item names, else the one that it fits best; without those that fit none. */
export function placeLines(items: readonly ThreadAnswerItem[], sources: readonly SourceText[]): readonly SummaryLine[] {
  const lines = sources.flatMap((source) => source.lines).filter(({ seq }) => seq !== undefined);
  const roles = new Map(lines.map(({ seq, text }) => [seq, roleIn(text)]));
  const texts = lines.map(({ text }) => text.slice(text.indexOf(": ") + 2));
  const found = matchLines(
    items.map(({ text }) => text),
    texts,
  );
  return items.flatMap(({ seq: named, text }, at): readonly SummaryLine[] => {
    const best = closestLine(text, texts, found[at] ?? []);
    const seq = named !== undefined && roles.has(named) ? named : best === undefined ? undefined : lines[best]?.seq;
    return seq === undefined ? [] : [{ seq, role: roles.get(seq) ?? "user", text }];
  });
}

/** Of lines the index of the one that has the most of a text's words, of equal ones the first. */
function closestLine(text: string, lines: readonly string[], among: readonly number[]): number | undefined {
  const keys = wordKeys(text);
  const shared = (at: number): number => [...wordKeys(lines[at] ?? "")].filter((key) => keys.has(key)).length;
  return among.toSorted((a, b) => shared(b) - shared(a) || a - b)[0];
}

/** A line of a source begins with the role of its message. */
function roleIn(text: string): Role {
  const role = /^(user|assistant|system|tool): /u.exec(text)?.[1];
  return (role ?? "user") as Role;
}

/** Who lets the checkpoints of recorded answers be appended. */
const by = { actor_id: "heartwood", origin: "summaries" } as const;

/**
 * Stores the summary that an accepted answer gives and appends a further checkpoint at the cut of the built-in one, by the same rule: the later of two
 * counts. Appends nothing where that checkpoint is there already. Errors: `not_a_message`, `thread_not_found`, `busy`, and those of the stores.
 */
async function appendAnswered(
  memory: SummaryMemory,
  answered: {
    readonly record: AnswerRecord;
    readonly builtIn: { readonly artifact_id: string; readonly summary: SummaryArtifact };
    /** That of the built-in summary. */
    readonly checkpoint: StoredCheckpoint;
  },
  call: Call,
): Promise<void> {
  const { record, builtIn, checkpoint } = answered;
  const { thread_id } = builtIn.summary.coverage;
  const { to_seq, cut_rule_id } = checkpoint;
  const [to] = await memory.threads.places(thread_id, [{ seq: to_seq }]);
  if (to?.seq !== to_seq)
    throw new MemoryError("not_a_message", `The frame ${to_seq} of thread ${thread_id} is no message.`, { thread_id });
  const summary = answeredSummary({ to, answer: record.summary, model: record.model, builtIn });
  const summary_artifact_id = await memory.artifacts.put(printSummary(summary));
  await decide(memory, { thread_id, by, call }, async () => {
    const copies = await copiesAt(memory, thread_id, to_seq);
    // After it was dropped the built-in one is the newest again.
    if (copies[0] !== builtIn.artifact_id && copies.includes(summary_artifact_id))
      return { answer: undefined, frames: [] };
    const named = { cut_rule_id, summary_artifact_id, to_seq, to_message_id: to.id };
    return { answer: undefined, frames: [cumulativeCheckpoint(stamp(memory), { ...named, by })] };
  });
}

/**
 * Puts the built-in summary back where the one of an answer that was dropped is the newest at its cut: by a further checkpoint that names it, since a log is
 * only appended to. Does nothing where another one is. Errors: `busy`, those of the stores.
 */
export async function appendBuiltIn(memory: SummaryMemory, record: AnswerRecord, call: Call): Promise<void> {
  const [thread_id = "", seq = ""] = /^(.*)\.(\d+)$/u.exec(record.label)?.slice(1) ?? [];
  const to_seq = Number(seq);
  if ((await memory.files.list(".heartwood/threads")).length === 0) return;
  if ((await memory.threads.head(thread_id)) === undefined) return;
  await decide(memory, { thread_id, by, call }, async () => {
    const at = { to_seq_at_least: to_seq, to_seq_at_most: to_seq, limit: 1 };
    const [newest] = await memory.threads.checkpoints({ thread_id, kind: CUMULATIVE_KIND, ...at });
    const summary = newest === undefined ? undefined : await readSummary(memory, newest.artifact_id);
    const builtIn = summary?.basis?.base_summary_artifact_id;
    const isOfAnswer = summary?.basis?.note === ANSWER_NOTE && summary.provenance.produced_by?.id === record.model;
    if (newest === undefined || newest.to_message_id === null || builtIn === undefined || !isOfAnswer)
      return { answer: undefined, frames: [] };
    const { cut_rule_id, to_message_id } = newest;
    const named = { cut_rule_id, summary_artifact_id: builtIn, to_seq, to_message_id };
    return { answer: undefined, frames: [cumulativeCheckpoint(stamp(memory), { ...named, by })] };
  });
}

/** The artifacts of the checkpoints at a cut, the latest frame first. */
async function copiesAt(memory: SummaryMemory, thread_id: string, to_seq: number): Promise<readonly string[]> {
  const at = { to_seq_at_least: to_seq, to_seq_at_most: to_seq, limit: 1000 };
  const found = await memory.threads.checkpoints({ thread_id, kind: CUMULATIVE_KIND, ...at });
  return found.map(({ artifact_id }) => artifact_id);
}

/** A cut of a thread and the summary before it. */
interface ThreadCut {
  readonly thread_id: string;
  readonly to: Place;
  readonly base: Base | null;
}

/** Weight of messages that are read themselves; of older ones the lines of the ladder stand for them. */
const mostRaw = 2 * 1024 * 1024;
/** Parts of the messages, so that each stretch of them has its share. */
const mostParts = 8;
const leastPart = 8192;
/** Weight of messages that are extracted from together, as of the finest rung. */
const together = 8192;
/** Characters of a line with its role; pieces of long lines are shorter. */
const longestText = 1_100;

/** What a model reads of a cut: the lines of the summary before it, then what came since, the old of a long stretch as lines of the ladder. Bounded memory. */
async function threadSources(memory: SummaryMemory, cut: ThreadCut, call: Call): Promise<readonly SourceText[]> {
  const { thread_id, to, base } = cut;
  const [covered] = base === null ? [] : await memory.threads.places(thread_id, [{ seq: base.to_seq }]);
  const start = covered?.weight ?? 0;
  const [first] = await memory.threads.places(thread_id, [{ weight: Math.max(start, to.weight - mostRaw) }]);
  const from = first?.weight_before ?? start;
  const before = base === null ? [] : linesToBuildOn(base.markdown, base.to_seq);
  const older = from > start ? await linesOfLadder(memory, cut, { from: start, to: from, call }) : [];
  return [
    { name: `${thread_id}: before`, lines: toldLines(before) },
    { name: `${thread_id}: earlier`, lines: toldLines(older) },
    ...(await readMessages(memory, cut, { seq: first?.seq ?? 0, weight: from, call })),
  ].filter(({ lines }) => lines.length > 0);
}

/** Lines of summaries; those that come first count most. */
function toldLines(lines: readonly SummaryLine[]): readonly SourceTextLine[] {
  return lines
    .map(({ seq, role, text }, at): SourceTextLine => ({
      text: `${role}: ${text}`,
      refs: [],
      seq,
      weight: lines.length - at,
    }))
    .toSorted((a, b) => (a.seq ?? 0) - (b.seq ?? 0));
}

async function linesOfLadder(
  memory: SummaryMemory,
  { thread_id, to }: ThreadCut,
  range: { readonly from: number; readonly to: number; readonly call: Call },
): Promise<readonly SummaryLine[]> {
  const onPage = pageOf(range.call);
  const source = new BlockLines(memory, { thread_id, end: to, summarizer: summarizerOf(memory), onPage });
  const lines: SummaryLine[] = [];
  for (const stretch of stretchesOf(range.from, range.to))
    pushAll(
      lines,
      stretch.kind === "block" ? await source.ofBlock(stretch.block) : await source.ofRagged(stretch.from, stretch.to),
    );
  return lines;
}

function pageOf({ signal }: Call): () => Promise<void> {
  return async () => signal?.throwIfAborted();
}

/** The messages from one on, line by line, in a few parts; lines that the built-in summarizer chooses weigh more. */
async function readMessages(
  memory: SummaryMemory,
  { thread_id, to }: ThreadCut,
  start: { readonly seq: number; readonly weight: number; readonly call: Call },
): Promise<readonly SourceText[]> {
  const reader = new RawReader(memory.threads, thread_id, pageOf(start.call));
  reader.begin(start, to.seq);
  const size = Math.max(leastPart, Math.ceil((to.weight - start.weight) / mostParts));
  const parts: SourceText[] = [];
  for (let part = start.weight; part < to.weight; part += size) {
    const lines: SourceTextLine[] = [];
    for (let end = part; end < Math.min(part + size, to.weight);) {
      end = Math.min(end + together, part + size, to.weight);
      pushAll(lines, linesOf(memory, await reader.take(end)));
    }
    const [oldest, newest] = [lines[0]?.seq, lines.at(-1)?.seq];
    if (lines.length > 0) parts.push({ name: `${thread_id}: #${oldest} to #${newest}`, lines });
  }
  return parts;
}

function linesOf(memory: SummaryMemory, said: readonly Utterance[]): readonly SourceTextLine[] {
  const chosen = new Map<number, string[]>();
  for (const { seq, text } of said.length === 0 ? [] : summarizerOf(memory).extract(said))
    chosen.set(seq, [...(chosen.get(seq) ?? []), text.slice(0, 40)]);
  return said.flatMap(({ seq, role, text }) => {
    const beginnings = chosen.get(seq) ?? [];
    return sendableLines([{ text: redact(text).text, refs: [], seq }])
      .filter((line) => line.text.trim() !== "")
      .map((line) => ({ ...line, text: `${role}: ${line.text.trim().slice(0, longestText)}`.toWellFormed() }))
      .map((line) => ({ ...line, weight: weightOf(line.text, beginnings) }));
  });
}

function weightOf(text: string, chosen: readonly string[]): number {
  if (chosen.length === 0) return 0;
  return chosen.some((beginning) => text.includes(beginning)) ? 2 : 1;
}
