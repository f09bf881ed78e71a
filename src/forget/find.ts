import { MemoryError } from "../base/errors.ts";
import { topicKey } from "../base/memory-type.ts";
import { folded, Needles, shortestNeedle, wordsOfLine } from "../text/folded.ts";
import { frameOf, isFrameId, messageOf, roleOf, type Message } from "../threads/model/frame.ts";
import { threadNotFound } from "../threads/store/thread-store.ts";
import type { ForgetInput } from "../tree/inputs.ts";
import { withLogicalLogs } from "../tree/memory.ts";
import { memoryFolder, parseLogFile } from "../tree/model/period.ts";
import type { AgentMemory } from "../agents/memory.ts";
import { beginningLength, beginningOfFrameId } from "../agents/capture/append.ts";
import { entriesIn, linesOfLog, planCut, withContinuations, type LogCut, type LogEntry } from "./cut-log.ts";

/** A log with what is to be cut from it. */
export interface FoundLog extends LogCut {
  readonly path: string;
  readonly texts: readonly string[];
}

export interface FoundMessage extends Message {
  readonly thread_id: string;
}

export interface Found {
  readonly logs: readonly FoundLog[];
  readonly messages: readonly FoundMessage[];
  /** Threads that are forgotten as a whole, with their titles. */
  readonly threads: readonly string[];
  /** The topic that is forgotten with all its entries, folded. */
  readonly topics: readonly string[];
  /** The texts to look for in every other file, folded. */
  readonly needles: readonly string[];
  /** The lines that nothing else says. */
  readonly lines: readonly string[];
  /** Texts that something else in the memory says too, so derived files may keep them: how many. */
  readonly shared: number;
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
  for (const { thread_id } of (await memory.threads.heads({ limit: Number.MAX_SAFE_INTEGER })).heads)
    threads.set(thread_id, await readMessages(memory, thread_id));
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
    if (needle.length < shortestText) {
      const message = `The text has ${needle.length} characters; it must have at least ${shortestText}, because a shorter one is in too many lines.`;
      throw new MemoryError("usage", message, { field: "text" });
    }
    const needles = new Needles([needle]);
    for (const { path, texts } of logs) chosen.set(path, withContinuations(texts, needles.linesIn(texts)));
    messages = all.filter(({ content }) => needles.isIn(content));
  } else if (input.thread !== undefined) messages = messagesOf(threads, input.thread, input.message);
  else {
    // A topic may be named as it was written, or as it was renamed later.
    const renamed = input.topic === undefined ? [] : await readLogs(await withLogicalLogs(memory));
    for (const { path, texts } of [...logs, ...renamed])
      chosen.set(path, new Set([...(chosen.get(path) ?? []), ...linesNamed(path, texts, input)]));
  }
  const cuts = logs.map((log): FoundLog => ({ ...log, ...planCut(log.texts, chosen.get(log.path) ?? new Set()) }));
  const withTurns = cuts.map((cut) => withCaptured(cut, messages));
  const own = new Set(messages.map(({ id }) => id));
  const said = capturedLines(withTurns);
  const more = all.filter((message) => !own.has(message.id) && wasCapturedIn(message, said));
  const gone = [...messages, ...more];
  const found = {
    logs: withTurns,
    messages: gone,
    threads: input.thread !== undefined && input.message === undefined ? [input.thread] : [],
    topics: input.topic === undefined ? [] : [topicKey(input.topic)],
  };
  const only = ownLines(withTurns, gone, all);
  return { ...found, ...only, needles: input.text === undefined ? only.lines.map(wordsOfLine) : [folded(input.text)] };
}

async function readLogs(memory: AgentMemory) {
  const found: { readonly path: string; readonly texts: readonly string[] }[] = [];
  for (const { name, kind } of await memory.files.list(memoryFolder)) {
    if (kind !== "file" || parseLogFile(name).state !== "log") continue;
    const path = `${memoryFolder}/${name}`;
    const read = await memory.files.read(path);
    if (read !== undefined) found.push({ path, texts: linesOfLog(read.bytes).texts });
  }
  return found;
}

const page = 1000;

