import { afterAll, expect, test } from "vitest";
import { MemoryError } from "../../base/errors.ts";
import type { Memory } from "../../operations/operation.ts";
import { ThreadScene } from "../../../test/fixtures/thread-scene.ts";
import { pulseOf } from "./jobs.ts";
import { runSchedule } from "./schedule.ts";

const BY = { actor_id: "user", origin: "cli" };
const scenes: ThreadScene[] = [];
afterAll(async () => {
  for (const scene of scenes) await scene.end();
});

/** A memory in which others decide first this many times. */
async function overtaken(times: number): Promise<Memory> {
  const scene = new ThreadScene();
  scenes.push(scene);
  await scene.thread("t", 5);
  const memory = await scene.memory();
  let left = times;
  const threads: Memory["threads"] = Object.assign(Object.create(memory.threads), {
    append: async (request: Parameters<Memory["threads"]["append"]>[0]) => {
      if (request.expected_decision_seq !== undefined && left-- > 0)
        throw new MemoryError("decision_conflict", "Somebody else decided.");
      return memory.threads.append(request);
    },
  });
  return Object.assign(Object.create(memory), { threads });
}

test("a decision overtaken by another is made again", async () => {
  const memory = await overtaken(3);
  const result = await runSchedule(memory, { thread_id: "t", ...BY, stride_messages: 5 });
  expect(result).toMatchObject({ decision: "completed" });
});

test("a decision that is always overtaken ends as busy, which with `all` does not delay other threads", async () => {
  const memory = await overtaken(Number.POSITIVE_INFINITY);
  const all = await runSchedule(memory, { all: true, ...BY, stride_messages: 5 });
  expect(all).toMatchObject({ checked: 1, threads: [{ thread_id: "t", decision: "failed" }] });
  expect(JSON.stringify(all)).toContain("50 attempts");
  expect(await memory.threads.openJobs({})).toEqual([]);
});

test("a job checks its caller's signal at every page", async () => {
  const memory = await overtaken(0);
  const stop = new AbortController();
  const job = {
    thread_id: "t",
    job_id: "j",
    details: null,
    job_kind: "k",
    runner: "r",
    by: BY,
    call: { signal: stop.signal },
  };
  const pulse = pulseOf(memory, job);
  await pulse();
  setImmediate(() => stop.abort());
  await expect(pulse().then(pulse)).rejects.toMatchObject({ name: "AbortError" });
});
