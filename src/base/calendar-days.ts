import { MemoryError } from "./errors.ts";

/*
 * The arithmetic below the calendar: days counted from 0001-01-01, the serial. That day is a Monday in the proleptic
 * Gregorian calendar, so `serial % 7` is the day of the week with Monday = 0.
 */

/** 1970-01-01 as a serial. */
export const EPOCH_SERIAL = 719_162;
/** 9999-12-31 as a serial. */
export const LAST_SERIAL = 3_652_058;
export const DAY_MS = 86_400_000;
const DAYS_BEFORE_MONTH = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365] as const;

export function knownSerial(day: string): number {
  const serial = serialOf(day);
  if (Number.isNaN(serial)) throw invalidDate(day, "a real calendar day (YYYY-MM-DD, years 0001 to 9999)");
  return serial;
}

export function knownMonday(week: string): number {
  const serial = mondaySerialOf(week);
  if (Number.isNaN(serial)) throw invalidDate(week, "a real ISO week (YYYY-Wnn, years 0001 to 9999)");
  return serial;
}

/** The last day of a month. */
export function lastSerialOf(month: string): number {
  return knownSerial(`${month}-01`) + daysInMonth(numberAt(month, 0, 4), numberAt(month, 5, 7)) - 1;
}

/** NaN when the text is not a day. */
export function serialOf(text: string): number {
  if (text.length !== 10 || text[4] !== "-" || text[7] !== "-") return NaN;
  const year = numberAt(text, 0, 4);
  const month = numberAt(text, 5, 7);
  const day = numberAt(text, 8, 10);
  if (!(year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month))) return NaN;
  return serialFrom(year, month, day);
}

/** NaN when the text is not a week. */
export function mondaySerialOf(text: string): number {
  if (text.length !== 8 || text[4] !== "-" || text[5] !== "W") return NaN;
  const year = numberAt(text, 0, 4);
  const week = numberAt(text, 6, 8);
  if (!(year >= 1 && week >= 1)) return NaN;
  const fourthOfJanuary = daysBeforeYear(year) + 3;
  const monday = fourthOfJanuary - (fourthOfJanuary % 7) + (week - 1) * 7;
  return monday + 3 < daysBeforeYear(year + 1) ? monday : NaN;
}

/** NaN when a character is not an ASCII digit. */
function numberAt(text: string, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (!(digit >= 0 && digit <= 9)) return NaN;
    value = value * 10 + digit;
  }
  return value;
}

export function dayName(serial: number): string {
  if (!(Number.isInteger(serial) && serial >= 0 && serial <= LAST_SERIAL)) {
    throw invalidDate(`day ${serial - EPOCH_SERIAL} after 1970-01-01`, "a whole day in the years 0001 to 9999");
  }
  const year = yearOf(serial);
  const dayOfYear = serial - daysBeforeYear(year);
  // No month is longer than 31 days: the estimate is right or one too small.
  let month = Math.floor(dayOfYear / 31) + 1;
  if (dayOfYear >= daysBeforeMonth(year, month + 1)) month++;
  return `${fourDigits(year)}-${twoDigits(month)}-${twoDigits(dayOfYear - daysBeforeMonth(year, month) + 1)}`;
}

export function weekName(serial: number): string {
  const thursday = serial - (serial % 7) + 3;
  const year = yearOf(thursday);
  return `${fourDigits(year)}-W${twoDigits(Math.floor((thursday - daysBeforeYear(year)) / 7) + 1)}`;
}

function yearOf(serial: number): number {
  const year = Math.floor(serial / 365.2425) + 1;
  if (daysBeforeYear(year) > serial) return year - 1;
  return daysBeforeYear(year + 1) <= serial ? year + 1 : year;
}

export function serialFrom(year: number, month: number, day: number): number {
  return daysBeforeYear(year) + daysBeforeMonth(year, month) + day - 1;
}

function daysBeforeYear(year: number): number {
  const past = year - 1;
  return past * 365 + Math.floor(past / 4) - Math.floor(past / 100) + Math.floor(past / 400);
}

function daysBeforeMonth(year: number, month: number): number {
  return (DAYS_BEFORE_MONTH[month - 1] ?? 0) + (month > 2 && isLeap(year) ? 1 : 0);
}

function daysInMonth(year: number, month: number): number {
  return daysBeforeMonth(year, month + 1) - daysBeforeMonth(year, month);
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

export function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : `${value}`;
}

function fourDigits(value: number): string {
  return value < 1000 ? `${value}`.padStart(4, "0") : `${value}`;
}

export function invalidDate(value: string, allowed: string): MemoryError {
  return new MemoryError("invalid_date", `${JSON.stringify(value)} is not ${allowed}. Correct the date.`, { value });
}
