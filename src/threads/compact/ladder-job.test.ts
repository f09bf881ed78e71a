import { rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { draft, sentence, ThreadScene, type Json } from "../../../test/fixtures/thread-scene.ts";
import type { FrameDraft } from "../model/frame.ts";
import { neededBlocks, rungRule } from "../plan/ladder.ts";
import { buildLadder } from "../compact/ladder-job.ts";
import { summarizeUpTo } from "../run/branch-handoff.ts";

const BY = { thread_id: "t", actor_id: "user", origin: "cli" };
const TASK = { thread_id: "t", by: { actor_id: "user", origin: "cli" }, call: {} };
const scenes: ThreadScene[] = [];
afterAll(async () => {
  for (const scene of scenes) await scene.end();
});

async function sceneWith(frames: readonly FrameDraft[]): Promise<ThreadScene> {
  const scene = new ThreadScene();
  scenes.push(scene);
  await scene.append("t", frames);
  return scene;
}

const CREATED = draft("continuity_created", "t", 0, { workspace: "w", title: null });

function message(n: number, content: string): FrameDraft {
  return new ThreadScene().message("t", n, content);
}

function effect(n: number): FrameDraft {
  const payload = {
    run_session_id: "r",
    tool_id: "1",
    tool_name: "write_file",
    affected_paths: [`src/file-${n}.ts`, "b.ts"],
  };
  return draft("continuity_tool_side_effects", "t", n, {
    ...payload,
    checkpoint_id: null,
    actor_id: "tool:x",
    origin: "run",
  });
}

/** The artifacts of each rung, by rule; both if it was made twice. */
async function rungs(scene: ThreadScene): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const found = new Map<string, Set<string>>();
  for (const frame of await scene.frames("t", "continuity_compaction_checkpoint_created")) {
    const rule = String(frame["cut_rule_id"]);
    found.set(rule, (found.get(rule) ?? new Set()).add(String(frame["summary_artifact_id"])));
  }
  return found;
}

/** The same frames at the same positions, without jobs and checkpoints. */
function withoutJobs(frames: readonly Json[]): readonly FrameDraft[] {
  const envelope = new Set(["id", "session_id", "stream_kind", "stream_id", "timestamp_ms", "seq", "type"]);
  return frames.map(({ id, timestamp_ms, type, ...fields }) => {
    const stamp = { id: id as string, timestamp_ms: timestamp_ms as number };
    const payload = Object.fromEntries(Object.entries(fields).filter(([name]) => !envelope.has(name)));
    return /job|checkpoint/.test(type as string)
      ? { ...stamp, type: "continuity_provider_cursor_updated", payload: {} }
      : { ...stamp, type: type as FrameDraft["type"], payload };
  });
}

const UNUSUAL = [
  "暂存数据库在端口 5432 上。我们决定不用 SQLite。",
  "שלום, השרת נפל ב-03:00",
  "🚀 shipped\r\nat\u2028noon\0",
  "\ud800 alone",
  "",
];

/** Contents of messages: ordinary, unusual, and occasionally one that spans many blocks. */
const contents = fc.array(
  fc.oneof(
    { weight: 12, arbitrary: fc.integer({ min: 1, max: 30 }).map((many) => ({ many })) },
    { weight: 2, arbitrary: fc.constantFrom(...UNUSUAL).map((text) => ({ text })) },
    { weight: 1, arbitrary: fc.integer({ min: 100, max: 700 }).map((many) => ({ many })) },
  ),
  { minLength: 60, maxLength: 160 },
);

function framesOf(drawn: readonly ({ readonly many: number } | { readonly text: string })[]): readonly FrameDraft[] {
  return drawn.flatMap((one, at) => {
    const n = at + 1;
    const many = "many" in one ? one.many : 0;
    const text = "text" in one ? one.text : Array.from({ length: many }, (_, k) => sentence(n * 1000 + k)).join(" ");
    return n % 7 === 3 ? [effect(n), message(n, text)] : [message(n, text)];
  });
}

