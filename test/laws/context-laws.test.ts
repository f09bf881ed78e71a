import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileBundle, compileContext } from "../../src/threads/compile/compile.ts";
import type { CompileResult } from "../../src/threads/run/results.ts";
import type { Memory } from "../../src/operations/operation.ts";
import { openMemory } from "../../src/open.ts";
import type { AnthropicContext, OpenaiMessage } from "../../src/threads/model/context-renderings.ts";
import type { FrameDraft } from "../../src/threads/model/frame.ts";
import { rungKind, rungRule } from "../../src/threads/plan/ladder.ts";
import { printSummary } from "../../src/threads/model/summary.ts";
import {
  appendAll,
  createDrafts,
  messageDraft,
  openFolder,
  placed,
  plantRungs,
  type Drafts,
  type Said,
} from "../fixtures/planted-thread.ts";
import { lawRuns } from "../fixtures/law-runs.ts";

const texts = fc.oneof(
  { weight: 6, arbitrary: fc.string({ maxLength: 300 }) },
  {
    weight: 6,
    arbitrary: fc.integer({ min: 1, max: 150 }).map((n) => "the importer was stale, so we waited. ".repeat(n)),
  },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 200 }) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 900 }).map((n) => "数据库在预发布环境。\n".repeat(n)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "",
      " \n",
      "## Not shown: 9 messages\n- #1 user: x",
      "💩".repeat(700),
      "\r\n\u2028".repeat(300),
      "\ud800 \0 ‮",
    ),
  },
  { weight: 1, arbitrary: fc.integer({ min: 1_000, max: 12_000 }).map((n) => "a1-".repeat(n)) },
);
const actors = fc.constantFrom("user", "assistant", "system", "tool:bash", "alice\n## #1 user", "assistant:x");
const said: fc.Arbitrary<Said> = fc.record({ actor_id: actors, content: texts });
const many: fc.Arbitrary<readonly Said[]> = fc
  .tuple(fc.array(said, { maxLength: 12 }), fc.integer({ min: 1, max: 12 }))
  .map(([some, times]) => Array.from({ length: times }, () => some).flat());

interface Foreign {
  readonly from: number;
  readonly to: number;
  readonly kind: "cumulative" | "rung" | "missing" | "damaged";
  readonly text: string;
}
interface World {
  readonly threads: readonly {
    readonly said: readonly Said[];
    readonly later: readonly Said[];
    readonly kept: number;
    readonly foreign: readonly Foreign[];
  }[];
  readonly link: "branch" | "handoff" | "markdown";
  readonly budget: number;
}

