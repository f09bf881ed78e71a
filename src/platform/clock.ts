import { readlinkSync } from "node:fs";
import { isDay, isTimeZone, localDay, epochOf, type Day } from "../base/calendar.ts";
import { MemoryError, attempt } from "../base/errors.ts";
import { printUuid7 } from "../base/digest.ts";

/** The program's only clock: the current time and the time zone that defines the calendar day. */
export interface Clock {
  readonly id: string;
  /** IANA time zone name. */
  readonly zone: string;
  /** Set if a configured zone is invalid and therefore ignored; the message names the zone in use. */
  readonly zoneNote?: string | undefined;
  /** The local calendar day of `now()`, as YYYY-MM-DD. */
  today(): string;
  /** Milliseconds since the epoch. With `--today`: that day, at the current time of day. */
  now(): number;
}

/** Unpredictable bytes, for entry ids and temporary names. */
export interface Random {
  bytes(count: number): Uint8Array;
}

/** Generates version 7 UUIDs (RFC 9562) that increase within a process. */
export interface Ids {
  readonly id: string;
  next(): string;
}

export interface SystemClockOptions {
  /** The day to use as today. Default: `HEARTWOOD_TODAY`, else the real day. */
  readonly today?: Day;
  /** IANA name. Default: `HEARTWOOD_TIME_ZONE`, then `TZ`, then the system's zone. */
  readonly timeZone?: string;
}

/** The machine's clock, or the machine's time of day on a given day. */
export function openSystemClock(options: SystemClockOptions): Clock {
  const named = namedZone(options.timeZone);
  const today = todayOf(options.today);
  let found: string | undefined;
  const zone = (): string => (found ??= named ?? systemZone());
  const tz = setting("TZ");
  const realDay = named === undefined && tz === undefined ? systemDay : (): Day => localDay(Date.now(), zone());
  return {
    id: today === undefined ? "system-clock" : "system-clock-on-a-day",
    get zone() {
      return zone();
    },
    get zoneNote() {
      // `:/etc/localtime` means the system's zone, which is used anyway.
      if (named !== undefined || tz === undefined || tz === ":/etc/localtime" || isTimeZone(tz)) return undefined;
      return `TZ is ${JSON.stringify(tz)}, which is not an IANA time zone, so ${zone()} is used; set it to a name such as Europe/Berlin.`;
    },
    today: today === undefined ? realDay : () => today,
    now: () => (today === undefined ? Date.now() : sameTimeOn(today, zone())),
  };
}

/** Today in the process's time zone. Uses `Date`, which is ten times faster than a first `Intl` call. */
function systemDay(): Day {
  const now = new Date(Date.now());
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

/** Real time in UTC, for facts about the machine rather than the memory, such as when a lock was taken. */
export const machineClock: Clock = {
  id: "machine-clock",
  zone: "UTC",
  today: () => localDay(Date.now(), "UTC"),
  now: () => Date.now(),
};

/** The zone from the caller or the environment; `undefined` means the system's. Errors: `invalid_time_zone`. */
function namedZone(given: string | undefined): string | undefined {
  const named = given ?? setting("HEARTWOOD_TIME_ZONE");
  if (named === undefined || isTimeZone(named)) return named;
  const source = given === undefined ? "HEARTWOOD_TIME_ZONE" : "The time zone";
  const message = `${source} is ${JSON.stringify(named)}, which is not an IANA time zone; use a name such as Europe/Berlin or UTC.`;
  throw new MemoryError("invalid_time_zone", message, { value: named });
}

/** The zone from `TZ` or the system. A `TZ` that only the C library understands (`:/etc/localtime`, `EST5EDT4`) is ignored. */
function systemZone(): string {
  const tz = setting("TZ");
  const found = tz !== undefined && isTimeZone(tz) ? tz : tz === undefined ? linkedZone() : undefined;
  if (found !== undefined && isTimeZone(found)) return found;
  const resolved = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return resolved !== undefined && isTimeZone(resolved) ? resolved : "UTC";
}

/** The zone that `/etc/localtime` links to. `Intl` reads it too, but more slowly. */
function linkedZone(): string | undefined {
  const name = /\/zoneinfo\/(.+)$/.exec(attempt(() => readlinkSync("/etc/localtime")) ?? "")?.[1];
  return name === "Etc/UTC" ? "UTC" : name;
}

function todayOf(given: string | undefined): Day | undefined {
  const named = given ?? setting("HEARTWOOD_TODAY");
  if (named === undefined || isDay(named)) return named;
  const source = given === undefined ? "HEARTWOOD_TODAY" : "The date for today";
  const message = `${source} is ${JSON.stringify(named)}, which is not a valid date; use YYYY-MM-DD, such as 2026-03-15.`;
  throw new MemoryError("invalid_date", message, { value: named });
}

function sameTimeOn(today: Day, zone: string): number {
  const now = Date.now();
  const sinceMidnight = now - epochOf(localDay(now, zone), 0, zone);
  const moment = epochOf(today, Math.min(sinceMidnight, 86_399_999), zone);
  // If the zone skips the end of the day (or the whole day), `moment` falls on another day.
  return localDay(moment, zone) === today ? moment : epochOf(today, 0, zone);
}

function setting(name: string): string | undefined {
  const value = process.env[name];
  return value === undefined || value === "" ? undefined : value;
}

/** The operating system's random bytes. */
export const systemRandom: Random = { bytes: (count) => process.getBuiltinModule("node:crypto").randomBytes(count) };

/** Version 7 UUIDs that increase within the process: within a millisecond, or if the clock goes back, 12 bits serve as a counter (RFC 9562, 6.2). */
export function createUuid7Ids(options: { readonly clock: Pick<Clock, "now">; readonly random: Random }): Ids {
  let last = 0;
  let count = 0;
  let pool = new Uint8Array(0);
  let used = 0;
  return {
    id: "uuid7-ids-1",
    next: () => {
      const now = options.clock.now();
      if (now > last) [last, count] = [now, 0];
      else if (count < 0xfff) count += 1;
      else [last, count] = [last + 1, 0];
      if (used + 10 > pool.length) [pool, used] = [options.random.bytes(4000).slice(), 0];
      const random = pool.subarray(used, used + 10);
      used += 10;
      random[0] = count >> 8;
      random[1] = count & 0xff;
      return printUuid7(last, random);
    },
  };
}
