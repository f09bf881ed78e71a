import { sha256 } from "../../base/digest.ts";
import { MemoryError } from "../../base/errors.ts";
import type { Call } from "../../base/operation.ts";
import type { Role, SummaryLine, Utterance } from "../../base/summary-line.ts";
import { wordKeys } from "../../text/word-keys.ts";
import { decide } from "../../threads/compact/jobs.ts";
import {
  ANSWER_NOTE,
  answeredSummary,
  printSummary,
  printThreadAnswer,
  readThreadAnswer,
  type SummaryArtifact,
  type ThreadAnswerItem,
} from "../../threads/model/summary.ts";
import { CUMULATIVE_KIND } from "../../threads/plan/thread-state.ts";
import { readSummary, linesOfMarkdown } from "../../threads/run/read-summary.ts";
import { summarizerOf, readBase } from "../../threads/run/block-lines.ts";
import { checkpointDraft } from "../../threads/run/threads.ts";
import type { Place, StoredCheckpoint } from "../../threads/store/thread-store.ts";
import { matchLines, type SourceText, type SourceTextLine } from "../../tree/answers/match.ts";
import { type AnswerRecord, refusal } from "../../tree/answers/record.ts";
import { firstUsable, listAllRecords } from "../../tree/run/answer-store.ts";
import type { SummaryMemory } from "../memory.ts";
import { buildRequest } from "../request/build-request.ts";
import { readWith, type Subject } from "./subject.ts";
import { pushAll } from "../../base/lists.ts";
import { redact } from "../../text/redact/redact.ts";
import { RawReader } from "../../threads/run/raw-reader.ts";
import { sendableLines } from "../request/sendable-lines.ts";

/** Maximum subjects listed. */
export const mostThreadSubjects = 100;
const mostThreads = 200;
const mostCopies = 16;

/**
 * Threads whose newest cumulative checkpoint was made by the built-in summarizer and has no recorded answer, most recently appended first. All are
 * `due`. Reads at most 200 threads, or only `thread_id`. `accept` applies an answer and may be called again.
 */
export async function threadSubjects(
  memory: SummaryMemory,
  { limit, thread_id }: { readonly limit: number; readonly thread_id?: string | undefined },
): Promise<readonly Subject[]> {
  const records = await listAllRecords(memory, "thread");
  const subjects: Subject[] = [];
  for (const id of await threadIds(memory, thread_id)) {
    if (subjects.length >= limit) break;
    const subject = await subjectOf(memory, id);
    if (subject !== undefined && (await firstUsable(memory, records, subject)) === undefined) subjects.push(subject);
  }
  return subjects;
}

/** Applies recorded answers that have no checkpoint yet, as after a crash between the two. Returns how many there were. Errors: as `accept`. */
export async function takeRecordedThreads(memory: SummaryMemory, call: Call): Promise<number> {
  const records = await listAllRecords(memory, "thread");
  if (!records.some(({ state }) => state === "accepted")) return 0;
  let taken = 0;
  for (const thread_id of await threadIds(memory, undefined)) {
    const subject = await subjectOf(memory, thread_id);
    const record = subject && (await firstUsable(memory, records, subject));
    if (record === undefined) continue;
    await subject?.accept?.(record, call);
    taken += 1;
  }
  return taken;
}

/** Does not open a store that does not exist. */
async function threadIds(memory: SummaryMemory, one: string | undefined): Promise<readonly string[]> {
  if (memory.team?.project === undefined && (await memory.files.list(".heartwood/threads")).length === 0) return [];
  if (one !== undefined) return (await memory.threads.head(one)) === undefined ? [] : [one];
  return (await memory.threads.heads({ limit: mostThreads })).heads.map(({ thread_id }) => thread_id);
}

const nothingPlaced = refusal(
  "missing_section",
  "No list item has words from a message or refers to one; at least one is required, such as - #12 user: text.",
);

/** Line and byte limits of an answer: those of a cumulative summary. */
const space = { lines: 400, bytes: 60_000 };

