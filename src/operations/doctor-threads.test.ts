import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { ThreadScene } from "../../test/fixtures/thread-scene.ts";
import { checkThreads } from "./doctor-threads.ts";

const scenes: ThreadScene[] = [];
const newScene = (): ThreadScene => {
  const scene = new ThreadScene();
  scenes.push(scene);
  return scene;
};
afterEach(async () => void (await Promise.all(scenes.splice(0).map((scene) => scene.end()))));

const by = { actor_id: "user", origin: "test" };

test("without threads there is nothing to say, and no file is made", async () => {
  expect(await checkThreads(await newScene().memory())).toEqual([]);
});

test("threads are counted, and a job that nobody runs is named with what runs it", async () => {
  const scene = newScene();
  await scene.run("thread.create", { thread_id: "t" });
  for (const content of ["a", "b"]) await scene.run("thread.append", { thread_id: "t", ...by, content });
  await scene.run("compaction.auto.schedule", { thread_id: "t", ...by, stride_messages: 2, execute: false });
  const checks = await checkThreads(await scene.memory());
  expect(checks.map(({ state, message }) => `${state} ${message}`)).toEqual([
    "ok 1 thread",
    "note 1 job that nobody runs",
  ]);
});

test("a store that cannot be read is a problem, not an error", async () => {
  const scene = newScene();
  await scene.run("thread.create", { thread_id: "t" });
  await (await scene.memory()).close();
  writeFileSync(join(scene.dir, ".heartwood/threads/threads.sqlite"), "x".repeat(8192));
  await scene.reopen();
  const [check] = await checkThreads(await scene.memory());
  expect(check?.state).toBe("problem");
  expect(check?.message).toContain("threads.sqlite");
});
