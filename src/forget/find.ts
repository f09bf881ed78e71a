import { isDay } from "../base/calendar.ts";
import { MemoryError } from "../base/errors.ts";
import { pushAll } from "../base/lists.ts";
import { topicKey } from "../base/memory-type.ts";
import { shown } from "../text/shown.ts";
import { folded, Needles, shortestNeedle, wordsOfLine } from "../text/folded.ts";
import { frameOf, isFrameId, isMark, MESSAGE, messageOf, roleOf, type Message } from "../threads/model/frame.ts";
import { writtenSummary } from "../threads/run/redact.ts";
import { threadNotFound } from "../threads/store/thread-store.ts";
import type { ForgetInput } from "../tree/inputs.ts";
import { readRecords } from "../tree/logs/records.ts";
import { realFilesOf, withLogicalLogs } from "../tree/memory.ts";
import { mergeKindOf, originalOf } from "../tree/merge/files.ts";
import { memoryFolder } from "../tree/model/period.ts";
import type { RenamedRecord } from "../tree/model/records-format.ts";
import type { AgentMemory } from "../agents/memory.ts";
import { beginningLength, beginningOfFrameId } from "../agents/capture/append.ts";
import {
  capturedLines,
  entriesIn,
  linesOfLog,
  planCut,
  wasCapturedIn,
  withCaptured,
  withContinuations,
  type LogCut,
  type LogEntry,
} from "./cut-log.ts";

/** A log, or a conflict copy that `git resolve` would merge into it. */
interface Log {
  readonly path: string;
  /** The log that this is a copy of; for a log, its path. */
  readonly original: string;
  readonly texts: readonly string[];
}

/** A log with what is to be cut from it. */
export interface FoundLog extends LogCut, Log {}

export interface FoundMessage extends Message {
  readonly thread_id: string;
}

/** A text in a frame that is not a message, such as the title of a thread. */
export interface FoundField {
  readonly thread_id: string;
  readonly seq: number;
  readonly name: string;
  readonly text: string;
}

export interface Found {
  readonly logs: readonly FoundLog[];
  readonly messages: readonly FoundMessage[];
  readonly fields: readonly FoundField[];
  /** Threads whose titles go. */
  readonly threads: readonly string[];
  /** The topic that is forgotten with all its entries, folded; none if another topic had that name before. */
  readonly topics: readonly string[];
  /** Records of other names that have the text, or the name of the topic. */
  readonly renames: readonly RenamedRecord[];
  /** The texts to look for in every other file, folded. */
  readonly needles: readonly string[];
  /** The lines that nothing else says, to keep digests of. */
  readonly lines: readonly string[];
  /** Texts that something else in the memory says too, so derived files may keep them: how many. */
  readonly shared: number;
}

/** Errors: `usage`, `invalid_date`. */
export function refuseUnclear(input: ForgetInput): void {
  const ways = ["text", "entry", "day", "topic", "thread"] as const;
  const given = ways.filter((way) => input[way] !== undefined && input[way] !== "");
  const wrong = (message: string, field?: string): MemoryError =>
    new MemoryError("usage", message, field === undefined ? {} : { field });
  if (given.length === 0) throw wrong("Nothing says what to forget; pass TEXT, --entry, --day, --topic or --thread.");
  if (given.length > 1) {
    const names = given.map((way) => (way === "text" ? "TEXT" : `--${way}`)).join(" and ");
    throw wrong(`${names} each say what to forget; pass only one of them.`);
  }
  if (input.text !== undefined && given[0] === "text" && folded(input.text).length < shortestText) {
    const seen = `The text is shorter than ${shortestText} characters`;
    throw wrong(`${seen}, so it is in too many lines; pass a longer one.`, "text");
  }
  if (input.lines !== undefined && input.day === undefined) throw wrong("--lines needs --day.");
  if (input.message !== undefined && input.thread === undefined) throw wrong("--message needs --thread.");
  const { day, lines } = input;
  if (day !== undefined && (!isDay(day.slice(0, 10)) || !/^.{10}(?:-[^/\0]{1,96})?$/u.test(day))) {
    const seen = `The day is "${shown(day, 60)}"`;
    const message = `${seen}; it must be a valid date such as 2026-03-15, or the name of a log.`;
    throw new MemoryError("invalid_date", message, { field: "day" });
  }
  const [from, to = from, ...more] = (lines ?? "1").split("-");
  const isRange = [from, to].every((line) => /^[1-9]\d{0,9}$/u.test(line ?? "")) && Number(from) <= Number(to);
  if (isRange && more.length === 0) return;
  const seen = `--lines is "${shown(lines ?? "", 60)}"`;
  throw wrong(`${seen}; it must be a line or a range of lines, such as 12 or 12-18.`, "lines");
}

