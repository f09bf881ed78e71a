import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { createSqliteLocks } from "../../src/platform/locks.ts";
import { prepareIndex } from "../../src/recall/index/prepare.ts";
import { runIndex } from "../../src/recall/index/refresh.ts";
import { runRecall } from "../../src/recall/run/recall.ts";
import type { Memory } from "../../src/operations/operation.ts";
import { openTestMemory, type TestMemory } from "../fixtures/memory.ts";
import { canMount, mountDisk, unmount } from "../fixtures/mounted-disk.ts";
import { createSqliteSearch } from "../../src/recall/index/sqlite-search.ts";
import { nodeSqlite } from "../../src/platform/sqlite.ts";

/** Whatever happens to the index, results are right or say what is missing. */
const logs = Object.fromEntries(
  Array.from({ length: 6 }, (_, day) => {
    const filler = Array.from(
      { length: 40 },
      (__, line) => `Line ${line} of common words and number ${day * 40 + line}.`,
    );
    return [
      `memory/2026-03-0${day + 1}.md`,
      `## Topic ${day}\nThe zebra${day} lives in zoo ${day}.\n\n${filler.join("\n")}\n`,
    ];
  }),
);
const patient = { ms: 5000 };
const opened: Memory[] = [];
afterEach(async () => {
  for (const memory of opened.splice(0)) await memory.close();
});

function newProject(): TestMemory & { readonly file: string; readonly folder: string } {
  const project = openTestMemory({ disk: "folder", files: logs });
  opened.push(project.memory);
  const folder = join(project.memory.dir, ".heartwood", "search");
  mkdirSync(join(project.memory.dir, ".heartwood"), { recursive: true });
  return { ...project, folder, file: join(folder, "index.sqlite") };
}

/** Opens the memory again, as another process would. */
function again(memory: Memory): Memory {
  const folder = join(memory.dir, ".heartwood", "search");
  const other = { ...memory, searchIndex: createSqliteSearch({ folder, driver: nodeSqlite }) };
  opened.push({ ...other, close: () => other.searchIndex.close() });
  return other;
}

interface Answer {
  readonly found: readonly string[];
  readonly notIndexed: number;
  readonly warnings: readonly string[];
}

async function ask(memory: Memory, patience: { readonly ms: number } = patient): Promise<Answer> {
  const { index, not_indexed, warnings } = await prepareIndex(memory, patience);
  const any = Array.from({ length: 6 }, (_, day) => ({ kind: "word", text: `zebra${day}`, weight: 1 }) as const);
  const rows = await index.find({ any, limit: 50 });
  const stored = await index.rows(
    "chunk",
    rows.map(({ id }) => id),
  );
  const found = stored.map(({ text, source }) => `${source} ${/zebra\d/u.exec(text)?.[0]}`).toSorted();
  return { found, notIndexed: not_indexed, warnings: warnings.map(({ code }) => code) };
}

const whole = Array.from({ length: 6 }, (_, day) => `memory/2026-03-0${day + 1}.md zebra${day}`);
const right: Answer = { found: whole, notIndexed: 0, warnings: [] };

