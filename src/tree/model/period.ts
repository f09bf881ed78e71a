import {
  addDays,
  daysBetween,
  daysOf,
  firstDayOf,
  isDay,
  isMonth,
  isWeek,
  mondayOf,
  monthOfWeek,
  sundayOf,
  lastDayOf,
  weekdays,
  weekOf,
  weeksOf,
  type Day,
  type Month,
  type Week,
} from "../../base/calendar.ts";
import { remembering } from "../../base/lines.ts";
import { compareTexts } from "../../base/lists.ts";

export type NodeLevel = "daily" | "weekly" | "monthly";
export type Period = Day | Week | Month;

export const nodeLevels: readonly NodeLevel[] = ["daily", "weekly", "monthly"];

export interface Place {
  readonly level: NodeLevel;
  readonly period: Period;
}

/** Identifies a node by level, period and addendum number (0 for the node itself). */
export interface NodeName extends Place {
  readonly late: number;
}

export const memoryFolder = "memory";
export const rootPath = "memory/ROOT.md";
export const workingFile = "WORKING.md";
export const archiveFolder = "memory/archive";

/** `memory/daily/2026-03-10.late-1.md` */
export function nodePath(name: NodeName): string {
  return `${memoryFolder}/${name.level}/${nodeLabel(name)}.md`;
}

/** `2026-03-10`, `2026-03-10.late-1`: the name of a node in headings. */
export function nodeLabel(name: NodeName): string {
  return name.late === 0 ? name.period : `${name.period}.late-${name.late}`;
}

/** Whether a file in a level's folder looks like a node but has no valid node name. */
export function isBadNodeFile(level: NodeLevel, file: string): boolean {
  return /^\d{4}-W?\d{2}.*\.md$/isu.test(file) && parseNodeFile(level, file) === undefined;
}

export function parseNodeFile(level: NodeLevel, file: string): NodeName | undefined {
  return file.endsWith(".md") ? parseNodeLabel(level, file.slice(0, -3)) : undefined;
}

export function parseNodePath(path: string): NodeName | undefined {
  const [folder, level, file = "", ...deeper] = path.split("/");
  const known = nodeLevels.find((one) => one === level);
  return known === undefined || folder !== memoryFolder || deeper.length > 0 ? undefined : parseNodeFile(known, file);
}

export function parseNodeLabel(level: NodeLevel, label: string): NodeName | undefined {
  const match = /^(.+?)(?:\.late-([1-9]\d{0,3}))?$/u.exec(label);
  const period = match?.[1] ?? "";
  return isPeriodOf(level, period) ? { level, period, late: Number(match?.[2] ?? 0) } : undefined;
}

function isPeriodOf(level: NodeLevel, text: string): boolean {
  return level === "daily" ? isDay(text) : level === "weekly" ? isWeek(text) : isMonth(text);
}

export function levelOf(text: string): NodeLevel | undefined {
  return nodeLevels.find((level) => isPeriodOf(level, text));
}

/** The parent period; a week belongs to the month of its Thursday. */
export function parentOf(level: NodeLevel, period: Period): Place | undefined {
  if (level === "daily") return { level: "weekly", period: weekOf(period) };
  return level === "weekly" ? { level: "monthly", period: monthOfWeek(period) } : undefined;
}

/** The ancestors of a node. None of them becomes fixed before the node. */
export function ancestorsOf(level: NodeLevel, period: Period): readonly Place[] {
  const parent = parentOf(level, period);
  return parent === undefined ? [] : [parent, ...ancestorsOf(parent.level, parent.period)];
}

/** The month of the tree with this log or node, by the beginning of its name; `undefined` if that is not a period. */
export function monthOfFile(path: string): Month | undefined {
  const name = path.slice(memoryFolder.length + 1);
  if (name.startsWith("monthly/")) return monthOfPeriod(name.slice(8, 15));
  if (name.startsWith("weekly/")) return monthOfPeriod(name.slice(7, 15));
  const day = name.startsWith("daily/") ? name.slice(6, 16) : name.slice(0, 10);
  // Only a week at the end of a month may count to another one.
  return /^\d{4}-\d{2}-(?:0[4-9]|1\d|2[0-5])$/u.test(day) ? monthOfPeriod(day.slice(0, 7)) : monthOfPeriod(day);
}

const monthOfPeriod = remembering((period): Month | undefined => {
  if (isMonth(period)) return period;
  const week = isDay(period) ? weekOf(period) : period;
  return isWeek(week) ? monthOfWeek(week) : undefined;
}, 10_000);

/** A month with the one before it and the one after it. */
export function monthsAround(month: Month): readonly Month[] {
  const [first, last] = [firstDayOf(month), lastDayOf(month)];
  const before = first > "0001-01-01" ? [addDays(first, -1).slice(0, 7)] : [];
  return [...before, month, ...(last < "9999-12-31" ? [addDays(last, 1).slice(0, 7)] : [])];
}

