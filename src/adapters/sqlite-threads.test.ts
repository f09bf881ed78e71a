import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import type { ThreadStore } from "../ports/thread-store.ts";
import { createSeededRandom, describeThreadStore } from "../testing/index.ts";
import { endingOf } from "../testing/test-functions.ts";
import { begin, effect, idOf, linesOf, logOf, message, numbered } from "../testing/thread-store-cases/harness.ts";
import { expectReplay, randomDraft } from "../testing/thread-store-cases/random-logs.ts";
import { printFrame } from "../thread/frame-format.ts";
import { nodeSqlite, type SqliteDriver } from "./sqlite-threads/driver.ts";
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
      const options = { folder: folderOf(newProject()), clock: { now: () => now } };
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
const first = {
  id: idOf(1),
  timestamp_ms: 1,
  type: "continuity_created",
  payload: { workspace: "/w", title: null },
} as const;

async function withThread(project: string, messages: readonly string[] = ["x"]): Promise<ThreadStore> {
  const store = createSqliteThreads({ folder: folderOf(project), clock });
  await store.append({ thread_id: "a", frames: [first, ...messages.map((text) => message(text))] });
  return store;
}

/** Every way to ask and to write. */
function callsOn(store: ThreadStore): readonly (() => Promise<unknown>)[] {
  return [
    () => store.head("a"),
    () => store.heads({ limit: 1 }),
    () => store.frames({ thread_id: "a", limit: 1 }),
    () => store.places("a", [{ ordinal: 1 }]),
    () => store.checkpoints({ thread_id: "a", kind: "k", limit: 1 }),
    () => store.openJobs({}),
    () => store.claim({ job_id: "j", runner: "r", lease_ms: 1, action: "take" }),
    () => store.append({ thread_id: "a", frames: [message("x")] }),
    () => store.append({ thread_id: "b", frames: [{ ...first, id: idOf(2) }] }),
    () => store.import([{ number: 1, text: linesOf("c", [{ ...first, id: idOf(3) }])[0] ?? "" }]),
  ];
}

async function endingsOf(project: string): Promise<readonly string[]> {
  const store = createSqliteThreads({ folder: folderOf(project), clock });
  const endings: string[] = [];
  for (const call of callsOn(store)) endings.push(await endingOf(call()));
  await store.close();
  return endings;
}

const modeOf = (path: string): string => (fs.statSync(path).mode & 0o777).toString(8);

