import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ThreadSummarizer, parseSummary, printSummary } from "../../src/threads/model/summary.ts";
import { builtInThreadSummarizer } from "../../src/threads/extract/built-in.ts";
import { draft, sentence, ThreadScene, type Json } from "../fixtures/thread-scene.ts";

/** Verifies a thread with summaries, contexts, a branch and a handoff: everything recorded can be replayed, and anything else is found. */
const by = { actor_id: "user", origin: "cli" };
let s: ThreadScene;
beforeEach(() => {
  s = new ThreadScene();
});
afterEach(() => s.end());

describe("verify of a thread with summaries, contexts and children", () => {
  it("replays every decision, summary and context and finds nothing", async () => {
    await workOnThread();
    const { ok, findings, threads } = await verified();
    expect(findings).toEqual([]);
    expect([ok, threads]).toEqual([true, 3]);
    const kinds = (await s.frames("t")).map(({ type, summary_kind }) => summary_kind ?? type);
    for (const kind of ["rung_v1/0", "rung_v1/1", "cumulative_v1", "continuity_context_compiled"])
      expect(kinds).toContain(kind);
  });

  it("reads the messages only a few times, however many summaries begin with the first of them", async () => {
    await s.thread("t", 400, (n) => `${sentence(n)} ${"so it goes. ".repeat(700)}`);
    for (let cut = 20; cut > 0; cut -= 1)
      await s.run("compaction.auto", { thread_id: "t", stride_messages: 20, actor_id: "user", origin: "cli" });
    const { threads } = await s.memory();
    let read = 0;
    const frames: typeof threads.frames = async (query) => {
      const found = await threads.frames(query);
      read += found.length;
      return found;
    };
    expect(await s.run("thread.verify", {}, { changes: { threads: { ...threads, frames } } })).toMatchObject({
      ok: true,
    });
    expect(read / 400).toBeLessThan(8);
  });

  it("finds a summary that differs from the one its messages give", async () => {
    await workOnThread();
    for (const kind of ["rung_v1/0", "rung_v1/1", "cumulative_v1"]) {
      const frame = (await s.frames("t")).findLast(({ summary_kind }) => summary_kind === kind) as Json;
      await recordOther(frame, (text) => text.replace(/\p{L}{4,}/u, "lies"));
      const found = (await verified()).findings.filter(({ code }) => code === "not_reproducible");
      expect(found.map(({ message }) => String(message))).toContainEqual(expect.stringContaining(kind));
    }
  });

  it("finds a rung without a summarizer, and a job that plans no cut or too many", async () => {
    await workOnThread();
    const rung = (await s.frames("t")).findLast(({ summary_kind }) => summary_kind === "rung_v1/0") as Json;
    const { provenance, ...summary } = await s.artifact(rung["summary_artifact_id"]);
    const { produced_by: _maker, ...nobody } = provenance;
    const bytes = printSummary({ ...summary, provenance: nobody });
    const summary_artifact_id = await (await s.memory()).artifacts.put(bytes);
    expect(await codesAt(await appendAgain(rung, { summary_artifact_id }))).toContain("invalid_artifact");
    const spawned = (await s.frames("t", "continuity_job_spawned")).findLast(
      ({ job_kind }) => job_kind !== "compaction_ladder_v1",
    ) as Json;
    for (const planned of [[], Array.from({ length: 33 }, () => ({}))]) {
      const details = { ...(spawned["details"] as Json), planned };
      expect(await codesAt(await appendAgain(spawned, { job_id: `j${planned.length}`, details }))).toEqual([
        "plan_mismatch",
      ]);
    }
  });

  it("finds a job and a decision whose plans differ from a replay", async () => {
    await workOnThread();
    for (const type of ["continuity_job_spawned", "continuity_compaction_auto_schedule_decided"]) {
      const frame = (await s.frames("t", type)).findLast(({ job_kind }) => job_kind !== "compaction_ladder_v1") as Json;
      const seq = await appendAgain(frame, {});
      expect(await codesAt(seq)).toContain("plan_mismatch");
    }
    const decided = (await s.frames("t", "continuity_compaction_auto_schedule_decided")).at(0) as Json;
    const changes: readonly Json[] = [
      { planned: [], message_count: 1_000_000 },
      { policy_id: "compaction_auto_schedule_v1/stride_messages_v1/1" },
      { cut_rule_id: "stride_messages_v1/7" },
      { decision: "skipped_inflight", planned: [], reason: { kind: "inflight_job", job_id: "none" } },
    ];
    for (const change of changes) expect(await codesAt(await appendAgain(decided, change))).toEqual(["plan_mismatch"]);
  });

  it("accepts the summaries of another summarizer, and says so", async () => {
    await workOnThread();
    const other: ThreadSummarizer = { ...builtInThreadSummarizer, id: "built-in-thread-other" };
    const { ok, findings } = await verified({ threadSummarizer: other });
    expect(new Set(findings.map(({ code, severity }) => `${String(code)} ${String(severity)}`))).toEqual(
      new Set(["rule_older info"]),
    );
    expect(ok).toBe(true);
  });

  it("finds a recorded context that cannot be reproduced", async () => {
    await workOnThread();
    const frame = (await s.frames("t", "continuity_context_selection_decided")).at(0) as Json;
    await appendAgain(frame, { limits: { ...(frame["limits"] as Json), budget_tokens: 700 } });
    const compiled = (await s.frames("t", "continuity_context_compiled")).at(0) as Json;
    expect(await codesAt(await appendAgain(compiled, {}))).toEqual(["not_reproducible"]);
  });

  it("accepts a foreign log without its artifacts, and says what is missing", async () => {
    const shared = process.env["HEARTWOOD_SHARED"] ?? join(import.meta.dirname, "../../../shared");
    const lines = readFixture(join(shared, "data/thread-fixture/events.jsonl"));
    if (lines === undefined) return;
    await (await s.memory()).threads.import(lines.map((text, at) => ({ number: at + 1, text })));
    const { ok, findings } = await verified();
    expect(ok).toBe(true);
    expect(findings.map(({ code, severity }) => [code, severity])).toEqual(
      Array.from({ length: 3 }, () => ["artifact_missing", "info"]),
    );
  });
});

