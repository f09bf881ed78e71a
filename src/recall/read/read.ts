import { MemoryError } from "../../base/errors.ts";
import { levelOf, memoryFolder } from "../../tree/model/period.ts";
import { listSources } from "../index/sources.ts";
import type { RecallMemory } from "../memory.ts";
import type { ShowResult } from "../../tree/inspect/tree-view.ts";
import { readNode } from "../../tree/inspect/tree-view.ts";
import { localDay } from "../../base/calendar.ts";
import type { ReadInput } from "../../tree/inputs.ts";
import { splitLines } from "../../base/lines.ts";
import { redact } from "../../text/redact/redact.ts";
import { shown } from "../../text/shown.ts";

export interface ReadResult {
  /** The place that was read: `memory/2026-03-15.md:12-18`. */
  readonly source: string;
  /** Its day; `null` if it has none. */
  readonly date: string | null;
  /** Without secrets. */
  readonly text: string;
  /** The place to read next; `null` if everything requested was returned. */
  readonly next: string | null;
  /** For a day whose text is its node or one of several logs: the paths of its logs. */
  readonly logs?: readonly string[];
}

/**
 * Reads a period or a place, with `above:` or `personal:` before it in a memory under this one. ROOT, a week or a month returns its node; a day returns its node, or its log if there is no node yet. Anything else goes to
 * `readPlace`. Errors: any from `readPlace` and `invalid_period`.
 */
export async function readRemembered(memory: RecallMemory, input: ReadInput): Promise<ReadResult> {
  const period = input.place.trim();
  const [, layer, place = ""] = /^(above|personal):(.*)$/su.exec(period) ?? [];
  if (layer !== undefined) return readUnder(memory, layer, { ...input, place });
  if (!/^(?:root(?:\.md)?|\d{4}-[^/:.]*)$/iu.test(period)) return readPlace(memory, input);
  const logs = levelOf(period) === "daily" ? await logsOf(memory, period) : [];
  try {
    const node = nodeAsRead(await readNode(memory, { period }));
    return logs.length === 0 ? node : { ...node, logs };
  } catch (error) {
    const [log, ...more] = logs;
    if (log === undefined || !(error instanceof MemoryError) || error.code !== "not_found") throw error;
    const read = await readPlace(memory, { place: log });
    return more.length === 0 ? read : { ...read, logs };
  }
}

async function readUnder(memory: RecallMemory, name: string, input: ReadInput): Promise<ReadResult> {
  const layer = (await memory.under?.())?.find((one) => one.name === name);
  if (layer === undefined) {
    const message = `${shown(`${name}:${input.place}`, 200)} is in no memory under this one that the user has trusted; pass a place without ${name}:.`;
    throw new MemoryError("not_found", message);
  }
  const { source, next, logs, ...read } = await readRemembered(layer.memory, input);
  const marked = (one: string): string => `${name}:${one}`;
  const more = logs === undefined ? {} : { logs: logs.map(marked) };
  return { ...read, source: marked(source), next: next === null ? null : marked(next), ...more };
}

/** The paths of a day's logs, the one without a name first. */
async function logsOf(memory: RecallMemory, day: string): Promise<readonly string[]> {
  const { sources } = await listSources(memory);
  const paths = sources()
    .filter(({ kind, from }) => kind === "raw" && from === day)
    .map(({ key }) => key);
  const own = `${memoryFolder}/${day}.md`;
  return paths.toSorted((a, b) => Number(b === own) - Number(a === own));
}

/** A long node is cut at a line end, with `next` for the rest, and its addenda are listed by path. */
function nodeAsRead({ path, level, period, text, late }: ShowResult): ReadResult {
  const date = level === "daily" ? period : null;
  const all = [text, ...late.map((addendum) => `\n--- ${addendum.path} (late) ---\n\n${addendum.text}`)].join("");
  if (all.length <= mostChars) return { source: path, date, text: all, next: null };
  const lines = text.replace(/\n$/u, "").split("\n");
  const { taken, text: shown } = asMuchAsFits(lines);
  const places = late.map((addendum) => `\n--- ${addendum.path} (late, read it too) ---`).join("");
  const next = taken < lines.length ? `${path}:${taken + 1}-${lines.length}` : null;
  return { source: next === null ? path : `${path}:1-${taken}`, date, text: `${shown}${places}`, next };
}

/** Maximum characters of one answer, about 8,000 tokens. The rest is read with `next`. */
const mostChars = 32_000;
/** Maximum bytes read from a file, as for the index. */
const mostBytes = 64 * 1024 * 1024;
/** Maximum frames read from a thread for one answer. */
const mostFrames = 500;

/**
 * Reads lines from a log, a node, a file in knowledge/, MEMORY.md or USER.md, or messages from a thread, redacted, up to 32,000 characters at a time. A log
 * shortened by an audit is read in full. Reads only files that belong to the memory. Errors: `invalid_path`, `not_found`, `invalid_thread_id`,
 * `thread_not_found`, `io`.
 */
