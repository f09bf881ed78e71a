import {
  DAY_MS,
  dayName,
  EPOCH_SERIAL,
  knownMonday,
  knownSerial,
  LAST_SERIAL,
  lastSerialOf,
  mondaySerialOf,
  serialOf,
  twoDigits,
  weekName,
} from "./calendar-days.ts";
import { offsetAt } from "./time-zone.ts";

export { isTimeZone } from "./time-zone.ts";

/** A calendar day, `YYYY-MM-DD`, from 0001-01-01 to 9999-12-31 (ISO 8601, proleptic Gregorian). Sorts as text. */
export type Day = string;
/** An ISO 8601 week, `YYYY-Wnn`; its year is the year of its Thursday. Sorts as text. */
export type Week = string;
/** A calendar month, `YYYY-MM`. Sorts as text. */
export type Month = string;

/** Whether the text names a day that exists: `2026-02-30` does not. ASCII digits only. */
export function isDay(text: string): boolean {
  return !Number.isNaN(serialOf(text));
}

/** Whether the text names a week that exists: `W53` only in the years that have one. */
export function isWeek(text: string): boolean {
  return !Number.isNaN(mondaySerialOf(text));
}

/** Whether the text names a month. */
export function isMonth(text: string): boolean {
  return !Number.isNaN(serialOf(`${text}-01`));
}

/** The day `n` days later (earlier when negative). `invalid_date` when it leaves the years 0001–9999. */
export function addDays(day: Day, n: number): Day {
  return dayName(knownSerial(day) + n);
}

/** Days from `from` to `to`: positive when `to` is later. Cannot leave the calendar, unlike `addDays`. */
export function daysBetween(from: Day, to: Day): number {
  return knownSerial(to) - knownSerial(from);
}

/** The ISO 8601 week in which the day lies. */
export function weekOf(day: Day): Week {
  return weekName(knownSerial(day));
}

export function mondayOf(week: Week): Day {
  return dayName(knownMonday(week));
}

/** The last day of the week. 9999-W52, which the calendar cuts off, ends on its Friday, 9999-12-31. */
export function sundayOf(week: Week): Day {
  return dayName(Math.min(knownMonday(week) + 6, LAST_SERIAL));
}

/** The days of the week, Monday first: seven, save in 9999-W52, which the calendar cuts off after its Friday. */
export function daysOf(week: Week): readonly Day[] {
  const monday = knownMonday(week);
  const days: Day[] = [];
  for (let serial = monday; serial < monday + 7 && serial <= LAST_SERIAL; serial++) days.push(dayName(serial));
  return days;
}

/** The one parent month of a week: the month of its Thursday. */
export function monthOfWeek(week: Week): Month {
  return dayName(knownMonday(week) + 3).slice(0, 7);
}

export function firstDayOf(month: Month): Day {
  return dayName(knownSerial(`${month}-01`));
}

export function lastDayOf(month: Month): Day {
  return dayName(lastSerialOf(month));
}

/** The weeks whose parent is this month (their Thursday lies in it), in order: four or five. */
export function weeksOf(month: Month): readonly Week[] {
  const first = knownSerial(`${month}-01`);
  const last = lastSerialOf(month);
  const weeks: Week[] = [];
  for (let thursday = first + ((3 - (first % 7) + 7) % 7); thursday <= last; thursday += 7) {
    weeks.push(weekName(thursday));
  }
  return weeks;
}

/** The month after. `invalid_date` after 9999-12. */
export function nextMonth(month: Month): Month {
  return dayName(lastSerialOf(month) + 1).slice(0, 7);
}

/** The calendar day that people in the zone have at this instant (milliseconds since 1970-01-01T00:00Z). */
export function localDay(epochMs: number, zone: string): Day {
  return dayName(Math.floor((epochMs + offsetAt(epochMs, zone)) / DAY_MS) + EPOCH_SERIAL);
}

/**
 * The instant as local wall time with its offset, RFC 3339 in whole seconds: `2026-03-15T14:05:00+01:00`.
 * UTC is `+00:00`. An offset with seconds (local mean time, long ago) is rounded to the minute, as Temporal does.
 */
export function localTimestamp(epochMs: number, zone: string): string {
  const offset = offsetAt(epochMs, zone);
  const second = Math.floor((epochMs + offset) / 1000);
  const inDay = modulo(second, 86_400);
  const time = [Math.floor(inDay / 3600), Math.floor(inDay / 60) % 60, inDay % 60].map(twoDigits).join(":");
  return `${dayName((second - inDay) / 86_400 + EPOCH_SERIAL)}T${time}${offsetName(offset)}`;
}

/**
 * The instant (milliseconds since the epoch) at which the clocks of the zone show this day and time of day
 * (milliseconds after 00:00). A time that occurs twice is the first one; a time that a zone skips is as much later
 * as the clocks jump (02:30 becomes 03:30): RFC 5545, and `"compatible"` in Temporal.
 */
export function epochOf(day: Day, timeOfDayMs: number, zone: string): number {
  const local = (knownSerial(day) - EPOCH_SERIAL) * DAY_MS + timeOfDayMs;
  // No offset exceeds a day, so these are the offsets before and after any change near that time.
  const before = offsetAt(local - DAY_MS, zone);
  const after = offsetAt(local + DAY_MS, zone);
  const first = local - Math.max(before, after);
  const second = local - Math.min(before, after);
  if (first + offsetAt(first, zone) === local) return first;
  if (second + offsetAt(second, zone) === local) return second;
  return local - before;
}

function offsetName(offset: number): string {
  const minutes = Math.round(Math.abs(offset) / 60_000);
  const sign = offset < 0 && minutes > 0 ? "-" : "+";
  return `${sign}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}
