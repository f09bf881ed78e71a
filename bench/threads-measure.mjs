// Shared by the thread benchmarks: stores in temporary folders, drafts, and the time of each batch compared with a bare write and fsync of the same
// bytes. The two alternate, so changes in disk speed affect both.
import { closeSync, fsyncSync, ftruncateSync, mkdirSync, openSync, writeSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { nodeSqlite } from "../src/platform/sqlite.ts";
import { createSqliteThreads } from "../src/threads/store/sqlite-threads.ts";
import { systemRandom, createUuid7Ids } from "../src/platform/clock.ts";

export const clock = { now: () => Date.now() };

/** Opens a store in an empty project. */
export function newStore(folder) {
  mkdirSync(folder, { recursive: true });
  return createSqliteThreads({ folder: join(folder, ".heartwood", "threads"), clock, driver: nodeSqlite });
}

/** Ids of version 7, which are ordered, or of version 4, which are not. */
export function idsOf(version) {
  return version === 4 ? { next: () => randomUUID() } : createUuid7Ids({ clock, random: systemRandom });
}

/** A different text of 400 bytes for each message. */
function contentOf(number) {
  return `message ${number} `.padEnd(400, "the quick brown fox jumps over the lazy dog ");
}

let made = 0;
export function drafts(count, ids) {
  return Array.from({ length: count }, () => ({
    id: ids.next(),
    timestamp_ms: clock.now(),
    type: "continuity_message_appended",
    payload: { actor_id: "user", origin: "bench", content: contentOf(made++) },
  }));
}

export function created(ids) {
  const payload = { workspace: "/srv/app", title: null };
  return { id: ids.next(), timestamp_ms: clock.now(), type: "continuity_created", payload };
}

/** A file that bytes are written to and synced, as a program without a store would do. */
export function bareFile(path) {
  const fd = openSync(path, "w");
  let length = 0;
  return {
    /** Returns milliseconds. */
    write: (text) => {
      if (length > 1 << 26) {
        ftruncateSync(fd, 0);
        length = 0;
      }
      const bytes = Buffer.from(text);
      const started = performance.now();
      length += writeSync(fd, bytes, 0, bytes.length, length);
      fsyncSync(fd);
      return performance.now() - started;
    },
    close: () => closeSync(fd),
  };
}

/** Appends batches and times each in milliseconds. `threadOf` returns the thread of a batch. */
export async function timeBatches({ store, batches, size, ids, threadOf, bare }) {
  const times = { store: [], bare: [] };
  for (let batch = 0; batch < batches; batch++) {
    const frames = drafts(size, ids);
    const thread_id = threadOf(batch);
    const started = performance.now();
    const { appended } = await store.append({ thread_id, frames });
    times.store.push(performance.now() - started);
    if (appended.length !== size) throw new Error(`${appended.length} of ${size} frames were appended`);
    if (bare !== undefined) times.bare.push(bare.write(frames.map((frame) => JSON.stringify(frame)).join("\n")));
  }
  return times;
}

/** Median, percentiles and maximum of times. */
export function spreadOf(times) {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return { median: at(0.5), p99: at(0.99), p999: at(0.999), worst: sorted.at(-1) };
}

/** Messages per second. */
export function rateOf(times, size) {
  return (times.length * size * 1000) / times.reduce((sum, time) => sum + time, 0);
}

export function shownSpread({ median, p99, p999, worst }) {
  const [a, b, c, d] = [median, p99, p999, worst].map((time) => time.toFixed(2));
  return `median ${a} ms, p99 ${b} ms, p99.9 ${c} ms, worst ${d} ms`;
}

/** Prints a row of the report for a figure with a lower bound. */
export function reportAtLeast(name, value, bound, unit) {
  const holds = value >= bound;
  const shown = Math.round(value).toString().padStart(8);
  console.log(`${holds ? "ok  " : "MISS"}  ${name.padEnd(52)} ${shown} ${unit}  (at least ${bound} ${unit})`);
  return holds;
}
