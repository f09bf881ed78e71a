// Cut points, status and compile of one long thread on PostgreSQL and on SQLite, in turns.
import { createPostgresArtifacts, createPostgresThreads, openPostgres } from "../src/postgres/index.ts";
import { openContext, operations } from "../dist/operations.js";
import { median, temporaryFolder } from "./harness.mjs";
import { fill } from "./threads-figures.mjs";

const thread_id = "bench";
const by = { actor_id: "bench", origin: "bench" };
const reads = {
  "32 cut points": ["compaction.cut_points", { thread_id, limit: 32 }],
  status: ["compaction.status", { thread_id }],
  compile: ["context.compile", { thread_id, render: "text" }],
};

/** Figures before the first checkpoint and after it: milliseconds of each, and how many calls of the store an operation makes. */
export async function measureReads({ url }, { messages, runs }) {
  const local = await openContext({ dir: temporaryFolder(), folder: "prepared" });
  const database = openPostgres({ url, tenant: "reads" });
  let calls = 0;
  const counted = new Proxy(createPostgresThreads({ database }), {
    get: (store, name) => {
      calls += 1;
      return store[name];
    },
  });
  const remote = { ...local, threads: counted, artifacts: createPostgresArtifacts({ database }) };
  const rows = [];
  for (const context of [local, remote]) {
    await run(context, "thread.create", { thread_id });
    await fill(context, thread_id, 0, messages);
  }
  await measure("before a checkpoint");
  for (const context of [local, remote]) {
    const { status, error } = await run(context, "compaction.auto", {
      thread_id,
      stride_messages: messages / 100,
      ...by,
    });
    if (status !== "completed") throw new Error(`${status}: ${error}`);
  }
  await measure("after");
  await database.close();
  await local.close();
  return rows;

  async function measure(when) {
    for (const [name, [operation, input]] of Object.entries(reads)) {
      const times = { local: [], remote: [], trip: [] };
      let made = 0;
      for (let turn = -5; turn < runs; turn++) {
        const one = {
          trip: await timed(() => database.run("SELECT 1")),
          local: await timed(() => run(local, operation, input)),
        };
        calls = 0;
        one.remote = await timed(() => run(remote, operation, input));
        made = calls;
        if (turn >= 0) for (const key of Object.keys(times)) times[key].push(one[key]);
      }
      const [sqlite, postgres, trip] = ["local", "remote", "trip"].map((key) => median(times[key]));
      rows.push({ name: `${name}, ${when}`, sqlite, postgres, trip, calls: made, most: 3 * sqlite + made * trip });
      const shown = [sqlite, postgres, trip].map((time) => time.toFixed(2));
      console.log(
        `      ${name}, ${when}: SQLite ${shown[0]} ms, PostgreSQL ${shown[1]} ms in ${made} calls, round trip ${shown[2]} ms`,
      );
    }
  }
}

function run(context, name, input) {
  return operations.find((one) => one.name === name).run(context, input, {});
}

async function timed(act) {
  const started = performance.now();
  await act();
  return performance.now() - started;
}