describe("the rungs of a ladder", () => {
  test("have the same bytes whether made along the way, from stored rungs, or at the end from messages alone", async () => {
    await fc.assert(
      fc.asyncProperty(
        contents,
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 12 }),
        async (drawn, steps) => {
          const frames = framesOf(drawn);
          const onTheWay = await sceneWith([CREATED]);
          for (let at = 0, step = 0; at < frames.length; step += 1) {
            const next = at + (steps[step % steps.length] ?? 1);
            await onTheWay.append("t", frames.slice(at, next));
            await buildLadder(await onTheWay.memory(), TASK);
            at = next;
          }
          const atEnd = await sceneWith(withoutJobs(await onTheWay.frames("t")));
          const upTo = { ...BY, to_seq: 1_000_000, to_message_id: null };
          const fromRungs = await summarizeUpTo(await onTheWay.memory(), upTo, {});
          expect(await summarizeUpTo(await atEnd.memory(), upTo, {})).toBe(fromRungs);
          await buildLadder(await atEnd.memory(), TASK);
          const [some, many] = [await rungs(atEnd), await rungs(onTheWay)];
          expect([...some.values(), ...many.values()].every((ids) => ids.size === 1)).toBe(true);
          for (const [rule, ids] of some) expect([rule, many.get(rule)]).toEqual([rule, ids]);
        },
      ),
      { numRuns: 5 },
    );
  });

  test("are all that a compile needs, except for blocks without messages, and then none are missing", async () => {
    const frames = framesOf(Array.from({ length: 300 }, (_, at) => ({ many: at === 150 ? 900 : 6 })));
    const scene = await sceneWith([CREATED, ...frames]);
    const memory = await scene.memory();
    const built = await buildLadder(memory, TASK);
    const { weight } = (await memory.threads.head("t")) ?? { weight: 0 };
    const there = await rungs(scene);
    const needed = neededBlocks(weight).map(rungRule);
    expect([...there.keys()].filter((rule) => !needed.includes(rule))).toEqual([]);
    expect(built?.created).toBe(there.size);
    expect(there.size).toBeLessThan(needed.length);
    expect(await buildLadder(memory, TASK)).toBe(null);
  });

  test("are restored if their artifacts are gone, with the same bytes and no additional frames", async () => {
    const scene = await sceneWith([CREATED, ...framesOf(Array.from({ length: 200 }, () => ({ many: 8 })))]);
    const memory = await scene.memory();
    const built = await buildLadder(memory, TASK);
    const there = await rungs(scene);
    const covered = await scene.run("context.compile", { thread_id: "t", budget: 2000 });
    rmSync(join(scene.dir, ".heartwood/artifacts"), { recursive: true });
    expect(await buildLadder(memory, TASK)).toMatchObject({ status: "completed", created: built?.created });
    expect(await scene.frames("t", "continuity_compaction_checkpoint_created")).toHaveLength(built?.created ?? 0);
    expect(await rungs(scene)).toEqual(there);
    const again = await scene.run("context.compile", { thread_id: "t", budget: 2000 });
    expect(again["summarized_messages"]).toBe(covered["summarized_messages"]);
    expect(await scene.run("thread.verify", {})).toMatchObject({ ok: true, findings: [] });
    expect(await buildLadder(memory, TASK)).toBe(null);
  });

  test("include what tools changed, in the block of the message that follows", async () => {
    const said = [1, 2, 3, 4].map((n) =>
      message(n, Array.from({ length: 90 }, (_, k) => sentence(n * 99 + k)).join(" ")),
    );
    const scene = await sceneWith([CREATED, ...said.slice(0, 2), effect(2), ...said.slice(2)]);
    await buildLadder(await scene.memory(), TASK);
    const found = await rungs(scene);
    const textOf = async (index: number) => {
      const [id] = found.get(`ladder_v1/8192/4/0/${index}`) ?? [];
      return (await scene.artifact(id)).summary_markdown;
    };
    expect(await textOf(0)).not.toContain("tool:");
    expect(await textOf(1)).toContain("- #3 tool: write_file: src/file-2.ts, b.ts");
  });

  test("are kept if the work fails halfway, and the next call makes the rest", async () => {
    const scene = await sceneWith([CREATED, ...framesOf(Array.from({ length: 200 }, () => ({ many: 8 })))]);
    const memory = await scene.memory();
    const { builtInThreadSummarizer } = await import("../extract/built-in.ts");
    let calls = 0;
    const failing = {
      ...builtInThreadSummarizer,
      extract: (said: Parameters<typeof builtInThreadSummarizer.extract>[0]) => {
        calls += 1;
        if (calls === 15) throw new Error("out of words");
        return builtInThreadSummarizer.extract(said);
      },
    };
    const failed = await buildLadder(Object.assign(Object.create(memory), { threadSummarizer: failing }), TASK);
    expect(failed).toMatchObject({ status: "failed", error: "out of words" });
    expect(failed?.created).toBeGreaterThan(0);
    const rest = await buildLadder(memory, TASK);
    expect(rest?.status).toBe("completed");
    expect(rest?.created).toBeGreaterThan(0);
    expect(await buildLadder(memory, TASK)).toBe(null);
  });
});

