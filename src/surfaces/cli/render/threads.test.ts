import { expect, test } from "vitest";
import { created, schedule, thread, threadResults } from "../../../../test/fixtures/thread-results.ts";
import { renderResult } from "../../../../test/fixtures/rendered.ts";

function rendered(operation: string, result: unknown = threadResults[operation]): string {
  return renderResult(operation, result, { kind: "pipe", colours: "off", columns: 80 });
}

test("a new thread is shown with its id and the next command", () => {
  expect(rendered("thread.create")).toBe(
    "Created thread release-4 “Release 4”\nNext: heartwood thread append release-4 --actor user --origin cli",
  );
});

test("threads are a table with a count of the rest; without threads, the command to create one", () => {
  expect(rendered("thread.list")).toBe(
    [
      "3 threads",
      "  release-4  1,234 messages  2026-01-01 01:00:00Z  Release 4",
      "  支払い     1,234 messages  2026-01-01 01:00:00Z",
      "  … and 1 more (--limit)",
    ].join("\n"),
  );
  const parent = { kind: "branch", thread_id: "release-4", seq: 9, message_id: null };
  const branches = [
    { ...thread, parent },
    { ...thread, title: null, parent },
  ];
  expect(rendered("thread.list", { threads: branches, total: 2 })).toMatch(/ branch: Release 4\n.* branch$/u);
  expect(rendered("thread.list", { threads: [], total: 0 })).toContain("`heartwood thread create`");
});

test("an invalid date is shown as the raw number", () => {
  expect(rendered("thread.get", { ...thread, created_at_ms: Number.MAX_SAFE_INTEGER })).toContain(
    "9007199254740991 ms",
  );
});

test("append shows the seq of the last message and what already existed", () => {
  expect(rendered("thread.append")).toMatch(
    /^Appended 2 frames to release-4, 1 message was already there: message 1,234/,
  );
  const known = { ...Object(threadResults["thread.append"]), appended: 0 } as unknown;
  expect(rendered("thread.append", known)).toMatch(/^Appended nothing to release-4: 1 message was already there; /);
});

test("import shows what was refused and on which line", () => {
  expect(rendered("thread.import")).toBe(
    [
      "Imported 12 frames into 1 thread; 3 were already there.",
      "  release-4  12 frames, 3 known  head seq 14",
      "  release-5  refused             seq_gap at line 12: seq 9 comes after seq 7",
    ].join("\n"),
  );
});

test("schedule shows its decision, the new summaries and the rungs", () => {
  expect(rendered("compaction.auto.schedule")).toBe(
    [
      `release-4: summarized: 1 checkpoint (job ${schedule.job_id ?? ""})`,
      `  up to seq 1010  ${created.summary_artifact_id}`,
      "  12 summaries made for compile",
    ].join("\n"),
  );
  const plan = { ...schedule, decision: "noop", result: [], ladder: null, job_id: null };
  expect(rendered("compaction.auto.schedule", plan)).toMatch(/^release-4: plan: 1 checkpoint\. Nothing was written\./);
  expect(rendered("compaction.auto.schedule", { ...plan, planned: [] })).toBe("release-4: nothing to summarize");
  const all = { threads: [schedule], checked: 10_000 };
  expect(rendered("compaction.auto.schedule", all)).toMatch(
    /^10,000 threads checked, 1 with something to do\.\nrelease-4/,
  );
  const failed = { ...schedule, decision: "failed", result: [], error: "disk_full: no space" };
  expect(rendered("compaction.auto.schedule", failed)).toContain("  disk_full: no space");
});

test("status has a row for everything, even if there is none", () => {
  const rows = rendered("compaction.status").split("\n");
  expect(rows[0]).toBe("release-4: 1,234 messages, stride 1,000");
  expect(rows[1]).toBe("  Latest summary  up to seq 1010 (stride_messages_v1/1000)");
  expect(rows[2]).toBe("  Next cut point  none");
  expect(rows[4]).toBe("  Last decision   completed at 1970-01-01 00:00:00Z by timer");
});

test("a compiled context is printed unchanged", () => {
  expect(rendered("context.compile")).toBe("#1 user: Ship on Friday\n");
});

test("findings of verify show thread and seq", () => {
  expect(rendered("thread.verify")).toContain("  warning  release-4:12  artifact_missing  its summary is gone");
});
