import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import type { ThreadStore } from "./thread-store.ts";
import { createSeededRandom, describeThreadStore } from "../../testing/index.ts";
import { endingOf } from "../../testing/test-functions.ts";
import { begin, effect, idOf, logOf, message, numbered } from "../../testing/thread-store-cases/harness.ts";
import { expectReplay, randomDraft } from "../../testing/thread-store-conformance.ts";
import { printFrame } from "../model/frame.ts";
import type { SqliteDriver } from "../../platform/sqlite.ts";
import { nodeSqlite } from "../../platform/sqlite.ts";
import { createSqliteThreads } from "./sqlite-threads.ts";

const projects: string[] = [];
const folderOf = (project: string) => join(project, ".heartwood", "threads");

function newProject(): string {
  const project = fs.mkdtempSync(join(tmpdir(), "hw-threads-"));
  projects.push(project);
  return project;
}

afterAll(() => {
  for (const project of projects.splice(0)) fs.rmSync(project, { recursive: true, force: true });
});

describeThreadStore(
  {
    name: "sqlite-threads",
    create: async () => {
      let now = 1_800_000_000_000;
      const options = { folder: folderOf(newProject()), clock: { now: () => now }, driver: nodeSqlite };
      const [store, other] = [createSqliteThreads(options), createSqliteThreads(options)];
      return {
        store,
        other,
        pass: (ms) => {
          now += ms;
        },
        close: async () => {
          await store.close();
          await other.close();
        },
      };
    },
  },
  { describe, it, expect },
);

const clock = { now: () => 1_800_000_000_000 };
async function withThread(project: string): Promise<ThreadStore> {
  const store = createSqliteThreads({ folder: folderOf(project), clock, driver: nodeSqlite });
  await begin(store, "a", [message("x", idOf(1))]);
  return store;
}

describe("waiting for others", () => {
  it("does not block the process, and continues when they are done", async () => {
    const project = newProject();
    const store = await withThread(project);
    const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
    const database = new DatabaseSync(join(folderOf(project), "threads.sqlite"));
    database.exec("BEGIN IMMEDIATE");
    const appending = store.append({ thread_id: "a", frames: [message("y")] });
    let ticks = 0;
    const timer = setInterval(() => (ticks += 1), 5);
    await new Promise((resolve) => setTimeout(resolve, 200));
    clearInterval(timer);
    expect((await store.head("a"))?.head_seq).toBe(1);
    database.exec("ROLLBACK");
    database.close();
    expect((await appending).head.head_seq).toBe(2);
    expect(ticks).toBeGreaterThan(1);
    await store.close();
  });

  it("calls that are not awaited never interleave within a transaction", async () => {
    const project = newProject();
    const store = await withThread(project);
    const calls = Array.from({ length: 200 }, (_, index) =>
      index % 5 === 4
        ? endingOf(store.append({ thread_id: "a", frames: [message("lost"), message("x", idOf(1))] }))
        : endingOf(store.append({ thread_id: "a", frames: [message("y")] })),
    );
    const endings = await Promise.all(calls);
    expect(endings.filter((ending) => ending === "frame_conflict").length).toBe(40);
    expect((await store.head("a"))?.head_seq).toBe(161);
    await store.close();
  });
});

describe("laws", () => {
  it("the answers for any log equal those of a naive replay, however it was written", async () => {
    const project = newProject();
    const store = createSqliteThreads({ folder: folderOf(project), clock, driver: nodeSqlite });
    let threads = 0;
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.array(fc.nat({ max: 40 }), { maxLength: 6 }), async (seed, sizes) => {
        const random = createSeededRandom(seed);
        const thread_id = `t${(threads += 1)}`;
        await begin(store, thread_id);
        for (const size of sizes) {
          const head_seq = (await store.head(thread_id))?.head_seq ?? 0;
          const frames = Array.from({ length: size }, () => randomDraft(random, head_seq));
          if (random.chance(0.5)) await store.append({ thread_id, frames });
          else {
            const texts = frames.map((frame, index) => printFrame(frame, { thread_id, seq: head_seq + 1 + index }));
            await store.import(numbered(texts));
          }
        }
        await expectReplay({ store, thread_id, random }, expect);
      }),
      { numRuns: 40 },
    );
    await store.close();
  });

  it("a log that is exported and imported elsewhere gives the same answers", async () => {
    const random = createSeededRandom(11);
    const [one, two] = [newProject(), newProject()].map((project) =>
      createSqliteThreads({ folder: folderOf(project), clock, driver: nodeSqlite }),
    );
    if (one === undefined || two === undefined) throw new Error("no stores");
    await begin(
      one,
      "a",
      Array.from({ length: 400 }, () => randomDraft(random, 300)),
    );
    const lines = await logOf(one, "a");
    await two.import(numbered(lines));
    expect(await logOf(two, "a")).toEqual(lines);
    expect(await two.head("a")).toEqual(await one.head("a"));
    await expectReplay({ store: two, thread_id: "a", random }, expect);
    await one.close();
    await two.close();
  });

  it("finding a place among 100,000 messages takes logarithmically many reads", async () => {
    let looks = 0;
    const driver: SqliteDriver = {
      open: (path) => {
        const database = nodeSqlite.open(path);
        return {
          exec: (sql) => database.exec(sql),
          close: () => database.close(),
          prepare: (sql) => {
            const statement = database.prepare(sql);
            return {
              run: (...values) => statement.run(...values),
              all: (...values) => statement.all(...values),
              get: (...values) => {
                looks += 1;
                return statement.get(...values);
              },
            };
          },
        };
      },
    };
    const store = createSqliteThreads({ folder: folderOf(newProject()), clock, driver });
    await begin(store, "a");
    for (let part = 0; part < 20; part += 1) {
      const frames = Array.from({ length: 5000 }, (_, index) => message(`${part} ${index}`));
      await store.append({ thread_id: "a", frames: [...frames, effect()] });
    }
    const head = await store.head("a");
    const targets = [
      { ordinal: 77_777 },
      { ordinal: 1 },
      { ordinal: 100_000 },
      { seq: 50_505 },
      { weight: 2_000_000 },
      { weight: (head?.weight ?? 0) - 1 },
    ];
    for (const target of targets) {
      looks = 0;
      const [place] = await store.places("a", [target]);
      if ("ordinal" in target) expect(place?.ordinal).toBe(target.ordinal);
      expect(looks).toBeLessThan(32);
    }
    await store.close();
  });
});