/** A shorter text is in too many lines. */
const shortestText = 3;

/** What was forgotten in another clone: ids of entries and messages. */
interface ForgottenIds {
  readonly ids: ReadonlySet<string>;
}

/** Finds what the input names in the logs and threads, and what was captured with it. `memory` shows shortened logs whole. */
export async function findForgotten(memory: AgentMemory, input: ForgetInput & Partial<ForgottenIds>): Promise<Found> {
  const logs = await readLogs(memory);
  const threads = new Map<string, readonly FoundMessage[]>();
  const said: FoundField[] = [];
  for (const { thread_id } of (await memory.threads.heads({ limit: Number.MAX_SAFE_INTEGER })).heads) {
    const { messages, fields } = await readThread(memory, thread_id);
    threads.set(thread_id, messages);
    pushAll(said, fields);
  }
  const chosen = new Map<string, ReadonlySet<number>>(logs.map(({ path }) => [path, new Set()]));
  let messages: readonly FoundMessage[] = [];
  const all = [...threads.values()].flat();
  if (input.ids !== undefined) {
    const { ids } = input;
    for (const { path, texts } of logs)
      chosen.set(path, new Set(entriesIn(texts).flatMap(({ id, from }) => (ids.has(id ?? "") ? [from] : []))));
    messages = [...threads.values()].flatMap((own) => messagesNamed(own, ids));
  } else if (input.text !== undefined) {
    const needle = folded(input.text);
    const needles = new Needles([needle]);
    for (const { path, texts } of logs) chosen.set(path, withContinuations(texts, needles.linesIn(texts)));
    messages = all.filter(({ content }) => needles.isIn(content));
  } else if (input.thread !== undefined) messages = messagesOf(threads, input.thread, input.message);
  else if (input.topic !== undefined)
    for (const [path, lines] of linesOnTopic(logs, await readLogs(await withLogicalLogs(memory)), input.topic))
      chosen.set(path, lines);
  else for (const log of logs) chosen.set(log.path, linesNamed(log, input));
  const cuts = logs.map((log): FoundLog =>
    withCaptured({ ...log, ...planCut(log.texts, chosen.get(log.path) ?? new Set()) }, messages),
  );
  const isCopy = ({ path, original }: Log): boolean => path !== original;
  const named = new Set(messages.map(({ id }) => id));
  const captured = capturedLines(cuts);
  const more = all.filter((message) => !named.has(message.id) && wasCapturedIn(message, captured));
  const gone = [...messages, ...more];
  const whole = input.message === undefined ? input.thread : undefined;
  const titles = said.filter(({ thread_id, name }) => thread_id === whole && name === "title");
  const {
    lines,
    shared,
    titles: ownTitles,
  } = ownLines(
    cuts.filter((log) => !isCopy(log)),
    { gone, all, titles },
  );
  const texts = input.text === undefined ? lines.map(wordsOfLine) : [folded(input.text)];
  const needles = new Needles(texts);
  const fields = said.filter(
    (field) => (needles.isIn(field.text) && !threads.has(field.text)) || titles.includes(field),
  );
  const topics = input.topic === undefined || isOnTopic(cuts, input.topic) ? [] : [topicKey(input.topic)];
  const isGone = (name: string): boolean => needles.isIn(name) || topics.includes(topicKey(name));
  const records = input.ids === undefined ? await readRecords(realFilesOf(memory.files)) : [];
  return {
    logs: cuts.map((log) => (isCopy(log) ? withNeedles(log, needles) : log)),
    messages: gone,
    fields,
    threads: [...new Set(fields.flatMap(({ name, thread_id }) => (name === "title" ? [thread_id] : [])))],
    topics,
    renames: records.flatMap((one) => (one.kind === "renamed" && (isGone(one.from) || isGone(one.to)) ? [one] : [])),
    needles: texts,
    lines: [...lines, ...ownTitles],
    shared,
  };
}