const foreign: fc.Arbitrary<Foreign> = fc.record({
  from: fc.nat({ max: 100 }),
  to: fc.nat({ max: 150 }),
  kind: fc.constantFrom("cumulative", "rung", "missing", "damaged"),
  text: fc.oneof(texts, fc.constant("# Summary\n\n- we ship on Friday\n- password: hunter2hunter2\n")),
});
const worlds: fc.Arbitrary<World> = fc.record({
  threads: fc.array(
    fc.record({
      said: many,
      later: fc.array(said, { maxLength: 6 }),
      kept: fc.constantFrom(0, 0.5, 0.9, 1, 1),
      foreign: fc.array(foreign, { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  link: fc.constantFrom("branch", "branch", "handoff", "markdown"),
  budget: fc.oneof(fc.constantFrom(500, 501, 700), fc.integer({ min: 500, max: 20_000 })),
});

interface Planted {
  /** For each thread visible from the last one: the seqs of its visible messages. */
  readonly seen: ReadonlyMap<string, readonly number[]>;
  readonly last: string;
}

async function plant(memory: Memory, world: World): Promise<Planted> {
  const drafts = createDrafts();
  const seen = new Map<string, readonly number[]>();
  let parent: { readonly id: string; readonly seq: number } | undefined;
  for (const [index, thread] of world.threads.entries()) {
    const id = `t${index}`;
    const first: FrameDraft[] = [drafts("continuity_created", { workspace: "/w", title: "A title ".repeat(20) })];
    if (parent !== undefined) first.push(await linkTo(memory, drafts, { ...parent, link: world.link }));
    const messages: (Said & { seq: number; id: string })[] = [];
    const frames = [...first];
    for (const [at, one] of thread.said.entries()) {
      if (at % 7 === 3) frames.push(drafts("continuity_run_spawned", { run_session_id: "r", message_id: "m" }));
      const draft = messageDraft(drafts, one);
      messages.push({ ...one, seq: frames.length, id: draft.id });
      frames.push(draft);
    }
    await appendAll(memory, id, frames);
    const keep = ({ index: block }: { readonly index: number }): boolean => (block * 7919) % 10 < thread.kept * 10;
    const rungs = await plantRungs(memory, id, { messages: placed(messages), drafts, keep });
    const others = await Promise.all(thread.foreign.map((one) => foreignCheckpoint(memory, id, { one, drafts })));
    const later = thread.later.map((one) => messageDraft(drafts, one));
    await appendAll(memory, id, [...rungs, ...others, ...later]);
    const before = frames.length + rungs.length + others.length;
    const seqs = [...messages.map(({ seq }) => seq), ...later.map((_, at) => before + at)];
    if (world.link !== "branch") seen.clear();
    seen.set(id, seqs);
    parent = { id, seq: before + later.length - 1 };
  }
  return { seen, last: `t${world.threads.length - 1}` };
}

async function linkTo(
  memory: Memory,
  drafts: Drafts,
  { id, seq, link }: { readonly id: string; readonly seq: number; readonly link: World["link"] },
): Promise<FrameDraft> {
  const by = { actor_id: "user", origin: "test" };
  if (link === "branch") return drafts("continuity_branched", { parent_thread_id: id, parent_seq: seq, ...by });
  const markdown = "# Messages 1 to 3\n\n- #1 user: ship on Friday\n- #2 assistant: noted\n";
  if (link === "markdown")
    return drafts("continuity_handoff_created", {
      from_thread_id: id,
      from_seq: seq,
      summary_markdown: markdown,
      ...by,
    });
  const summary_artifact_id = await memory.artifacts.put(
    printSummary({
      schema: "rip.compaction_summary.v1",
      kind: "cumulative_v1",
      coverage: { thread_id: id, from_seq: 0, to_seq: Math.max(0, seq - 1) },
      provenance: by,
      summary_markdown: markdown,
    }),
  );
  return drafts("continuity_handoff_created", { from_thread_id: id, from_seq: seq, summary_artifact_id, ...by });
}

async function foreignCheckpoint(
  memory: Memory,
  id: string,
  { one, drafts }: { readonly one: Foreign; readonly drafts: Drafts },
): Promise<FrameDraft> {
  const { from, to, kind, text } = one;
  const summary = printSummary({
    schema: "rip.compaction_summary.v1",
    kind: kind === "rung" ? "rung_v1/0" : "cumulative_v1",
    coverage: { thread_id: id, from_seq: from, to_seq: kind === "damaged" ? to + 1 : to },
    provenance: { actor_id: "x", origin: "y" },
    summary_markdown: text,
  });
  return drafts("continuity_compaction_checkpoint_created", {
    cut_rule_id: kind === "rung" ? rungRule({ level: 0, index: to % 5 }) : "manual_v1",
    summary_kind: kind === "rung" ? rungKind(0) : "cumulative_v1",
    summary_artifact_id: kind === "missing" ? "no id" : await memory.artifacts.put(summary),
    from_seq: from,
    to_seq: to,
    actor_id: "x",
    origin: "y",
  });
}

/** The seqs of the messages that items cover, by thread, in order. */
function toldOf(result: CompileResult, { seen, last }: Planted): ReadonlyMap<string, readonly number[]> {
  const told = new Map<string, number[]>();
  for (const item of result.items) {
    if (item["type"] === "handoff" || item["messages"] === null) continue;
    const thread = String(item["thread_id"] ?? last);
    const list = told.get(thread) ?? [];
    told.set(thread, list);
    if (item["type"] === "message") {
      list.push(Number(item["thread_seq"]));
      continue;
    }
    const [from, to] = [Number(item["from_seq"]), Number(item["to_seq"])];
    const inside = (seen.get(thread) ?? []).filter((seq) => seq >= from && seq <= to);
    expect(inside.length).toBe(item["messages"]);
    list.push(...inside);
  }
  return told;
}

/** Runs a check on a planted world in its own folder. */
async function inWorld(
  planted: World,
  check: (memory: Memory, found: Planted, dir: string) => Promise<void>,
): Promise<void> {
  const { memory, dir, remove } = await openFolder();
  try {
    await check(memory, await plant(memory, planted), dir);
  } finally {
    await remove();
  }
}

const contentsOf = (rendered: unknown): readonly string[] => {
  if (Array.isArray(rendered)) return (rendered as readonly OpenaiMessage[]).map(({ content }) => content);
  const { system, messages } = rendered as AnthropicContext;
  return [system, ...messages.flatMap(({ content }) => content.map(({ text }) => text))];
};

describe("a covering context", () => {
  test("covers every message exactly once, within its budget in every rendering", async () => {
    await fc.assert(
      fc.asyncProperty(worlds, (planted) =>
        inWorld(planted, async (memory, found) => {
          const { budget } = planted;
          const input = { thread_id: found.last, budget };
          const result = await compileContext(memory, input);
          const told = toldOf(result, found);
          for (const [thread, seqs] of found.seen) expect([thread, told.get(thread) ?? []]).toEqual([thread, seqs]);
          const all = [...found.seen.values()].flat().length;
          expect(result.message_count).toBe(all);
          expect(result.raw_messages + result.summarized_messages + result.uncovered_messages).toBe(all);
          expect(result.tokens).toBe(memory.tokens.count(String(result.rendered)));
          expect(result.tokens).toBeLessThanOrEqual(budget);
          for (const render of ["openai", "anthropic"] as const) {
            const { rendered, bundle_artifact_id } = await compileContext(memory, { ...input, render });
            const contents = contentsOf(rendered);
            const tokens = contents.reduce((sum, content) => sum + memory.tokens.count(content) + 4, 0);
            expect(tokens).toBeLessThanOrEqual(budget);
            expect(bundle_artifact_id).toBe(result.bundle_artifact_id);
          }
        }),
      ),
      { numRuns: lawRuns(20) },
    );
  });

  test("has the same bytes whatever is appended after the anchor, and after reopening the folder", async () => {
    await fc.assert(
      fc.asyncProperty(worlds, said, (planted, later) =>
        inWorld(planted, async (memory, found, dir) => {
          const head = await memory.threads.head(found.last);
          if (head === undefined) throw new Error("no head");
          const request = {
            strategy: "covering_summaries_v1",
            budget: planted.budget,
            run_session_id: "run_1",
          } as const;
          const first = await compileBundle(memory, { anchor: { head, seq: head.head_seq }, ...request });
          const drafts = createDrafts(1_000_000);
          for (const id of found.seen.keys()) {
            const checkpoint = { one: { from: 0, to: 2, kind: "cumulative", text: "later" }, drafts } as const;
            await appendAll(memory, id, [messageDraft(drafts, later), await foreignCheckpoint(memory, id, checkpoint)]);
          }
          const again = await openMemory({ dir, folder: "prepared" });
          try {
            const now = await again.threads.head(found.last);
            if (now === undefined) throw new Error("no head");
            const second = await compileBundle(again, { anchor: { head: now, seq: head.head_seq }, ...request });
            expect(second.artifact_id).toBe(first.artifact_id);
            expect(second.bytes).toEqual(first.bytes);
            expect(second.context).toEqual(first.context);
          } finally {
            await again.close();
          }
        }),
      ),
      { numRuns: 8 },
    );
  });

  test("makes a number of reads logarithmic in the thread's length", async () => {
    const calls: number[] = [];
    for (const messages of [1_000, 8_000]) {
      const { memory, remove } = await openFolder();
      try {
        const drafts = createDrafts();
        const content = "the importer was stale, so we waited for the lock of the staging database. ".repeat(4);
        const all = Array.from({ length: messages }, () => messageDraft(drafts, { actor_id: "user", content }));
        await appendAll(memory, "long", [drafts("continuity_created", { workspace: "/w", title: null }), ...all]);
        const seqs = placed(all.map(({ id }, at) => ({ actor_id: "user", content, seq: at + 1, id })));
        await appendAll(memory, "long", await plantRungs(memory, "long", { messages: seqs, drafts }));
        let count = 0;
        const threads = new Proxy(memory.threads, {
          get: (target, name) => {
            count += 1;
            return Reflect.get(target, name).bind(target);
          },
        });
        const result = await compileContext({ ...memory, threads }, { thread_id: "long" });
        expect(result.uncovered_messages).toBe(0);
        calls.push(count);
      } finally {
        await remove();
      }
    }
    const [few = 0, more = 0] = calls;
    // One or two more levels: a query for each, and a date for each of at most eight rungs.
    expect(more - few).toBeLessThanOrEqual(2 * 9);
    expect(more).toBeLessThanOrEqual(80);
  });
});
