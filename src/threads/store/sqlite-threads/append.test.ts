import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { endingOf } from "../../../testing/test-functions.ts";
import { begin, message } from "../../../testing/thread-store-cases/harness.ts";
import { LONGEST_LINE } from "../../model/frame.ts";
import { nodeSqlite } from "../../../platform/sqlite.ts";
import { createSqliteThreads } from "../sqlite-threads.ts";

const project = fs.mkdtempSync(join(tmpdir(), "hw-append-"));
afterAll(() => fs.rmSync(project, { recursive: true, force: true }));

it("a frame whose line could not be imported again is refused", async () => {
  const store = createSqliteThreads({
    folder: join(project, ".heartwood", "threads"),
    clock: { now: () => 1 },
    driver: nodeSqlite,
  });
  await begin(store, "a", [message("x")]);
  // Each takes six bytes of its line.
  const long = message("\u0001".repeat(LONGEST_LINE / 6));
  expect(await endingOf(store.append({ thread_id: "a", frames: [message("y"), long] }))).toBe("invalid_body");
  expect(await store.head("a")).toMatchObject({ head_seq: 1 });
  await store.close();
});
