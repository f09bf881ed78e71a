// Measures thread operations at 10,000, 100,000 and 1,000,000 messages of 400 bytes in one process: median, p99 and maximum, against bounds.
// Usage: node bench/threads.mjs [--largest N] [--only store|operations|jobs|many]. Exit status 1 if a bound is missed.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { program, report, runNode, temporaryFolder } from "./harness.mjs";
import { compactArgs, figuresOf, fill, messagesOf, times } from "./threads-figures.mjs";

const { values } = parseArgs({ options: { largest: { type: "string" }, only: { type: "string" } } });
const largest = Number(values.largest ?? 1_000_000);
const sizes = [10_000, 100_000, 1_000_000].filter((size) => size <= largest);
const wants = (part) => values.only === undefined || values.only === part;
const holds = [];
const check = (...args) => holds.push(report(...args));

if (wants("store")) {
  const { status } = spawnSync(
    process.execPath,
    [fileURLToPath(new URL("threads-store.mjs", import.meta.url)), String(largest)],
    { stdio: "inherit" },
  );
  holds.push(status === 0);
}
if (wants("operations")) for (const size of sizes) await measureOperations(size);
if (wants("many")) await measureMany();
if (holds.includes(false)) process.exitCode = 1;

/** Measures one thread: reads before and after the first checkpoint, the first `auto` in a separate process, a later `auto`, and `compile`. */
async function measureOperations(size) {
  console.log(`\n--- one thread of ${size.toLocaleString("en")} messages`);
  const { openContext, operations } = await import("../dist/operations.js");
  const dir = temporaryFolder();
  const memory = await openContext({ dir, folder: "prepared" });
  const threads = threadsOf(memory, operations);
  const by = { actor_id: "bench", origin: "bench" };
  const thread_id = "bench";
  await threads.create({ thread_id });
  await fill(memory, thread_id, 0, size);

  const reads = (when) => [
    ["32 cut points", when, 5, () => threads.cutPoints({ thread_id, limit: 32 })],
    ["status", when, 5, () => threads.status({ thread_id })],
  ];
  for (const [name, when, bound, act] of reads("before a checkpoint")) await bounded(`${name}, ${when}`, bound, act);
  await bounded("compile, before a rung", 10, () => threads.compile({ thread_id, render: "text" }));

  const stride = size >= 1_000_000 ? 10_000 : size / 100;
  await memory.close();
  const auto = runNode(compactArgs(dir, thread_id, stride), { memory: true });
  if (JSON.parse(auto.stdout).status !== "completed") throw new Error(auto.stdout);
  check(`first auto, whole process`, auto.seconds, 15, "s");
  check(`its peak memory`, auto.peak, 250, "MB");
  const ladder = runNode(
    [
      program,
      "-C",
      dir,
      "thread",
      "schedule",
      thread_id,
      "--stride-messages",
      String(stride),
      "--actor",
      "bench",
      "--origin",
      "bench",
      "--json",
    ],
    { memory: true },
  );
  const built = JSON.parse(ladder.stdout).ladder;
  console.log(
    `      the ladder, whole process: ${ladder.seconds.toFixed(1)} s, ${Math.round(ladder.peak)} MB, ${built?.created ?? 0} rungs, of ${JSON.parse(ladder.stdout).decision}`,
  );

  for (const [name, when, bound, act] of reads("after")) await bounded(`${name}, ${when}`, bound, act);
  await bounded("compile, covering", 10, () => threads.compile({ thread_id, render: "text" }));
  const context = await threads.compile({ thread_id });
  console.log(
    `      ${context.tokens} tokens, ${context.raw_messages} raw, ${context.summarized_messages} summarised, ${context.uncovered_messages} uncovered`,
  );

  const later = [];
  for (let round = 0, at = size; round < 5; round++, at += stride) {
    await fill(memory, thread_id, at, stride);
    const started = performance.now();
    const { status, error } = await threads.compact({ thread_id, stride_messages: stride, ...by });
    later.push(performance.now() - started);
    if (status !== "completed") throw new Error(`${status}: ${error}`);
  }
  const figures = figuresOf(later);
  check(`a later auto at stride ${stride} (worst of 5)`, figures.worst, 500, "ms");
  const scheduled = await times(1, () => threads.schedule({ thread_id, stride_messages: stride, ...by }));
  console.log(`      its rungs: ${scheduled[0].toFixed(0)} ms`);
  await bounded("compile, covering, later", 10, () => threads.compile({ thread_id, render: "text" }));
  await memory.close();
}

/** Measures 10,000 threads of 100 messages. */
async function measureMany() {
  console.log("\n--- 10,000 threads of 100 messages");
  const { openContext, operations } = await import("../dist/operations.js");
  const memory = await openContext({ dir: temporaryFolder(), folder: "prepared" });
  const threads = threadsOf(memory, operations);
  for (let index = 0; index < 10_000; index++) {
    await memory.threads.append({
      thread_id: `t${index}`,
      frames: [created(memory), ...messagesOf(memory, index * 100, 100)],
    });
  }
  await bounded("list", 20, () => threads.list());
  await bounded("status", 20, () => threads.status({ thread_id: "t5000" }));
  const started = performance.now();
  const { checked } = await threads.schedule({ all: true, actor_id: "bench", origin: "bench", dry_run: true });
  console.log(`      schedule --all --dry-run: ${(performance.now() - started).toFixed(0)} ms for ${checked} threads`);
  await memory.close();
}

function created(memory) {
  return {
    id: memory.ids.next(),
    timestamp_ms: memory.clock.now(),
    type: "continuity_created",
    payload: { workspace: "bench", title: null },
  };
}

/** Checks the median against the bound; also prints p99, the maximum and, separately, the first call, which loads code and tables. */
async function bounded(name, bound, act) {
  const [first] = await times(1, act);
  const { median, p99, worst } = figuresOf(await times(200, act));
  check(`${name} (median)`, median, bound, "ms");
  console.log(`      p99 ${p99.toFixed(1)}, worst ${worst.toFixed(1)}, first call ${first.toFixed(1)} ms`);
}

/** The operations on a context that the benchmark also fills through its ports. */
function threadsOf(context, operations) {
  const bound = (name) => {
    const operation = operations.find((one) => one.name === name);
    return (input = {}) => operation.run(context, input, {});
  };
  return {
    create: bound("thread.create"),
    list: bound("thread.list"),
    cutPoints: bound("compaction.cut_points"),
    compact: bound("compaction.auto"),
    schedule: bound("compaction.auto.schedule"),
    status: bound("compaction.status"),
    compile: bound("context.compile"),
  };
}