async function readMessages(memory: AgentMemory, thread_id: string): Promise<readonly FoundMessage[]> {
  const messages: FoundMessage[] = [];
  for (let from_seq = 0; ;) {
    const frames = await memory.threads.frames({ thread_id, from_seq, limit: page });
    for (const stored of frames) {
      const message = messageOf(frameOf(stored));
      // A message that was forgotten before has no words left.
      if (message !== undefined && message.content !== "") messages.push({ ...message, thread_id });
    }
    if (frames.length === 0) return messages;
    from_seq = (frames.at(-1)?.seq ?? 0) + 1;
  }
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

/** The lines that `--entry`, `--day` or `--topic` names. */
function linesNamed(path: string, texts: readonly string[], input: ForgetInput): ReadonlySet<number> {
  const linesOf = (entries: readonly LogEntry[]) => new Set(entries.map(({ from }) => from));
  if (input.entry !== undefined) return linesOf(entriesIn(texts).filter(({ id }) => id === input.entry));
  if (input.topic !== undefined) {
    const key = topicKey(input.topic);
    return linesOf(entriesIn(texts).filter(({ topic }) => topicKey(topic) === key));
  }
  const name = path.slice(memoryFolder.length + 1, -3);
  if (input.day === undefined) return new Set();
  if (input.lines === undefined)
    return name === input.day || name.startsWith(`${input.day}-`)
      ? new Set(texts.map((_, index) => index + 1))
      : new Set();
  if (name !== input.day) return new Set();
  const [from, to] = rangeOf(input.lines);
  return new Set(texts.flatMap((_, index) => (index + 1 >= from && index + 1 <= to ? [index + 1] : [])));
}

function rangeOf(lines: string): readonly [number, number] {
  const match = /^([1-9]\d{0,9})(?:-([1-9]\d{0,9}))?$/u.exec(lines);
  const [from, to] = [Number(match?.[1]), Number(match?.[2] ?? match?.[1])];
  if (match !== null && from <= to) return [from, to];
  const message = `lines is ${JSON.stringify(lines.slice(0, 60))}; it must be a line or a range of lines, such as 12 or 12-18.`;
  throw new MemoryError("usage", message, { field: "lines" });
}

/** The entry of a captured turn has the words of the thread's messages. */
function isCaptured({ id }: LogEntry): boolean {
  return id?.startsWith("capture-") === true;
}

/** `Session 5f0c3a52` is the topic of the entries of the thread `claude-code-5f0c3a52-…`. */
function isOfThread({ topic }: Pick<LogEntry, "topic">, threadId: string): boolean {
  const session = /^Session ([\w.-]{1,64})$/u.exec(topic)?.[1];
  return session !== undefined && threadId.includes(session.toLowerCase());
}

/** A log without the lines that captured these messages. */
function withCaptured(log: FoundLog, messages: readonly FoundMessage[]): FoundLog {
  if (messages.length === 0) return log;
  const gone = new Set(log.lines);
  for (const entry of entriesIn(log.texts).filter(isCaptured)) {
    const own = messages.filter(({ thread_id }) => isOfThread(entry, thread_id));
    if (own.length === 0) continue;
    const words = new Set(own.flatMap(({ content }) => content.split("\n").map(wordsOfLine)));
    for (let line = entry.body; line <= entry.to; line += 1) {
      const said = wordsOfLine(log.texts[line - 1] ?? "");
      if (said !== "" && words.has(said)) gone.add(line);
    }
  }
  return gone.size === log.lines.length ? log : { ...log, ...planCut(log.texts, gone) };
}

interface CapturedLine {
  readonly topic: string;
  readonly words: string;
}

function capturedLines(logs: readonly FoundLog[]): readonly CapturedLine[] {
  return logs.flatMap(({ texts, lines }) => {
    const gone = new Set(lines);
    return entriesIn(texts)
      .filter(isCaptured)
      .flatMap(({ topic, body, to }) =>
        texts.slice(body - 1, to).flatMap((text, index) => {
          const words = gone.has(body + index) ? wordsOfLine(text) : "";
          return words === "" ? [] : [{ topic, words }];
        }),
      );
  });
}

function wasCapturedIn({ content, thread_id }: FoundMessage, said: readonly CapturedLine[]): boolean {
  const own = said.filter((line) => isOfThread(line, thread_id));
  if (own.length === 0) return false;
  const words = new Set(content.split("\n").map(wordsOfLine));
  return own.some((line) => words.has(line.words));
}

/** The lines of what goes that have enough words, without those that something else still says. */
function ownLines(logs: readonly FoundLog[], gone: readonly FoundMessage[], all: readonly FoundMessage[]) {
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
  const own = long.filter(([words]) => !left.some((text) => text.includes(words)));
  return { lines: own.map(([, line]) => line), shared: long.length - own.length };
}