describe("an index changed by other programs", () => {
  test("is rebuilt if the file or folder was deleted while it was open", async () => {
    const { memory, file, folder } = newProject();
    await runIndex(memory, {}, {});
    expect(await ask(memory)).toEqual(right);
    rmSync(file);
    expect(await ask(memory)).toEqual(right);
    rmSync(folder, { recursive: true });
    expect(await ask(memory)).toEqual(right);
  });

  test("is rebuilt if it was truncated anywhere, open or not", async () => {
    const { memory, file } = newProject();
    await runIndex(memory, {}, {});
    const { length } = readFileSync(file);
    for (const size of [0, 1, 99, 4096, 5000, Math.floor(length / 2), length - 1]) {
      truncateSync(file, size);
      const asked = size % 2 === 0 ? memory : again(memory);
      expect({ size, ...(await ask(asked)) }).toEqual({ size, ...right, warnings: ["index_damaged"] });
      expect((await ask(again(memory))).found).toEqual(whole);
    }
  });

  test("is rebuilt if a bit was flipped at any of 60 places", async () => {
    const { memory, file } = newProject();
    await runIndex(memory, {}, {});
    for (let place = 0; place < 60; place++) {
      const bytes = readFileSync(file);
      const at = Math.floor((place / 60) * bytes.length) + (place % 7);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (place % 8));
      writeFileSync(file, bytes);
      const asked = place % 2 === 0 ? memory : again(memory);
      expect({ at, ...(await ask(asked)) }).toEqual({ at, ...right, warnings: ["index_damaged"] });
    }
  });

  test("is used in a copy of the folder that kept its times, and rebuilt otherwise", async () => {
    const { memory, file } = newProject();
    await runIndex(memory, {}, {});
    const copy = `${file}.copy`;
    execFileSync("cp", ["-p", file, copy]);
    renameSync(copy, file);
    expect(await ask(again(memory))).toEqual(right);
    utimesSync(file, 1, 1);
    const state = await again(memory).searchIndex.state("x");
    expect(state.because).toBe("damaged");
    expect(await ask(again(memory))).toEqual({ ...right, warnings: ["index_damaged"] });
  });

  test("is replaced if the file is not a database or is of another version", async () => {
    const { memory, file, folder } = newProject();
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, "not a database at all ".repeat(500));
    expect(await ask(memory)).toEqual({ ...right, warnings: ["index_damaged"] });
    expect(await ask(again(memory))).toEqual(right);
  });

  test("is neither used nor written if it is of a newer version", async () => {
    const { memory, file } = newProject();
    await runIndex(memory, {}, {});
    await memory.searchIndex.close();
    const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
    const database = new DatabaseSync(file);
    database.exec("PRAGMA user_version = 99");
    database.close();
    const before = readFileSync(file);
    expect(await ask(again(memory))).toEqual({ found: [], notIndexed: 6, warnings: ["newer_index"] });
    await expect(runIndex(again(memory), {}, {})).rejects.toMatchObject({ code: "newer_store" });
    await expect(runIndex(again(memory), { rebuild: true }, {})).rejects.toMatchObject({ code: "newer_store" });
    expect(readFileSync(file).equals(before)).toBe(true);
  });
});

describe("a place that cannot be used", () => {
  test("a folder, a link or a FIFO in the place of the index is left there and reported", async () => {
    const { memory, file, folder } = newProject();
    for (const make of [
      () => mkdirSync(file),
      () => symlinkSync("/etc/passwd", file),
      () => execFileSync("mkfifo", [file]),
    ]) {
      mkdirSync(folder, { recursive: true });
      make();
      expect(await ask(again(memory))).toEqual({ found: [], notIndexed: 6, warnings: ["index_behind"] });
      rmSync(folder, { recursive: true });
    }
    writeFileSync(folder, "a file");
    expect((await ask(again(memory))).warnings).toEqual(["index_behind"]);
    rmSync(folder);
    symlinkSync(tmpdir(), folder);
    expect((await ask(again(memory))).warnings).toEqual(["index_behind"]);
    rmSync(folder);
    expect(await ask(again(memory))).toEqual(right);
  });

  test("while another process locks the file, results say what is missing, without waiting", async () => {
    const { memory, file } = newProject();
    await runIndex(memory, {}, {});
    const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
    const holder = new DatabaseSync(file);
    holder.exec("BEGIN EXCLUSIVE");
    expect(await ask(again(memory))).toEqual({ found: [], notIndexed: 6, warnings: ["index_behind"] });
    holder.exec("ROLLBACK");
    holder.close();
    expect(await ask(again(memory))).toEqual(right);
  });

  test("while another process indexes, results come from what is there", async () => {
    const { memory, write } = newProject();
    const locks = createSqliteLocks({
      folder: join(memory.dir, ".heartwood"),
      clock: memory.clock,
      driver: nodeSqlite,
    });
    const own = { ...memory, locks };
    await runIndex(own, {}, {});
    write("memory/2026-03-07.md", "## New\nThe zebra0 moved.\n");
    const lease = await locks.acquire("search", { holder: "index" });
    expect(await ask(again(own))).toEqual({ ...right, notIndexed: 1 });
    await lease.release();
    expect((await ask(again(own))).notIndexed).toBe(0);
  });
});