export async function readPlace(memory: RecallMemory, input: ReadInput): Promise<ReadResult> {
  const place = parsePlace(input.place);
  return place.is === "thread" ? readMessages(memory, place) : readFileLines(memory, place);
}

async function readFileLines(memory: RecallMemory, place: Place & { readonly is: "file" }): Promise<ReadResult> {
  const { sources, files } = await listSources(memory);
  const source = sources().find(({ key, part }) => part === undefined && key === place.path);
  if (source === undefined) throw notRemembered(place.path);
  const read = await files.read(place.path, { from: 0, to: mostBytes });
  if (read === undefined) throw notRemembered(place.path);
  const lines = splitLines(read.bytes);
  const count = lines.length;
  if (place.from > Math.max(1, count)) {
    const has = `it has ${count} ${count === 1 ? "line" : "lines"}.`;
    const details = { path: place.path, line: place.from, lines: count };
    throw new MemoryError("not_found", `${place.path} has no line ${place.from}; ${has}`, details);
  }
  const last = Math.min(place.to ?? lines.length, lines.length);
  // Redact from the first line, because a private key may begin long before the requested lines.
  const before = lines.slice(0, last).map(({ text }) => text);
  const wanted = redact(before.join("\n").replace(/^\uFEFF/u, ""))
    .text.split("\n")
    .slice(place.from - 1);
  const { taken, text } = asMuchAsFits(wanted);
  const end = place.from + taken - 1;
  return {
    source: `${place.path}:${place.from}-${end}`,
    date: source.from !== "" && source.from === source.to ? source.from : null,
    text,
    next: end < last ? `${place.path}:${end + 1}-${last}` : null,
  };
}

/** Takes as many lines as fit, but at least one, which is cut if it is too long by itself. */
function asMuchAsFits(lines: readonly string[]): { readonly taken: number; readonly text: string } {
  let [taken, chars] = [0, 0];
  for (const line of lines) {
    chars += line.length + 1;
    if (chars > mostChars && taken > 0) break;
    taken += 1;
  }
  return { taken: Math.max(1, taken), text: lines.slice(0, taken).join("\n").slice(0, mostChars) };
}

async function readMessages(memory: RecallMemory, place: Place & { readonly is: "thread" }): Promise<ReadResult> {
  const { thread_id, from } = place;
  const head = await memory.threadReader.head(thread_id);
  const to = Math.min(place.to ?? head.head_seq, head.head_seq);
  const seen = Math.min(to, from + mostFrames - 1);
  const read = await memory.threadReader.messages(thread_id, [from, seen]);
  const messages = read.map(({ seq, time_ms, role, content }) => {
    return { seq, day: localDay(time_ms, memory.clock.zone), text: `${role}: ${redact(content).text}` };
  });
  const { taken, text } = asMuchAsFits(messages.map((message) => message.text));
  const end = taken < messages.length ? (messages[taken]?.seq ?? seen + 1) - 1 : Math.max(from, seen);
  return {
    source: `thread:${thread_id}:${from}-${end}`,
    date: messages[0]?.day ?? null,
    text: messages.length === 0 ? "" : text,
    next: end < to ? `thread:${thread_id}:${end + 1}-${to}` : null,
  };
}

function notRemembered(path: string): MemoryError {
  const name = shown(path, 80);
  const message = `"${name}" is not a place in this memory; pass ROOT, a day (2026-03-15), a week, a month, a log (memory/2026-03-15.md:12-18), MEMORY.md, USER.md, a file of knowledge/, or thread:ID:5-7.`;
  return new MemoryError("not_found", message, { path: name });
}

/** A place in the memory, as search and recall print it. `to`: the last line or seq; `undefined` for everything. */
export type Place = { readonly from: number; readonly to: number | undefined } & (
  | { readonly is: "file"; readonly path: string }
  | { readonly is: "thread"; readonly thread_id: string }
);

/**
 * Parses `memory/2026-03-15.md`, `memory/2026-03-15.md:12`, `memory/2026-03-15.md:12-18` or `thread:ID:5-7`. Lines are 1-based, seqs start at 0. Does not check
 * whether the file belongs to the memory. Errors: `invalid_path`.
 */
export function parsePlace(text: string): Place {
  const wanted = text.trim();
  const [, name = "", first, last] = /^(.*?)(?::(\d{1,15})(?:-(\d{1,15}))?)?$/su.exec(wanted) ?? [];
  const thread = /^thread:(.+)$/su.exec(name)?.[1];
  const lowest = thread === undefined ? 1 : 0;
  const from = first === undefined ? lowest : Number(first);
  const to = last === undefined ? (first === undefined ? undefined : from) : Number(last);
  if (name === "" || from < lowest || (to !== undefined && to < from)) {
    const seen = shown(wanted, 80);
    const message = `The place is "${seen}"; it must be a file with line numbers (memory/2026-03-15.md:12-18), or a thread with message numbers (thread:ID:5-7), as shown by search and recall.`;
    throw new MemoryError("invalid_path", message, { place: seen });
  }
  return thread === undefined ? { is: "file", path: name, from, to } : { is: "thread", thread_id: thread, from, to };
}
