import { addDays, isDay, localDay, localTimestamp, type Day } from "../../base/calendar.ts";
import {
  type Origin,
  isPreserved,
  parseEntryComment,
  parseHeadingTopic,
  type MemoryType,
} from "../../base/memory-type.ts";
import { MemoryError, type Warning } from "../../base/errors.ts";
import { redact } from "../../text/redact/redact.ts";
import { shown, tagWarnings } from "../../text/shown.ts";
import { createEntryId, isEntryId, type Entry } from "../model/entry-format.ts";
import { cleanTopicName } from "../model/node-sections.ts";
import { type Appended, appendEntries, contentId } from "./append.ts";
import type { LogAddInput, LogPromoteInput } from "../inputs.ts";
import { splitLines, textLines } from "../../base/lines.ts";
import { scanLines } from "../../base/markdown.ts";
import type { SourceLine } from "../../base/passage.ts";
import { withoutNoise } from "../../text/extract/noise.ts";
import { speakerOf, toldByUser, withoutSpeaker } from "../../text/extract/said.ts";
import { contentWords } from "../../text/extract/words.ts";
import { isIdLike } from "../extract/passages.ts";
import { memoryFolder, parseLogFile } from "../model/period.ts";
import { withLogicalLogs } from "./logical-logs.ts";
import type { TreeMemory } from "../memory.ts";

export interface LogAddResult {
  readonly path: string;
  /** First and last line of the entry in the file. */
  readonly lines: readonly [number, number];
  readonly id: string;
  readonly date: string;
  readonly topic: string;
  readonly type: string;
  /** `duplicate`: an entry of that id was there already, nothing was written. */
  readonly action: "added" | "duplicate";
  /** Kinds of secrets that were replaced before writing. */
  readonly redacted: readonly string[];
  readonly warnings: readonly Warning[];
}

/** Appends one entry to the log of a day; `alsoSeen`: other days whose logs may have it already. Errors: `invalid_topic`, `invalid_body`, `invalid_date`, `invalid_id`, `invalid_origin`, `busy`, `disk_full`, `io`. */
export async function appendEntry(
  memory: TreeMemory,
  input: LogAddInput,
  alsoSeen?: readonly Day[],
): Promise<LogAddResult> {
  const now = memory.clock.now();
  const today = localDay(now, memory.clock.zone);
  const day = dayOf(input.date, today);
  const type = typeOf(input);
  const topic = redact(topicOf(input.topic));
  const body = redact(bodyOf(input, type));
  const id = idOf(input.id) ?? createEntryId(now, memory.random.bytes(16));
  const entry: Entry = {
    topic: topic.text,
    type,
    id,
    origin: originOf(input.origin, type),
    body: textLines(body.text),
    at:
      day === today
        ? localTimestamp(now, memory.clock.zone)
        : `${day}${localTimestamp(now, memory.clock.zone).slice(10)}`,
  };
  const { appended, warnings: unread } = await appendEntries(memory, day, [entry], {
    holder: "log add",
    counting: "counted",
    alsoSeen: alsoSeen ?? (input.id === undefined ? [] : neighboursOf(day, today)),
  });
  const redacted = [...new Set([...topic.found, ...body.found].map((secret) => secret.kind))];
  const { path, lines, day: date, action } = appended[0] as Appended;
  const told = tagWarnings(path, entry.topic, input.type ?? input.rule);
  const message = `a secret (${redacted.join(", ")}) was replaced before it was written`;
  const replaced = redacted.length === 0 ? [] : [{ code: "secret_redacted", path, message }];
  const warnings = [...replaced, ...told, ...unread];
  return { path, lines, id, date, topic: entry.topic, type, action, redacted, warnings };
}

function dayOf(date: string | undefined, today: string): string {
  if (date === undefined) return today;
  if (!isDay(date)) {
    const message = `The date is "${shown(date)}"; it must be a day of the calendar as YYYY-MM-DD.`;
    throw new MemoryError("invalid_date", message, { date: shown(date) });
  }
  if (date <= today) return date;
  const message = `The date is ${date}, after today (${today}); an entry goes to today or to a past day.`;
  throw new MemoryError("invalid_date", message, { date, today });
}

/** Where the same entry may be when midnight came between two attempts, or the one had a date and the other none. */
function neighboursOf(day: Day, today: Day): readonly Day[] {
  const before = day > "0001-01-01" ? [addDays(day, -1)] : [];
  return day < today ? [...before, addDays(day, 1)] : before;
}

function typeOf({ topic, type: given, rule }: LogAddInput): MemoryType {
  const { tagged, type } = parseHeadingTopic(topic);
  return given ?? (tagged === "tagged" ? type : rule === undefined ? "project" : "feedback");
}

