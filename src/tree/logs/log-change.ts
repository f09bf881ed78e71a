import { MemoryError, type Warning } from "../../base/errors.ts";
import { parseHeading } from "../../base/markdown.ts";
import { parseEntryComment, topicKey } from "../../base/memory-type.ts";
import { placeCorrectedBy } from "../../text/corrected.ts";
import { redact } from "../../text/redact/redact.ts";
import { shown } from "../../text/shown.ts";
import type { LogAddInput, LogEditInput, LogRemoveInput, LogUndoInput, TopicChangeInput } from "../inputs.ts";
import { realFilesOf, withLogicalLogs, type TreeMemory } from "../memory.ts";
import { cleanTopicName, longestTopicName } from "../model/node-sections.ts";
import { memoryFolder, parseLogFile } from "../model/period.ts";
import { inForce } from "../model/records-format.ts";
import { contentId } from "./append.ts";
import { entriesIn, logTexts, type LogEntry } from "./changed-logs.ts";
import { appendEntry, prepareEntry, type LogAddResult } from "./log-add.ts";
import { appendRecords, readRecords, type NewRecord } from "./records.ts";

export interface LogChangeResult {
  readonly action: "edited" | "removed";
  /** The log, and the lines of the entry that is not used any more. They stay in the file. */
  readonly path: string;
  readonly lines: readonly [number, number];
  readonly topic: string;
  /** Of the record; `log undo` takes it back. */
  readonly record: string;
  /** Of an edit: the entry that replaces it. */
  readonly entry: Pick<LogAddResult, "path" | "lines" | "id" | "topic" | "type"> | null;
  readonly warnings: readonly Warning[];
}

/**
 * Replaces an entry: the new one is appended to the log of the same day, and the old lines are not used any more. What is not
 * given stays. Errors: `not_found`, `invalid_path`, `usage`, and any from `appendEntry`.
 */
export async function editEntry(opened: TreeMemory, input: LogEditInput): Promise<LogChangeResult> {
  const found = await entryNamed(opened, input.entry);
  const { path, texts, key } = found;
  const given = input.body?.trim() === "" ? undefined : input.body;
  if (given === undefined && input.topic === undefined && input.type === undefined)
    throw new MemoryError(
      "usage",
      "Nothing to change: an entry needs text, so pass --body with text, --topic or --type; heartwood log remove ID removes an entry.",
      { field: "body" },
    );
  const comment = parseEntryComment(texts[1] ?? "");
  const corrects = placeCorrectedBy([texts[0], texts[2]].join("\n"), comment?.origin ?? "");
  const start = (comment === undefined ? 1 : 2) + (corrects === undefined ? 0 : 1);
  const body = given ?? texts.slice(start).map(unescaped).join("\n");
  const id = contentId("edit", JSON.stringify([path, key, input.topic, input.type, body]));
  const replacing: LogAddInput = {
    topic: input.topic ?? found.topic,
    type: input.type ?? found.type,
    body,
    date: dayOf(path),
    id,
    origin: comment?.origin ?? "agent",
    ...(corrects === undefined ? {} : { corrects: `${corrects.source}:${corrects.lines.join("-")}` }),
  };
  await prepareEntry(opened, replacing);
  // The record applies once the new entry is in the same log, so a crash leaves one of the two. In another log of the day
  // it applies at once.
  const removed = { kind: "removed", log: path, section: key, by: id } as const;
  const early = path === `${memoryFolder}/${dayOf(path)}.md` ? await decide(opened, removed) : undefined;
  const added = await appendEntry(opened, replacing);
  const record = early ?? (await decide(opened, removed));
  const { lines, topic } = found;
  const { warnings, ...entry } = added;
  const shownEntry = { path: entry.path, lines: entry.lines, id: entry.id, topic: entry.topic, type: entry.type };
  return { action: "edited", path, lines, topic, record, entry: shownEntry, warnings };
}

/** Stops using an entry. Its lines stay in the log. Errors: `not_found`, `invalid_path`, `busy`, `io`. */
export async function removeEntry(opened: TreeMemory, input: LogRemoveInput): Promise<LogChangeResult> {
  const { path, lines, topic, key } = await entryNamed(opened, input.entry);
  const record = await decide(opened, { kind: "removed", log: path, section: key });
  return { action: "removed", path, lines, topic, record, entry: null, warnings: [] };
}

export interface TopicChangeResult {
  readonly action: "renamed" | "merged";
  readonly from: string;
  readonly to: string;
  /** The logs with entries on the topic. */
  readonly logs: readonly string[];
  readonly entries: number;
  /** Of the record; `log undo` takes it back. */
  readonly record: string;
  readonly warnings: readonly Warning[];
}

/** Gives a topic another name, in all logs. The logs keep their bytes. Errors: `invalid_topic`, `not_found`, `busy`, `io`. */
export function renameTopic(opened: TreeMemory, input: TopicChangeInput): Promise<TopicChangeResult> {
  return changeTopic(opened, input, "renamed");
}

