import { afterEach, expect, test } from "vitest";
import { ThreadScene } from "../../../test/fixtures/thread-scene.ts";

const by = { actor_id: "user", origin: "test" };
const scene = new ThreadScene();
afterEach(() => scene.end());

test("a branch at an old message has the summaries its parent had at the time of the branch, and no later ones", async () => {
  const words = "the importer keeps its queue in the order of the invoices and tells what it leaves out ".repeat(4);
  const lines = (from: number) =>
    Array.from({ length: 600 }, (_, at) => JSON.stringify({ content: `${from + at} ${words}` })).join("\n");
  await scene.run("thread.create", { thread_id: "p" });
  await scene.run("thread.append", { thread_id: "p", ...by, batch: true, content: lines(0) });
  await scene.run("compaction.auto.schedule", { thread_id: "p", ...by });
  const { frames } = { frames: await scene.frames("p", "continuity_message_appended") };
  const at = String(frames[579]?.["id"]);
  const child = await scene.run("thread.branch", { thread_id: "p", at, ...by });
  const compiled = await scene.run("context.compile", { thread_id: child["thread_id"] });

  expect(compiled["message_count"]).toBe(580);
  expect(compiled["uncovered_messages"]).toBeLessThan(60);

  await scene.run("thread.append", { thread_id: "p", ...by, batch: true, content: lines(600) });
  await scene.run("compaction.auto.schedule", { thread_id: "p", ...by });
  const later = await scene.run("context.compile", { thread_id: child["thread_id"] });
  expect(later["bundle_artifact_id"]).toBe(compiled["bundle_artifact_id"]);
});