function topicOf(text: string): string {
  const { name } = parseHeadingTopic(text);
  // As its heading is read: a dash or colon before the type belongs to neither.
  const { name: topic } = parseHeadingTopic(`${cleanTopicName(name).replace(/^[#\s]+/u, "")} [project]`);
  const isLong = /[\r\n]/u.test(text.trim());
  if (topic !== "" && !isLong) return topic;
  const seen = isLong ? "has more than one line" : "is empty";
  const message = `The topic ${seen}; it must be one line of up to 80 characters that names what the entry is about.`;
  throw new MemoryError("invalid_topic", message);
}

function bodyOf(input: LogAddInput, type: MemoryType): string {
  const parts = { rule: input.rule, why: input.why, "how-to-apply": input.how_to_apply };
  const feedback = Object.entries(parts).flatMap(([key, value = ""]) =>
    value.trim() === "" ? [] : [`- ${key}: ${value.trim().replaceAll(/\s*\n\s*/gu, " ")}`],
  );
  const { body = "" } = input;
  const text = [...feedback, ...(body.trim() === "" ? [] : [body.replace(/^\uFEFF/u, "")])].join("\n");
  const wrong = (message: string): MemoryError => new MemoryError("invalid_body", message);
  if (feedback.length > 0 && type !== "feedback")
    throw wrong(
      `--rule, --why and --how-to-apply belong to the type feedback, and the type is ${type}: leave them out or use --type feedback.`,
    );
  if (text.trim() === "")
    throw wrong("The entry has no text; give it with --body, on standard input, or for feedback with --rule.");
  if (text.includes("\0")) throw wrong("The text of the entry contains a NUL character; it must be text.");
  return text;
}

function idOf(id: string | undefined): string | undefined {
  if (id === undefined) return id;
  const secret = secretIn(id);
  if (secret !== undefined) {
    const message = `The id contains a secret (${secret.kind}), and ids are written as they are: give another one, and change that secret if it is real.`;
    throw new MemoryError("invalid_id", message, { kind: secret.kind });
  }
  if (isEntryId(id)) return id;
  const message = `The id is "${shown(id)}"; it must be 1 to 96 of the characters A-Z, a-z, 0-9, '.', '_' and '-', beginning with a letter or digit.`;
  throw new MemoryError("invalid_id", message);
}

/** Also one that comes after a dot or a dash, where a text's secrets do not begin. */
function secretIn(id: string): { readonly kind: string } | undefined {
  const starts = [0, ...[...id.slice(0, 200).matchAll(/[._-]/gu)].map(({ index }) => index + 1)];
  return starts.map((start) => redact(id.slice(start)).found[0]).find((found) => found !== undefined);
}

/** What a tool or a page says is not about a person until a person says so. */
function originOf(origin: Origin = "agent", type: MemoryType): Origin {
  if (origin !== "tool" || !isPreserved(type)) return origin;
  const message = `The origin is tool and the type is ${type}, but what comes from a tool may only be reference or project: use --type reference or --type project, or let a person say it with --origin user.`;
  throw new MemoryError("invalid_origin", message, { origin, type });
}

export interface LogPromoteResult extends LogAddResult {
  /** The lines that the sentence is in, `memory/2026-03-12.md:181`. */
  readonly source: string;
  /** The sentence, word for word, without secrets. */
  readonly text: string;
}

/**
 * Makes an entry of what the user said at a place: the rule of `feedback`, or a line of `user`. What an entry of a tool or the turn of an assistant says is refused. The same sentence of a log
 * twice is one entry. Errors: `invalid_path`, `not_found`, `not_traceable`, `invalid_body`, and those of `appendEntry`.
 */
export async function promoteLine(opened: TreeMemory, input: LogPromoteInput): Promise<LogPromoteResult> {
  const memory = await withLogicalLogs(opened);
  const { type = "feedback", date } = input;
  const { path, lines, text, topic, origin } = await saidAt(memory, input.place.trim());
  const entry = { topic: input.topic ?? topic, type, origin, id: contentId("said", `${path}\n${text}`) };
  const body = type === "feedback" ? { rule: text } : { body: `- ${text}` };
  const from = parseLogFile(path.slice(memoryFolder.length + 1));
  const days = from.state === "log" ? await loggedDays(memory, from.day) : [];
  const result = await appendEntry(opened, { ...entry, ...body, ...(date === undefined ? {} : { date }) }, days);
  return {
    ...result,
    source: `${path}:${lines[0] === lines[1] ? lines[0] : lines.join("-")}`,
    text: redact(text).text,
  };
}

/** The days from one on that have a log: an earlier promotion is in one of them. */
async function loggedDays(memory: TreeMemory, first: Day): Promise<readonly Day[]> {
  const days = (await memory.files.list(memoryFolder)).map(({ name }) => parseLogFile(name));
  return days.flatMap((log) => (log.state === "log" && log.slug === "" && log.day >= first ? [log.day] : []));
}

/** What the user said at a place of a log, and whose word that is. */
interface SaidAt {
  readonly path: string;
  readonly lines: readonly [number, number];
  readonly text: string;
  readonly topic: string;
  readonly origin: Origin;
}

