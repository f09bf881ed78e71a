import { attempt, fine } from "./doctor-checks.ts";
import type { Check } from "./doctor-fix.ts";
import type { Memory } from "./memory.ts";

/** Whether the store of threads can be read, and what waits in it. Nothing where there are no threads. */
export async function checkThreads(memory: Memory): Promise<readonly Check[]> {
  return attempt("threads", async () => {
    if ((await memory.files.list(".heartwood/threads")).length === 0) return [];
    const { total } = await memory.threads.heads({ limit: 1 });
    if (total === 0) return [];
    const jobs = await memory.threads.openJobs({});
    const dead = jobs.filter(({ lease }) => lease === "over").length;
    const waiting = jobs.filter(({ lease }) => lease === "none").length;
    return [
      fine("threads", total === 1 ? "1 thread" : `${total} threads`),
      ...noteOf(dead, "whose runner died", "run `heartwood thread run-pending`, which ends them"),
      ...noteOf(waiting, "that nobody runs", "run `heartwood thread run-pending`"),
    ];
  });
}

function noteOf(count: number, which: string, fix: string): readonly Check[] {
  if (count === 0) return [];
  return [{ name: "threads", state: "note", message: `${count} ${count === 1 ? "job" : "jobs"} ${which}`, fix }];
}