describe("a process killed while it writes", () => {
  test("leaves an index that is used or rebuilt", async () => {
    const { memory, file, write } = newProject();
    await runIndex(memory, {}, {});
    for (let round = 0; round < 6; round++) {
      write("memory/2026-03-01.md", `## Topic 0\nThe zebra0 lives in zoo ${round}.\n`);
      await killWhileWriting(file, round);
      const { found, notIndexed } = await ask(again(memory));
      expect([found, notIndexed]).toEqual([whole, 0]);
    }
    expect(readdirSync(join(file, "..")).filter((name) => name.includes("journal"))).toEqual([]);
  });
});

/** A process that changes the tables like an index, and ends in the middle of writing them. */
async function killWhileWriting(file: string, round: number): Promise<void> {
  const program = `
    const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
    const database = new DatabaseSync(${JSON.stringify(file)});
    database.exec("PRAGMA cache_size = 4; PRAGMA synchronous = OFF; BEGIN IMMEDIATE");
    for (let at = 0; at < 400; at++) database.exec("INSERT INTO chunk VALUES (" + (1000 + at) + ", 1, 1, 1, 0, '" + "x".repeat(900) + "', '')");
    ${round % 2 === 0 ? "" : "database.exec('COMMIT');"}
    process.kill(process.pid, "SIGKILL");`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: "ignore" });
  await new Promise((resolve) => void child.on("close", resolve));
}

const base = mkdtempSync(join(tmpdir(), "heartwood-search-full-"));
const isPossible = canMount(base, "tmpfs");
if (!isPossible)
  console.error("NOT RUN: the full disk in test/crash/search-index-damage.test.ts needs root and tmpfs mounts");
afterAll(() => {
  unmount(join(base, "tmpfs"));
  rmSync(base, { recursive: true, force: true });
});

describe.skipIf(!isPossible)("an index on a full or read-only disk", () => {
  test("a full disk: results come from what is there and say what is missing, until there is room again", async () => {
    const { memory } = newProject();
    const disk = mountDisk(base, "tmpfs", 400)?.path ?? "";
    mkdirSync(join(disk, ".heartwood"));
    const folder = join(disk, ".heartwood", "search");
    const full = { ...memory, searchIndex: createSqliteSearch({ folder, driver: nodeSqlite }) };
    writeFileSync(join(disk, "ballast"), Buffer.alloc(360_000));
    const answer = await ask(full);
    expect([answer.found, answer.notIndexed, answer.warnings]).toEqual([[], 6, ["index_behind"]]);
    await expect(runIndex(full, {}, {})).rejects.toMatchObject({ code: "disk_full" });
    expect(existsSync(join(folder, "index.sqlite"))).toBe(false);
    rmSync(join(disk, "ballast"));
    expect(await ask(full)).toEqual(right);
    await full.searchIndex.close();
  });

  test("a read-only disk: results are right as long as nothing changed", async () => {
    const { memory, write } = newProject();
    const path = join(base, "tmpfs");
    const folder = join(path, ".heartwood", "search");
    const open = (): Memory => ({ ...memory, searchIndex: createSqliteSearch({ folder, driver: nodeSqlite }) });
    await settled();
    const indexing = open();
    await runIndex(indexing, {}, {});
    await indexing.searchIndex.close();
    execFileSync("mount", ["-o", "remount,ro", path]);
    const reading = open();
    expect(await ask(reading)).toEqual(right);
    write("memory/2026-03-07.md", "a new one");
    expect(await ask(reading)).toEqual({ found: whole, notIndexed: 1, warnings: ["index_behind"] });
    await reading.searchIndex.close();
  });
});

const nobody = 65_534;
const isRoot = process.getuid?.() === 0;

