// Measures the thread store. Usage: node bench/threads-store.mjs [--quick]
import { join } from "node:path";
import { rmSync } from "node:fs";
import { boundHeap } from "../src/platform/program.ts";
import { report, temporaryFolder } from "./harness.mjs";
import {
  bareFile,
  created,
  idsOf,
  newStore,
  rateOf,
  reportAtLeast,
  shownSpread,
  spreadOf,
  timeBatches,
} from "./threads-measure.mjs";

const work = temporaryFolder();
const results = [];
const isQuick = process.argv.includes("--quick");
const lengths = isQuick ? [10_000, 100_000] : [10_000, 100_000, 1_000_000];

// The program does the same at startup.
boundHeap();
for (const version of [7, 4]) await measureOneThread(version);
await measureManyThreads();
results.push(report("peak memory of all of it", process.resourceUsage().maxRSS / 1024, 250, "MB"));
console.log(`${results.filter(Boolean).length} passed, ${results.filter((held) => !held).length} failed`);
process.exitCode = results.every(Boolean) ? 0 : 1;

/** Measures a thread that grows in batches of 100. */
async function measureOneThread(version) {
  const folder = join(work, `one-${version}`);
  const store = newStore(folder);
  const bare = bareFile(join(folder, "bare"));
  const ids = idsOf(version);
  await store.append({ thread_id: "one", frames: [created(ids)] });
  await timeBatches({ store, batches: 50, size: 100, ids, threadOf: () => "one", bare });
  const medians = [];
  let length = 5_000;
  for (const until of lengths) {
    const batches = (until - length) / 100;
    const times = await timeBatches({ store, batches, size: 100, ids, threadOf: () => "one", bare });
    length = until;
    const tail = { store: times.store.slice(-1000), bare: times.bare.slice(-1000) };
    medians.push(spreadOf(tail.store).median);
    const [mine, plain] = [spreadOf(times.store), spreadOf(times.bare)];
    const name = `v${version} ids, up to ${until.toLocaleString("en")} messages`;
    console.log(`      ${name}: ${shownSpread(mine)}\n      bare write and fsync: ${shownSpread(plain)}`);
    results.push(
      reportAtLeast(`${name}, messages a second`, rateOf(times.store, 100), version === 7 ? 50_000 : 20_000, "/s"),
    );
    // With fewer batches, p99.9 would just be the maximum.
    if (batches < 900) continue;
    results.push(report(`${name}, p99.9 beside a bare write`, mine.p999 / plain.p999, 3, "x"));
    results.push(report(`${name}, worst beside a bare write`, mine.worst / plain.worst, 3, "x"));
  }
  await measureReads(store, `v${version} ids`, length);
  const growth = medians.at(-1) / medians[0];
  results.push(
    report(`v${version} ids, median at the end beside 10,000 messages`, growth, version === 7 ? 1.5 : 5, "x"),
  );
  bare.close();
  await store.close();
  rmSync(folder, { recursive: true });
}

/** Measures the reads of `compile`, `plan` and `status` on a long thread. */
async function measureReads(store, name, length) {
  const { weight } = await store.head("one");
  const asks = {
    "100 places by ordinal": () =>
      store.places(
        "one",
        spread(length).map((ordinal) => ({ ordinal })),
      ),
    "100 places by weight": () =>
      store.places(
        "one",
        spread(weight).map((at) => ({ weight: at })),
      ),
    "the newest 1,000 frames": () => store.frames({ thread_id: "one", order: "descending", limit: 1000 }),
    "checkpoints, jobs and decisions where there are none": async () => {
      await store.checkpoints({ thread_id: "one", kind: "cumulative_v1", limit: 32 });
      await store.openJobs({ thread_id: "one" });
      const types = ["continuity_job_ended", "continuity_compaction_auto_schedule_decided"];
      await store.frames({ thread_id: "one", types, order: "descending", limit: 1 });
    },
  };
  for (const [what, ask] of Object.entries(asks)) {
    const started = performance.now();
    await ask();
    results.push(report(`${name}, ${what}`, performance.now() - started, 20, "ms"));
  }
}

function spread(total) {
  return Array.from({ length: 100 }, (_, index) => Math.floor((total * (index + 0.5)) / 100));
}

/** Measures 10,000 threads of 100 messages, appended ten at a time in rotation, and one thread with the same batches. */
async function measureManyThreads() {
  const folder = join(work, "many");
  const store = newStore(folder);
  const ids = idsOf(7);
  const threads = isQuick ? 1000 : 10_000;
  await store.append({ thread_id: "one", frames: [created(ids)] });
  const one = await timeBatches({ store, batches: threads, size: 10, ids, threadOf: () => "one" });
  for (let thread = 0; thread < threads; thread++)
    await store.append({ thread_id: `t${thread}`, frames: [created(ids)] });
  const threadOf = (batch) => `t${(batch * 7919) % threads}`;
  const many = await timeBatches({ store, batches: threads * 10, size: 10, ids, threadOf });
  console.log(`      one thread, batches of 10: ${shownSpread(spreadOf(one.store))}`);
  console.log(`      ${threads} threads, batches of 10: ${shownSpread(spreadOf(many.store))}`);
  const factor = rateOf(one.store, 10) / rateOf(many.store, 10);
  results.push(report(`${threads.toLocaleString("en")} threads beside one thread`, factor, 5, "x"));
  for (const limit of [100, 10_000]) {
    const started = performance.now();
    const { heads } = await store.heads({ limit });
    const time = performance.now() - started;
    if (heads.length !== Math.min(limit, threads + 1)) throw new Error(`${heads.length} heads`);
    results.push(report(`heads, limit ${limit.toLocaleString("en")}`, time, limit === 100 ? 20 : 60, "ms"));
  }
  await store.close();
  rmSync(folder, { recursive: true });
}
