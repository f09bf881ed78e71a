import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MemoryError } from "../../src/base/errors.ts";
import { createPostgresThreads, openPostgres } from "../../src/postgres/index.ts";
import { nodeSqlite } from "../../src/platform/sqlite.ts";
import { createSeededRandom, type SeededRandom } from "../../src/testing/index.ts";
import { created, idOf, linesOf, logOf, message, numbered } from "../../src/testing/thread-store-cases/harness.ts";
import { randomDraft } from "../../src/testing/thread-store-conformance.ts";
import type { FrameDraft } from "../../src/threads/model/frame.ts";
import { createSqliteThreads } from "../../src/threads/store/sqlite-threads.ts";
import { INDEXED_TYPES, type ThreadStore } from "../../src/threads/store/thread-store.ts";
import { programs, startMigrated, type Server } from "./server.ts";

/** Random sequences of operations, each on new threads. */
const SEQUENCES = Number(process.env["HEARTWOOD_POSTGRES_SEQUENCES"] ?? 200);
const OPERATIONS = 12;
/** A new pair of stores takes longer than many operations. */
const SEQUENCES_PER_STORE = 25;
const kinds = ["cumulative_v1", "rung_v1/0"];

let server: Server;
let url: string;
let folder: string;

describe.skipIf(programs === undefined)("SQLite and PostgreSQL", () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "hw-differential-"));
    ({ server, url } = await startMigrated());
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await server.stop();
  });

  it(`give the same answers and frames for ${SEQUENCES} random sequences of operations`, async () => {
    const seen = new Set<string>();
    for (let first = 1; first <= SEQUENCES; first += SEQUENCES_PER_STORE) {
      let now = 1_800_000_000_000;
      const clock = { now: () => now };
      const sqlite = createSqliteThreads({ folder: join(folder, `${first}`, "threads"), clock, driver: nodeSqlite });
      const postgres = createPostgresThreads({
        database: openPostgres({ url, tenant: `s${randomUUID()}`, poolSize: 1 }),
        clock,
      });
      for (let seed = first; seed < first + SEQUENCES_PER_STORE && seed <= SEQUENCES; seed += 1) {
        const random = createSeededRandom(seed);
        const threads = ["a", "b", "c"].map((name) => `${name}${seed}`);
        for (let at = 0; at < OPERATIONS; at += 1) {
          const { name, act } = await randomOperation(random, { store: sqlite, threads, seed });
          const [one, other] = [await outcomeOf(act(sqlite)), await outcomeOf(act(postgres))];
          expect(other, `seed ${seed}, operation ${at}: ${name}`).toEqual(one);
          seen.add(`${name} ${typeof one === "string" ? one.split(":")[0] : "done"}`);
          now += random.below(800);
        }
        const all = [...threads, `d${seed}`];
        expect(await everythingIn(postgres, all), `seed ${seed}`).toEqual(await everythingIn(sqlite, all));
      }
      await sqlite.close();
      await postgres.close();
      rmSync(join(folder, `${first}`), { recursive: true, force: true });
    }
    // The sequences reach what they are for.
    const wanted = [
      "done",
      "thread_not_found",
      "thread_exists",
      "seq_conflict",
      "decision_conflict",
      "frame_conflict",
      "invalid_frame",
      "lease_lost",
    ];
    for (const ending of wanted) expect([...seen], ending).toContain(`append ${ending}`);
    for (const name of [
      "import done",
      "pieces done",
      "pieces seq_conflict",
      "rewrite done",
      "rewrite internal",
      "claim done",
    ])
      expect([...seen]).toContain(name);
  });
});

interface Operation {
  readonly name: string;
  act(store: ThreadStore): Promise<unknown>;
}

interface Scene {
  readonly store: ThreadStore;
  readonly threads: readonly string[];
  readonly seed: number;
}

