import { daysBetween, isDay, type Day } from "../../base/calendar.ts";
import { standingOf } from "../../base/memory-type.ts";
import type { Remembered } from "./remembered.ts";

/** Days after which a project passage may be out of date, and a reference has to be looked at again. */
export const freshDays = 30;

/** Whole days from its day to today; 0 for a day that is still to come; `null` without a day. */
export function ageOf(day: string, today: Day): number | null {
  return isDay(day) ? Math.max(0, daysBetween(day, today)) : null;
}

/** `user` and `feedback` do not age, where they count as such. */
export function agedAs(
  { type: named, origin, day }: Pick<Remembered, "type" | "origin" | "day">,
  today: Day,
): "stale" | "unverified" | undefined {
  const age = ageOf(day, today) ?? 0;
  if (age <= freshDays) return undefined;
  const { type } = standingOf(named, origin || undefined);
  return type === "project" ? "stale" : type === "reference" ? "unverified" : undefined;
}
