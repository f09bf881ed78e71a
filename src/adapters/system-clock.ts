import { readlinkSync } from "node:fs";
import { isDay, isTimeZone, localDay, epochOf, type Day } from "../base/calendar.ts";
import { MemoryError } from "../base/errors.ts";
import type { Clock } from "../ports/clock.ts";

export interface SystemClockOptions {
  /** The day to take for today. Default: `HEARTWOOD_TODAY`, else the real day. */
  readonly today?: Day;
  /** IANA name. Default: `HEARTWOOD_TIME_ZONE`, then `TZ`, then the system's zone. */
  readonly timeZone?: string;
}

const LAST_MOMENT_OF_DAY = 86_399_999;

/** The machine's clock, or the machine's time of day on a day that the caller names. */
export function openSystemClock(options: SystemClockOptions): Clock {
  const zone = zoneOf(options.timeZone);
  const today = todayOf(options.today);
  if (today === undefined) return { id: "system-clock", zone, now: () => Date.now() };
  return { id: "system-clock-on-a-day", zone, now: () => sameTimeOn(today, zone) };
}

/** The real time in UTC, for what is about this machine and not about the memory: who holds a lock, since when. */
export const machineClock: Clock = { id: "machine-clock", zone: "UTC", now: () => Date.now() };

function zoneOf(given: string | undefined): string {
  const named = given ?? setting("HEARTWOOD_TIME_ZONE");
  if (named === undefined) return systemZone();
  if (isKnown(named)) return named;
  const source = given === undefined ? "HEARTWOOD_TIME_ZONE" : "The time zone";
  const message = `${source} is ${JSON.stringify(named)}, which is no zone known here; give an IANA name such as Europe/Berlin or UTC.`;
  throw new MemoryError("invalid_time_zone", message, { value: named });
}

/** `TZ` may hold what only the C library reads (`:/etc/localtime`, `EST5EDT4`): then the system's zone stands. */
function systemZone(): string {
  const fromEnvironment = setting("TZ");
  if (fromEnvironment !== undefined && isKnown(fromEnvironment)) return fromEnvironment;
  const linked = fromEnvironment === undefined ? linkedZone() : undefined;
  if (linked !== undefined && isKnown(linked)) return linked;
  const resolved = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return resolved !== undefined && isKnown(resolved) ? resolved : "UTC";
}

/** Asking `Intl` costs 12 ms of start-up the first time; UTC, the zone of servers and containers, needs no asking. */
function isKnown(zone: string): boolean {
  return zone === "UTC" || isTimeZone(zone);
}

/** What `Intl` would read too. Systems without that link are asked the slow way. */
function linkedZone(): string | undefined {
  try {
    const name = /\/zoneinfo\/(.+)$/.exec(readlinkSync("/etc/localtime"))?.[1];
    return name === "Etc/UTC" ? "UTC" : name;
  } catch {
    return undefined;
  }
}

function todayOf(given: string | undefined): Day | undefined {
  const named = given ?? setting("HEARTWOOD_TODAY");
  if (named === undefined || isDay(named)) return named;
  const source = given === undefined ? "HEARTWOOD_TODAY" : "The day for today";
  const message = `${source} is ${JSON.stringify(named)}, which is no calendar day; give YYYY-MM-DD, such as 2026-03-15.`;
  throw new MemoryError("invalid_date", message, { value: named });
}

function sameTimeOn(today: Day, zone: string): number {
  const now = Date.now();
  const sinceMidnight = now - epochOf(localDay(now, zone), 0, zone);
  const moment = epochOf(today, Math.min(sinceMidnight, LAST_MOMENT_OF_DAY), zone);
  // A zone that skips the end of a day (or the whole day) pushes the moment off it.
  return localDay(moment, zone) === today ? moment : epochOf(today, 0, zone);
}

function setting(name: string): string | undefined {
  const value = process.env[name];
  return value === undefined || value === "" ? undefined : value;
}