/** The newest cumulative checkpoint of a thread as a subject, if the built-in summarizer made it. */
async function subjectOf(memory: SummaryMemory, thread_id: string): Promise<Subject | undefined> {
  const found = await memory.threads.checkpoints({ thread_id, kind: CUMULATIVE_KIND, limit: mostCopies });
  const checkpoint = found.find(({ to_seq, ordinals }) => to_seq === found[0]?.to_seq && ordinals !== null);
  const summary = checkpoint === undefined ? undefined : await readSummary(memory, checkpoint.artifact_id);
  if (checkpoint === undefined || summary === undefined) return undefined;
  const { to_seq, to_message_id, artifact_id } = checkpoint;
  const isOurs = /^built-in-thread-\d+$/u.test(summary.basis?.note ?? "");
  if (!isOurs || summary.provenance.produced_by?.type !== "job" || summary.coverage.to_seq !== to_seq) return undefined;
  const label = `${thread_id}.${to_seq}`;
  const basis = sha256(["heartwood.basis.v1", "thread", label, artifact_id, ""].join("\n"));
  return {
    kind: "thread",
    label,
    basis,
    state: "due",
    cut: { thread_id, to_seq, to_message_id },
    request: async (asked, call) => {
      const to = await messageAt(memory, thread_id, to_seq);
      const sources = await threadSources(memory, { thread_id, to, summary }, call);
      const facts = { kind: "thread", label, basis, sources, mustKeep: [], space, ...asked } as const;
      return buildRequest(facts, (text) => memory.tokens.count(text));
    },
    read: (request, given) =>
      readWith(memory, [request, given], (lines) => {
        const items = readThreadAnswer(lines.map((line) => line.text));
        const placed = printThreadAnswer(placeLines(items, request.sources));
        return { summary: placed, findings: placed.length > 0 ? [] : [nothingPlaced] };
      }),
    accept: (record, call) => appendAnswered(memory, { record, checkpoint, summary, call }),
    next: `heartwood thread compile ${thread_id}`,
  };
}

async function messageAt(memory: SummaryMemory, thread_id: string, seq: number): Promise<Place> {
  const [place] = await memory.threads.places(thread_id, [{ seq }]);
  if (place?.seq === seq) return place;
  throw new MemoryError("not_a_message", `Frame ${seq} of thread ${thread_id} is not a message.`, { thread_id });
}