/** Runs as a user to whom file modes apply, because root may do anything. */
async function asUser<T>(act: () => Promise<T>): Promise<T> {
  if (!isRoot) return act();
  process.seteuid?.(nobody);
  try {
    return await act();
  } finally {
    process.seteuid?.(0);
  }
}

describe("an index that this user may not write", () => {
  test("is used as long as nothing changed, even with stamps that prove nothing yet, and then the warning says what to do", async () => {
    const { memory, file, folder, write } = newProject();
    await runIndex(memory, {}, {});
    await memory.searchIndex.close();
    if (isRoot)
      for (const path of [memory.dir, folder, file, file.replace("sqlite", "check")]) chownSync(path, nobody, 0);
    chmodSync(file, 0o400);
    chmodSync(folder, 0o500);
    const reading = again(memory);
    expect(await asUser(() => ask(reading))).toEqual(right);
    expect(await asUser(() => runIndex(reading, {}, {}))).toMatchObject({ indexed: 0, not_indexed: 0, warnings: [] });
    write("memory/2026-03-07.md", "a new one");
    const { not_indexed, warnings } = await asUser(() => prepareIndex(reading, { ms: 100 }));
    const help =
      "check that the file and its folder are readable and writable, or delete the folder to rebuild the index.";
    const told = `Could not use ${folder}: the system reports SQLITE_8 (attempt to write a readonly database); ${help}`;
    expect([not_indexed, warnings]).toEqual([
      1,
      [{ code: "index_behind", message: `the search index could not be updated: ${told}` }],
    ]);
    await expect(asUser(() => runIndex(reading, {}, {}))).rejects.toMatchObject({ code: "io", message: told });
    chmodSync(folder, 0o000);
    const shut = await asUser(() => prepareIndex(again(memory), { ms: 100 }));
    expect(shut.warnings.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^the search index could not be opened: Could not use .* EACCES .*; check that the file/u),
    ]);
    chmodSync(folder, 0o700);
  });

  test("is not reported as rebuilt if it is damaged", async () => {
    const { memory, file, folder } = newProject();
    await runIndex(memory, {}, {});
    await memory.searchIndex.close();
    truncateSync(file, 5000);
    if (isRoot) for (const path of [memory.dir, folder, file]) chownSync(path, nobody, 0);
    chmodSync(folder, 0o500);
    const { not_indexed, warnings } = await asUser(() => prepareIndex(again(memory), { ms: 100 }));
    expect([not_indexed, warnings.map(({ code }) => code)]).toEqual([6, ["index_damaged", "index_behind"]]);
    expect(warnings[0]?.message).toBe(
      "the search index was damaged or changed by another program, and could not be rebuilt",
    );
    chmodSync(folder, 0o700);
  });
});

/** Waits until the stamps of written files can be trusted. */
async function settled(): Promise<void> {
  await new Promise((resolve) => void setTimeout(resolve, 2100));
}

test.each([
  ["deleted", ({ file }: { readonly file: string }) => rmSync(file)],
  ["deleted with its folder", ({ folder }: { readonly folder: string }) => rmSync(folder, { recursive: true })],
  ["emptied", ({ file }: { readonly file: string }) => truncateSync(file, 0)],
  ["cut", ({ file }: { readonly file: string }) => truncateSync(file, 9000)],
])("a batch of recalls continues with right results if its index is %s", async (_, harm) => {
  const project = newProject();
  const memory = again(project.memory);
  const chunks = async function* () {
    yield Buffer.from(`{"question_id":1,"question":"Where does zebra3 live?"}\n`);
    harm(project);
    yield Buffer.from(`{"question_id":2,"question":"Where does zebra3 live?"}\n`);
  };
  const lines: Record<string, unknown>[] = [];
  const stream = (await runRecall(memory, { batch: { name: "-", chunks } }, {})) as AsyncIterable<string>;
  for await (const line of stream) lines.push(JSON.parse(line) as Record<string, unknown>);
  expect(lines[0]?.["context"]).not.toEqual([]);
  expect(lines[1]).toEqual({ ...lines[0], question_id: 2 });
});
