import { DAY_MS, EPOCH_SERIAL, invalidDate, serialFrom } from "./calendar-days.ts";
import { MemoryError } from "./errors.ts";

/** Whether the runtime knows this IANA zone name. Bare offsets such as `+01:00` are no names of zones. */
export function isTimeZone(name: string): boolean {
  return name === "UTC" || formatterOf(name) !== undefined;
}

/** Local wall time minus UTC, in milliseconds. */
export function offsetAt(epochMs: number, zone: string): number {
  const isInstant = Math.abs(epochMs) <= 8.64e15;
  // The first formatter of a process takes 15 ms to make.
  if (zone === "UTC" && isInstant) return 0;
  const formatter = formatterOf(zone);
  if (formatter === undefined) {
    const message = `The time zone ${JSON.stringify(zone)} is not known. Give an IANA name such as "Europe/Berlin".`;
    throw new MemoryError("invalid_time_zone", message, { zone });
  }
  if (!isInstant) throw invalidDate(`${epochMs}`, "milliseconds since 1970-01-01");
  const wholeSecond = Math.floor(epochMs / 1000) * 1000;
  const parts: Record<string, string> = {};
  for (const { type, value } of formatter.formatToParts(wholeSecond)) parts[type] = value;
  const part = (name: string): number => Number(parts[name]);
  const year = parts["era"]?.startsWith("B") === true ? 1 - part("year") : part("year");
  const days = serialFrom(year, part("month"), part("day")) - EPOCH_SERIAL;
  return days * DAY_MS + (part("hour") * 3600 + part("minute") * 60 + part("second")) * 1000 - wholeSecond;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(zone: string): Intl.DateTimeFormat | undefined {
  const known = formatters.get(zone);
  if (known !== undefined || !/^[A-Za-z]/.test(zone)) return known;
  const made = newFormatter(zone);
  if (made !== undefined) formatters.set(zone, made);
  return made;
}

function newFormatter(zone: string): Intl.DateTimeFormat | undefined {
  const digits = "2-digit";
  const time = { hour: digits, minute: digits, second: digits, hourCycle: "h23" } as const;
  const date = { era: "short", year: "numeric", month: "numeric", day: "numeric" } as const;
  try {
    return new Intl.DateTimeFormat("en-US-u-ca-gregory-nu-latn", { timeZone: zone, ...date, ...time });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