async function saidAt(memory: TreeMemory, place: string): Promise<SaidAt> {
  const pattern = /^(?:memory\/)?([^\s:]+?)(?:\.md)?:(\d{1,7})(?:-(\d{1,7}))?$/u;
  const [, named = "", from = "0", to = from] = pattern.exec(place) ?? [];
  if (parseLogFile(`${named}.md`).state === "log") {
    const path = `${memoryFolder}/${named}.md`;
    const section = await sectionAt(memory, { path, lines: [Number(from), Number(to)] });
    const said = saidIn(section);
    const text = said.length > 0 ? said.map((told) => told.text).join(" ") : section.own.join(" ");
    if (text !== "" && said.length === 0 && section.speaker === "other")
      throw new MemoryError(
        "invalid_origin",
        `${path}:${from} is what an assistant or a tool said; give a line of the user.`,
        { path },
      );
    if (text !== "") return { ...section, text };
    throw new MemoryError("invalid_body", `There is no sentence at ${path}:${from}; give a line that has one.`, {
      path,
    });
  }
  const { readTraced } = await import("../inspect/trace.ts");
  const { text: shownLine, sources } = await readTraced(
    memory,
    named === "" ? place : { named, line: Number(from) },
    place,
  );
  const found = new Map<string, SaidAt>();
  for (const source of sources) {
    const section = await sectionAt(memory, source);
    const whole =
      section.speaker === "other"
        ? []
        : section.own.map((text) => ({ text, number: source.lines[0], to: source.lines[1] }));
    const told = [...saidIn(section), ...whole].find(
      ({ text }) => text !== "" && shownLine.includes(redact(text).text),
    );
    if (told !== undefined) found.set(told.text, { ...section, lines: [told.number, told.to], text: told.text });
  }
  const [one] = found.values();
  if (one !== undefined && found.size === 1) return one;
  throw new MemoryError(
    "not_traceable",
    `"${shown(place, 80)}" does not lead to one sentence of the user; give a line of a log, as in memory/2026-03-12.md:181.`,
    { place: shown(place, 80) },
  );
}

interface SectionAt extends Omit<SaidAt, "text"> {
  readonly all: readonly SourceLine[];
  /** Who has the turn in which the first of them stands. */
  readonly speaker: "person" | "other" | undefined;
  /** The lines without their marks. */
  readonly own: readonly string[];
}

/** The section of a log around some of its lines. */
async function sectionAt(memory: TreeMemory, { path, lines }: Pick<SaidAt, "path" | "lines">): Promise<SectionAt> {
  const bytes = (await memory.files.read(path))?.bytes ?? new Uint8Array(0);
  const texts = splitLines(bytes).map(({ text }) => text);
  const place = `${path}:${lines[0]}`;
  if (lines[0] < 1 || lines[1] < lines[0] || lines[1] > texts.length)
    throw new MemoryError("not_found", `There is no line ${place}; the log has ${texts.length} lines.`, { path });
  const scanned = scanLines(texts).lines;
  const isHead = (at: number): boolean => scanned[at]?.kind === "heading" && (scanned[at]?.level ?? 9) <= 2;
  let [start, end] = [lines[0] - 1, lines[1]];
  while (start > 0 && !isHead(start)) start -= 1;
  while (end < texts.length && !isHead(end)) end += 1;
  const all = texts
    .slice(start, end)
    .map((text, at) => ({ number: start + at + 1, text, kind: scanned[start + at]?.kind ?? "text" }));
  const before = all.filter(({ number }) => number <= lines[0]);
  const speaker = before.map(({ text }) => speakerOf(text)).findLast((one) => one !== undefined);
  const own = all.filter(
    ({ number, text, kind }) =>
      number >= lines[0] && number <= lines[1] && kind !== "heading" && !text.startsWith("<!--"),
  );
  const recorded = parseEntryComment(all[1]?.text ?? "")?.origin ?? "user";
  const isOther = recorded === "tool" || recorded === "file" || speaker === undefined;
  const heading = isHead(start) ? parseHeadingTopic((texts[start] ?? "").replace(/^#+\s+/u, "")).name : "";
  const bare = own
    .map(({ text }) =>
      withoutSpeaker(text)
        .replace(/^\s*(?:[-*+]|\d{1,9}[.)])\s+/u, "")
        .trim(),
    )
    .filter((text) => text !== "");
  const words = contentWords(bare.join(" ")).slice(0, 4);
  const isNamed = heading !== "" && !isIdLike(heading) && !isDay(heading);
  const topic = isNamed ? heading : words.map((word) => word.shown).join(" ") || "Said by the user";
  return { path, lines, all, speaker, own: bare, topic, origin: isOther ? recorded : "user" };
}

/** The sentences at these lines that the user told the agent. */
function saidIn({ all, lines }: SectionAt): ReturnType<typeof toldByUser> {
  const kept = withoutNoise(all).filter(({ text }) => text.trim() !== "");
  return toldByUser(kept).filter(({ number, to }) => number <= lines[1] && to >= lines[0]);
}