/** A copy also without the lines that nothing else says: its entries may have no ids, and other line numbers. */
function withNeedles(copy: FoundLog, needles: Needles): FoundLog {
  const more = withContinuations(copy.texts, needles.linesIn(copy.texts));
  return { ...copy, ...planCut(copy.texts, new Set([...copy.lines, ...more])) };
}

async function readLogs(memory: AgentMemory): Promise<readonly Log[]> {
  const found: Log[] = [];
  const entries = await memory.files.list(memoryFolder);
  const names = new Set(entries.map(({ name }) => name));
  for (const { name, kind } of entries) {
    const path = `${memoryFolder}/${name}`;
    const original = originalOf(path, names) ?? path;
    if (kind !== "file" || mergeKindOf(original) !== "log") continue;
    const read = await memory.files.read(path);
    if (read !== undefined) found.push({ path, original, texts: linesOfLog(read.bytes).texts });
  }
  return found;
}

const page = 1000;

async function readThread(memory: AgentMemory, thread_id: string) {
  const messages: FoundMessage[] = [];
  const fields: FoundField[] = [];
  for (let from_seq = 0; ;) {
    const frames = await memory.threads.frames({ thread_id, from_seq, limit: page });
    for (const frame of frames.map(frameOf)) {
      const message = messageOf(frame);
      // A message that was forgotten before has no words left.
      if (message !== undefined && message.content !== "") messages.push({ ...message, thread_id });
      if (frame === undefined || frame.type === MESSAGE) continue;
      for (const [name, value] of Object.entries(frame.fields))
        if (!isMark(frame.type, name))
          pushAll(
            fields,
            textsIn(value).map((text) => ({ thread_id, seq: frame.seq, name, text })),
          );
      const lines = (await writtenSummary(memory, frame))?.split("\n") ?? [];
      pushAll(
        fields,
        lines.map((text) => ({ thread_id, seq: frame.seq, name: "summary", text })),
      );
    }
    if (frames.length === 0) return { messages, fields };
    from_seq = (frames.at(-1)?.seq ?? 0) + 1;
  }
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function messagesOf(
  threads: ReadonlyMap<string, readonly FoundMessage[]>,
  threadId: string,
  message: string | undefined,
): readonly FoundMessage[] {
  const all = threads.get(threadId);
  if (all === undefined) throw threadNotFound(threadId);
  if (message === undefined) return all;
  const found = all.filter(({ id, seq }) => (isFrameId(message) ? id === message : String(seq) === message));
  if (found.length > 0) return found;
  const sentence = `There is no message ${JSON.stringify(message.slice(0, 60))} with text in thread ${threadId}; name one by its id or its seq.`;
  throw new MemoryError("message_not_found", sentence, { thread_id: threadId });
}

/** The messages of a thread with one of these ids, and those of the turns that entries with one of them captured. */
function messagesNamed(messages: readonly FoundMessage[], ids: ReadonlySet<string>): readonly FoundMessage[] {
  const captured = new Set([...ids].flatMap((id) => beginningOfFrameId(id) ?? []));
  let isInTurn = false;
  return messages.filter(({ id, actor_id }) => {
    if (roleOf(actor_id) === "user") isInTurn = captured.has(id.slice(0, beginningLength));
    return isInTurn || ids.has(id);
  });
}

/**
 * The entries on a topic, by the name that it has now; if none has it, by the name that was written. `present`: the logs as they are
 * read. An entry that is not used any more has the name that was written.
 */
function linesOnTopic(
  logs: readonly Log[],
  present: readonly Log[],
  name: string,
): ReadonlyMap<string, ReadonlySet<number>> {
  const read = new Map(present.map(({ path, texts }) => [path, texts]));
  const on = (topicOf: (entry: LogEntry, now: string | undefined) => string) =>
    new Map(
      logs.map(({ path, texts }) => {
        const now = new Map(entriesIn(read.get(path) ?? []).map(({ from, topic }) => [from, topic]));
        const own = entriesIn(texts).filter(
          (entry) => topicKey(topicOf(entry, now.get(entry.from))) === topicKey(name),
        );
        return [path, new Set(own.map(({ from }) => from))];
      }),
    );
  const found = on(({ topic }, now) => now ?? topic);
  return [...found.values()].some(({ size }) => size > 0) ? found : on(({ topic }) => topic);
}

/** Whether an entry that stays was written on the topic. */
function isOnTopic(logs: readonly FoundLog[], name: string): boolean {
  return logs.some(({ texts, lines }) => {
    const gone = new Set(lines);
    return entriesIn(texts).some(({ topic, from }) => topicKey(topic) === topicKey(name) && !gone.has(from));
  });
}

/** The lines that `--entry` or `--day` names. */
function linesNamed({ path, original, texts }: Log, input: ForgetInput): ReadonlySet<number> {
  const linesOf = (entries: readonly LogEntry[]) => new Set(entries.map(({ from }) => from));
  if (input.entry !== undefined) return linesOf(entriesIn(texts).filter(({ id }) => id === input.entry));
  const name = original.slice(memoryFolder.length + 1, -3);
  if (input.day === undefined) return new Set();
  if (input.lines === undefined)
    return name === input.day || name.startsWith(`${input.day}-`)
      ? new Set(texts.map((_, index) => index + 1))
      : new Set();
  // The lines of a copy have other numbers.
  if (name !== input.day || path !== original) return new Set();
  const [from, to] = rangeOf(input.lines);
  return new Set(texts.flatMap((_, index) => (index + 1 >= from && index + 1 <= to ? [index + 1] : [])));
}

/** `12` or `12-18`, as `refuseUnclear` checked it. */
function rangeOf(lines: string): readonly [number, number] {
  const [from = 0, to = from] = lines.split("-").map(Number);
  return [from, to];
}

/** The lines of what goes that have enough words, without those that something else still says; and such titles. */
function ownLines(
  logs: readonly FoundLog[],
  threads: {
    readonly gone: readonly FoundMessage[];
    readonly all: readonly FoundMessage[];
    readonly titles: readonly FoundField[];
  },
) {
  const { gone, all, titles } = threads;
  const lost = [
    ...logs.flatMap(({ texts, lines, entries }) => {
      const headings = new Set(entries.flatMap(({ from, body }) => (body - from === 2 ? [from, from + 1] : [from])));
      return lines.filter((line) => !headings.has(line)).map((line) => texts[line - 1] ?? "");
    }),
    ...gone.flatMap(({ content }) => content.split("\n")),
  ];
  const lines = new Map(lost.map((line) => [wordsOfLine(line), line]));
  const long = [...lines].filter(([words]) => words.length >= shortestNeedle);
  const ids = new Set(gone.map(({ id }) => id));
  const left = [
    ...logs.map(({ texts, lines: cut }) => {
      const isGone = new Set(cut);
      return folded(texts.filter((_, index) => !isGone.has(index + 1)).join("\n"));
    }),
    ...all.filter(({ id }) => !ids.has(id)).map(({ content }) => folded(content)),
  ];
  const isOwn = (words: string): boolean => !left.some((text) => text.includes(words));
  const own = long.filter(([words]) => isOwn(words));
  return {
    lines: own.map(([, line]) => line),
    shared: long.length - own.length,
    titles: titles.map(({ text }) => text).filter((text) => isOwn(wordsOfLine(text))),
  };
}