/** Assigns each item of an answer to a source message: the one it names, else the best match. Drops items that match none. */
export function placeLines(items: readonly ThreadAnswerItem[], sources: readonly SourceText[]): readonly SummaryLine[] {
  const lines = sources.flatMap((source) => source.lines).filter(({ seq }) => seq !== undefined);
  // A source line begins with the role of its message.
  const roles = new Map(
    lines.map(({ seq, text }) => [seq, (/^(user|assistant|system|tool): /u.exec(text)?.[1] ?? "user") as Role]),
  );
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

/** The index of the line that shares the most words with the text; the first of equal ones. */
function closestLine(text: string, lines: readonly string[], among: readonly number[]): number | undefined {
  const keys = wordKeys(text);
  const shared = (at: number): number => [...wordKeys(lines[at] ?? "")].filter((key) => keys.has(key)).length;
  return among.toSorted((a, b) => shared(b) - shared(a) || a - b)[0];
}

const by = { actor_id: "heartwood", origin: "summaries" } as const;

/**
 * Stores the summary from an accepted answer and appends another checkpoint at the cut of the built-in one, with the same rule: the later
 * checkpoint wins. Appends nothing if that checkpoint exists already. Errors: `not_a_message`, `thread_not_found`, `busy`, and store errors.
 */
async function appendAnswered(
  memory: SummaryMemory,
  given: {
    readonly record: AnswerRecord;
    readonly checkpoint: StoredCheckpoint;
    readonly summary: SummaryArtifact;
    readonly call: Call;
  },
): Promise<void> {
  const { record, checkpoint, summary: own, call } = given;
  const { thread_id } = own.coverage;
  const { to_seq, cut_rule_id, artifact_id } = checkpoint;
  const to = await messageAt(memory, thread_id, to_seq);
  const builtIn = { artifact_id, summary: own };
  const summary = answeredSummary({ to, answer: record.summary, model: record.model, builtIn });
  const summary_artifact_id = await memory.artifacts.put(printSummary(summary));
  await appendCheckpoint(memory, { thread_id, call }, async () => {
    const at = { to_seq_at_least: to_seq, to_seq_at_most: to_seq, limit: 1000 };
    const found = await memory.threads.checkpoints({ thread_id, kind: CUMULATIVE_KIND, ...at });
    const copies = found.map((copy) => copy.artifact_id);
    // After a drop, the built-in summary is the newest again.
    if (copies[0] !== artifact_id && copies.includes(summary_artifact_id)) return undefined;
    return { cut_rule_id, summary_artifact_id, to_seq, to_message_id: to.id };
  });
}

/**
 * Restores the built-in summary if the dropped answer's summary is the newest at its cut. Because threads are append-only, it appends another
 * checkpoint that names the built-in summary. Does nothing if a different checkpoint is newest. Errors: `busy`, store errors.
 */
export async function appendBuiltIn(memory: SummaryMemory, record: AnswerRecord, call: Call): Promise<void> {
  const [thread_id = "", seq = ""] = /^(.*)\.(\d+)$/u.exec(record.label)?.slice(1) ?? [];
  const to_seq = Number(seq);
  if ((await threadIds(memory, thread_id)).length === 0) return;
  await appendCheckpoint(memory, { thread_id, call }, async () => {
    const at = { to_seq_at_least: to_seq, to_seq_at_most: to_seq, limit: 1 };
    const [newest] = await memory.threads.checkpoints({ thread_id, kind: CUMULATIVE_KIND, ...at });
    const summary = newest === undefined ? undefined : await readSummary(memory, newest.artifact_id);
    const builtIn = summary?.basis?.base_summary_artifact_id;
    const isOfAnswer = summary?.basis?.note === ANSWER_NOTE && summary.provenance.produced_by?.id === record.model;
    if (newest === undefined || newest.to_message_id === null || builtIn === undefined || !isOfAnswer) return undefined;
    const { cut_rule_id, to_message_id } = newest;
    return { cut_rule_id, summary_artifact_id: builtIn, to_seq, to_message_id };
  });
}

/** `choose` returns what to append, or `undefined` for nothing. Called while no other process can append to the thread. */
async function appendCheckpoint(
  memory: SummaryMemory,
  { thread_id, call }: { readonly thread_id: string; readonly call: Call },
  choose: () => Promise<Parameters<typeof checkpointDraft>[1] | undefined>,
): Promise<void> {
  await decide(memory, { thread_id, by, call }, async () => {
    const chosen = await choose();
    const frames = chosen === undefined ? [] : [checkpointDraft(memory, chosen, by)];
    return { answer: undefined, frames };
  });
}

/** Weight of the newest messages, which are read in full; older ones are read through the lines of the built-in summary. */
const mostRaw = 2 * 1024 * 1024;
/** Weight of the messages extracted together, as at the finest rung. */
const together = 8192;
/** Characters of a line including its role; pieces of long lines are shorter. */
const longestText = 1_100;

/**
 * What a model reads for a cut: the lines of the summary before it (of the built-in one if too much was added since), then the last messages. Uses
 * bounded memory.
 */
async function threadSources(
  memory: SummaryMemory,
  { thread_id, to, summary }: { readonly thread_id: string; readonly to: Place; readonly summary: SummaryArtifact },
  call: Call,
): Promise<readonly SourceText[]> {
  const baseId = summary.basis?.base_summary_artifact_id;
  const base = baseId === undefined ? undefined : await readBase(memory, thread_id, baseId);
  const [covered] = base === undefined ? [] : await memory.threads.places(thread_id, [{ seq: base.to_seq }]);
  const start = covered?.weight ?? 0;
  const [first] = await memory.threads.places(thread_id, [{ weight: Math.max(start, to.weight - mostRaw) }]);
  const from = first?.weight_before ?? start;
  const markdown = from > start ? summary.summary_markdown : (base?.markdown ?? "");
  const onPage = async (): Promise<void> => call.signal?.throwIfAborted();
  const range = { thread_id, from_seq: first?.seq ?? 0, to_seq: to.seq };
  const reader = new RawReader(memory.threads, { ...range, weight: from, onPage });
  const messages: SourceTextLine[] = [];
  for (let end = from; end < to.weight;) {
    end = Math.min(end + together, to.weight);
    pushAll(messages, linesOfMessages(memory, await reader.take(end)));
  }
  return [
    { name: `${thread_id}: before`, lines: linesOfSummary(linesOfMarkdown(markdown, to.seq)) },
    { name: `${thread_id}: #${messages[0]?.seq} to #${messages.at(-1)?.seq}`, lines: messages },
  ].filter(({ lines }) => lines.length > 0);
}

/** Lines of a summary; earlier ones weigh more. */
function linesOfSummary(lines: readonly SummaryLine[]): readonly SourceTextLine[] {
  return lines
    .map(({ seq, role, text }, at) => ({ text: `${role}: ${text}`, refs: [], seq, weight: lines.length - at }))
    .toSorted((a, b) => a.seq - b.seq);
}

function linesOfMessages(memory: SummaryMemory, said: readonly Utterance[]): readonly SourceTextLine[] {
  const chosen = Map.groupBy(said.length === 0 ? [] : summarizerOf(memory).extract(said), ({ seq }) => seq);
  return said.flatMap(({ seq, role, text }) => {
    const beginnings = chosen.get(seq)?.map((line) => line.text.slice(0, 40)) ?? [];
    const weightOf = (line: string): number =>
      beginnings.some((beginning) => line.includes(beginning)) ? 2 : Math.min(1, beginnings.length);
    return sendableLines([{ text: redact(text).text, refs: [], seq }])
      .filter((line) => line.text.trim() !== "")
      .map((line) => {
        const said = `${role}: ${line.text.trim().slice(0, longestText)}`.toWellFormed();
        return { ...line, text: said, weight: weightOf(said) };
      });
  });
}
