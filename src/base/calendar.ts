import { MemoryError } from "./errors.ts";
import { remembering } from "./lines.ts";

/** A calendar day, `YYYY-MM-DD`, from 0001-01-01 to 9999-12-31 (ISO 8601, proleptic Gregorian). Sorts as text. */
export type Day = string;
/** An ISO 8601 week, `YYYY-Wnn`; its year is the year of its Thursday. Sorts as text. */
export type Week = string;
/** A calendar month, `YYYY-MM`. Sorts as text. */
export type Month = string;

/** Whether the text is a real calendar day; `2026-02-30` is not. ASCII digits only. */
export function isDay(text: string): boolean {
  return !Number.isNaN(serialOf(text));
}

/** Whether the text is a real ISO week; only some years have a `W53`. */
export function isWeek(text: string): boolean {
  return !Number.isNaN(mondaySerialOf(text));
}

/** Whether the text is a valid month. */
export function isMonth(text: string): boolean {
  return !Number.isNaN(serialOf(`${text}-01`));
}

/** The day `n` days later (earlier if negative). Throws `invalid_date` outside the years 0001–9999. */
export function addDays(day: Day, n: number): Day {
  return dayName(knownSerial(day) + n);
}

/** Days from `from` to `to`: positive if `to` is later. Never out of range, unlike `addDays`. */
export function daysBetween(from: Day, to: Day): number {
  return knownSerial(to) - knownSerial(from);
}

/** The ISO 8601 week that contains the day. */
export function weekOf(day: Day): Week {
  return weekName(knownSerial(day));
}

export function mondayOf(week: Week): Day {
  return dayName(knownMonday(week));
}

/** The last day of the week. 9999-W52 is cut short and ends on Friday, 9999-12-31. */
export function sundayOf(week: Week): Day {
  return dayName(Math.min(knownMonday(week) + 6, LAST_SERIAL));
}

/** The days of the week, Monday first: seven, except in 9999-W52, which ends on Friday. */
export function daysOf(week: Week): readonly Day[] {
  const monday = knownMonday(week);
  return Array.from({ length: Math.min(7, LAST_SERIAL - monday + 1) }, (_, day) => dayName(monday + day));
}

/** The parent month of a week: the month of its Thursday. */
export function monthOfWeek(week: Week): Month {
  return dayName(knownMonday(week) + 3).slice(0, 7);
}

export function firstDayOf(month: Month): Day {
  return dayName(knownSerial(`${month}-01`));
}

export function lastDayOf(month: Month): Day {
  return dayName(lastSerialOf(month));
}

/** The weeks whose parent is this month (their Thursday falls in it), in order: four or five. */
export function weeksOf(month: Month): readonly Week[] {
  const first = knownSerial(`${month}-01`);
  const last = lastSerialOf(month);
  const weeks: Week[] = [];
  for (let thursday = first + ((3 - (first % 7) + 7) % 7); thursday <= last; thursday += 7) {
    weeks.push(weekName(thursday));
  }
  return weeks;
}

/** The calendar day in the zone at this instant (milliseconds since 1970-01-01T00:00Z). */
export function localDay(epochMs: number, zone: string): Day {
  return dayName(Math.floor((epochMs + offsetAt(epochMs, zone)) / DAY_MS) + EPOCH_SERIAL);
}

/**
 * The instant as local time with offset, in RFC 3339 format, to the second: `2026-03-15T14:05:00+01:00`.
 * UTC is `+00:00`. Historical offsets with seconds (local mean time) are rounded to the minute, as Temporal does.
 */
export function localTimestamp(epochMs: number, zone: string): string {
  const offset = offsetAt(epochMs, zone);
  const time = new Date(epochMs + offset).toISOString().slice(-14, -5);
  return `${localDay(epochMs, zone)}${time}${offsetName(offset)}`;
}

/**
 * The instant (milliseconds since the epoch) of a day and time of day (milliseconds after 00:00) in the zone. If a time
 * occurs twice, the first one counts; a skipped time moves forward by the length of the jump (02:30 becomes 03:30).
 * Same as RFC 5545 and `"compatible"` in Temporal.
 */
export function epochOf(day: Day, timeOfDayMs: number, zone: string): number {
  const local = (knownSerial(day) - EPOCH_SERIAL) * DAY_MS + timeOfDayMs;
  // Offsets are always less than a day, so these are the offsets before and after any transition near that time.
  const [before = 0, after = 0] = [-DAY_MS, DAY_MS].map((step) => offsetAt(local + step, zone));
  const times = [local - Math.max(before, after), local - Math.min(before, after)];
  return times.find((time) => time + offsetAt(time, zone) === local) ?? local - before;
}