/** Makes a topic part of another one that exists. Errors: `invalid_topic`, `not_found`, `busy`, `io`. */
export function mergeTopics(opened: TreeMemory, input: TopicChangeInput): Promise<TopicChangeResult> {
  return changeTopic(opened, input, "merged");
}

async function changeTopic(
  opened: TreeMemory,
  input: TopicChangeInput,
  action: TopicChangeResult["action"],
): Promise<TopicChangeResult> {
  const [from, to] = [topicNamed(input.from), newNameOf(input.to)];
  if (from === to) throw new MemoryError("invalid_topic", `Both names are "${shown(to, 80)}"; pass two names.`);
  const memory = await withLogicalLogs(opened);
  const keys = [topicKey(from), topicKey(to)] as const;
  const found = new Map<string, number>();
  let isTaken = false;
  let name = from;
  for await (const { path, texts } of logsOf(memory)) {
    const whole = topicKey(texts.join("\n"));
    if (!keys.some((key) => whole.includes(key))) continue;
    const own = entriesIn(texts);
    const same = own.filter(({ topic }) => topicKey(topic) === keys[0]);
    isTaken ||= keys[0] !== keys[1] && own.some(({ topic }) => topicKey(topic) === keys[1]);
    if (same.length > 0) found.set(path, same.length);
    name = same[0]?.topic ?? name;
  }
  if (found.size === 0) {
    const message = `No entry has the topic "${shown(from, 80)}"; heartwood show ROOT lists the topics.`;
    throw new MemoryError("not_found", message, { topic: shown(from, 80) });
  }
  if (action === "renamed" && isTaken) {
    const message = `There is already a topic "${shown(to, 80)}"; to join them, run heartwood topic merge.`;
    throw new MemoryError("invalid_topic", message, { topic: shown(to, 80) });
  }
  if (action === "merged" && !isTaken) {
    const message = `No entry has the topic "${shown(to, 80)}"; to give a topic a new name, run heartwood topic rename.`;
    throw new MemoryError("not_found", message, { topic: shown(to, 80) });
  }
  const logs = [...found.keys()].toSorted();
  const record = await decide(opened, { kind: "renamed", from: name, to, logs });
  const entries = [...found.values()].reduce((sum, one) => sum + one, 0);
  return { action, from: name, to, logs, entries, record, warnings: [] };
}

function topicNamed(text: string): string {
  const name = redact(cleanTopicName(text)).text;
  if (name === "") throw invalidTopic("The topic is empty");
  if (/[\r\n]/u.test(text.trim())) throw invalidTopic(`The topic "${shown(text.trim(), 60)}" has more than one line`);
  return name;
}

/** Refuses a name that would be cut. A name from a log may have been cut already. */
function newNameOf(text: string): string {
  const name = topicNamed(text);
  const { length } = Array.from(text.trim().replaceAll(/\s+/gu, " "));
  if (length <= longestTopicName) return name;
  throw invalidTopic(`The topic "${shown(text.trim(), 60)}" has ${length} characters`);
}

function invalidTopic(seen: string): MemoryError {
  return new MemoryError("invalid_topic", `${seen}; it must be one line of up to ${longestTopicName} characters.`);
}

export interface LogUndoResult {
  /** What was taken back: an edit, a removal, another name of a topic, or the dismissal of an item of the inbox. */
  readonly undone: "edited" | "removed" | "renamed" | "dismissed";
  readonly record: string;
  /** When it was made, local time with offset. */
  readonly at: string;
  readonly logs: readonly string[];
  readonly topic: string | null;
  readonly warnings: readonly Warning[];
}

/** Takes back an edit, removal, renaming or dismissal, by default the newest. Errors: `nothing_to_undo`, `busy`, `io`. */
export async function undoLogChange(opened: TreeMemory, { record: asked }: LogUndoInput = {}): Promise<LogUndoResult> {
  const records = inForce(await readRecords(realFilesOf(opened.files)));
  const newest = records.findLast(
    (one) =>
      (one.kind === "removed" || one.kind === "renamed" || one.kind === "dismissed") &&
      (asked === undefined || one.id === asked.trim()),
  );
  if (newest === undefined && asked !== undefined) {
    const message = `The change ${shown(asked, 40)} was undone before, or is none; without it, the newest one is undone.`;
    throw new MemoryError("nothing_to_undo", message, { record: shown(asked, 40) });
  }
  if (newest?.kind !== "removed" && newest?.kind !== "renamed" && newest?.kind !== "dismissed") {
    const message =
      "No entry was edited or removed, no topic renamed and nothing dismissed, so there is nothing to undo; heartwood log remove ID removes an entry.";
    throw new MemoryError("nothing_to_undo", message);
  }
  await decide(opened, { kind: "undone", of: newest.id });
  const { id: record, at } = newest;
  if (newest.kind === "dismissed") return { undone: "dismissed", record, at, logs: [], topic: null, warnings: [] };
  if (newest.kind === "renamed")
    return { undone: "renamed", record, at, logs: newest.logs, topic: newest.to, warnings: [] };
  return {
    undone: newest.by === undefined ? "removed" : "edited",
    record,
    at,
    logs: [newest.log],
    topic: null,
    warnings: [],
  };
}

