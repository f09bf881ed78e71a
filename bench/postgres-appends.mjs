// Appends per second on PostgreSQL beside bare INSERTs into the same table, by the same driver and as many connections, in turns.
import { readFileSync } from "node:fs";
import { createClient } from "../src/postgres/client.ts";
import { parseAddress } from "../src/postgres/address.ts";
import { createPostgresThreads, openPostgres } from "../src/postgres/index.ts";
import { median } from "./harness.mjs";
import { created, drafts, idsOf } from "./threads-measure.mjs";

const tenant = "bench";
const ids = idsOf(7);
const INSERT = `INSERT INTO heartwood.frame (tenant, thread, seq, id, type, is_indexed, ordinal, weight, checksum, line)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`;
/** The least that gives a seq without a gap: the counter, and the row. */
const COUNTED = `WITH u AS (
    UPDATE heartwood.thread AS t SET head_seq = t.head_seq + 1 WHERE t.tenant = $1 AND t.thread_id = $2 RETURNING t.number, t.head_seq
  ) INSERT INTO heartwood.frame (tenant, thread, seq, id, type, is_indexed, ordinal, weight, checksum, line)
  SELECT $1, u.number, u.head_seq, $3, $4, $5, $6, $7, $8, $9 FROM u`;

/** Every writer waits for its append before the next. `many`: each writer has a thread of its own. */
export async function measureAppends({ server, database, url }, { connections, threads, seconds, rounds, only }) {
  const admin = server.admin(database);
  const names = Array.from({ length: threads === "many" ? connections : 1 }, () => `t${ids.next()}`);
  const nameOf = (writer) => names[writer % names.length];
  const setup = createPostgresThreads({ database: openPostgres({ url, tenant }) });
  for (const name of names.flatMap((one) => [one, `${one}c`]))
    await setup.append({ thread_id: name, frames: [created(ids)] });
  await setup.close();

  const ways = {
    pool: await storeWriters(url, { connections, pools: 1, nameOf }),
    ...(connections > 1 && { apart: await storeWriters(url, { connections, pools: connections, nameOf }) }),
    bare: await bareWriters(server.url("postgres", database), connections, names),
    counted: await countedWriters(server.url("postgres", database), connections, nameOf),
  };
  const found = {};
  for (let round = 0; round <= rounds; round++)
    for (const [name, { write }] of Object.entries(ways)) {
      if (only !== undefined && !only.includes(name)) continue;
      const turn = await runTurn({ admin, write, connections, seconds: round === 0 ? seconds / 3 : seconds });
      if (round > 0) (found[name] ??= []).push(turn);
    }
  for (const { close } of Object.values(ways)) await close();
  return Object.fromEntries(
    Object.entries(found).map(([name, turns]) => [
      name,
      Object.fromEntries(Object.keys(turns[0]).map((key) => [key, median(turns.map((turn) => turn[key]))])),
    ]),
  );
}

/** Appends per second, and processor time per append in microseconds, of the server's processes for clients and of this process. */
async function runTurn({ admin, write, connections, seconds }) {
  const before = { server: await serverTime(admin), client: process.cpuUsage() };
  const started = performance.now();
  const until = started + seconds * 1000;
  let done = 0;
  await Promise.all(
    Array.from({ length: connections }, async (_, writer) => {
      while (performance.now() < until) {
        await write(writer);
        done += 1;
      }
    }),
  );
  const took = performance.now() - started;
  const { user, system } = process.cpuUsage(before.client);
  const server = (await serverTime(admin)) - before.server;
  return { rate: (done * 1000) / took, server: server / done, client: (user + system) / done };
}

/** Microseconds; 0 where there is no /proc. */
async function serverTime(admin) {
  const rows = await admin`SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'`;
  let ticks = 0;
  for (const { pid } of rows) {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
      ticks += Number(fields[11]) + Number(fields[12]);
    } catch {
      continue;
    }
  }
  return ticks * 10_000;
}

async function storeWriters(url, { connections, pools, nameOf }) {
  const stores = Array.from({ length: pools }, () =>
    createPostgresThreads({ database: openPostgres({ url, tenant, poolSize: connections / pools }) }),
  );
  return {
    write: async (writer) => {
      await stores[writer % pools].append({ thread_id: nameOf(writer), frames: drafts(1, ids) });
    },
    close: () => Promise.all(stores.map((store) => store.close())),
  };
}

const checksum = Buffer.alloc(8, 1);

/** Numbers of threads that do not exist. */
let unused = 1_000_000_000;

async function bareWriters(url, connections, names) {
  const client = await createClient(parseAddress(url), {}, { most: connections });
  const threads = names.map((name) => ({ name, number: (unused += 1), seq: 0 }));
  return {
    write: async (writer) => {
      const thread = threads[writer % threads.length];
      const seq = (thread.seq += 1);
      const [draft] = drafts(1, ids);
      const line = lineOf(draft, { seq, thread_id: thread.name });
      const values = [tenant, thread.number, seq, draft.id, null, false, seq, seq * 100, checksum, line];
      await client.unsafe(INSERT, values, { prepare: true });
    },
    close: () => client.end({ timeout: 5 }),
  };
}

async function countedWriters(url, connections, nameOf) {
  const client = await createClient(parseAddress(url), {}, { most: connections });
  return {
    write: async (writer) => {
      const [draft] = drafts(1, ids);
      const thread_id = `${nameOf(writer)}c`;
      const line = lineOf(draft, { seq: 1, thread_id });
      await client.unsafe(COUNTED, [tenant, thread_id, draft.id, null, false, 1, 100, checksum, line], {
        prepare: true,
      });
    },
    close: () => client.end({ timeout: 5 }),
  };
}

function lineOf({ id, timestamp_ms, type, payload }, { seq, thread_id }) {
  return JSON.stringify({ id, session_id: thread_id, seq, timestamp_ms, type, ...payload });
}
