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

const monthsIn = { month: 1, quarter: 3, year: 12 };

export type Unit = "day" | "week" | keyof typeof monthsIn;

/** The day, calendar week, month, quarter or year `count` units before the current one. */
export function unitBefore(today: Day, count: number, unit: Unit): Span | undefined {
  if (unit === "day") return spanOfDay(dayBefore(today, count));
  if (unit === "week") {
    const day = dayBefore(today, count * 7);
    return day === undefined ? undefined : weekNamed(weekOf(day));
  }
  const months = monthsIn[unit];
  return monthsFrom((Math.floor(monthNumber(today) / months) - count) * months, months);
}

/** From `count` units ago until today. */
export function lastUnits(today: Day, count: number, unit: Unit): Span | undefined {
  if (unit === "day" || unit === "week") {
    const from = dayBefore(today, unit === "day" ? count : count * 7);
    return from === undefined ? undefined : { from, to: today };
  }
  const month = monthsFrom(monthNumber(today) - count * monthsIn[unit], 1);
  if (month === undefined) return undefined;
  const same = `${month.from.slice(0, 7)}-${today.slice(8)}`;
  return { from: same < month.to ? same : month.to, to: today };
}

/** `count` months starting with `month`. Without a year, the latest that have begun. */
export function monthsOf(today: Day, month: number, count: number, year?: number): Span | undefined {
  if (!(month >= 1 && month <= 12)) return undefined;
  if (year !== undefined) return monthsFrom(year * 12 + month - 1, count);
  const now = monthNumber(today);
  return monthsFrom(now - (((now % 12) - (month - 1) + 12) % 12), count);
}

/** A day. Without a year, the latest that is not in the future. */
export function daySpan(today: Day, month: number, day: number, year?: number): Span | undefined {
  if (year !== undefined) return spanOfDay(dayNamed(year, month, day));
  // A 29 February may be eight years back.
  const named = Array.from({ length: 9 }, (_, back) => dayNamed(Number(today.slice(0, 4)) - back, month, day));
  return spanOfDay(named.find((candidate) => isDay(candidate) && candidate <= today));
}

export function weekNamed(week: string): Span | undefined {
  return isWeek(week) ? { from: mondayOf(week), to: sundayOf(week) } : undefined;
}

/** The latest such weekday (Monday is 0), counting today or only days before it. */
export function weekdaySpan(today: Day, weekday: number, counts: "today" | "before"): Span | undefined {
  const back = (weekdayOf(today) - weekday + 7) % 7;
  return spanOfDay(dayBefore(today, back === 0 && counts === "before" ? 7 : back));
}

/** A weekday in the week `weeks` weeks before this one. */
export function weekdayOfWeek(today: Day, weekday: number, weeks: number): Span | undefined {
  return spanOfDay(dayBefore(today, weekdayOf(today) - weekday + 7 * weeks));
}

/** A Saturday and Sunday: the latest weekend that has begun, or the latest one that is over. */
export function weekendSpan(today: Day, which: "latest" | "before"): Span | undefined {
  const back = (weekdayOf(today) + 2) % 7;
  const saturday = back < 2 && which === "before" ? back + 7 : back;
  const [from, to] = [dayBefore(today, saturday), dayBefore(today, saturday - 1)];
  return from === undefined || to === undefined ? undefined : { from, to };
}

/** The day `count` days before; `undefined` outside the calendar. */
export function dayBefore(day: Day, count: number): Day | undefined {
  const first = daysBetween("0001-01-01", day) - count;
  return first >= 0 && daysBetween("9999-12-31", day) - count <= 0 ? addDays(day, -count) : undefined;
}

function weekdayOf(day: Day): number {
  return daysBetween(mondayOf(weekOf(day)), day);
}

function spanOfDay(day: Day | undefined): Span | undefined {
  return day === undefined || !isDay(day) ? undefined : { from: day, to: day };
}

/** Number of months since year 0. */
function monthNumber(day: Day): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;
}

function monthsFrom(first: number, count: number): Span | undefined {
  const [from, to] = [first, first + count - 1].map((months) => {
    return `${padded(Math.floor(months / 12), 4)}-${padded((((months % 12) + 12) % 12) + 1, 2)}`;
  });
  if (from === undefined || to === undefined || !isMonth(from) || !isMonth(to)) return undefined;
  return { from: firstDayOf(from), to: lastDayOf(to) };
}

function dayNamed(year: number, month: number, day: number): Day {
  return `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}`;
}

function padded(value: number, digits: number): string {
  return String(value).padStart(digits, "0");
}