export function levelBelow(level: NodeLevel): NodeLevel | undefined {
  return nodeLevels[nodeLevels.indexOf(level) - 1];
}

export function childrenOf(level: NodeLevel, period: Period): readonly Period[] {
  if (level === "weekly") return daysOf(period);
  return level === "monthly" ? weeksOf(period) : [];
}

/** The first and last day that a node of this period can cover. */
export function daysCovered(level: NodeLevel, period: Period): { readonly first: Day; readonly last: Day } {
  if (level === "daily") return { first: period, last: period };
  if (level === "weekly") return { first: mondayOf(period), last: sundayOf(period) };
  const weeks = weeksOf(period);
  return { first: mondayOf(weeks[0] as Week), last: sundayOf(weeks.at(-1) as Week) };
}

/** The days to assume for a period whose sources are missing. For a month: its calendar days that fall in its weeks. */
export function ownDays(level: NodeLevel, period: Period): { readonly first: Day; readonly last: Day } {
  const { first, last } = daysCovered(level, period);
  if (level !== "monthly") return { first, last };
  const [from, to] = [firstDayOf(period), lastDayOf(period)];
  return { first: first > from ? first : from, last: last < to ? last : to };
}

/**
 * Whether a period is over by the calendar alone: a day is over the next day, a week or month after seven more full
 * days.
 */
export function hasEnded(level: NodeLevel, period: Period, today: Day): boolean {
  if (level === "daily") return daysBetween(period, today) >= 1;
  return daysBetween(level === "weekly" ? sundayOf(period) : lastDayOf(period), today) >= 8;
}

const logPattern = /^(\d{4}-\d{2}-\d{2})(?:-(.+))?\.md$/u;
const longestSlug = 96;

type LogName =
  | { readonly state: "log"; readonly day: Day; readonly slug: string }
  /** `names`: suggested names. */
  | { readonly state: "bad"; readonly message: string; readonly names: readonly string[]; readonly advice?: string }
  | { readonly state: "other" };

/**
 * Classifies a file name in memory/: a raw log, a bad name that resembles one, or something else. `taken`: names that
 * must not be suggested.
 */
export function parseLogFile(file: string, taken: ReadonlySet<string> = new Set()): LogName {
  const match = logPattern.exec(file);
  const day = match?.[1] ?? "";
  const slug = match?.[2] ?? "";
  const isPlain = slug === "" || (slug.length <= longestSlug && /^[\p{L}\p{N}][\p{L}\p{N}\p{M}._-]*$/u.test(slug));
  const original = originalName(file, taken);
  if (original !== undefined && parseLogFile(original).state === "log") {
    const message = `it is a conflict copy of ${original}; run heartwood git resolve, which merges it`;
    return { state: "bad", message, names: [] };
  }
  if (isDay(day) && isPlain) return { state: "log", day, slug };
  const read = likeLog(file);
  if (read === undefined) return { state: "other" };
  const advice = "; rename it to the day it belongs to";
  if (read.days.length === 0)
    return { state: "bad", message: `${file.slice(0, 10)} is not a valid date`, names: [], advice };
  const form =
    slug === ""
      ? "a raw log is named YYYY-MM-DD.md or YYYY-MM-DD-word.md"
      : `the part after the date may contain letters, digits, '.', '_' and '-', up to ${longestSlug} of them`;
  const names = read.days.map((of) => freeName(of, read.rest, taken));
  return { state: "bad", message: `${form}; rename it to ${names.join(" or ")}`, names };
}

/**
 * The name of the file that a conflict copy belongs to, which a synced folder made beside it; `undefined` if the name is
 * not that of a copy. A name with just a number is one only if `taken` has the original.
 */
export function originalName(file: string, taken: ReadonlySet<string>): string | undefined {
  const [, name = "", number, ending = ""] = copyName.exec(file) ?? [];
  return name === "" || (number !== undefined && !taken.has(name + ending)) ? undefined : name + ending;
}

/** `2026-03-15.sync-conflict-20260315-140500-ABCDEFG.md`, `2026-03-15 (Ann's conflicted copy 2026-03-15).md`, `2026-03-15 (1).md`, `2026-03-15 2.md` */
const copyName =
  /^(.+?)(?:\.sync-conflict-\d{8}-\d{6}(?:-[A-Z0-9]{7})?| \([^()]*conflict[^()]*\)|( \(\d{1,3}\)| \d{1,3}))(\.[a-z]+)$/iu;

export function isLikeLog(file: string): boolean {
  return /^\d{1,4}[-_. ]?\d{1,2}[-_. ]?\d{1,4}.*\.(?:md|markdown|txt)$/isu.test(file);
}

