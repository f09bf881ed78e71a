import { expect, it } from "vitest";
import type { InputFile } from "../../src/base/operation.ts";
import { operations } from "../../src/operations/table.ts";
import { runCommandLine } from "../../src/surfaces/cli/run.ts";
import { createFakeTerminal } from "../fixtures/fake-terminal.ts";
import { openTestMemory } from "../fixtures/memory.ts";

const MiB = 1024 * 1024;
const by = { actor_id: "user", origin: "test" };

async function openThread() {
  const { memory } = openTestMemory({ disk: "folder" });
  const run = async (name: string, input: object, call: object = {}): Promise<Readonly<Record<string, unknown>>> => {
    const operation = operations.find((one) => one.name === name);
    return (await operation?.run(memory, input as never, call)) as never;
  };
  await run("thread.create", { thread_id: "t" });
  const append = (input: object, call?: object) =>
    run("thread.append", { thread_id: "t", batch: true, ...input }, call);
  const heads = async (): Promise<unknown> => (await run("thread.get", { thread_id: "t" }))["head_seq"];
  return { memory, append, heads };
}

/** A batch generated while it is read: this many lines of 16 KiB, then the last ones. */
function batchOf(lines: number, last: readonly string[] = []) {
  const read = { bytes: 0 };
  const chunk = (line: string): Uint8Array => {
    const bytes = new TextEncoder().encode(`${line}\n`);
    read.bytes += bytes.length;
    return bytes;
  };
  const content: InputFile = {
    name: "a batch",
    chunks: async function* () {
      for (let at = 0; at < lines; at += 1) yield chunk(JSON.stringify({ content: `${at} ${"x".repeat(16_384)}` }));
      for (const line of last) yield chunk(line);
    },
  };
  return { content, read };
}

it("a batch of more than 64 MiB is appended with at most 9 MiB of it in memory", async () => {
  const { memory, append, heads } = await openThread();
  const { content, read } = batchOf(4_500);
  let [held, taken] = [0, 0];
  const { appendPieces } = memory.threads;
  const watched = {
    ...memory.threads,
    appendPieces: (request: never, pieces: Parameters<typeof appendPieces>[1]) =>
      appendPieces(
        request,
        (async function* () {
          for await (const drafts of pieces) {
            held = Math.max(held, read.bytes - taken);
            yield drafts;
            taken = read.bytes;
          }
        })(),
      ),
  };
  Object.assign(memory, { threads: watched });
  expect(await append({ ...by, content })).toMatchObject({ appended: 4_500, message_count: 4_500, seq: 4_500 });
  expect(read.bytes).toBeGreaterThan(64 * MiB);
  expect(held).toBeLessThan(9 * MiB);
  expect(await heads()).toBe(4_500);
});

it("a long batch is atomic: with an error in its last line, or if aborted, nothing is appended", async () => {
  const { append, heads } = await openThread();
  await expect(append({ ...by, content: batchOf(1_000, ['{"content":7}']).content })).rejects.toMatchObject({
    code: "invalid_frame",
    details: { line: 1_001 },
  });
  const stop = new AbortController();
  const stopping = batchOf(1_000).content;
  const content: InputFile = {
    ...stopping,
    chunks: async function* () {
      yield* stopping.chunks();
      stop.abort();
    },
  };
  await expect(append({ ...by, content }, { signal: stop.signal })).rejects.toMatchObject({ code: "aborted" });
  await expect(append({ ...by, content: batchOf(1_000).content, expected_seq: 9 })).rejects.toMatchObject({
    code: "seq_conflict",
  });
  expect(await heads()).toBe(0);
  expect(await append({ ...by, content: batchOf(1_000).content, expected_seq: 0 })).toMatchObject({ head_seq: 1_000 });
});

it("200,000 lines are appended as one batch", async () => {
  const { append } = await openThread();
  const content = Array.from({ length: 200_000 }, (_, at) => `{"content":"heron ${at}"}\n`).join("");
  expect(await append({ ...by, content })).toMatchObject({ appended: 200_000, message_ordinal: 200_000 });
});

it("a batch needs an actor and an origin only for lines without them", async () => {
  const { append, heads } = await openThread();
  const own = '{"content":"a","actor_id":"assistant","origin":"chat"}';
  expect(await append({ content: own })).toMatchObject({ appended: 1 });
  expect(await append({ content: '{"content":"b","actor_id":"user","origin":null}', origin: "cli" })).toMatchObject({
    appended: 1,
  });
  await expect(append({ content: `${own}\n{"content":"b"}` })).rejects.toMatchObject({
    code: "invalid_frame",
    message:
      "Line 2 of the batch has no actor_id; add it to the line, or pass actor_id (--actor); nothing was appended.",
  });
  await expect(append({ content: '{"content":"b","actor_id":"a\\nb","origin":"c"}' })).rejects.toThrow(
    "Line 1 of the batch has an invalid actor_id; it must be one non-empty line",
  );
  for (const missing of [undefined, null])
    await expect(append({ ...by, batch: false, content: missing })).rejects.toThrow(/^content is missing/u);
  await expect(append({ batch: false, content: "c", actor_id: "user" })).rejects.toMatchObject({
    code: "usage",
    details: { field: "origin" },
  });
  expect(await heads()).toBe(2);
});

it("the command line accepts a batch of more than 64 MiB on standard input, without --actor if every line has one", async () => {
  const { memory } = await openThread();
  const line = `${JSON.stringify({ content: "x".repeat(MiB - 100), actor_id: "user", origin: "cli" })}\n`;
  const chunks = Array.from({ length: 66 }, () => line);
  const terminal = createFakeTerminal({ stdin: { kind: "pipe", chunks } });
  const host = { open: async () => memory } as never;
  expect(await runCommandLine(["thread", "append", "t", "--batch", "--json"], terminal, host)).toBe(0);
  expect(JSON.parse(terminal.out())).toMatchObject({ appended: 66, head_seq: 66 });
});
