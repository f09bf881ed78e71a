import fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { describe, expect, it } from "vitest";
import { processorTime } from "../../test/fixtures/processor-time.ts";
import {
  addDays,
  daysBetween,
  daysOf,
  epochOf,
  firstDayOf,
  isDay,
  isMonth,
  isTimeZone,
  isWeek,
  lastDayOf,
  localDay,
  localTimestamp,
  mondayOf,
  monthOfWeek,
  sundayOf,
  weekOf,
  weeksOf,
} from "./calendar.ts";
import { MemoryError } from "./errors.ts";

const ZONES = [
  "UTC",
  "Europe/Berlin",
  "Europe/London",
  "America/New_York",
  "America/Sao_Paulo",
  "America/St_Johns",
  "Asia/Kathmandu",
  "Asia/Seoul",
  "Australia/Lord_Howe",
  "Pacific/Apia",
  "Pacific/Chatham",
  "Africa/Casablanca",
];
const HOUR = 3_600_000;

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof MemoryError) return error.code;
    throw error;
  }
  return "none";
}

describe("calendar days, weeks and months", () => {
  it("agrees with Temporal on every day from 1970 to 2100", () => {
    const wrong: string[] = [];
    let name = "1970-01-01";
    let day = Temporal.PlainDate.from(name);
    for (let n = 0; name <= "2100-12-31"; n++) {
      const week = weekName(day);
      const agrees =
        day.toString() === name && weekOf(name) === week && addDays("1970-01-01", n) === name && isDay(name);
      if (!agrees || daysBetween("1970-01-01", name) !== n) wrong.push(name);
      day = day.add({ days: 1 });
      name = addDays(name, 1);
    }
    expect(wrong).toEqual([]);
    expect(name).toBe("2101-01-01");
  });

  it("agrees with Temporal from the year 1 to the year 9999", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3_652_058 }), (n) => {
        const day = Temporal.PlainDate.from("0001-01-01").add({ days: n });
        const name = addDays("0001-01-01", n);
        expect(name).toBe(day.toString());
        expect(weekOf(name)).toBe(weekName(day));
        expect(daysOf(weekOf(name))).toContain(name);
        expect(lastDayOf(name.slice(0, 7))).toBe(day.with({ day: day.daysInMonth }).toString());
      }),
      { numRuns: 500 },
    );
  });

  it("maps days to weeks and months as specified", () => {
    expect(weekOf("2026-03-15")).toBe("2026-W11");
    expect(sundayOf("2026-W11")).toBe("2026-03-15");
    expect(mondayOf("2026-W11")).toBe("2026-03-09");
    expect(weekOf("2027-03-10")).toBe("2027-W10");
    expect(weekOf("2026-12-31")).toBe("2026-W53");
    expect(weekOf("2027-01-01")).toBe("2026-W53");
    expect(monthOfWeek("2023-W18")).toBe("2023-05");
    expect(monthOfWeek("2026-W18")).toBe("2026-04");
    expect(monthOfWeek("2023-W13")).toBe("2023-03");
  });

  it("assigns every week exactly one parent month", () => {
    let month = "1998-01";
    let monday = mondayOf(weeksOf(month)[0] ?? "");
    while (month < "2031-01") {
      for (const week of weeksOf(month)) {
        expect(mondayOf(week)).toBe(monday);
        expect(monthOfWeek(week)).toBe(month);
        expect(daysOf(week)).toHaveLength(7);
        expect(daysOf(week).at(-1)).toBe(sundayOf(week));
        monday = addDays(monday, 7);
      }
      const next = addDays(lastDayOf(month), 1);
      month = next.slice(0, 7);
      expect(next).toBe(firstDayOf(month));
    }
  });

  it("tells existing days, weeks and months from nonexistent ones", () => {
    const days = ["2026-02-28", "2024-02-29", "2000-02-29", "0001-01-01", "9999-12-31"];
    const noDays = ["2026-02-30", "2023-02-29", "1900-02-29", "0000-12-31", "2026-13-01", "2026-00-10", "2026-01-00"];
    const malformed = ["", "2026-1-01", "2026-01-01 ", "2026-01-01\n", "+02026-01-01", "２０２６-01-01", "2026/01/01"];
    expect(days.filter((day) => !isDay(day))).toEqual([]);
    expect([...noDays, ...malformed].filter(isDay)).toEqual([]);
    expect(["2026-W01", "2026-W53", "2020-W53", "2015-W53", "9999-W52"].filter((week) => !isWeek(week))).toEqual([]);
    expect(["2025-W53", "2026-W54", "2026-W00", "2026-w01", "2026-W1", "0000-W01", "2026-W１1"].filter(isWeek)).toEqual(
      [],
    );
    expect(["2026-01", "2026-12"].filter((month) => !isMonth(month))).toEqual([]);
    expect(["2026-13", "2026-00", "0000-01", "2026-1", "2026-W1", "2026-01-01", ""].filter(isMonth)).toEqual([]);
  });

  it("rejects days outside the calendar, which ends in a short week", () => {
    expect(daysOf("9999-W52")).toEqual(["9999-12-27", "9999-12-28", "9999-12-29", "9999-12-30", "9999-12-31"]);
    expect(sundayOf("9999-W52")).toBe("9999-12-31");
    expect(codeOf(() => addDays("9999-12-31", 1))).toBe("invalid_date");
    expect(codeOf(() => addDays("0001-01-01", -1))).toBe("invalid_date");
    expect(codeOf(() => addDays("2026-01-01", 0.5))).toBe("invalid_date");
    expect(codeOf(() => addDays(lastDayOf("9999-12"), 1))).toBe("invalid_date");
    expect(codeOf(() => weekOf("2026-02-30"))).toBe("invalid_date");
    expect(codeOf(() => mondayOf("2025-W53"))).toBe("invalid_date");
    expect(codeOf(() => lastDayOf("2026-13"))).toBe("invalid_date");
  });

  it("finds the week of 200,000 days in less than a second", () => {
    const days = Array.from({ length: 1000 }, (_, n) => addDays("2020-01-01", n));
    const run = (): void => {
      for (let round = 0; round < 200; round++) for (const day of days) weekOf(day);
    };
    expect(processorTime(1000, run)).toBeLessThan(1000);
  });
});

