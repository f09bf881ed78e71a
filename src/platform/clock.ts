import { randomBytes } from "node:crypto";
import { readlinkSync } from "node:fs";
import { isDay, isTimeZone, localDay, epochOf, type Day } from "../base/calendar.ts";
import { MemoryError, attempt } from "../base/errors.ts";
import { printUuid7 } from "../base/digest.ts";

/** The one clock of the program: an instant and the zone of its calendar day. */
export interface Clock {
  readonly id: string;
  /** IANA name of the zone. */
  readonly zone: string;
  /** A sentence when a setting does not name a zone and is ignored; it says which zone is used. */
  readonly zoneNote?: string | undefined;
  /** The local calendar day of `now()`, as YYYY-MM-DD. */
  today(): string;
  /** Milliseconds since the epoch. With `--today` it lies on that local day, at the present time of day. */
  now(): number;
}

/** Unpredictable bytes, for entry ids and temporary names. */
export interface Random {
  bytes(count: number): Uint8Array;
}

/** Makes ids: UUIDs of version 7 (RFC 9562), later ones greater than earlier ones of the same process. */
export interface Ids {
  readonly id: string;
  next(): string;
}

export interface SystemClockOptions {
  /** The day to take for today. Default: `HEARTWOOD_TODAY`, else the real day. */
  readonly today?: Day;
  /** IANA name. Default: `HEARTWOOD_TIME_ZONE`, then `TZ`, then the system's zone. */
  readonly timeZone?: string;
}

/** The machine's clock, or the machine's time of day on a day that the caller names. */
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
      // `:/etc/localtime` asks for the system's zone, which is what it gets.
      if (named !== undefined || tz === undefined || tz === ":/etc/localtime" || isTimeZone(tz)) return undefined;
      return `TZ is ${JSON.stringify(tz)}, which is not a known zone, so ${zone()} is used; give an IANA name such as Europe/Berlin.`;
    },
    today: today === undefined ? realDay : () => today,
    now: () => (today === undefined ? Date.now() : sameTimeOn(today, zone())),
  };
}

/** The day in the zone of the process: asking `Date` costs a tenth of what the first question to `Intl` does. */
function systemDay(): Day {
  const now = new Date(Date.now());
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

/** The real time in UTC, for facts of this machine and not of the memory: who holds a lock, since when. */
export const machineClock: Clock = {
  id: "machine-clock",
  zone: "UTC",
  today: () => localDay(Date.now(), "UTC"),
  now: () => Date.now(),
};

/** The zone that the caller or the environment names, checked; `undefined` leaves it to the system. */
function namedZone(given: string | undefined): string | undefined {
  const named = given ?? setting("HEARTWOOD_TIME_ZONE");
  if (named === undefined || isTimeZone(named)) return named;
  const source = given === undefined ? "HEARTWOOD_TIME_ZONE" : "The time zone";
  const message = `${source} is ${JSON.stringify(named)}, which is not a known zone; give an IANA name such as Europe/Berlin or UTC.`;
  throw new MemoryError("invalid_time_zone", message, { value: named });
}

/** `TZ` may be what only the C library reads (`:/etc/localtime`, `EST5EDT4`): then the system's zone is used. */
function systemZone(): string {
  const tz = setting("TZ");
  const found = tz !== undefined && isTimeZone(tz) ? tz : tz === undefined ? linkedZone() : undefined;
  if (found !== undefined && isTimeZone(found)) return found;
  const resolved = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return resolved !== undefined && isTimeZone(resolved) ? resolved : "UTC";
}

/** What `Intl` would read too, and more slowly. */
function linkedZone(): string | undefined {
  const name = /\/zoneinfo\/(.+)$/.exec(attempt(() => readlinkSync("/etc/localtime")) ?? "")?.[1];
  return name === "Etc/UTC" ? "UTC" : name;
}

function todayOf(given: string | undefined): Day | undefined {
  const named = given ?? setting("HEARTWOOD_TODAY");
  if (named === undefined || isDay(named)) return named;
  const source = given === undefined ? "HEARTWOOD_TODAY" : "The day for today";
  const message = `${source} is ${JSON.stringify(named)}, which is not a calendar day; give YYYY-MM-DD, such as 2026-03-15.`;
  throw new MemoryError("invalid_date", message, { value: named });
}

function sameTimeOn(today: Day, zone: string): number {
  const now = Date.now();
  const sinceMidnight = now - epochOf(localDay(now, zone), 0, zone);
  const moment = epochOf(today, Math.min(sinceMidnight, 86_399_999), zone);
  // A zone that skips the end of a day (or the whole day) pushes the moment off it.
  return localDay(moment, zone) === today ? moment : epochOf(today, 0, zone);
}

function setting(name: string): string | undefined {
  const value = process.env[name];
  return value === undefined || value === "" ? undefined : value;
}

/** The operating system's random bytes. */
export const systemRandom: Random = { bytes: (count) => randomBytes(count) };

/** UUIDs of version 7 in increasing order within the process: within a millisecond, and when the clock goes back, 12 bits count up (RFC 9562, 6.2). */
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