const ownDate = /^(\d{4}-\d{2}-\d{2})(.*)\.md$/isu;
/** A date with the year first or last, with or without separators. */
const otherDate =
  /^(?:(\d{4})([-_. ]?)(\d{1,2})\2(\d{1,2})|(\d{1,2})([-_. ])(\d{1,2})\6(\d{4}))(?!\d)(.*)\.(md|markdown|txt)$/isu;

/** The days that a log-like file name may refer to; empty if it has the form of a log name but an invalid date. */
function likeLog(file: string): { readonly days: readonly Day[]; readonly rest: string } | undefined {
  if (!isLikeLog(file)) return undefined;
  const own = ownDate.exec(file);
  if (own !== null) return { days: isDay(own[1] ?? "") ? [own[1] ?? ""] : [], rest: own[2] ?? "" };
  const match = otherDate.exec(file);
  if (match === null) return undefined;
  const [, year = match[8] ?? "", apart = "-", a = match[5] ?? "", b = match[7] ?? "", , , , , rest = "", end = ""] =
    match;
  // `2026127` is ambiguous, and a text file with words in its name is rarely a log.
  if ((apart === "" && a.length + b.length < 4) || (rest !== "" && /txt/iu.test(end))) return undefined;
  const dayOf = (month: string, day: string): Day => `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const days = match[8] === undefined ? [dayOf(a, b)] : [dayOf(b, a), dayOf(a, b)];
  const valid = [...new Set(days)].filter((day) => isDay(day) && /^(?:19|20|21)/u.test(day));
  return valid.length === 0 ? undefined : { days: valid, rest };
}

function freeName(day: Day, rest: string, taken: ReadonlySet<string>): string {
  const word = rest.replaceAll(/[^\p{L}\p{N}\p{M}._-]+/gu, "-").replaceAll(/^[^\p{L}\p{N}]+|[._-]+$/gu, "");
  const stem = [day, word.slice(0, longestSlug - 4)].filter(Boolean).join("-");
  let name = `${stem}.md`;
  for (let n = 2; taken.has(name); n++) name = `${stem}-${n}.md`;
  return name;
}

const dateAlone = /(?<![\d./-])(\d{4})([-./])(\d{1,2})\2(\d{1,2})(?![\d/-]|\.\d)/gu;
/** Words allowed next to the date in the title of a day's notes. */
const titleWords =
  "log logs note notes journal diary daily day date memory notizen tagebuch tag datum diario diário journal fecha día dia data jour giorno дневник дата 日誌 日志 日记 日記 日付 日期 일지 날짜".split(
    " ",
  );

/**
 * The day that a log declares: in a first heading that is just a title with a date, as a date alone on the first line,
 * or in the front matter. Ignores other dates.
 */
export function dayToldBy(lines: readonly string[]): Day | undefined {
  let place: "begin" | "front" | "body" = "begin";
  for (const line of lines.slice(0, 64)) {
    const text = line.trim();
    if (text === "" || /^<!--.*-->$/u.test(text)) continue;
    if (text === "---" && place !== "body") {
      place = place === "begin" ? "front" : "body";
      continue;
    }
    if (place === "front" && !/^(?:date|day|datum|fecha|data)\s*:/iu.test(text)) continue;
    return dayOfTitle(text);
  }
  return undefined;
}

function dayOfTitle(line: string): Day | undefined {
  const text = withPlainDate(line);
  const [found, ...more] = text.matchAll(dateAlone);
  if (found === undefined || more.length > 0 || !isDayTitle(text)) return undefined;
  const [, year = "", , month = "", day = ""] = found;
  const told = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  return isDay(told) ? told : undefined;
}

function withPlainDate(line: string): string {
  return line
    .replace(/(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]/u, "$1-$2-$3")
    .replace(/(?<![\d.])(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})(?!\d)/u, "$3-$2-$1");
}

/** Whether a title gives only the day, or only says that these are notes. */
export function isDayTitle(line: string): boolean {
  const text = withPlainDate(line).replace(dateAlone, " ").toLowerCase();
  return (text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).every((word) => titleWords.includes(word) || weekdays.has(word));
}

/** Newest first; a node before its addenda. */
export function newestFirst(a: NodeName, b: NodeName): number {
  return compareTexts(b.period, a.period) || a.late - b.late;
}

export function oldestFirst(a: NodeName, b: NodeName): number {
  return compareTexts(a.period, b.period) || a.late - b.late;
}

export function periodKey({ level, period }: Place): string {
  return `${level} ${period}`;
}

/** The record of text moved out of raw logs; see docs/formats/audit.md, "Shortened notes". */
export const movedPath = "memory/archive/moved.json";

export const recordsFolder = "memory/records";
export const changesName = "changes.jsonl";
/** What was decided about a memory after its logs were written: one JSON object per line, shared with every clone. */
export const recordsPath = `${recordsFolder}/${changesName}`;

export const answersFolder = ".heartwood/artifacts/answers";