/** 260 messages, summarised several times while the thread grows, with two recorded contexts, a branch and a handoff. */
async function workOnThread(): Promise<void> {
  await s.thread("t", 100, wordsOf);
  for (let turn = 0; turn < 4; turn += 1) {
    await s.run("compaction.auto.schedule", { thread_id: "t", stride_messages: 30, max_new_checkpoints: 2, ...by });
    await s.append(
      "t",
      Array.from({ length: 40 }, (_, at) => s.message("t", 101 + turn * 40 + at, wordsOf(turn * 40 + at))),
    );
    await s.append("t", [
      draft("continuity_tool_side_effects", "t", 9000 + turn, {
        run_session_id: "r",
        tool_id: "1",
        tool_name: "edit",
        affected_paths: [`src/${turn}.ts`],
        checkpoint_id: null,
        ...by,
      }),
    ]);
  }
  await s.run("compaction.auto.schedule", { thread_id: "t", stride_messages: 30, execute: false, ...by });
  await s.run("compaction.auto.schedule", { thread_id: "t", stride_messages: 30, ...by });
  await s.run("job.run_pending", {});
  await s.run("compaction.auto", { thread_id: "t", stride_messages: 50, ...by });
  for (const strategy of ["covering_summaries_v1", "hierarchical_summaries_recent_messages_v1"])
    await s.run("context.compile", { thread_id: "t", build: true, record: true, budget: 3000, strategy, ...by });
  await s.run("thread.branch", { thread_id: "t", ...by });
  await s.run("thread.handoff", { thread_id: "t", ...by });
}

function wordsOf(n: number): string {
  const facts = [
    "The database of staging is pg-stage",
    "We decided to ship on Friday",
    "数据库的端口是 5433，不要改",
    "The lock was stale",
  ];
  return `${facts[n % 4] ?? ""} ${n}. ${"It took a while to find out why, and the log did not say. ".repeat(3 + (n % 5))}`;
}

async function verified(changes = {}) {
  return (await s.run("thread.verify", {}, { changes })) as unknown as {
    readonly ok: boolean;
    readonly threads: number;
    readonly findings: readonly Json[];
  };
}

async function codesAt(seq: number): Promise<readonly unknown[]> {
  return (await verified()).findings.filter((finding) => finding["seq"] === seq).map(({ code }) => code);
}

let used = 20_000;

/** Appends the same frame again with other fields. Returns its seq. */
async function appendAgain(frame: Json, changes: Json): Promise<number> {
  const { id, session_id: _s, stream_kind: _k, stream_id: _i, timestamp_ms: _t, seq: _q, type, ...payload } = frame;
  used += 1;
  const again = draft(type as Parameters<typeof draft>[0], "t", used, {});
  const own = Object.fromEntries(
    Object.entries(payload).map(([name, value]) => [name, value === id ? again.id : value]),
  );
  const { appended } = await (
    await s.memory()
  ).threads.append({
    thread_id: "t",
    frames: [{ ...again, payload: { ...own, ...changes } }],
  });
  return appended[0]?.seq ?? -1;
}

async function recordOther(frame: Json, change: (text: string) => string): Promise<void> {
  const { artifacts } = await s.memory();
  const summary = parseSummary((await artifacts.get(String(frame["summary_artifact_id"]))) ?? new Uint8Array());
  if ("fault" in summary) throw new Error(summary.fault);
  const [heading = "", ...lines] = summary.summary_markdown.split("\n");
  const summary_markdown = [heading, change(lines.join("\n"))].join("\n");
  const id = await artifacts.put(printSummary({ ...summary, summary_markdown }));
  await appendAgain(frame, { summary_artifact_id: id });
}

function readFixture(path: string): readonly string[] | undefined {
  try {
    return readFileSync(path, "utf8").trimEnd().split("\n");
  } catch (error) {
    console.error(`NOT RUN: ${path} is not there (${String(error)})`);
    return undefined;
  }
}
