import { afterEach, expect, it } from "vitest";
import { ThreadScene } from "../fixtures/thread-scene.ts";

/** Pages of a thread are limited in bytes too: a thousand messages of 5 MB are not one page. */
const scenes: ThreadScene[] = [];
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.end();
});

it("verify, export and summaries keep only a few long messages in memory", async () => {
  const scene = new ThreadScene();
  scenes.push(scene);
  await scene.thread("t", 60, (n) => `message ${n} `.padEnd(1_000_000, "so it goes. "));
  const { threads } = await scene.memory();
  let most = 0;
  const frames: typeof threads.frames = async (query) => {
    const found = await threads.frames(query);
    most = Math.max(
      most,
      found.reduce((sum, { line }) => sum + line.length, 0),
    );
    return found;
  };
  const options = { changes: { threads: { ...threads, frames } } };
  const by = { actor_id: "user", origin: "cli" };
  await scene.run("compaction.auto.schedule", { thread_id: "t", stride_messages: 30, ...by }, options);
  expect(await scene.run("thread.verify", {}, options)).toMatchObject({ ok: true, findings: [] });
  const lines = (await scene.run("thread.export", { thread_id: "t" }, options)) as never as AsyncIterable<string>;
  let count = 0;
  for await (const _ of lines) count += 1;
  expect(count).toBeGreaterThan(60);
  expect(most).toBeLessThan(16_000_000);
});
