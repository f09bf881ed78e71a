import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { localDay } from "../base/calendar.ts";
import { openSystemClock } from "./clock.ts";

const ZONES = [
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "America/St_Johns",
  "Asia/Tokyo",
  "Asia/Kolkata",
  "Asia/Kathmandu",
  "Australia/Lord_Howe",
  "Pacific/Apia",
  "Pacific/Kiritimati",
  "Africa/Casablanca",
  "America/Sao_Paulo",
];

beforeEach(() => {
  for (const name of ["HEARTWOOD_TODAY", "HEARTWOOD_TIME_ZONE", "TZ"]) vi.stubEnv(name, undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

describe("a given day", () => {
  test.each(ZONES)("in %s the clock is on that day at any hour, including DST changes", (zone) => {
    vi.useFakeTimers({ toFake: ["Date"] });
    for (let hour = 0; hour < 48; hour++) {
      vi.setSystemTime(Date.UTC(2026, 2, 28) + hour * 3_600_000 + 1_740_000);
      for (const today of ["2026-03-08", "2026-03-29", "2026-10-25", "2026-11-01", "2024-02-29", "2018-11-04"]) {
        const clock = openSystemClock({ today, timeZone: zone });
        expect(localDay(clock.now(), clock.zone)).toBe(today);
      }
    }
  });

  test("the clock shows the current time of day", () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    vi.setSystemTime(Date.UTC(2026, 10, 21, 14, 5, 6));
    const clock = openSystemClock({ today: "2026-03-15", timeZone: "Asia/Tokyo" });
    expect(new Date(clock.now()).toISOString()).toBe("2026-03-15T14:05:06.000Z");
  });

  test("a day that does not exist is refused from any source", () => {
    expect(() => openSystemClock({ today: "2026-02-30" })).toThrow(/2026-02-30.*YYYY-MM-DD/);
    vi.stubEnv("HEARTWOOD_TODAY", "yesterday");
    expect(() => openSystemClock({})).toThrow(/HEARTWOOD_TODAY/);
  });

  test("the option wins over HEARTWOOD_TODAY", () => {
    vi.stubEnv("HEARTWOOD_TODAY", "2026-01-01");
    expect(localDay(openSystemClock({ timeZone: "UTC" }).now(), "UTC")).toBe("2026-01-01");
    expect(localDay(openSystemClock({ timeZone: "UTC", today: "2026-02-02" }).now(), "UTC")).toBe("2026-02-02");
  });
});

describe("the zone", () => {
  test("is the option, then HEARTWOOD_TIME_ZONE, then TZ", () => {
    vi.stubEnv("TZ", "Asia/Tokyo");
    expect(openSystemClock({}).zone).toBe("Asia/Tokyo");
    vi.stubEnv("HEARTWOOD_TIME_ZONE", "Europe/Berlin");
    expect(openSystemClock({}).zone).toBe("Europe/Berlin");
    expect(openSystemClock({ timeZone: "America/Lima" }).zone).toBe("America/Lima");
  });

  test("an unknown zone is refused, but a TZ that only the C library understands is ignored", () => {
    expect(() => openSystemClock({ timeZone: "Mars/Base" })).toThrow(/Mars\/Base.*Europe\/Berlin/);
    vi.stubEnv("TZ", ":/etc/localtime");
    expect(openSystemClock({}).zone).toMatch(/^[A-Z]/);
    vi.stubEnv("HEARTWOOD_TIME_ZONE", "Mars/Base");
    expect(() => openSystemClock({})).toThrow(/HEARTWOOD_TIME_ZONE/);
  });

  test.each(["Bogus/Zone", "UTC+5"])("a TZ of %s is ignored with a note that names the zone in use", (tz) => {
    vi.stubEnv("TZ", tz);
    const clock = openSystemClock({});
    expect(clock.zoneNote).toMatch(new RegExp(`^TZ is "${tz.replace("+", "\\+")}".* so ${clock.zone} is used`));
    expect(openSystemClock({ timeZone: "Asia/Tokyo" }).zoneNote).toBeUndefined();
    for (const known of ["UTC", "Europe/Berlin", ":/etc/localtime"]) {
      vi.stubEnv("TZ", known);
      expect(openSystemClock({}).zoneNote).toBeUndefined();
    }
  });

  test("without any setting, is the one from Intl", () => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    expect(openSystemClock({}).zone).toBe(timeZone);
  });
});
