import { expect, test } from "vitest";
import { memoryApi, runOn } from "../../src/api/bind.ts";
import type { Memory } from "../../src/api/memory.ts";
import { openTestMemory } from "../fixtures/memory.ts";

/** How the library's methods translate their arguments, on an in-memory disk. */
function open(files: Readonly<Record<string, string>> = {}): Memory {
  const { memory } = openTestMemory({ files, disk: "folder" });
  return memoryApi(runOn(memory), memory);
}

async function linesOf(stream: AsyncIterable<string>): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const line of stream) lines.push(line);
  return lines;
}

const day = { "memory/2026-03-10.md": "## Limiter [project]\n- decisions: token bucket\n" };

test("a message, a list and a file of messages are appended, with their own origin or the API's", async () => {
  const { threads } = open();
  const { id } = await threads.create({ id: "talk", title: "Talk" });
  await threads.append(id, { actor: "user", content: "one" });
  const listed = await threads.append(id, [
    { actor: "assistant", origin: "chat", content: "two\nlines" },
    { actor: "tool:run", content: '{"tool_calls": []}' },
  ]);
  expect(listed).toMatchObject({ threadId: "talk", appended: 2, messageCount: 3 });
  const file = {
    name: "lines",
    chunks: async function* () {
      yield new TextEncoder().encode('{"content":"four"}\n');
    },
  };
  await threads.append(id, file, { actor: "user" });
  const frames = (await linesOf(threads.export(id))).map(
    (line) => JSON.parse(line) as Readonly<Record<string, unknown>>,
  );
  expect(frames.slice(1).map(({ actor_id, origin, content }) => [actor_id, origin, content])).toEqual([
    ["user", "api", "one"],
    ["assistant", "chat", "two\nlines"],
    ["tool:run", "api", '{"tool_calls": []}'],
    ["user", "api", "four"],
  ]);
  await expect(threads.append(id, { actor: "user", content: "x" }, { expectedSeq: 0 })).rejects.toMatchObject({
    code: "seq_conflict",
  });
});

test("frames move from one memory to another as lines and as text, byte for byte", async () => {
  const [from, to] = [open(), open()];
  await from.threads.create({ id: "talk" });
  await from.threads.append("talk", { actor: "user", content: "one" });
  const { threads } = await to.threads.import(from.threads.export("talk"));
  expect(threads).toMatchObject([{ threadId: "talk", imported: 2, error: null }]);
  const frames = await linesOf(from.threads.export("talk"));
  expect(await linesOf(to.threads.export("talk"))).toEqual(frames);
  expect(await to.threads.import(`${frames.join("\n")}\n`)).toMatchObject({ imported: 0, known: 2, tornLine: null });
});

test("every method that returns a thread includes its id, and names its parent in the same way", async () => {
  const { threads } = open();
  const { id } = await threads.create({ title: "Talk" });
  await threads.append(id, { actor: "user", content: "one" });
  expect(await threads.get(id)).toMatchObject({ id, title: "Talk", parent: null, messageCount: 1 });
  expect((await threads.list()).threads.map((thread) => thread.id)).toEqual([id]);
  const branch = await threads.branch(id, { actor: "user", title: "Fork" });
  expect(branch).toMatchObject({ title: "Fork", parent: { kind: "branch", threadId: id } });
  const heir = await threads.handoff(id, { actor: "user", summary: "# Summary\n\n- one was said\n" });
  expect(heir).toMatchObject({ parent: { kind: "handoff", threadId: id } });
  expect(heir).not.toHaveProperty("threadId");
});

test("one thread and all threads are scheduled by one method", async () => {
  const { threads } = open();
  await threads.create({ id: "talk" });
  await threads.append("talk", { actor: "user", content: "one" });
  expect(await threads.schedule("talk", { actor: "agent" })).toMatchObject({ threadId: "talk", decision: "noop" });
  expect(await threads.schedule({ all: true, actor: "agent" })).toEqual({ threads: [], checked: 1 });
  const checkpoint = { actor: "user", toSeq: 1, summary: "# Summary\n\n- one was said\n" };
  expect(await threads.checkpoint("talk", checkpoint)).toMatchObject({ threadId: "talk", toSeq: 1 });
  expect(await threads.status("talk")).toMatchObject({ latestCheckpoint: { toSeq: 1 } });
});

test("a context keeps the field names of its items and of the provider, and is recorded only with an actor", async () => {
  const { threads } = open();
  await threads.create({ id: "talk" });
  await threads.append("talk", { actor: "user", content: "one" });
  const context = await threads.compile("talk", { render: "anthropic" });
  expect(context).toMatchObject({ uncoveredMessages: 0, provenance: { actor: "user", origin: "api" } });
  expect(context.items[0]).toHaveProperty("actor_id", "user");
  expect(context.rendered.messages).toEqual([{ role: "user", content: [{ type: "text", text: "one" }] }]);
  await expect(threads.compile("talk", { record: true })).rejects.toMatchObject({ code: "usage" });
  await threads.compile("talk", { record: true, actor: "agent" });
  expect((await threads.get("talk")).headSeq).toBeGreaterThan(1);
});

test("a call can be aborted by its signal and reports its progress", async () => {
  const memory = open(day);
  await expect(memory.compact({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "aborted" });
  const phases = new Set<string>();
  await memory.compact({ onProgress: ({ phase }) => phases.add(phase) });
  expect([...phases]).toContain("daily");
  await memory.threads.create({ id: "talk" });
  const stopped = new AbortController();
  const seen: string[] = [];
  for await (const line of memory.threads.events("talk", { follow: true, signal: stopped.signal })) {
    seen.push(line);
    stopped.abort();
  }
  expect(seen).toHaveLength(1);
});

test("recall returns passages and text for a prompt; search takes places as a list", async () => {
  const memory = open(day);
  const { passages, text, mark } = await memory.recall("Which limiter?", { explain: true });
  expect(passages[0]).toMatchObject({ source: "memory/2026-03-10.md:1-2", ageDays: 5 });
  expect(text).toContain(mark);
  expect(text).toContain("token bucket");
  expect((await memory.search("bucket", { in: ["raw", "nodes"] })).hits).toHaveLength(1);
  expect((await memory.search("bucket", { in: ["threads"] })).hits).toEqual([]);
});

test("an answer is submitted as a string", async () => {
  const { summaries } = open(day);
  await expect(summaries.submit("daily-2026-03-10-00000000", "# Answer\n")).rejects.toMatchObject({
    code: "job_not_found",
  });
});