describe("local days and times", () => {
  it.each(ZONES)("formats day and time as Temporal does in %s", (zone) => {
    for (const instant of [...instantsNearChanges(zone), ...randomInstants()]) {
      const there = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone);
      const text = there.toString({ smallestUnit: "second", roundingMode: "floor", timeZoneName: "never" });
      expect(localTimestamp(instant, zone)).toBe(text);
      expect(localDay(instant, zone)).toBe(there.toPlainDate().toString());
    }
  });

  it.each(ZONES)("converts local time to an instant as Temporal does in %s", (zone) => {
    for (const instant of [...instantsNearChanges(zone), ...randomInstants()]) {
      const local = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO("UTC").toPlainDateTime();
      const time = ((instant % (24 * HOUR)) + 24 * HOUR) % (24 * HOUR);
      const expected = local.toZonedDateTime(zone, { disambiguation: "compatible" }).epochMilliseconds;
      expect(epochOf(local.toPlainDate().toString(), time, zone)).toBe(expected);
    }
  });

  it("handles well-known clock changes", () => {
    const berlin = "Europe/Berlin";
    expect(localTimestamp(epochOf("2026-03-15", 14 * HOUR + 5 * 60_000, berlin), berlin)).toBe(
      "2026-03-15T14:05:00+01:00",
    );
    expect(localTimestamp(epochOf("2026-03-29", 2.5 * HOUR, berlin), berlin)).toBe("2026-03-29T03:30:00+02:00");
    expect(localTimestamp(epochOf("2026-10-25", 2.5 * HOUR, berlin), berlin)).toBe("2026-10-25T02:30:00+02:00");
    expect(localTimestamp(epochOf("2011-12-30", 12 * HOUR, "Pacific/Apia"), "Pacific/Apia")).toBe(
      "2011-12-31T12:00:00+14:00",
    );
    expect(localTimestamp(0, "Asia/Kathmandu")).toBe("1970-01-01T05:30:00+05:30");
    expect(localTimestamp(1_800_000_000_000, "Asia/Kathmandu")).toBe("2027-01-15T13:45:00+05:45");
    expect(localTimestamp(-1, "UTC")).toBe("1969-12-31T23:59:59+00:00");
  });

  it("accepts time zones and rejects anything else", () => {
    expect(ZONES.filter((zone) => !isTimeZone(zone))).toEqual([]);
    expect(["", "+01:00", "Mars/Phobos", "Europe/Berlin ", "../etc/localtime"].filter(isTimeZone)).toEqual([]);
    expect(codeOf(() => localDay(0, "Mars/Phobos"))).toBe("invalid_time_zone");
    expect(codeOf(() => localDay(NaN, "UTC"))).toBe("invalid_date");
    expect(codeOf(() => localDay(Date.UTC(10_000, 0, 1), "UTC"))).toBe("invalid_date");
    expect(codeOf(() => localDay(-62_135_596_800_001, "UTC"))).toBe("invalid_date");
    expect(localDay(-62_135_596_800_000, "UTC")).toBe("0001-01-01");
  });
});

function weekName(day: Temporal.PlainDate): string {
  return `${String(day.yearOfWeek).padStart(4, "0")}-W${String(day.weekOfYear).padStart(2, "0")}`;
}

/** Every 15 minutes from three hours before to three hours after each transition since 2005. */
function instantsNearChanges(zone: string): number[] {
  const instants: number[] = [];
  let at = Temporal.ZonedDateTime.from(`2005-01-01T00:00[${zone}]`);
  for (let count = 0; count < 24; count++) {
    const next = at.getTimeZoneTransition("next");
    if (next === null || next.year > 2030) break;
    const offset = at.offsetNanoseconds / 1e6;
    // The instant itself, and the instant whose UTC time equals the local time of the transition.
    for (let quarter = -12; quarter <= 12; quarter++) {
      instants.push(
        next.epochMilliseconds + (quarter * HOUR) / 4,
        next.epochMilliseconds + offset + (quarter * HOUR) / 4,
      );
    }
    at = next;
  }
  return instants;
}

function randomInstants(): number[] {
  const spread = fc.integer({ min: Date.UTC(1975, 0, 1), max: Date.UTC(2060, 0, 1) });
  return fc.sample(spread, { numRuns: 150, seed: 42 });
}