async function randomOperation(random: SeededRandom, { store, threads, seed }: Scene): Promise<Operation> {
  const pick = <T>(all: readonly T[]): T => all[random.below(all.length)] as T;
  const thread_id = pick(threads);
  const head = await store.head(thread_id);
  const head_seq = head?.head_seq ?? -1;
  const job = { job_id: `j${random.below(6)}`, runner: pick(["r1", "r2"]), lease_ms: 1000 };
  /** From a small set, so that some are known. */
  const knownId = (): string => idOf(seed * 40 + random.below(random.chance(0.05) ? 80 : 40));
  const frames = (most: number): readonly FrameDraft[] =>
    Array.from({ length: random.below(most) }, () => {
      const draft = random.chance(0.4)
        ? message(pick(["x", "é\0", "🙂", "\ud800", '"\\"seq":']), knownId())
        : randomDraft(random, head_seq);
      if (random.chance(0.02)) return { ...draft, id: "no" };
      return random.chance(0.02) ? { ...draft, payload: { ...draft.payload, seq: 3 } } : draft;
    });
  const known = random.chance(0.6) ? ({ known_ids: "pass" } as const) : {};
  const expected = random.chance(0.3) ? { expected_seq: head_seq - random.below(2) } : {};
  switch (random.below(8)) {
    case 0: {
      const lines = head === undefined ? [] : await logOf(store, thread_id);
      const more = linesOf(thread_id, [
        created(),
        ...Array.from({ length: lines.length }, () => message("")),
        ...frames(6).filter(({ id }) => id !== "no"),
      ]);
      const from = random.below(2) + lines.length - random.below(2);
      const all = [...lines.slice(random.below(3)), ...(lines.length === 0 ? more : more.slice(Math.max(1, from)))];
      const broken = random.chance(0.2)
        ? all.map((line, at) => (at === all.length - 1 ? line.replace('"type"', '"kind"') : line))
        : all;
      const others = random.chance(0.5) ? linesOf(`d${seed}`, [created("d"), message("d", knownId())]) : [];
      const mixed = numbered([...broken, ...others]);
      return { name: "import", act: (of) => of.import(mixed) };
    }
    case 1: {
      const pieces = [frames(4), frames(4)];
      const request = { thread_id, ...known, ...expected };
      const source = async function* () {
        yield* pieces;
      };
      return { name: "pieces", act: (of) => of.appendPieces(request, source()) };
    }
    case 2: {
      const word = pick(["x", "é", "test", "cumulative_v1", "write"]);
      const change = random.chance(0.9)
        ? (line: string) => line.replaceAll(`"content":"${word}`, '"content":"').replace('"/srv/app"', '"/srv"')
        : (line: string) => line.replace('"seq":1,', '"seq":7,');
      return { name: "rewrite", act: (of) => of.rewrite(thread_id, change) };
    }
    case 3: {
      const action = pick(["take", "renew"] as const);
      return { name: "claim", act: (of) => of.claim({ ...job, action }) };
    }
    default: {
      const begun = random.chance(head === undefined ? 0.8 : 0.05) ? [created(pick([null, "t\0é"]))] : [];
      const request = {
        thread_id,
        frames: [...begun, ...frames(7)],
        ...known,
        ...expected,
        ...(random.chance(0.2) && { expected_decision_seq: (head?.decision_seq ?? 0) - random.below(2) }),
        ...(random.chance(0.15) && { held_lease: job }),
        ...(random.chance(0.1) && { leases: [job] }),
      };
      return { name: "append", act: (of) => of.append(request) };
    }
  }
}

/** The result, or the code, the message and the details of the error. */
async function outcomeOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    return await promise;
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return `${error.code}: ${error.message} ${JSON.stringify(error.details)}`;
  }
}

/** Every answer of a store. */
async function everythingIn(store: ThreadStore, threads: readonly string[]): Promise<unknown> {
  const all: unknown[] = [await store.heads({ limit: 10 }), await store.openJobs({})];
  for (const thread_id of threads) {
    const places = Array.from({ length: 12 }, (_, at) => [
      { ordinal: at },
      { seq: at * 2 },
      { weight: at * 31 },
      { id: idOf(at * 97) },
    ]).flat();
    all.push(await store.frames({ thread_id, limit: 10_000 }));
    all.push(await store.frames({ thread_id, types: INDEXED_TYPES, order: "descending", limit: 9 }));
    all.push(await store.frames({ thread_id, from_seq: 2, most_bytes: 900, limit: 9 }));
    all.push(await store.places(thread_id, places));
    for (const kind of kinds) all.push(await store.checkpoints({ thread_id, kind, limit: 100 }));
  }
  return all;
}
