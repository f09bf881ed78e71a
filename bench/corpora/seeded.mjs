// Shared by the planted corpora: a small seeded generator, the days of a year, and writing the logs. Uses no clock and no
// system randomness: the same seed gives the same bytes.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Mulberry32: 32 bits of state are enough for mixing texts. */
export function createRandom(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const below = (n) => Math.floor(next() * n);
  return {
    below,
    between: (from, to) => from + below(to - from + 1),
    chance: (share) => next() < share,
    pick: (list) => list[below(list.length)],
    sample: (list, count) => shuffled(list, below).slice(0, count),
  };
}

function shuffled(list, below) {
  const rest = [...list];
  for (let at = rest.length - 1; at > 0; at--) {
    const other = below(at + 1);
    [rest[at], rest[other]] = [rest[other], rest[at]];
  }
  return rest;
}

/** The days of 2025 as `{ date, weekday }`; Monday is 0. January 1, 2025 was a Wednesday. */
export function daysOf2025() {
  const lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  const dates = lengths.flatMap((length, month) =>
    Array.from({ length }, (_, day) => `2025-${two(month + 1)}-${two(day + 1)}`),
  );
  return dates.map((date, at) => ({ date, weekday: (at + 2) % 7 }));
}

function two(number) {
  return String(number).padStart(2, "0");
}

/** Writes `memory/<date>.md` for each `[date, lines]`. */
export function writeLogs(dir, logs) {
  mkdirSync(join(dir, "memory"), { recursive: true });
  for (const [date, lines] of logs) writeFileSync(join(dir, "memory", `${date}.md`), `${lines.join("\n")}\n`);
}

/** Fills `{name}` in a template. A value that is a function is called for each occurrence. */
export function filled(template, values) {
  return template.replace(/\{(\w+)\}/gu, (_, name) => {
    const value = values[name];
    return typeof value === "function" ? value() : value;
  });
}
