import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { operations } from "../../src/operations/table.ts";
import type { ThreadSummarizer } from "../../src/threads/model/summary.ts";
import { builtInThreadSummarizer } from "../../src/threads/extract/built-in.ts";
import { draft, inputFile, messageId, sentence, ThreadScene, type Json, type Mode } from "../fixtures/thread-scene.ts";

/** The inputs, results, errors and guarantees of the operations on cut points, jobs, checkpoints and status: one test for each, all run twice. */
const BY = { actor_id: "user", origin: "cli" };
const DECIDED = "continuity_compaction_auto_schedule_decided";
const CHECKPOINT = "continuity_compaction_checkpoint_created";
const SPAWNED = "continuity_job_spawned";
const ENDED = "continuity_job_ended";
const HEX = /^[0-9a-f]{64}$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const scenes: ThreadScene[] = [];
afterAll(async () => {
  for (const scene of scenes) await scene.end();
});

const MODES: readonly (readonly [Mode, string])[] = [
  ["kept", "in one memory"],
  ["reopened", "with everything deletable deleted before each call"],
];

for (const [mode, name] of MODES) describe(name, () => contract(mode));

function contract(mode: Mode): void {
  let s: ThreadScene;
  beforeEach(() => {
    s = new ThreadScene(mode);
    scenes.push(s);
  });
  afterEach(() => s.end());

  const auto = (input: Json, options = {}) => s.run("compaction.auto", { thread_id: "t", ...BY, ...input }, options);
  const schedule = (input: Json = {}, options = {}) =>
    s.run("compaction.auto.schedule", { thread_id: "t", ...BY, ...input }, options);
  const cuts = (input: Json = {}) => s.run("compaction.cut_points", { thread_id: "t", ...input });
  const status = (input: Json = {}) => s.run("compaction.status", { thread_id: "t", ...input });
  const manual = (input: Json) => s.run("compaction.manual", { thread_id: "t", ...BY, ...input });
  const runPending = (input: Json = {}, options = {}) => s.run("job.run_pending", input, options);
  const ordinals = (result: Json) =>
    (result["planned"] as readonly Json[]).map((cut) => cut["target_message_ordinal"] as number);
  const created = (result: Json) => result["result"] as readonly Json[];
  const planned = (...of: readonly number[]) =>
    of.map((n) => ({ target_message_ordinal: n, to_seq: n, to_message_id: messageId("t", n) }));

  /** A job whose runner's lease has expired. */
  async function deadJob(job_id: string): Promise<void> {
    const cuts = { cut_rule_id: "stride_messages_v1/4", stride_messages: 4, planned: [] };
    const base = { base_summary_artifact_id: null, summarizer: "x" };
    const details = { schema: "rip.job.compaction_summarizer.v1", ...cuts, ...base };
    const stamp = { id: `00000000-0000-7000-8000-${job_id.padStart(12, "0")}`, timestamp_ms: 1 };
    const payload = { job_id, job_kind: "compaction_summarizer_v1", details, ...BY };
    const frame = { ...stamp, type: SPAWNED, payload } as const;
    const leases = [{ job_id, runner: "gone", lease_ms: 1 }];
    await (await s.memory()).threads.append({ thread_id: "t", frames: [frame], leases });
    await new Promise((resolve) => setTimeout(resolve, 5));
  }

  describe("compaction.cut_points", () => {
    test("needs a thread_id", async () => {
      expect(await s.codeOf("compaction.cut_points", {})).toBe("usage");
    });

    test("has a stride of 10,000 and a limit of 1 by default", async () => {
      await s.thread("t", 3);
      const expected = { thread_id: "t", stride_messages: 10_000, message_count: 3 };
      expect(await cuts()).toEqual({ ...expected, cut_rule_id: "stride_messages_v1/10000", cut_points: [] });
      expect((await cuts({ stride_messages: 1 }))["cut_points"]).toHaveLength(1);
    });

    test("returns its fields in the order of the contract", async () => {
      await s.thread("t", 3);
      const result = await cuts({ stride_messages: 1 });
      expect(Object.keys(result)).toEqual([
        "thread_id",
        "stride_messages",
        "message_count",
        "cut_rule_id",
        "cut_points",
      ]);
      const [cut] = result["cut_points"] as readonly Json[];
      const names = [
        "target_message_ordinal",
        "to_seq",
        "to_message_id",
        "already_checkpointed",
        "latest_checkpoint_id",
      ];
      expect(Object.keys(cut ?? {})).toEqual(names);
    });

    test("lists multiples of the stride up to the number of messages, latest first", async () => {
      await s.thread("t", 11);
      const { cut_points } = await cuts({ stride_messages: 3, limit: 10 });
      const of = (cut_points as readonly Json[]).map((cut) => cut["target_message_ordinal"]);
      expect(of).toEqual([9, 6, 3]);
    });

    test("counts only messages, and a cut is the Nth message, whatever frames are in between", async () => {
      await s.thread("t", 2);
      for (let n = 3; n <= 6; n += 1) {
        const effect = {
          run_session_id: "r",
          tool_id: "1",
          tool_name: "ls",
          affected_paths: null,
          checkpoint_id: null,
        };
        await s.append("t", [draft("continuity_tool_side_effects", "t", n, { ...effect, ...BY })]);
        await s.append("t", [s.message("t", n, sentence(n))]);
      }
      const result = await cuts({ stride_messages: 2, limit: 9 });
      expect(result["message_count"]).toBe(6);
      const naive = (await s.frames("t", "continuity_message_appended"))
        .filter((_, at) => (at + 1) % 2 === 0)
        .map((frame) => [frame["seq"], frame["id"]]);
      const found = (result["cut_points"] as readonly Json[]).map((cut) => [cut["to_seq"], cut["to_message_id"]]);
      expect(found).toEqual(naive.toReversed());
    });

    test("returns null for a cut without a checkpoint, and the latest frame for one with several", async () => {
      await s.thread("t", 4);
      await manual({ to_seq: 2, summary_file: inputFile("- one") });
      const second = await manual({ to_seq: 2, summary_file: inputFile("- two") });
      expect((await cuts({ stride_messages: 2, limit: 2 }))["cut_points"]).toEqual([
        { ...planned(4)[0], already_checkpointed: false, latest_checkpoint_id: null },
        { ...planned(2)[0], already_checkpointed: true, latest_checkpoint_id: second["checkpoint_id"] },
      ]);
    });

    test("finds the checkpoints at its cuts among many of another stride", async () => {
      await s.thread("t", 60);
      while ((await auto({ stride_messages: 2, max_new_checkpoints: 32 }))["status"] !== "noop");
      const { cut_points } = await cuts({ stride_messages: 20, limit: 3 });
      expect((cut_points as readonly Json[]).map((cut) => cut["already_checkpointed"])).toEqual([true, true, true]);
      expect((await auto({ stride_messages: 20 }))["status"]).toBe("noop");
    });

    test("accepts only a checkpoint that ends exactly there, and no rung", async () => {
      await s.thread("t", 120);
      await manual({ to_seq: 3, summary_file: inputFile("- one") });
      const { ladder } = await schedule();
      expect((ladder as Json)["created"]).toBeGreaterThan(0);
      const { cut_points } = await cuts({ stride_messages: 1, limit: 120 });
      const checkpointed = (cut_points as readonly Json[]).filter((cut) => cut["already_checkpointed"] === true);
      expect(checkpointed.map((cut) => cut["to_seq"])).toEqual([3]);
    });

    test("refuses a stride of 0, a limit of 0, a limit over 1,000, an unknown thread, and an invalid thread id", async () => {
      await s.thread("t", 1);
      const codeOf = (input: Json) => s.codeOf("compaction.cut_points", { thread_id: "t", ...input });
      expect(await codeOf({ stride_messages: 0 })).toBe("invalid_stride");
      expect(await codeOf({ limit: 0 })).toBe("invalid_limit");
      expect(await codeOf({ limit: 1000 })).toBe("done");
      expect(await codeOf({ limit: 1001 })).toBe("limit_too_large");
      expect(await codeOf({ thread_id: "other" })).toBe("thread_not_found");
      expect(await codeOf({ thread_id: "../x" })).toBe("invalid_thread_id");
    });

    test("appends nothing", async () => {
      await s.thread("t", 3);
      await cuts({ stride_messages: 1, limit: 3 });
      expect(await s.frames("t")).toHaveLength(4);
    });
  });

  describe("compaction.auto", () => {
    test("needs thread_id, actor_id and origin, the last two on one line", async () => {
      await s.thread("t", 1);
      for (const left of ["thread_id", "actor_id", "origin"])
        expect(await s.codeOf("compaction.auto", { thread_id: "t", ...BY, [left]: undefined })).toBe("usage");
      expect(await s.codeOf("compaction.auto", { thread_id: "t", ...BY, actor_id: "" })).toBe("usage");
    });

    test("is a noop without an eligible cut: all nulls, and no frame", async () => {
      await s.thread("t", 3);
      expect(await auto({})).toEqual({
        thread_id: "t",
        job_id: null,
        job_kind: null,
        status: "noop",
        stride_messages: 10_000,
        message_count: 3,
        cut_rule_id: "stride_messages_v1/10000",
        planned: [],
        result: [],
        error: null,
      });
      expect(await s.frames("t")).toHaveLength(4);
    });

    test("is a noop with the plan with dry_run, and writes no frame and no artifact", async () => {
      await s.thread("t", 9);
      const result = await auto({ stride_messages: 4, max_new_checkpoints: 2, dry_run: true });
      expect(result).toMatchObject({ status: "noop", job_id: null, planned: planned(8, 4), result: [] });
      expect(await s.frames("t")).toHaveLength(10);
      expect(s.artifacts()).toEqual([]);
    });

    test("makes one checkpoint by default, at the newest cut", async () => {
      await s.thread("t", 9);
      const result = await auto({ stride_messages: 4 });
      expect(result).toMatchObject({ status: "completed", job_kind: "compaction_summarizer_v1", error: null });
      expect(result["planned"]).toEqual(planned(8));
      expect(result["job_id"]).toMatch(UUID);
      const [made] = created(result);
      expect(Object.keys(made ?? {})).toEqual([
        "checkpoint_id",
        "summary_artifact_id",
        "to_seq",
        "to_message_id",
        "cut_rule_id",
      ]);
      expect(made).toMatchObject({ to_seq: 8, to_message_id: messageId("t", 8), cut_rule_id: "stride_messages_v1/4" });
      expect(made?.["summary_artifact_id"]).toMatch(HEX);
    });

    test("plans the latest first and returns results in ascending order", async () => {
      await s.thread("t", 13);
      const result = await auto({ stride_messages: 3, max_new_checkpoints: 3 });
      expect(ordinals(result)).toEqual([12, 9, 6]);
      expect(created(result).map((made) => made["to_seq"])).toEqual([6, 9, 12]);
    });

    test("accepts 1 to 32 new checkpoints", async () => {
      await s.thread("t", 40);
      const codeOf = (most: number) =>
        s.codeOf("compaction.auto", { thread_id: "t", ...BY, stride_messages: 1, max_new_checkpoints: most });
      expect([await codeOf(0), await codeOf(33)]).toEqual(["invalid_number", "invalid_number"]);
      expect(created(await auto({ stride_messages: 1, max_new_checkpoints: 32 }))).toHaveLength(32);
    });

    test("appends the job, then the checkpoints, then its end, with the recorded details and result", async () => {
      await s.thread("t", 9);
      const result = await auto({ stride_messages: 4, max_new_checkpoints: 2 });
      const { job_id, job_kind } = result;
      const frames = (await s.frames("t")).slice(10);
      expect(frames.map((frame) => frame["type"])).toEqual([SPAWNED, CHECKPOINT, CHECKPOINT, ENDED]);
      const [spawned, first, , ended] = frames;
      expect(spawned).toMatchObject({ job_id, job_kind, ...BY });
      expect(spawned?.["details"]).toEqual({
        schema: "rip.job.compaction_summarizer.v1",
        cut_rule_id: "stride_messages_v1/4",
        stride_messages: 4,
        planned: planned(8, 4),
        base_summary_artifact_id: null,
        summarizer: builtInThreadSummarizer.id,
      });
      expect(first).toMatchObject({ summary_kind: "cumulative_v1", from_seq: 0, to_seq: 4, ...BY });
      expect(first?.["checkpoint_id"]).toBe(first?.["id"]);
      expect(ended).toMatchObject({ job_id, job_kind, status: "completed", ...BY });
      expect(ended?.["result"]).toEqual({
        schema: "rip.job_result.compaction_summarizer.v1",
        created: result["result"],
      });
      expect(ended).not.toHaveProperty("error");
    });

    test("writes a summary of everything up to the cut, within 20,000 characters", async () => {
      await s.thread("t", 400, varied);
      const [made] = created(await auto({ stride_messages: 400 }));
      const summary = await s.artifact(made?.["summary_artifact_id"]);
      const [, , , ended] = (await s.frames("t")).slice(400);
      expect(summary).toMatchObject({
        schema: "rip.compaction_summary.v1",
        kind: "cumulative_v1",
        coverage: { thread_id: "t", from_seq: 0, to_seq: 400, to_message_id: messageId("t", 400) },
        provenance: { ...BY, produced_by: { type: "job", id: ended?.["job_id"] } },
        basis: { note: builtInThreadSummarizer.id },
      });
      expect(summary.summary_markdown).toMatch(/^# Messages 1 to 400\n\n- #\d+ (user|assistant): /);
      expect(summary.summary_markdown.length).toBeGreaterThan(5_000);
      expect(summary.summary_markdown.length).toBeLessThanOrEqual(20_000);
    });

    test("builds each cut on the one before it, and the first on the greatest below it", async () => {
      await s.thread("t", 20);
      const given = await manual({ to_seq: 3, summary_file: inputFile("- the base") });
      const result = await auto({ stride_messages: 5, max_new_checkpoints: 2 });
      const [a, b] = created(result);
      const [first, second] = [
        await s.artifact(a?.["summary_artifact_id"]),
        await s.artifact(b?.["summary_artifact_id"]),
      ];
      expect(first.basis?.base_summary_artifact_id).toBe(given["summary_artifact_id"]);
      expect(second.basis?.base_summary_artifact_id).toBe(a?.["summary_artifact_id"]);
      expect(first.summary_markdown).toContain("the base");
    });

    test("splits another summarizer's summary into lines, however long its own are, and redacts it", async () => {
      await s.thread("t", 8);
      const told = Array.from({ length: 60 }, (_, at) => `point ${at} of the plan stands as it was`).join(", ");
      const coverage = { thread_id: "t", from_seq: 0, to_seq: 4, to_message_id: messageId("t", 4) };
      const schema = "rip.compaction_summary.v1";
      const summary_markdown = `Once: ${told}. And password=hunter2secret99 too.`;
      const foreign = { schema, kind: "cumulative_v1", coverage, provenance: BY, summary_markdown };
      const artifact = await (await s.memory()).artifacts.put(new TextEncoder().encode(JSON.stringify(foreign)));
      await manual({ to_seq: 4, artifact });
      const [made] = created(await auto({ stride_messages: 8 }));
      const summary = await s.artifact(made?.["summary_artifact_id"]);
      expect(summary.basis?.base_summary_artifact_id).toBe(artifact);
      expect(summary.summary_markdown).toContain("point 30 of the plan");
      expect(summary.summary_markdown).not.toContain("hunter2");
      for (const line of summary.summary_markdown.split("\n")) expect(line.length).toBeLessThanOrEqual(270);
    });

    test("skips a base that cannot be read", async () => {
      await s.thread("t", 9);
      const given = await manual({ to_seq: 2, summary_file: inputFile("- kept") });
      const lost = {
        cut_rule_id: "x",
        summary_kind: "cumulative_v1",
        summary_artifact_id: "a".repeat(64),
        from_seq: 0,
      };
      await s.append("t", [draft(CHECKPOINT, "t", 1, { checkpoint_id: "c", ...lost, to_seq: 4, ...BY })]);
      await auto({ stride_messages: 8 });
      const [spawned] = await s.frames("t", SPAWNED);
      const base_summary_artifact_id = given["summary_artifact_id"];
      expect(spawned).toMatchObject({ details: { base_summary_artifact_id } });
    });

    test("fills in remaining cuts, newest first, until it is a noop", async () => {
      await s.thread("t", 10);
      const plans: (readonly number[])[] = [];
      for (
        let run = await auto({ stride_messages: 3 });
        run["status"] !== "noop";
        run = await auto({ stride_messages: 3 })
      )
        plans.push(ordinals(run));
      expect(plans).toEqual([[9], [6], [3]]);
      const before = (await s.frames("t")).length;
      await auto({ stride_messages: 3 });
      expect(await s.frames("t")).toHaveLength(before);
    });

    test("is not blocked by a job in flight", async () => {
      await s.thread("t", 4);
      await schedule({ stride_messages: 4, execute: false });
      expect((await auto({ stride_messages: 4 }))["status"]).toBe("completed");
    });

    test("ends a job that fails with the redacted error, and keeps earlier results", async () => {
      await s.thread("t", 9);
      const failing = failingAt(2, "the password=hunter2secret99 was refused");
      const result = await auto(
        { stride_messages: 4, max_new_checkpoints: 2 },
        { changes: { threadSummarizer: failing } },
      );
      expect(result["status"]).toBe("failed");
      expect(result["error"]).toContain("was refused");
      expect(result["error"]).not.toContain("hunter2");
      const [ended] = await s.frames("t", ENDED);
      expect(ended).toMatchObject({ status: "failed", error: result["error"] });
      expect((await s.frames("t", CHECKPOINT)).map((frame) => frame["to_seq"])).toEqual([4]);
      expect(created(result).map((made) => made["to_seq"])).toEqual([4]);
      expect((await status({ stride_messages: 4 }))["inflight_job_id"]).toBe(null);
    });

    test("ends its job as cancelled if it is aborted", async () => {
      await s.thread("t", 9);
      const stop = new AbortController();
      const stopping: ThreadSummarizer = {
        ...builtInThreadSummarizer,
        cumulate: (input) => {
          stop.abort();
          return builtInThreadSummarizer.cumulate(input);
        },
      };
      const options = { changes: { threadSummarizer: stopping }, call: { signal: stop.signal } };
      const run = auto({ stride_messages: 4, max_new_checkpoints: 2 }, options);
      await expect(run).rejects.toMatchObject({ code: "aborted" });
      expect(await s.frames("t", ENDED)).toMatchObject([{ status: "cancelled" }]);
      expect(await s.frames("t", CHECKPOINT)).toHaveLength(1);
    });

    test("fails and appends nothing more if another process ended its job", async () => {
      await s.thread("t", 4);
      const memory = await s.memory();
      const robbed = {
        ...memory.artifacts,
        put: async (bytes: Uint8Array) => {
          const [open] = await memory.threads.openJobs({ thread_id: "t" });
          const stamp = { id: "00000000-0000-7000-8000-0000000000aa", timestamp_ms: 1 };
          const end = {
            job_id: open?.job_id ?? "",
            job_kind: open?.kind ?? "",
            status: "failed",
            error: "lease: x",
          } as const;
          await memory.threads.append({
            thread_id: "t",
            frames: [{ ...stamp, type: ENDED, payload: { ...end, ...BY } }],
          });
          return memory.artifacts.put(bytes);
        },
      };
      const operation = operations.find(({ name }) => name === "compaction.auto");
      const changed = Object.assign(Object.create(memory), { artifacts: robbed });
      const result = (await operation?.run(
        changed,
        { thread_id: "t", ...BY, stride_messages: 4 } as never,
        {},
      )) as never as Json;
      expect(result).toMatchObject({ status: "failed", result: [] });
      expect(await s.frames("t", CHECKPOINT)).toEqual([]);
      expect(await s.frames("t", ENDED)).toHaveLength(1);
    });

    test("refuses a stride of 0 and an unknown thread", async () => {
      await s.thread("t", 1);
      expect(await s.codeOf("compaction.auto", { thread_id: "t", ...BY, stride_messages: 0 })).toBe("invalid_stride");
      expect(await s.codeOf("compaction.auto", { thread_id: "no", ...BY })).toBe("thread_not_found");
    });
  });

  describe("compaction.auto.schedule", () => {
    const POLICY =
      "compaction_auto_schedule_v1/stride_messages_v1/4/max_new_checkpoints_v1/1/block_on_inflight_v1/true";

    test("needs thread_id or all, and actor_id and origin", async () => {
      await s.thread("t", 1);
      const codeOf = (input: Json) => s.codeOf("compaction.auto.schedule", input);
      expect(await codeOf({ ...BY })).toBe("usage");
      expect(await codeOf({ ...BY, thread_id: "t", all: true })).toBe("usage");
      expect(await codeOf({ thread_id: "t" })).toBe("usage");
      expect(await codeOf({ thread_id: "no", ...BY })).toBe("thread_not_found");
      expect(await codeOf({ thread_id: "t", ...BY, stride_messages: 0 })).toBe("invalid_stride");
      expect(await codeOf({ thread_id: "t", ...BY, max_new_checkpoints: 33 })).toBe("invalid_number");
    });

    test("is a noop without a frame if no cut is eligible, with all defaults in its result", async () => {
      await s.thread("t", 3);
      expect(await schedule()).toEqual({
        thread_id: "t",
        decision_id: null,
        policy_id:
          "compaction_auto_schedule_v1/stride_messages_v1/10000/max_new_checkpoints_v1/1/block_on_inflight_v1/true",
        decision: "noop",
        execute: true,
        stride_messages: 10_000,
        max_new_checkpoints: 1,
        block_on_inflight: true,
        message_count: 3,
        cut_rule_id: "stride_messages_v1/10000",
        job_id: null,
        job_kind: null,
        planned: [],
        result: [],
        error: null,
        ladder: null,
      });
      expect(await s.frames("t")).toHaveLength(4);
    });

    test("is a noop with the plan with dry_run, without ids, frames and artifacts", async () => {
      await s.thread("t", 120);
      const result = await schedule({ stride_messages: 4, dry_run: true });
      expect(result).toMatchObject({
        decision: "noop",
        decision_id: null,
        job_id: null,
        planned: planned(120),
        ladder: null,
      });
      expect(await s.frames("t")).toHaveLength(121);
      expect(s.artifacts()).toEqual([]);
    });

    test("runs the job that it schedules, and returns completed", async () => {
      await s.thread("t", 5);
      const result = await schedule({ stride_messages: 4 });
      expect(result).toMatchObject({ decision: "completed", policy_id: POLICY, planned: planned(4), error: null });
      expect(result["job_kind"]).toBe("compaction_summarizer_v1");
      expect(created(result)).toMatchObject([{ to_seq: 4, cut_rule_id: "stride_messages_v1/4" }]);
    });

    test("records its decision together with the job that it spawns", async () => {
      await s.thread("t", 5);
      const { decision_id, job_id, job_kind } = await schedule({ stride_messages: 4 });
      const frames = (await s.frames("t")).slice(6);
      expect(frames.map((frame) => frame["type"])).toEqual([SPAWNED, DECIDED, CHECKPOINT, ENDED]);
      const { id, session_id, stream_kind, stream_id, timestamp_ms, seq, type, ...payload } = frames[1] ?? {};
      expect([id, session_id, stream_kind, stream_id, seq, type]).toEqual([
        decision_id,
        "t",
        "continuity",
        "t",
        7,
        DECIDED,
      ]);
      expect(timestamp_ms).toBeGreaterThan(0);
      expect(payload).toEqual({
        decision_id,
        policy_id: POLICY,
        decision: "scheduled",
        execute: true,
        stride_messages: 4,
        max_new_checkpoints: 1,
        block_on_inflight: true,
        message_count: 5,
        cut_rule_id: "stride_messages_v1/4",
        planned: planned(4),
        job_id,
        job_kind,
        ...BY,
      });
    });

    test("leaves a job in flight with execute: false", async () => {
      await s.thread("t", 5);
      const result = await schedule({ stride_messages: 4, execute: false });
      expect(result).toMatchObject({ decision: "scheduled", execute: false, result: [], ladder: null });
      const open = await (await s.memory()).threads.openJobs({ thread_id: "t" });
      expect(open).toMatchObject([{ job_id: result["job_id"], lease: "none" }]);
      expect((await s.frames("t", DECIDED))[0]).toMatchObject({ decision: "scheduled", execute: false });
    });

    test("skips while a job is in flight, with one frame however often it is called", async () => {
      await s.thread("t", 5);
      const { job_id } = await schedule({ stride_messages: 4, execute: false });
      const first = await schedule({ stride_messages: 4 });
      expect(first).toMatchObject({ decision: "skipped_inflight", planned: planned(4), job_id: null, result: [] });
      expect(first["decision_id"]).toMatch(UUID);
      const again = await schedule({ stride_messages: 2 });
      expect(again).toMatchObject({ decision: "skipped_inflight", decision_id: null });
      const [, skipped, ...more] = await s.frames("t", DECIDED);
      expect(more).toEqual([]);
      expect(skipped).toMatchObject({ decision: "skipped_inflight", reason: { kind: "inflight_job", job_id } });
      expect(skipped).not.toHaveProperty("job_id");
    });

    test("starts a second job with block_on_inflight: false", async () => {
      await s.thread("t", 5);
      await schedule({ stride_messages: 4, execute: false });
      const result = await schedule({ stride_messages: 4, block_on_inflight: false });
      expect(result).toMatchObject({ decision: "completed", block_on_inflight: false });
      expect(result["policy_id"]).toMatch(/block_on_inflight_v1\/false$/);
    });

    test("ends a job whose runner died, in the transaction of its decision, and is not blocked by it", async () => {
      await s.thread("t", 5);
      await deadJob("77");
      expect((await status())["inflight_job_id"]).toBe("77");
      expect((await schedule({ stride_messages: 4 }))["decision"]).toBe("completed");
      const frames = (await s.frames("t")).slice(7);
      expect(frames.map((frame) => frame["type"])).toEqual([ENDED, SPAWNED, DECIDED, CHECKPOINT, ENDED]);
      expect(frames[0]).toMatchObject({ job_id: "77", status: "failed" });
      expect(frames[0]?.["error"]).toMatch(/^lease: /);
    });

    test("returns failed with the error of the job", async () => {
      await s.thread("t", 5);
      const changes = { threadSummarizer: failingAt(1, "no words today") };
      const result = await schedule({ stride_messages: 4 }, { changes });
      expect(result).toMatchObject({ decision: "failed", error: "no words today", result: [] });
    });

    test("lets one of eight simultaneous callers start a job, and records at most one skip", async () => {
      await s.thread("t", 200);
      const memory = await s.memory();
      const operation = operations.find(({ name }) => name === "compaction.auto.schedule");
      const input = { thread_id: "t", ...BY, stride_messages: 200 } as never;
      const all = (await Promise.all(Array.from({ length: 8 }, () => operation?.run(memory, input, {})))) as never[];
      const decisions = (all as readonly Json[]).map((result) => result["decision"]);
      expect(decisions.filter((decision) => decision === "completed")).toHaveLength(1);
      const kinds = (await s.frames("t", SPAWNED)).map((frame) => frame["job_kind"]);
      expect(kinds.toSorted()).toEqual(["compaction_ladder_v1", "compaction_summarizer_v1"]);
      expect((await s.frames("t", DECIDED)).length).toBeLessThanOrEqual(2);
    });

    test("builds missing rungs in a separate job, even if no cut is eligible, and only once", async () => {
      await s.thread("t", 200);
      const { ladder, decision } = await schedule();
      expect(decision).toBe("noop");
      expect(ladder).toMatchObject({ status: "completed", error: null });
      const [spawned] = await s.frames("t", SPAWNED);
      const details = { schema: "heartwood.job.compaction_ladder.v1", ladder: "ladder_v1/8192/4" };
      expect(spawned).toMatchObject({
        job_kind: "compaction_ladder_v1",
        details: { ...details, summarizer: builtInThreadSummarizer.id },
      });
      const rungs = await s.frames("t", CHECKPOINT);
      expect(rungs).toHaveLength((ladder as Json)["created"] as number);
      for (const rung of rungs) {
        const { coverage, kind } = await s.artifact(rung["summary_artifact_id"]);
        const { from_seq, from_message_id, to_seq, to_message_id } = coverage;
        expect(rung).toMatchObject({ summary_kind: kind, from_seq, from_message_id, to_seq, to_message_id, ...BY });
      }
      const before = (await s.frames("t")).length;
      expect((await schedule())["ladder"]).toBe(null);
      expect(await s.frames("t")).toHaveLength(before);
    });

    test("processes every thread with all, and returns those with something to do", async () => {
      await s.thread("t", 5);
      await s.thread("small", 1);
      await s.thread("long", 200);
      const input = { all: true, ...BY, stride_messages: 4 };
      const result = await s.run("compaction.auto.schedule", input);
      expect(result["checked"]).toBe(3);
      const of = (result["threads"] as readonly Json[]).map((one) => [one["thread_id"], one["decision"]]);
      expect(of.toSorted()).toEqual([
        ["long", "completed"],
        ["t", "completed"],
      ]);
      const dry = await s.run("compaction.auto.schedule", { ...input, stride_messages: 2, dry_run: true });
      const planning = (dry["threads"] as readonly Json[]).map((one) => [one["thread_id"], one["decision"]]);
      expect(planning.toSorted()).toEqual([
        ["long", "noop"],
        ["t", "noop"],
      ]);
    });
  });

  describe("compaction.manual", () => {
    const codeOf = (input: Json) => s.codeOf("compaction.manual", { thread_id: "t", ...BY, ...input });

    test("accepts exactly one place and exactly one summary", async () => {
      await s.thread("t", 2);
      const file = { summary_file: inputFile("- x") };
      expect(await codeOf({ ...file })).toBe("usage");
      expect(await codeOf({ to_seq: 1 })).toBe("usage");
      expect(await codeOf({ to_seq: 1, stride_messages: 1, ...file })).toBe("usage");
      expect(await codeOf({ to_seq: 1, to_message_id: messageId("t", 1), ...file })).toBe("usage");
      expect(await codeOf({ to_seq: 1, artifact: "a".repeat(64), ...file })).toBe("usage");
      expect(await codeOf({ to_seq: 1, ...file, actor_id: undefined })).toBe("usage");
    });

    test("records redacted Markdown at a message, which checkpoints the cut", async () => {
      await s.thread("t", 4);
      const text = "- we chose pg\n- password=hunter2secret99\n";
      const result = await manual({ to_message_id: messageId("t", 2), summary_file: inputFile(text) });
      expect(result).toMatchObject({
        thread_id: "t",
        cut_rule_id: "manual_v1",
        to_seq: 2,
        to_message_id: messageId("t", 2),
      });
      const [frame] = await s.frames("t", CHECKPOINT);
      expect(frame).toMatchObject({
        checkpoint_id: result["checkpoint_id"],
        summary_kind: "cumulative_v1",
        from_seq: 0,
        ...BY,
      });
      const { coverage, kind, summary_markdown } = await s.artifact(result["summary_artifact_id"]);
      expect([kind, coverage.to_seq, coverage.to_message_id]).toEqual(["cumulative_v1", 2, messageId("t", 2)]);
      expect(summary_markdown).toContain("we chose pg");
      expect(summary_markdown).not.toContain("hunter2");
      expect((await auto({ stride_messages: 2 }))["planned"]).toEqual(planned(4));
      expect((await auto({ stride_messages: 2 }))["status"]).toBe("noop");
    });

    test("finds the newest cut of a stride, and reports if there is none", async () => {
      await s.thread("t", 5);
      const result = await manual({ stride_messages: 2, summary_file: inputFile("- x") });
      expect(result).toMatchObject({ cut_rule_id: "stride_messages_v1/2", to_seq: 4 });
      expect(await codeOf({ stride_messages: 9, summary_file: inputFile("- x") })).toBe("message_not_found");
      expect(await codeOf({ stride_messages: 0, summary_file: inputFile("- x") })).toBe("invalid_stride");
    });

    test("accepts only an artifact of this thread that ends at this message", async () => {
      await s.thread("t", 4);
      await s.thread("u", 4);
      const { summary_artifact_id: artifact } = await manual({ to_seq: 2, summary_file: inputFile("- x") });
      expect(await manual({ to_seq: 2, artifact })).toMatchObject({ summary_artifact_id: artifact });
      expect(await codeOf({ to_seq: 1, artifact })).toBe("invalid_artifact");
      expect(await codeOf({ to_seq: 3, artifact })).toBe("invalid_artifact");
      expect(await codeOf({ thread_id: "u", to_seq: 2, artifact })).toBe("invalid_artifact");
      expect(await codeOf({ to_seq: 2, artifact: "not an id" })).toBe("invalid_artifact");
      expect(await codeOf({ to_seq: 2, artifact: "a".repeat(64) })).toBe("artifact_not_found");
      const memory = await s.memory();
      const other = await memory.artifacts.put(new TextEncoder().encode('{"schema":"other"}'));
      expect(await codeOf({ to_seq: 2, artifact: other })).toBe("invalid_artifact");
    });

    test("refuses a frame that is not a message, an unknown message, and an empty summary", async () => {
      await s.thread("t", 2);
      const file = { summary_file: inputFile("- x") };
      expect(await codeOf({ to_seq: 0, ...file })).toBe("not_a_message");
      expect(await codeOf({ to_seq: 9, ...file })).toBe("not_a_message");
      expect(await codeOf({ to_message_id: messageId("t", 9), ...file })).toBe("message_not_found");
      expect(await codeOf({ to_seq: 2, summary_file: inputFile(" \n") })).toBe("invalid_body");
      expect(await codeOf({ thread_id: "no", to_seq: 2, ...file })).toBe("thread_not_found");
      expect(await s.frames("t")).toHaveLength(3);
    });
  });

  describe("compaction.status", () => {
    test("returns null for everything that does not exist", async () => {
      await s.thread("t", 3);
      expect(await status()).toEqual({
        thread_id: "t",
        stride_messages: 10_000,
        message_count: 3,
        latest_checkpoint: null,
        next_cut_point: null,
        inflight_job_id: null,
        last_schedule_decision: null,
        last_job_outcome: null,
      });
      expect(await s.codeOf("compaction.status", { thread_id: "no" })).toBe("thread_not_found");
      expect(await s.codeOf("compaction.status", { thread_id: "t", stride_messages: 0 })).toBe("invalid_stride");
    });

    test("shows the latest checkpoint, the next cut, the decision and the outcome, whatever the ladder did", async () => {
      await s.thread("t", 200);
      const done = await schedule({ stride_messages: 90 });
      const [made] = created(done);
      const { checkpoint_id, summary_artifact_id, to_seq, to_message_id, cut_rule_id } = made ?? {};
      const result = await status({ stride_messages: 90 });
      expect(result["latest_checkpoint"]).toEqual({
        checkpoint_id,
        cut_rule_id,
        summary_kind: "cumulative_v1",
        summary_artifact_id,
        to_seq,
        to_message_id,
      });
      expect(result["next_cut_point"]).toEqual(planned(90)[0]);
      expect(result["last_schedule_decision"]).toMatchObject({
        decision_id: done["decision_id"],
        decision: "scheduled",
        planned: planned(180),
        job_id: done["job_id"],
        ...BY,
      });
      expect(result["last_job_outcome"]).toMatchObject({
        job_id: done["job_id"],
        job_kind: "compaction_summarizer_v1",
        status: "completed",
        error: null,
        created: done["result"],
        ...BY,
      });
    });

    test("shows the job in flight, and the error of one that failed", async () => {
      await s.thread("t", 5);
      const { job_id } = await schedule({ stride_messages: 4, execute: false });
      expect((await status())["inflight_job_id"]).toBe(job_id);
      await runPending({}, { changes: { threadSummarizer: failingAt(1, "no words today") } });
      const result = await status();
      expect(result["inflight_job_id"]).toBe(null);
      expect(result["last_job_outcome"]).toMatchObject({
        job_id,
        status: "failed",
        error: "no words today",
        created: [],
      });
    });
  });

  describe("job.run_pending", () => {
    test("has nothing to do in a thread without jobs, and refuses an unknown thread", async () => {
      await s.thread("t", 3);
      expect(await runPending()).toEqual({ jobs: [], abandoned: [] });
      expect(await s.codeOf("job.run_pending", { thread_id: "no" })).toBe("thread_not_found");
    });

    test("runs a pending job with the actor and origin of its frame, as it was planned", async () => {
      await s.thread("t", 5);
      const left = await schedule({ stride_messages: 4, execute: false });
      await s.append(
        "t",
        [6, 7, 8].map((n) => s.message("t", n, sentence(n))),
      );
      const { jobs, abandoned } = (await runPending()) as {
        readonly jobs: readonly Json[];
        readonly abandoned: unknown;
      };
      expect(jobs).toMatchObject([
        {
          thread_id: "t",
          job_id: left["job_id"],
          job_kind: "compaction_summarizer_v1",
          status: "completed",
          error: null,
        },
      ]);
      expect(created(jobs[0] ?? {})).toMatchObject([{ to_seq: 4 }]);
      expect(abandoned).toEqual([]);
      expect(await s.frames("t", ENDED)).toMatchObject([{ status: "completed", ...BY }]);
      expect(await runPending()).toEqual({ jobs: [], abandoned: [] });
    });

    test("makes the same summary as a schedule that executes, except for ids", async () => {
      await s.thread("t", 50);
      await s.thread("u", 50);
      await schedule({ stride_messages: 50, execute: false });
      const later = ((await runPending({ thread_id: "t" }))["jobs"] as readonly Json[])[0] ?? {};
      const atOnce = await schedule({ thread_id: "u", stride_messages: 50 });
      const text = async (result: Json) =>
        (await s.artifact(created(result)[0]?.["summary_artifact_id"])).summary_markdown;
      expect(await text(later)).toBe(await text(atOnce));
    });

    test("ends jobs whose runner died", async () => {
      await s.thread("t", 5);
      await deadJob("77");
      const result = await runPending();
      expect(result).toMatchObject({
        jobs: [],
        abandoned: [{ thread_id: "t", job_id: "77", status: "failed", result: [] }],
      });
      expect((await s.frames("t", ENDED))[0]).toMatchObject({ job_id: "77", status: "failed", ...BY });
      expect(await runPending()).toEqual({ jobs: [], abandoned: [] });
    });

    test("ends a job that it cannot run as failed, and leaves jobs of unknown kinds alone", async () => {
      await s.thread("t", 5);
      const spawnedWith = (n: number, payload: Json) => draft(SPAWNED, "t", n, { ...payload, ...BY });
      await s.append("t", [
        spawnedWith(1, { job_id: "a", job_kind: "compaction_summarizer_v1" }),
        spawnedWith(2, { job_id: "b", job_kind: "compaction_ladder_v1", details: {} }),
        spawnedWith(3, { job_id: "c", job_kind: "something_else_v1" }),
      ]);
      const { jobs } = await runPending();
      const of = (jobs as readonly Json[]).map((job) => [job["job_id"], job["status"]]);
      expect(of).toEqual([
        ["a", "failed"],
        ["b", "failed"],
      ]);
      const open = await (await s.memory()).threads.openJobs({ thread_id: "t" });
      expect(open.map(({ job_id }) => job_id)).toEqual(["c"]);
    });

    test("gives each job to one of eight simultaneous runners", async () => {
      await s.thread("t", 50);
      await schedule({ stride_messages: 50, execute: false });
      const memory = await s.memory();
      const operation = operations.find(({ name }) => name === "job.run_pending");
      const all = await Promise.all(Array.from({ length: 8 }, () => operation?.run(memory, {} as never, {})));
      expect((all as never as readonly Json[]).flatMap((result) => result["jobs"])).toHaveLength(1);
      expect(await s.frames("t", CHECKPOINT)).toHaveLength(1);
    });
  });

  describe("the fixture of another implementation", () => {
    const folder = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..", "shared", "data", "thread-fixture");
    const id = "11111111-1111-1111-1111-111111111111";
    if (!existsSync(folder)) console.warn(`SKIPPED: the fixture of threads is not at ${folder}`);
    const expected = (name: string) => JSON.parse(readFileSync(join(folder, "expected", name), "utf8")) as Json;

    test.skipIf(!existsSync(folder))("has the same cut points and the same status, field by field", async () => {
      const file = inputFile(readFileSync(join(folder, "events.jsonl"), "utf8"));
      await s.run("thread.import", { file });
      expect(await cuts({ thread_id: id, stride_messages: 8, limit: 32 })).toEqual(expected("cut_points_stride8.json"));
      expect(await status({ thread_id: id, stride_messages: 8 })).toEqual(expected("status_stride8.json"));
    });
  });
}

/** Messages with few words in common. */
function varied(n: number): string {
  const word = (k: number) => ((n * 7919 + k * 104_729) % 1_679_616).toString(36).replaceAll(/\d/g, "a");
  const clause = (k: number) =>
    `The ${word(k)} needs the ${word(k + 1)} of ${word(k + 2)} because ${word(k + 3)} failed`;
  return `${clause(n)}. We decided that ${word(n + 40)} is ${word(n + 41)}. ${clause(n + 50)}.`;
}

/** The built-in summarizer, with a `cumulate` that fails at that call. */
function failingAt(fatal: number, sentenceOfError: string): ThreadSummarizer {
  let calls = 0;
  return {
    ...builtInThreadSummarizer,
    cumulate: (input) => {
      calls += 1;
      if (calls === fatal) throw new Error(sentenceOfError);
      return builtInThreadSummarizer.cumulate(input);
    },
  };
}
