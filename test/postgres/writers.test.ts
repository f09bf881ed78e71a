import { spawn } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPostgresThreads, openPostgres } from "../../src/postgres/index.ts";
import { begin, effect, idOf, logOf, message } from "../../src/testing/thread-store-cases/harness.ts";
import type { ThreadStore } from "../../src/threads/store/thread-store.ts";
import { programs, startMigrated, type Server } from "./server.ts";

let server: Server;
let database: string;
let url: string;
/** Disturbances in the test of lost connections, and how many of them end the whole server. */
const KILLS = Number(process.env["HEARTWOOD_POSTGRES_KILLS"] ?? 20);
const CRASH_EVERY = 4;

describe.skipIf(programs === undefined)("writers on PostgreSQL", () => {
  beforeAll(async () => {
    ({ server, database, url } = await startMigrated());
  });
  afterAll(() => server.stop());

  it("of 16 processes on one thread leave no gap, and nothing is there twice", async () => {
    const store = createPostgresThreads({ database: openPostgres({ url }) });
    await begin(store, "many");
    const writers = Array.from({ length: 16 }, (_, at) => startWriter(["many", `w${at}`, "40"]));
    await Promise.all(writers.map(({ ready }) => ready));
    for (const { begin: go } of writers) go();
    const acknowledged = (await Promise.all(writers.map(({ done }) => done))).flat();
    expect(acknowledged.length).toBe(16 * 40);
    await expectWhole(store, "many", acknowledged);
    await store.close();
  });

  it("of one process that append at once have answers of their own, and a refused one disturbs no other", async () => {
    const store = createPostgresThreads({ database: openPostgres({ url, tenant: "together" }) });
    const alone = createPostgresThreads({ database: openPostgres({ url, tenant: "alone" }) });
    for (const one of [store, alone]) await begin(one, "a", [message("known", idOf(1))]);
    const frames = Array.from({ length: 300 }, (_, at) => message(`${at}`, at % 50 === 7 ? idOf(1) : idOf(at + 2)));
    const results = await Promise.allSettled(frames.map((frame) => store.append({ thread_id: "a", frames: [frame] })));
    for (const [at, frame] of frames.entries()) {
      const result = results[at];
      const [expected] = await Promise.allSettled([alone.append({ thread_id: "a", frames: [frame] })]);
      if (expected.status === "rejected") expect(result).toMatchObject({ reason: { code: "frame_conflict" } });
      else expect(result).toMatchObject({ value: { known: 0, appended: [{ id: frame.id }] } });
    }
    const logs = [await logOf(store, "a"), await logOf(alone, "a")];
    expect(logs[0]?.toSorted()).toHaveLength(logs[1]?.length ?? 0);
    const heads = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    for (const { appended, head } of heads) {
      expect(head.head_seq).toBe(appended[0]?.seq);
      expect(head.message_count).toBe(head.head_seq);
      expect(logs[0]?.[head.head_seq]).toContain(appended[0]?.id);
    }
    const last = heads.toSorted((one, other) => one.head.head_seq - other.head.head_seq).at(-1);
    expect(last?.head).toEqual(await store.head("a"));
    for (const { head, appended } of heads) {
      const [before] = await store.places("a", [{ seq: head.head_seq }]);
      expect(before).toMatchObject({ id: appended[0]?.id, weight: head.weight });
    }
    await store.close();
    await alone.close();
  });

  it("of several programs on the same threads leave no gap, and none waits for the thread of another", async () => {
    const stores = Array.from({ length: 3 }, () =>
      createPostgresThreads({ database: openPostgres({ url, tenant: "groups", waitMs: 30_000 }) }),
    );
    const [one] = stores;
    if (one === undefined) throw new Error("not opened");
    const names = Array.from({ length: 6 }, (_, at) => `t${at}`);
    for (const name of names) await begin(one, name);
    let isFree = (): void => undefined;
    const held = new Promise<void>((resolve) => (isFree = resolve));
    let isHeld = (): void => undefined;
    const taken = new Promise<void>((resolve) => (isHeld = resolve));
    const holder = openPostgres({ url, tenant: "groups" });
    const holding = holder.transaction(async (calls) => {
      await calls.call("lock_thread", { thread_id: "t0" });
      isHeld();
      await held;
    });
    await taken;
    const appends = stores.flatMap((store, of) =>
      Array.from({ length: 120 }, async (_, at) => {
        const thread_id = names[(at * 7 + of) % names.length] ?? "";
        const { appended, head } = await store.append({ thread_id, frames: [message(`${of}-${at}`)] });
        expect(head.head_seq).toBe(appended[0]?.seq);
        return { thread_id, said: `${of}-${at} ${appended[0]?.seq}` };
      }),
    );
    const others = await Promise.all(
      appends.filter((_, at) => names[((at % 120) * 7 + Math.floor(at / 120)) % 6] !== "t0"),
    );
    expect((await one.head("t0"))?.head_seq).toBe(0);
    expect(others.length).toBe(300);
    isFree();
    await holding;
    const all = await Promise.all(appends);
    for (const name of names)
      await expectWhole(
        one,
        name,
        all.filter(({ thread_id }) => thread_id === name).map(({ said }) => said),
      );
    await Promise.all([...stores.map((store) => store.close()), holder.close()]);
  });

  it("lose nothing that was acknowledged and store nothing twice, whatever connections and servers end", async () => {
    const store = createPostgresThreads({ database: openPostgres({ url }) });
    await begin(store, "killed");
    const acknowledged: string[] = [];
    let isOver = false;
    const others = Array.from({ length: 4 }, () => openPostgres({ url, poolSize: 2, waitMs: 120_000 }));
    const write = async (writer: number): Promise<void> => {
      const own = createPostgresThreads({ database: others[writer % others.length] ?? openPostgres({ url }) });
      for (let at = 0; !isOver; at += 1) {
        const content = `w${writer}-${at}`;
        // Every third append is a decision, which must not be refused because its own first try went through.
        const decision_seq = (await own.head("killed"))?.decision_seq ?? 0;
        const frames = at % 3 === 2 && writer === 0 ? [message(content), effect()] : [message(content)];
        const { appended } = await own.append({
          thread_id: "killed",
          frames,
          ...(frames.length === 2 && { expected_decision_seq: decision_seq }),
        });
        acknowledged.push(`${content} ${appended[0]?.seq}`);
      }
    };
    const writing = Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)));
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const before = acknowledged.length;
      while (acknowledged.length < before + 10 + (kill % 7))
        await Promise.race([writing, new Promise((resolve) => setTimeout(resolve, 1))]);
      if (kill % CRASH_EVERY === 0) await server.crash();
      else
        await server.admin(
          database,
        )`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'app' AND random() < 0.7`.catch(
          () => undefined,
        );
    }
    isOver = true;
    await writing;
    await expectWhole(store, "killed", acknowledged);
    expect(acknowledged.length).toBeGreaterThan(KILLS * 10);
    await Promise.all([store, ...others].map((one) => one.close()));
  });

  it("an import whose connection ends stores nothing, and can be repeated", async () => {
    const opened = openPostgres({ url, tenant: "import" });
    const store = createPostgresThreads({ database: opened });
    const source = createPostgresThreads({ database: openPostgres({ url, tenant: "source" }) });
    await begin(
      source,
      "a",
      Array.from({ length: 1200 }, (_, at) => message(`${at}`)),
    );
    const lines = (await logOf(source, "a")).map((text, at) => ({ number: at + 1, text }));
    async function* dying() {
      for (const line of lines) {
        if (line.number === 1100)
          await server.admin(
            database,
          )`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'app' AND state = 'idle in transaction'`;
        yield line;
      }
    }
    await expect(store.import(dying())).rejects.toMatchObject({ code: "io" });
    expect((await store.heads({ limit: 9 })).total).toBe(0);
    expect(await store.import(lines)).toEqual([{ thread_id: "a", imported: 1201, known: 0, head_seq: 1200 }]);
    expect(await logOf(store, "a")).toEqual(lines.map(({ text }) => text));
    await store.close();
    await source.close();
  });

  function startWriter(args: readonly string[]) {
    const child = spawn(process.execPath, [join(import.meta.dirname, "writer.ts"), url, ...args, "120000"]);
    let out = "";
    let err = "";
    let isReady = (): void => undefined;
    const ready = new Promise<void>((resolve, reject) => {
      isReady = resolve;
      child.once("close", () => reject(new Error(err)));
    });
    child.stdout.on("data", (chunk: Buffer) => {
      out += chunk.toString("utf8");
      if (out.startsWith("ready\n")) isReady();
    });
    child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString("utf8")));
    const done = new Promise<readonly string[]>((resolve, reject) => {
      child.once("close", (status) =>
        status === 0 ? resolve(out.split("\n").slice(1, -1)) : reject(new Error(`${status}: ${err}`)),
      );
    });
    return { ready, begin: () => child.stdin.write("go\n"), done };
  }
});

/** Seqs without gap, each message once, and every acknowledged message at its seq. */
async function expectWhole(store: ThreadStore, thread_id: string, acknowledged: readonly string[]): Promise<void> {
  const head_seq = (await store.head(thread_id))?.head_seq ?? -1;
  const found: string[] = [];
  let next = 0;
  while (next <= head_seq) {
    const frames = await store.frames({ thread_id, from_seq: next, limit: 10_000 });
    for (const { seq, line } of frames) {
      expect(seq).toBe(next);
      next += 1;
      const { content } = JSON.parse(line) as { readonly content?: string };
      if (content !== undefined) found.push(`${content} ${seq}`);
    }
  }
  const contents = found.map((one) => one.split(" ")[0]);
  expect(new Set(contents).size).toBe(contents.length);
  const there = new Set(found);
  expect(acknowledged.filter((one) => !there.has(one))).toEqual([]);
  expect(acknowledged.length).toBe(found.length);
}