function offsetName(offset: number): string {
  const minutes = Math.round(Math.abs(offset) / 60_000);
  const sign = offset < 0 && minutes > 0 ? "-" : "+";
  return `${sign}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
}

/** Whether the runtime knows this IANA time zone. Bare offsets such as `+01:00` are not time zones. */
export function isTimeZone(name: string): boolean {
  return name === "UTC" || formatterOf(name) !== undefined;
}

/** Local time minus UTC, in milliseconds. */
function offsetAt(epochMs: number, zone: string): number {
  const isInstant = Math.abs(epochMs) <= 8.64e15;
  // Creating the first formatter in a process takes 15 ms.
  if (zone === "UTC" && isInstant) return 0;
  const formatter = formatterOf(zone);
  if (formatter === undefined) {
    const message = `Unknown time zone ${JSON.stringify(zone)}; use an IANA name such as "Europe/Berlin".`;
    throw new MemoryError("invalid_time_zone", message, { zone });
  }
  if (!isInstant) throw invalidDate(`${epochMs}`, "a valid time in milliseconds since 1970-01-01");
  // `GMT`, `GMT-08:00`, `GMT+00:19:32`.
  const [, sign, ...parts] = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(formatter.format(epochMs)) ?? [];
  const [hours, minutes, seconds] = parts.map((part) => Number(part ?? 0));
  return (((hours ?? 0) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0)) * (sign === "-" ? -1000 : 1000);
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(zone: string): Intl.DateTimeFormat | undefined {
  const known = formatters.get(zone);
  if (known !== undefined || !/^[A-Za-z]/.test(zone)) return known;
  try {
    const made = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
    formatters.set(zone, made);
    return made;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/*
 * Calendar arithmetic uses serials: days since 0001-01-01. That day is a Monday in the proleptic Gregorian calendar,
 * so `serial % 7` is the weekday, with Monday = 0.
 */

/** 1970-01-01 as a serial. */
const EPOCH_SERIAL = 719_162;
/** 9999-12-31 as a serial. */
const LAST_SERIAL = 3_652_058;
const DAY_MS = 86_400_000;
/** Maximum size of each cache of days. A full cache is cleared, which does not change results. */
const mostKnown = 20_000;

function knownSerial(day: string): number {
  const serial = serialOf(day);
  if (Number.isNaN(serial)) throw invalidDate(day, "a valid date (YYYY-MM-DD, years 0001 to 9999)");
  return serial;
}

function knownMonday(week: string): number {
  const serial = mondaySerialOf(week);
  if (Number.isNaN(serial)) throw invalidDate(week, "a valid ISO week (YYYY-Wnn, years 0001 to 9999)");
  return serial;
}

/** The serial of the last day of a month. */
function lastSerialOf(month: string): number {
  // Months have at most 31 days, so this is one of the first days of the next month.
  const later = knownSerial(`${month}-01`) + 31;
  return later > LAST_SERIAL ? LAST_SERIAL : serialOf(`${dayName(later).slice(0, 8)}01`) - 1;
}

/** The serial of a day; NaN if the text is not a day. */
const serialOf = remembering(
  (text): number => {
    if (!/^\d{4}-\d\d-\d\d$/.test(text) || text.startsWith("0000")) return NaN;
    const serial = Date.parse(`${text}T00:00Z`) / DAY_MS + EPOCH_SERIAL;
    // `Date` reads 2026-02-30 as a day in March.
    return !Number.isNaN(serial) && dayName(serial) === text ? serial : NaN;
  },
  mostKnown,
  10,
);

/** The serial of a week's Monday; NaN if the text is not a week. */
function mondaySerialOf(text: string): number {
  const [, year = "", week] = /^(\d{4})-W(\d\d)$/.exec(text) ?? [];
  const fourthOfJanuary = serialOf(`${year}-01-04`);
  const monday = fourthOfJanuary - (fourthOfJanuary % 7) + (Number(week) - 1) * 7;
  return Number(week) >= 1 && monday + 3 <= LAST_SERIAL && dayName(monday + 3).startsWith(year) ? monday : NaN;
}

const dayNames = new Map<number, string>();

function dayName(serial: number): string {
  const known = dayNames.get(serial);
  if (known !== undefined) return known;
  if (!(Number.isInteger(serial) && serial >= 0 && serial <= LAST_SERIAL))
    throw invalidDate(`day ${serial - EPOCH_SERIAL} after 1970-01-01`, "a whole day in the years 0001 to 9999");
  if (dayNames.size >= mostKnown) dayNames.clear();
  const name = new Date((serial - EPOCH_SERIAL) * DAY_MS).toISOString().slice(0, 10);
  dayNames.set(serial, name);
  return name;
}

function weekName(serial: number): string {
  const thursday = serial - (serial % 7) + 3;
  const year = dayName(thursday).slice(0, 4);
  return `${year}-W${twoDigits(Math.floor((thursday - serialOf(`${year}-01-01`)) / 7) + 1)}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}

function invalidDate(value: string, allowed: string): MemoryError {
  return new MemoryError("invalid_date", `${JSON.stringify(value)} is not ${allowed}. Correct the date.`, { value });
}

/** Weekday names in several languages, mapped to their number: 1 is Monday. */
export const weekdays: ReadonlyMap<string, number> = new Map(
  [
    "monday mon montag lundi lunes 月曜 月曜日 周一 星期一 月曜 월요일 понедельник",
    "tuesday tue tues dienstag mardi martes 火曜 火曜日 周二 星期二 화요일 вторник",
    "wednesday wed mittwoch mercredi miércoles 水曜 水曜日 周三 星期三 수요일 среда среду",
    "thursday thu thurs donnerstag jeudi jueves 木曜 木曜日 周四 星期四 목요일 четверг",
    "friday fri freitag vendredi viernes 金曜 金曜日 周五 星期五 금요일 пятница пятницу",
    "saturday sat samstag sonnabend samedi sábado 土曜 土曜日 周六 星期六 토요일 суббота субботу",
    "sunday sun sonntag dimanche domingo 日曜 日曜日 周日 星期日 星期天 周天 일요일 воскресенье",
  ].flatMap((names, at) => names.split(" ").map((name): [string, number] => [name, at + 1])),
);
