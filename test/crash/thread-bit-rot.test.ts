import { DatabaseSync } from "node:sqlite";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { crcOf, type FrameRow } from "../../src/threads/store/sqlite-threads/rows.ts";
import { MemoryError } from "../../src/base/errors.ts";
import type { Memory } from "../../src/operations/operation.ts";
import { verifyThreads } from "../../src/threads/verify/verify.ts";
import { createSeededRandom } from "../../src/testing/index.ts";
import { openFolder } from "../fixtures/busy-thread.ts";
import { sentence, ThreadScene } from "../fixtures/thread-scene.ts";

/**
 * Bit rot: at every 64th byte of the database and of every artifact, a byte is flipped, it is zeroed with its neighbours, or the file ends. The result is an error
 * with a code, a finding of verify, or no change in what can be read; never a crash, and never text other than what was stored.
 */
const stride = process.env["CI"] === undefined ? 64 * 27 : 64;
const kinds = ["flip", "zero", "truncate"] as const;

const base = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "heartwood-rot-"));
const files = new Map<string, Buffer>();
let lines: readonly string[] = [];
beforeAll(async () => {
  const scene = new ThreadScene();
  const by = { actor_id: "user", origin: "cli" };
  await scene.thread("t", 130, (n) => `${sentence(n)} ${"and the words went on ".repeat(n % 9)}`);
  await scene.run("compaction.auto.schedule", { thread_id: "t", stride_messages: 40, max_new_checkpoints: 2, ...by });
  await scene.run("context.compile", { thread_id: "t", record: true, ...by });
  lines = await linesIn(await scene.memory());
  await (await scene.memory()).close();
  for (const path of filesBelow(join(scene.dir, ".heartwood")))
    if (/\.(?:sqlite|json)$/u.test(path)) files.set(path, readFileSync(join(scene.dir, ".heartwood", path)));
  await scene.end();
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

describe("bit rot in threads", () => {
  it("is an error with a code, a finding, or in bytes that are never read", async () => {
    const outcomes = new Map<string, number>();
    const wrong: string[] = [];
    const random = createSeededRandom(1);
    expect(await outcomeOf(files)).toBe("unread");
    for (const [path, bytes] of files) {
      const shift = random.below(64);
      for (let at = shift; at < bytes.length; at += stride) {
        for (const kind of kinds) {
          const outcome = await outcomeOf(
            new Map([...files, [path, rotten(bytes, { at, kind, bit: random.below(8) })]]),
          );
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
          if (outcome.startsWith("WRONG")) wrong.push(`${kind} of ${path} at ${at}: ${outcome}`);
        }
      }
    }
    expect(wrong.slice(0, 40)).toEqual([]);
    console.log(`bit rot: ${[...outcomes].map(([outcome, count]) => `${count} ${outcome}`).join(", ")}`);
    expect(outcomes.get("found") ?? 0).toBeGreaterThan(10);
  });

  it("fails if a message is changed and its checksum still matches (negative control)", async () => {
    const path = join(base, "threads.sqlite");
    writeFileSync(path, files.get("threads/threads.sqlite") ?? "");
    const database = new DatabaseSync(path);
    const row = database.prepare("SELECT * FROM frame WHERE ordinal = 7").get() as unknown as FrameRow;
    const line = row.line.replace("decided", "decidid");
    database.prepare("UPDATE frame SET line = ?, crc = ? WHERE at = ?").run(line, crcOf({ ...row, line }), row.at);
    database.close();
    expect(await outcomeOf(new Map([...files, ["threads/threads.sqlite", readFileSync(path)]]))).toBe("WRONG words");
  });
});

function rotten(
  bytes: Buffer,
  how: { readonly at: number; readonly kind: (typeof kinds)[number]; readonly bit: number },
): Buffer {
  const { at, kind, bit } = how;
  if (kind === "truncate") return bytes.subarray(0, at);
  const changed = Buffer.from(bytes);
  if (kind === "zero") changed.fill(0, at, Math.min(at + 64, bytes.length));
  else changed[at] = (changed[at] ?? 0) ^ (1 << bit);
  return changed;
}

/** What a program finds when it opens the folder. `unread`: nothing has changed. */
async function outcomeOf(now: ReadonlyMap<string, Buffer>): Promise<string> {
  const dir = join(base, "project");
  rmSync(dir, { recursive: true, force: true });
  for (const [path, bytes] of now) {
    mkdirSync(dirname(join(dir, ".heartwood", path)), { recursive: true });
    writeFileSync(join(dir, ".heartwood", path), bytes);
  }
  const memory = openFolder(dir);
  try {
    const read = await answer(() => linesIn(memory));
    if ("value" in read && !read.value.every((line) => lines.includes(line))) return "WRONG words";
    if ("code" in read && read.code === "none") return `WRONG error ${String(read.error)}`;
    const verified = await answer(() => verifyThreads(memory, {}));
    if ("code" in verified && verified.code === "none") return `WRONG error of verify ${String(verified.error)}`;
    if (!("value" in verified)) return "refused";
    if (!verified.value.ok) return "found";
    return "value" in read && read.value.length === lines.length ? "unread" : "WRONG frames are gone in silence";
  } finally {
    await memory.close();
  }
}

type Answer<T> = { readonly value: T } | { readonly error: unknown; readonly code: string };

async function answer<T>(act: () => Promise<T>): Promise<Answer<T>> {
  try {
    return { value: await act() };
  } catch (error) {
    return { error, code: error instanceof MemoryError ? error.code : "none" };
  }
}

async function linesIn(memory: Memory): Promise<readonly string[]> {
  const { heads } = await memory.threads.heads({ limit: 10 });
  const all: string[] = [];
  for (const { thread_id } of heads)
    for (const { line } of await memory.threads.frames({ thread_id, limit: 10_000 })) all.push(line);
  return all;
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" });
}