describe("the files of the store", () => {
  it("are made by the first write that is taken, never by reads and refusals", async () => {
    const project = newProject();
    const store = createSqliteThreads({ folder: folderOf(project), clock });
    for (const call of callsOn(store).slice(0, 8)) await endingOf(call());
    await store.import([]);
    expect(await endingOf(store.import([{ number: 1, text: "{" }]))).toBe("invalid_frame");
    expect(fs.readdirSync(project)).toEqual([]);
    await store.append({ thread_id: "a", frames: [first] });
    expect(modeOf(folderOf(project))).toBe("700");
    const names = fs.readdirSync(folderOf(project));
    expect(names.toSorted()).toEqual([".gitignore", "threads.sqlite", "threads.sqlite-shm", "threads.sqlite-wal"]);
    for (const name of names) expect(modeOf(join(folderOf(project), name))).toBe("600");
    expect(fs.readFileSync(join(folderOf(project), ".gitignore"), "utf8")).toBe("*\n");
    await store.close();
    expect(fs.readdirSync(folderOf(project)).toSorted()).toEqual([".gitignore", "threads.sqlite"]);
  });

  it("may be empty or half made after a crash: reads answer as of an empty store, writes make the rest", async () => {
    const project = newProject();
    fs.mkdirSync(folderOf(project), { recursive: true });
    fs.writeFileSync(join(folderOf(project), "threads.sqlite"), "");
    const store = createSqliteThreads({ folder: folderOf(project), clock });
    expect(await store.heads({ limit: 1 })).toEqual({ heads: [], total: 0 });
    await store.append({ thread_id: "a", frames: [first] });
    expect((await store.head("a"))?.head_seq).toBe(0);
    await store.close();
  });

  it("that were moved away while they are open take no more writes, which would be lost", async () => {
    const project = newProject();
    const store = await withThread(project);
    fs.renameSync(join(folderOf(project), "threads.sqlite"), join(folderOf(project), "moved"));
    expect(await endingOf(store.append({ thread_id: "a", frames: [message("y")] }))).toBe("io");
    expect((await store.head("a"))?.head_seq).toBe(1);
    fs.renameSync(join(folderOf(project), "moved"), join(folderOf(project), "threads.sqlite"));
    expect((await store.append({ thread_id: "a", frames: [message("y")] })).head.head_seq).toBe(2);
    await store.close();
  });

  it("are written in WAL with every transaction synced", async () => {
    const project = newProject();
    await (await withThread(project)).close();
    const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
    const database = new DatabaseSync(join(folderOf(project), "threads.sqlite"));
    expect(database.prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
    expect(database.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
    database.close();
  });
});

describe("what is no store of ours", () => {
  it("a newer version is newer_store for every call, and is left as it is", async () => {
    const project = newProject();
    await (await withThread(project)).close();
    alter(project, "PRAGMA user_version = 2");
    const before = fs.readFileSync(join(folderOf(project), "threads.sqlite"));
    expect(new Set(await endingsOf(project))).toEqual(new Set(["newer_store"]));
    expect(fs.readFileSync(join(folderOf(project), "threads.sqlite")).equals(before)).toBe(true);
  });

  it("foreign bytes, the database of another program and a torn one are damaged_store, and are left as they are", async () => {
    const plants = [
      (path: string) => fs.writeFileSync(path, "no database at all ".repeat(500)),
      (path: string) => {
        const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
        const database = new DatabaseSync(path);
        database.exec("CREATE TABLE t (x)");
        database.close();
      },
    ];
    for (const plant of plants) {
      const project = newProject();
      fs.mkdirSync(folderOf(project), { recursive: true });
      const path = join(folderOf(project), "threads.sqlite");
      plant(path);
      const before = fs.readFileSync(path);
      expect(new Set(await endingsOf(project))).toEqual(new Set(["damaged_store"]));
      expect(fs.readFileSync(path).equals(before)).toBe(true);
    }
  });

  it("a database cut in two or with scrambled pages is damaged_store", async () => {
    const project = newProject();
    const texts = Array.from({ length: 3000 }, (_, index) => `${index} `.padEnd(400, "x"));
    await (await withThread(project, texts)).close();
    const path = join(folderOf(project), "threads.sqlite");
    const whole = fs.readFileSync(path);
    const scrambled = Buffer.from(whole);
    scrambled.fill(0xa5, 8 * 4096);
    for (const bytes of [whole.subarray(0, Math.floor(whole.length / 2)), scrambled]) {
      fs.writeFileSync(path, bytes);
      const store = createSqliteThreads({ folder: folderOf(project), clock });
      expect(await endingOf(store.frames({ thread_id: "a", limit: 10_000 }))).toBe("damaged_store");
      expect(await endingOf(store.append({ thread_id: "a", frames: [message("x")] }))).toBe("damaged_store");
      await store.close();
      expect(fs.readFileSync(path).equals(bytes)).toBe(true);
    }
  });

  it.runIf(process.platform !== "win32")(
    "a FIFO, a folder or a link in its place is refused and never waited for",
    async () => {
      const plants: readonly (readonly [string, (path: string) => void])[] = [
        ["not_a_file", (path) => spawnSync("mkfifo", [path])],
        ["not_a_file", (path) => fs.mkdirSync(path)],
        ["link_outside", (path) => fs.symlinkSync("/etc/hostname", path)],
      ];
      for (const [code, plant] of plants) {
        for (const name of ["threads.sqlite", "threads.sqlite-wal"]) {
          const project = newProject();
          if (name.endsWith("-wal")) await (await withThread(project)).close();
          else fs.mkdirSync(folderOf(project), { recursive: true });
          plant(join(folderOf(project), name));
          expect(new Set(await endingsOf(project))).toEqual(new Set([code]));
        }
      }
    },
  );

  it("a folder that is a link out of the project is link_outside, one that stays inside is followed", async () => {
    for (const level of [".heartwood", ".heartwood/threads"]) {
      const [project, outside] = [newProject(), newProject()];
      fs.mkdirSync(join(outside, "threads"));
      if (level !== ".heartwood") fs.mkdirSync(join(project, ".heartwood"));
      fs.symlinkSync(outside, join(project, level));
      expect(new Set(await endingsOf(project))).toEqual(new Set(["link_outside"]));
      expect(fs.readdirSync(outside)).toEqual(["threads"]);
    }
    const project = newProject();
    fs.mkdirSync(join(project, "kept"));
    fs.symlinkSync(join(project, "kept"), join(project, ".heartwood"));
    await (await withThread(project)).close();
    expect(fs.existsSync(join(project, "kept", "threads", "threads.sqlite"))).toBe(true);
  });

  it("a file in place of the folder is io, and says what to do", async () => {
    const project = newProject();
    fs.writeFileSync(join(project, ".heartwood"), "");
    expect(new Set(await endingsOf(project))).toEqual(new Set(["io"]));
  });
});

describe("waiting for others", () => {
  it("does not block the process, and goes on when they are done", async () => {
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
    expect(ticks).toBeGreaterThan(10);
    await store.close();
  });

  it("calls that are not awaited never meet in a transaction", async () => {
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
  it("the answers for any log are those of a naive replay, however it came in", { timeout: 60_000 }, async () => {
    const project = newProject();
    const store = createSqliteThreads({ folder: folderOf(project), clock });
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
      createSqliteThreads({ folder: folderOf(project), clock }),
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

  it("a place among 100,000 messages takes a logarithm of looks", { timeout: 60_000 }, async () => {
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

function alter(project: string, sql: string): void {
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  const database = new DatabaseSync(join(folderOf(project), "threads.sqlite"));
  database.exec(sql);
  database.close();
}