describe("a summary up to a frame", () => {
  test("is the checkpoint's own artifact if one ends there; a thread without messages gets a summary that says so", async () => {
    const scene = await sceneWith([CREATED]);
    const memory = await scene.memory();
    const at = { ...BY, to_message_id: null };
    const empty = await scene.artifact(await summarizeUpTo(memory, { ...at, to_seq: 0 }, {}));
    expect(empty.summary_markdown).toBe("# No messages\n");
    await scene.append("t", [message(1, sentence(1)), message(2, sentence(2))]);
    const result = await scene.run("compaction.auto", { ...BY, stride_messages: 2 });
    const [made] = result["result"] as readonly { readonly summary_artifact_id: string }[];
    expect(await summarizeUpTo(memory, { ...at, to_seq: 99 }, {})).toBe(made?.summary_artifact_id);
    expect(await summarizeUpTo(memory, { ...at, to_seq: 1 }, {})).not.toBe(made?.summary_artifact_id);
    const frames = await scene.frames("t");
    expect(frames.filter((frame) => frame["type"] === "continuity_compaction_checkpoint_created")).toHaveLength(1);
  });

  test("includes the parents of a branch and the handed-over summary, within 20,000 characters", async () => {
    const scene = await sceneWith([CREATED, ...framesOf(Array.from({ length: 120 }, () => ({ many: 6 })))]);
    const by = { actor_id: "user", origin: "cli" };
    const branched = await scene.run("thread.branch", { thread_id: "t", ...by });
    const child = String(branched["thread_id"]);
    await scene.append(child, [scene.message(child, 1, "The child decided to use port 4711.")]);
    const handed = await scene.run("thread.handoff", { thread_id: child, ...by });
    const first = (await scene.artifact(handed["summary_artifact_id"])).summary_markdown;
    expect(first).toContain("port 4711");
    expect(first).toContain("# Before, in the thread t\n");
    expect(first.length).toBeLessThanOrEqual(20_000);
    const heir = String(handed["thread_id"]);
    await scene.append(heir, [scene.message(heir, 1, "The heir goes on with port 4712.")]);
    const again = await scene.run("thread.handoff", { thread_id: heir, ...by });
    const second = (await scene.artifact(again["summary_artifact_id"])).summary_markdown;
    expect(second).toContain("port 4712");
    expect(second).toContain("port 4711");
    expect(second.length).toBeLessThanOrEqual(20_000);
  });
});