interface NamedEntry extends LogEntry {
  readonly path: string;
  /** Its lines. */
  readonly texts: readonly string[];
}

/** The entry with an id, or at a place. */
async function entryNamed(opened: TreeMemory, asked: string): Promise<NamedEntry> {
  const memory = await withLogicalLogs(opened);
  const place = asked.trim();
  const [, named = "", from = "", to = from] =
    /^(?:memory\/)?([^\s:]+?)(?:\.md)?:(\d{1,7})(?:-(\d{1,7}))?$/u.exec(place) ?? [];
  const isPlace = parseLogFile(`${named}.md`).state === "log";
  for await (const { path, texts } of logsOf(memory, isPlace ? `${memoryFolder}/${named}.md` : undefined)) {
    if (!isPlace && !texts.some((text) => parseEntryComment(text)?.id === place)) continue;
    const is = ({ key, lines }: LogEntry): boolean =>
      isPlace ? lines[0] <= Number(from) && Number(to) <= lines[1] : key === place;
    const entry = entriesIn(texts).findLast((one) => is(one) && !isTitle(one, texts));
    if (entry !== undefined) return { ...entry, path, texts: texts.slice(entry.lines[0] - 1, entry.lines[1]) };
  }
  const lines = Number(from) === Number(to) ? from : `${from}-${to}`;
  const what = shown(isPlace ? `${memoryFolder}/${named}.md:${lines}` : place, 80);
  const message = isPlace
    ? `There is no single entry at ${what}; pass lines of one entry, or its id.`
    : ((await whatBecameOf(opened, place)) ??
      `No entry has the id "${what}"; pass the id that log add printed, or lines of a log such as memory/2026-03-15.md:12.`);
  throw new MemoryError("not_found", message, { entry: what });
}

/** Whether nothing but the title of the log is there. */
function isTitle({ lines: [from, to], topic }: LogEntry, texts: readonly string[]): boolean {
  if (topic !== "" || to - from > 1) return false;
  return to === from ? parseHeading(texts[from - 1] ?? "")?.level === 1 : /^\s*=+\s*$/u.test(texts[to - 1] ?? "");
}

async function whatBecameOf(opened: TreeMemory, id: string): Promise<string | undefined> {
  const records = inForce(await readRecords(realFilesOf(opened.files)));
  const seen = `The entry "${shown(id, 80)}"`;
  let now: string | undefined = id;
  for (const one of records) if (one.kind === "removed" && one.section === now) now = one.by;
  if (records.some((one) => one.kind === "forgotten" && one.entry === now)) return `${seen} is forgotten.`;
  if (now === undefined) return `${seen} is already removed; heartwood log undo takes back the newest change.`;
  return now === id ? undefined : `${seen} was edited; its id is now ${now}.`;
}

/** The lines of the logs, newest first. Without the lines that are not used any more. */
async function* logsOf(memory: TreeMemory, only?: string) {
  const names = (await memory.files.names(memoryFolder)).filter((name) => parseLogFile(name).state === "log");
  for (const path of only === undefined ? names.toReversed().map((name) => `${memoryFolder}/${name}`) : [only]) {
    const read = await memory.files.read(path);
    if (read !== undefined) yield { path, texts: logTexts(read.bytes) };
  }
}

function dayOf(path: string): string {
  return path.slice(memoryFolder.length + 1).slice(0, 10);
}

/** A line of a body as it was before it was escaped. */
function unescaped(line: string): string {
  return /^\\+(?:\s{0,3}#{1,2}(?:[ \t]|$)|<!-- hw |<{7}(?: |$)|\s*- corrects: )/u.test(line) ? line.slice(1) : line;
}

/** Appends a record and returns its id, or that of the same one from an edit that was interrupted. */
export async function decide(memory: TreeMemory, record: NewRecord): Promise<string> {
  const lease = await memory.locks.acquire("append", { holder: "log", waitMs: lockWait });
  try {
    const known = inForce(await readRecords(realFilesOf(memory.files))).find((one) => {
      const is = one.kind === "removed" && record.kind === "removed" && one.by !== undefined;
      return is && one.by === record.by && one.section === record.section && one.log === record.log;
    });
    return (known ?? (await appendRecords(memory, [record]))[0])?.id ?? "";
  } finally {
    await lease.release();
  }
}

/** Milliseconds. */
const lockWait = 60_000;
