import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { ThreadStore } from "../thread-store.ts";
import { endingOf } from "../../../testing/test-functions.ts";
import { begin, created, linesOf, message } from "../../../testing/thread-store-cases/harness.ts";
import { nodeSqlite } from "../../../platform/sqlite.ts";
import { createSqliteThreads } from "../sqlite-threads.ts";

const clock = { now: () => 1_800_000_000_000 };
const projects: string[] = [];
const folderOf = (project: string) => join(project, ".heartwood", "threads");
const fileOf = (project: string) => join(folderOf(project), "threads.sqlite");
const { DatabaseSync } = process.getBuiltinModule("node:sqlite");

function newProject(): string {
  const project = fs.mkdtempSync(join(tmpdir(), "hw-threads-"));
  projects.push(project);
  return project;
}

afterAll(() => {
  for (const project of projects.splice(0)) fs.rmSync(project, { recursive: true, force: true });
});

async function withThread(project: string, messages: readonly string[] = ["x"]): Promise<ThreadStore> {
  const store = createSqliteThreads({ folder: folderOf(project), clock, driver: nodeSqlite });
  await begin(
    store,
    "a",
    messages.map((text) => message(text)),
  );
  return store;
}

/** All calls that read or write. */
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
    () => store.append({ thread_id: "b", frames: [created()] }),
    () => store.import([{ number: 1, text: linesOf("c", [created()])[0] ?? "" }]),
  ];
}

async function endingsOf(project: string): Promise<readonly string[]> {
  const store = createSqliteThreads({ folder: folderOf(project), clock, driver: nodeSqlite });
  const endings: string[] = [];
  for (const call of callsOn(store)) endings.push(await endingOf(call()));
  await store.close();
  return endings;
}

const modeOf = (path: string): string => (fs.statSync(path).mode & 0o777).toString(8);

describe("the files of the store", () => {
  it("are created by the first accepted write, never by reads or refused calls", async () => {
    const project = newProject();
    const store = createSqliteThreads({ folder: folderOf(project), clock, driver: nodeSqlite });
    for (const call of callsOn(store).slice(0, 8)) await endingOf(call());
    await store.import([]);
    expect(await endingOf(store.import([{ number: 1, text: "{" }]))).toBe("invalid_frame");
    expect(fs.readdirSync(project)).toEqual([]);
    await store.append({ thread_id: "a", frames: [created()] });
    expect(modeOf(folderOf(project))).toBe("700");
    const names = fs.readdirSync(folderOf(project));
    expect(names.toSorted()).toEqual(["threads.sqlite", "threads.sqlite-shm", "threads.sqlite-wal"]);
    for (const name of names) expect(modeOf(join(folderOf(project), name))).toBe("600");
    await store.close();
    expect(fs.readdirSync(folderOf(project)).toSorted()).toEqual(["threads.sqlite"]);
  });

  it("may be empty or incomplete after a crash: reads behave as on an empty store, writes create the rest", async () => {
    const project = newProject();
    fs.mkdirSync(folderOf(project), { recursive: true });
    fs.writeFileSync(fileOf(project), "");
    const store = createSqliteThreads({ folder: folderOf(project), clock, driver: nodeSqlite });
    expect(await store.heads({ limit: 1 })).toEqual({ heads: [], total: 0 });
    await store.append({ thread_id: "a", frames: [created()] });
    expect((await store.head("a"))?.head_seq).toBe(0);
    await store.close();
  });

  it("that were moved away while open accept no more writes, which would be lost", async () => {
    const project = newProject();
    const store = await withThread(project);
    fs.renameSync(fileOf(project), join(folderOf(project), "moved"));
    expect(await endingOf(store.append({ thread_id: "a", frames: [message("y")] }))).toBe("io");
    expect((await store.head("a"))?.head_seq).toBe(1);
    fs.renameSync(join(folderOf(project), "moved"), fileOf(project));
    expect((await store.append({ thread_id: "a", frames: [message("y")] })).head.head_seq).toBe(2);
    await store.close();
  });

  it("are written in WAL mode with every transaction synced", async () => {
    const project = newProject();
    await (await withThread(project)).close();
    const database = new DatabaseSync(fileOf(project));
    expect(database.prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
    expect(database.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
    database.close();
  });
});

describe("a file that is not our store", () => {
  it("a newer version is newer_store for every call, and is left unchanged", async () => {
    const project = newProject();
    await (await withThread(project)).close();
    alter(project, "PRAGMA user_version = 2");
    const before = fs.readFileSync(fileOf(project));
    expect(new Set(await endingsOf(project))).toEqual(new Set(["newer_store"]));
    expect(fs.readFileSync(fileOf(project)).equals(before)).toBe(true);
  });

  it("foreign bytes, another program's database and a torn file are damaged_store, and are left unchanged", async () => {
    const plants = [
      (path: string) => fs.writeFileSync(path, "no database at all ".repeat(500)),
      (path: string) => {
        const database = new DatabaseSync(path);
        database.exec("CREATE TABLE t (x)");
        database.close();
      },
    ];
    for (const plant of plants) {
      const project = newProject();
      fs.mkdirSync(folderOf(project), { recursive: true });
      const path = fileOf(project);
      plant(path);
      const before = fs.readFileSync(path);
      expect(new Set(await endingsOf(project))).toEqual(new Set(["damaged_store"]));
      expect(fs.readFileSync(path).equals(before)).toBe(true);
    }
  });

  it("a truncated database or one with scrambled pages is damaged_store", async () => {
    const project = newProject();
    const texts = Array.from({ length: 3000 }, (_, index) => `${index} `.padEnd(400, "x"));
    await (await withThread(project, texts)).close();
    const path = fileOf(project);
    const whole = fs.readFileSync(path);
    const scrambled = Buffer.from(whole);
    scrambled.fill(0xa5, 8 * 4096);
    for (const bytes of [whole.subarray(0, Math.floor(whole.length / 2)), scrambled]) {
      fs.writeFileSync(path, bytes);
      const store = createSqliteThreads({ folder: folderOf(project), clock, driver: nodeSqlite });
      expect(await endingOf(store.frames({ thread_id: "a", limit: 10_000 }))).toBe("damaged_store");
      expect(await endingOf(store.append({ thread_id: "a", frames: [message("x")] }))).toBe("damaged_store");
      await store.close();
      expect(fs.readFileSync(path).equals(bytes)).toBe(true);
    }
  });

  it.runIf(process.platform !== "win32")(
    "a FIFO, folder or link in place of the file is refused without waiting",
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

  it("a file in place of the folder is io, and the error says what to do", async () => {
    const project = newProject();
    fs.writeFileSync(join(project, ".heartwood"), "");
    expect(new Set(await endingsOf(project))).toEqual(new Set(["io"]));
  });
});

function alter(project: string, sql: string): void {
  const database = new DatabaseSync(fileOf(project));
  database.exec(sql);
  database.close();
}
