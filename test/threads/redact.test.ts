import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { resumeForgetting, runForget } from "../../src/forget/forget.ts";
import { verifyForgotten } from "../../src/forget/sweep.ts";
import { runSchedule } from "../../src/threads/compact/schedule.ts";
import { compileContext } from "../../src/threads/compile/compile.ts";
import { branchThread, handOffThread } from "../../src/threads/run/branch-handoff.ts";
import { frameOf, MESSAGE } from "../../src/threads/model/frame.ts";
import { createThread } from "../../src/threads/run/threads.ts";
import { verifyThreads } from "../../src/threads/verify/verify.ts";
import { MemoryError } from "../../src/base/errors.ts";
import { endingOf } from "../../src/testing/test-functions.ts";
import { openTestMemory } from "../fixtures/memory.ts";

const by = { actor_id: "user", origin: "test" };
const secret = "the vault code is tangerine-4471";

/** A thread with summaries, rungs and recorded contexts, a branch and a handoff. */
async function planted() {
  const test = openTestMemory({
    disk: "folder",
    files: { "memory/2026-03-01.md": "# 2026-03-01\n\n## A [project]\n- x\n" },
  });
  const { memory } = test;
  const words = "we moved the build of the importer to another machine and measured how long it takes there";
  await createThread(memory, { thread_id: "notes", ...by } as never);
  for (let batch = 0; batch < 12; batch += 1) {
    const frames = Array.from({ length: 25 }, (_, index) => ({
      id: memory.ids.next(),
      timestamp_ms: 1_770_000_000_000 + batch * 1000 + index,
      type: MESSAGE as never,
      payload: {
        actor_id: index % 2 === 0 ? "user" : "assistant",
        origin: "test",
        content:
          batch === 2 && index === 7 ? `Note that ${secret}.` : `Message ${batch} ${index}: ${words} ${index * batch}.`,
      },
    }));
    await memory.threads.append({ thread_id: "notes", frames });
    await runSchedule(memory, { thread_id: "notes", stride_messages: 50, ...by } as never, {});
    if (batch % 4 === 3)
      await compileContext(memory, {
        thread_id: "notes",
        record: true,
        run_session_id: `run_${batch}`,
        ...by,
      } as never);
  }
  await branchThread(memory, { thread_id: "notes", title: "child", ...by } as never);
  await handOffThread(memory, { thread_id: "notes", title: "next", ...by } as never, {});
  return test;
}

function bytesOf(dir: string): readonly (readonly [string, string])[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(
      (entry) =>
        [entry.name, readFileSync(join(entry.parentPath, entry.name)).toString("latin1").toLowerCase()] as const,
    );
}

it("a message that is forgotten is in no byte, and the thread verifies with the same ids and seqs", async () => {
  const { memory } = await planted();
  const idsOf = async () =>
    (await memory.threads.frames({ thread_id: "notes", from_seq: 0, limit: 10_000 })).map(
      (frame) => `${frame.seq} ${frameOf(frame)?.id}`,
    );
  const before = await idsOf();
  expect((await verifyThreads(memory, {})).findings).toEqual([]);
  expect(bytesOf(memory.dir).filter(([, text]) => text.includes("tangerine")).length).toBeGreaterThan(2);
  const planned = await runForget(memory, { text: "tangerine-4471" }, {});
  expect(planned.messages.map(({ seq }) => seq).length).toBe(1);
  const done = await runForget(memory, { text: "tangerine-4471", code: planned.code }, {});
  expect([done.state, done.left]).toEqual(["done", []]);
  expect(bytesOf(memory.dir).filter(([, text]) => text.includes("tangerine"))).toEqual([]);
  expect((await verifyThreads(memory, {})).findings).toEqual([]);
  expect(await idsOf()).toEqual(before);
  expect((await verifyForgotten(memory)).findings).toEqual([]);
  const frames = await memory.threads.frames({ thread_id: "notes", from_seq: 0, limit: 10_000 });
  const redacted = frames.map((frame) => frameOf(frame)?.fields["redacted"]).filter((one) => one !== undefined);
  expect(redacted).toEqual([
    { by: expect.stringMatching(/^[0-9a-f-]{36}$/u), bytes: Buffer.byteLength(`Note that ${secret}.`) },
  ]);
  const again = await runForget(memory, { text: "tangerine-4471", yes: true }, {});
  expect(again.state).toBe("nothing");
});

it("a text that is also in the id of a thread or in a type of frame does not stop it", async () => {
  const { memory } = await planted();
  const texts = ["the thread notes was a continuity_created by user", "seen in continuity_branched"];
  const frames = texts.map((content) => ({
    id: memory.ids.next(),
    timestamp_ms: 1_770_000_099_000,
    type: MESSAGE as never,
    payload: { ...by, content },
  }));
  await memory.threads.append({ thread_id: "notes", frames });
  for (const text of ["continuity_created", "continuity_branched", "notes"])
    expect((await runForget(memory, { text, yes: true }, {})).state, text).not.toBe("planned");
  expect((await verifyThreads(memory, {})).findings).toEqual([]);
  const { heads } = await memory.threads.heads({ limit: 9 });
  expect(heads.length).toBe(3);
  expect(bytesOf(memory.dir).filter(([, text]) => text.includes("the thread notes was"))).toEqual([]);
});

it("the artifacts that were replaced are gone", async () => {
  const { memory } = await planted();
  await runForget(memory, { thread: "notes", yes: true }, {});
  expect((await verifyThreads(memory, {})).findings.filter(({ severity }) => severity !== "info")).toEqual([]);
  expect(bytesOf(memory.dir).filter(([, text]) => text.includes("importer to another"))).toEqual([]);
  expect((await memory.threads.head("notes"))?.message_count).toBe(300);
});

it("a forgetting that fails in between is finished later", async () => {
  for (const [method, call] of [
    ["rewrite", 1],
    ["rewrite", 4],
    ["rewrite", 6],
    ["purge", 1],
  ] as const) {
    const { memory } = await planted();
    let calls = 0;
    const failing = new Proxy(memory.threads, {
      get: (store, name) => {
        if (name !== method) return Reflect.get(store, name) as unknown;
        return (...given: readonly unknown[]): unknown => {
          calls += 1;
          if (calls === call) throw new MemoryError("io", "The disk is gone.");
          return Reflect.apply(Reflect.get(store, name) as () => unknown, store, given);
        };
      },
    });
    const broken = Object.create(memory, { threads: { value: failing } }) as typeof memory;
    expect(await endingOf(runForget(broken, { text: "tangerine-4471", yes: true }, {}))).toBe("io");
    expect((await verifyForgotten(memory)).findings.map(({ code }) => code)).toContain("forgetting_unfinished");
    await resumeForgetting(memory, {});
    expect(bytesOf(memory.dir).filter(([, text]) => text.includes("tangerine"))).toEqual([]);
    expect((await verifyThreads(memory, {})).findings).toEqual([]);
    expect((await verifyForgotten(memory)).findings).toEqual([]);
  }
});
