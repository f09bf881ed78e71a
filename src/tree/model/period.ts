import {
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
  weekOf,
  weeksOf,
  type Day,
  type Month,
  type Week,
} from "../../base/calendar.ts";

/** A level of the tree below ROOT. */
export type NodeLevel = "daily" | "weekly" | "monthly";
export type Period = Day | Week | Month;

export const nodeLevels: readonly NodeLevel[] = ["daily", "weekly", "monthly"];

/** What names a node: its level and period, and for an addendum which one it is (1, 2, …; 0 for the node itself). */
export interface NodeName {
  readonly level: NodeLevel;
  readonly period: Period;
  readonly late: number;
}

export const memoryFolder = "memory";
export const rootPath = "memory/ROOT.md";
export const archiveFolder = "memory/archive";

/** `memory/daily/2026-03-10.late-1.md` */
export function nodePath(name: NodeName): string {
  return `${memoryFolder}/${name.level}/${nodeLabel(name)}.md`;
}

/** `2026-03-10`, `2026-03-10.late-1`: how a node is named in headings. */
export function nodeLabel(name: NodeName): string {
  return name.late === 0 ? name.period : `${name.period}.late-${name.late}`;
}

/** How the name of a node's file begins, also when it names none. */
const nodeBeginnings: Readonly<Record<NodeLevel, RegExp>> = {
  daily: /^\d{4}-\d{2}-\d{2}.*\.md$/isu,
  weekly: /^\d{4}-W\d{2}.*\.md$/isu,
  monthly: /^\d{4}-\d{2}.*\.md$/isu,
};

/** Whether a file in a level's folder looks like a node by its name and is none. */
export function isBadNodeFile(level: NodeLevel, file: string): boolean {
  return nodeBeginnings[level].test(file) && parseNodeFile(level, file) === undefined;
}

const labelPattern = /^(.+?)(?:\.late-([1-9]\d{0,3}))?$/u;

/** The node that a file name in a level's folder names, or `undefined`. */
export function parseNodeFile(level: NodeLevel, file: string): NodeName | undefined {
  if (!file.endsWith(".md")) return undefined;
  return parseNodeLabel(level, file.slice(0, -3));
}

export function parseNodeLabel(level: NodeLevel, label: string): NodeName | undefined {
  const match = labelPattern.exec(label);
  const period = match?.[1] ?? "";
  return isPeriodOf(level, period) ? { level, period, late: Number(match?.[2] ?? 0) } : undefined;
}

function isPeriodOf(level: NodeLevel, text: string): boolean {
  return level === "daily" ? isDay(text) : level === "weekly" ? isWeek(text) : isMonth(text);
}

/** The level of a period by its form, or `undefined` when it is none. */
export function levelOf(text: string): NodeLevel | undefined {
  return nodeLevels.find((level) => isPeriodOf(level, text));
}

/** The period one level up that a period belongs to; a week belongs to the month of its Thursday. */
export function parentOf(
  level: NodeLevel,
  period: Period,
): { readonly level: NodeLevel; readonly period: Period } | undefined {
  if (level === "daily") return { level: "weekly", period: weekOf(period) };
  if (level === "weekly") return { level: "monthly", period: monthOfWeek(period) };
  return undefined;
}

/** The periods one level down, in order. */
export function childrenOf(level: NodeLevel, period: Period): readonly Period[] {
  if (level === "weekly") return daysOf(period);
  return level === "monthly" ? weeksOf(period) : [];
}

/** First and last day that a node of this period can hold. */
export function daysCovered(level: NodeLevel, period: Period): { readonly first: Day; readonly last: Day } {
  if (level === "daily") return { first: period, last: period };
  if (level === "weekly") return { first: mondayOf(period), last: sundayOf(period) };
  const weeks = weeksOf(period);
  return {
    first: mondayOf(weeks[0] ?? weekOf(firstDayOf(period))),
    last: sundayOf(weeks.at(-1) ?? weekOf(lastDayOf(period))),
  };
}

/** The days of a period when what it is made from is not there: of a month those of its calendar that are in its weeks. */
export function ownDays(level: NodeLevel, period: Period): { readonly first: Day; readonly last: Day } {
  const { first, last } = daysCovered(level, period);
  if (level !== "monthly") return { first, last };
  const [from, to] = [firstDayOf(period), lastDayOf(period)];
  return { first: first > from ? first : from, last: last < to ? last : to };
}

/** Whether a period has ended for good, by the calendar alone: a day the next day, a week or month after seven full days more. */
export function hasEnded(level: NodeLevel, period: Period, today: Day): boolean {
  if (level === "daily") return daysBetween(period, today) >= 1;
  return daysBetween(level === "weekly" ? sundayOf(period) : lastDayOf(period), today) >= 8;
}

const logPattern = /^(\d{4}-\d{2}-\d{2})(?:-(.+))?\.md$/u;
const beginsLikeLog = /^\d{4}-\d{2}-\d{2}.*\.md$/isu;
const plainSlug = (): RegExp => /^[\p{L}\p{N}][\p{L}\p{N}\p{M}._-]*$/u;

type LogName =
  | { readonly state: "log"; readonly day: Day; readonly slug: string }
  | { readonly state: "bad"; readonly message: string }
  | { readonly state: "other" };

/** What a file name in memory/ is: a raw log of a day, something that only looks like one, or something else. */
export function parseLogFile(file: string): LogName {
  const match = logPattern.exec(file);
  if (match === null)
    return beginsLikeLog.test(file)
      ? { state: "bad", message: "a raw log is named YYYY-MM-DD.md or YYYY-MM-DD-word.md" }
      : { state: "other" };
  const day = match[1] ?? "";
  const slug = match[2] ?? "";
  if (!isDay(day)) return { state: "bad", message: `${day} is not a date of the calendar` };
  if (slug !== "" && (!plainSlug().test(slug) || slug.length > 96))
    return {
      state: "bad",
      message: "the part after the date may hold letters, digits, '.', '_' and '-', up to 96 of them",
    };
  return { state: "log", day, slug };
}

/** Newest first; of one period the node before its addenda. */
export function newestFirst(a: NodeName, b: NodeName): number {
  return a.period === b.period ? a.late - b.late : a.period < b.period ? 1 : -1;
}

export function oldestFirst(a: NodeName, b: NodeName): number {
  return a.period === b.period ? a.late - b.late : a.period < b.period ? -1 : 1;
}

/** What names a period in a set. */
export function periodKey(place: { readonly level: NodeLevel; readonly period: Period }): string {
  return `${place.level} ${place.period}`;
}

/** Where what was moved out of raw logs is recorded; docs/formats/audit.md, "Shortened notes". */
export const movedPath = "memory/archive/moved.json";
