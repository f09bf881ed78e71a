import {
  addDays,
  daysBetween,
  firstDayOf,
  isDay,
  isMonth,
  isWeek,
  lastDayOf,
  mondayOf,
  sundayOf,
  weekOf,
  type Day,
} from "../../../base/calendar.ts";

/** Days from the first to the last, inclusive. */
export interface Span {
  readonly from: Day;
  readonly to: Day;
}

export type Unit = "day" | "week" | "month" | "quarter" | "year";

/** The day, calendar week, month, quarter or year that lies so many before the one of today. */
export function unitBefore(today: Day, count: number, unit: Unit): Span | undefined {
  if (unit === "day" || unit === "week") {
    const day = dayBefore(today, unit === "day" ? count : count * 7);
    if (day === undefined) return undefined;
    return unit === "day" ? { from: day, to: day } : weekSpan(weekOf(day));
  }
  const months = monthNumber(today);
  if (unit === "month") return monthsFrom(months - count, 1);
  if (unit === "quarter") return monthsFrom((Math.floor(months / 3) - count) * 3, 3);
  return monthsFrom((Math.floor(months / 12) - count) * 12, 12);
}

/** From so many days, weeks, months or years ago until today. */
export function lastUnits(today: Day, count: number, unit: Unit): Span | undefined {
  const from = unit === "day" || unit === "week" ? dayBefore(today, unit === "day" ? count : count * 7) : undefined;
  if (from !== undefined) return { from, to: today };
  const months = { day: 0, week: 0, month: 1, quarter: 3, year: 12 }[unit] * count;
  const month = months === 0 ? undefined : monthName(monthNumber(today) - months);
  if (month === undefined) return undefined;
  const last = lastDayOf(month);
  const same = `${month}-${today.slice(8)}`;
  return { from: same < last ? same : last, to: today };
}

/** The month; without a year the latest that has begun. */
export function monthSpan(today: Day, month: number, year?: number): Span | undefined {
  if (!(month >= 1 && month <= 12)) return undefined;
  if (year !== undefined) return monthsFrom(year * 12 + month - 1, 1);
  const now = monthNumber(today);
  const back = ((now % 12) - (month - 1) + 12) % 12;
  return monthsFrom(now - back, 1);
}

/** The day; without a year the latest that is not in the future. */
export function daySpan(today: Day, month: number, day: number, year?: number): Span | undefined {
  if (year !== undefined) return spanOfDay(dayNamed(year, month, day));
  const now = Number(today.slice(0, 4));
  // A 29 February may be eight years back.
  for (let candidate = now; candidate >= now - 8; candidate--) {
    const named = dayNamed(candidate, month, day);
    if (isDay(named) && named <= today) return spanOfDay(named);
  }
  return undefined;
}

export function quarterSpan(year: number, quarter: number): Span | undefined {
  return monthsFrom(year * 12 + (quarter - 1) * 3, 3);
}

export function yearSpan(year: number): Span | undefined {
  return monthsFrom(year * 12, 12);
}

export function weekNamed(week: string): Span | undefined {
  return isWeek(week) ? weekSpan(week) : undefined;
}

/** The latest such day of the week (Monday 0): today counts, or only days before it. */
export function weekdaySpan(today: Day, weekday: number, counts: "today" | "before"): Span | undefined {
  const back = (weekdayOf(today) - weekday + 7) % 7;
  const day = dayBefore(today, back === 0 && counts === "before" ? 7 : back);
  return spanOfDay(day);
}

/** A day of the week in the week that lies so many before this one. */
export function weekdayOfWeek(today: Day, weekday: number, weeks: number): Span | undefined {
  return spanOfDay(dayBefore(today, weekdayOf(today) - weekday + 7 * weeks));
}

/** Saturday and Sunday: the latest that have begun, or those before this week's. */
export function weekendSpan(today: Day, which: "latest" | "before"): Span | undefined {
  const back = (weekdayOf(today) + 2) % 7;
  const saturday = dayBefore(today, back < 2 && which === "before" ? back + 7 : back);
  const sunday = saturday === undefined ? undefined : dayBefore(saturday, -1);
  return saturday === undefined || sunday === undefined ? undefined : { from: saturday, to: sunday };
}

/** The day so many before; `undefined` outside the calendar. */
export function dayBefore(day: Day, count: number): Day | undefined {
  const first = daysBetween("0001-01-01", day) - count;
  return first >= 0 && daysBetween("9999-12-31", day) - count <= 0 ? addDays(day, -count) : undefined;
}

function weekdayOf(day: Day): number {
  return daysBetween(mondayOf(weekOf(day)), day);
}

function weekSpan(week: string): Span {
  return { from: mondayOf(week), to: sundayOf(week) };
}

function spanOfDay(day: Day | undefined): Span | undefined {
  return day === undefined || !isDay(day) ? undefined : { from: day, to: day };
}

/** Months since the year 0. */
function monthNumber(day: Day): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;
}

function monthsFrom(first: number, count: number): Span | undefined {
  const [from, to] = [monthName(first), monthName(first + count - 1)];
  return from === undefined || to === undefined ? undefined : { from: firstDayOf(from), to: lastDayOf(to) };
}

function monthName(months: number): string | undefined {
  const name = `${padded(Math.floor(months / 12), 4)}-${padded((((months % 12) + 12) % 12) + 1, 2)}`;
  return isMonth(name) ? name : undefined;
}

function dayNamed(year: number, month: number, day: number): Day {
  return `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}`;
}

function padded(value: number, digits: number): string {
  return String(value).padStart(digits, "0");
}
