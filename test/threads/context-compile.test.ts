import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Memory } from "../../src/operations/operation.ts";
import { compileContext } from "../../src/threads/compile/compile.ts";
import { isFrame, parseFrame, type FrameDraft } from "../../src/threads/model/frame.ts";
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

let memory: Memory;
let remove: () => Promise<void>;
let drafts: Drafts;
beforeEach(async () => {
  ({ memory, remove } = await openFolder());
  drafts = createDrafts();
});
afterEach(() => remove());

const by = { actor_id: "user", origin: "test" };
const user = (content: string): Said => ({ actor_id: "user", content });
const created = (): FrameDraft => drafts("continuity_created", { workspace: "/w", title: null });
const branched = (parent_thread_id: string, parent_seq: number): FrameDraft =>
  drafts("continuity_branched", { parent_thread_id, parent_seq, ...by });

/** A thread with these messages after its first frames. */
async function thread(
  id: string,
  said: readonly Said[],
  ...links: readonly FrameDraft[]
): Promise<readonly FrameDraft[]> {
  const messages = said.map((one) => messageDraft(drafts, one));
  await appendAll(memory, id, [created(), ...links, ...messages]);
  return messages;
}

const compile = (thread_id: string, more: object = {}) => compileContext(memory, { thread_id, ...more });
const textOf = async (id: string, more: object = {}): Promise<string> => String((await compile(id, more)).rendered);

describe("parents", () => {
  test("a branch of a branch includes each parent up to where it branched", async () => {
    await thread("a", [user("a one"), user("a two"), user("a three")]);
    await thread("b", [user("b one"), user("b two")], branched("a", 2));
    await thread("c", [user("c one")], branched("b", 2));
    const result = await compile("c");
    expect(result.items.map(({ thread_id, content }) => [thread_id, content])).toEqual([
      ["a", "a one"],
      ["a", "a two"],
      ["b", "b one"],
      [undefined, "c one"],
    ]);
    expect([result.message_count, result.uncovered_messages]).toEqual([4, 0]);
    expect(await textOf("c")).toContain(
      "# Parent thread b, which this one goes on from\n## #2 user, 00:06\n  b one\n# This thread\n",
    );
  });

  test("a handoff includes its parent's summary, and its parent is not read", async () => {
    const summary_markdown = "# Messages 1 to 9\n\n- #8 user: we ship on Friday\n- #2 tool: password=hunter2hunter2\n";
    const link = drafts("continuity_handoff_created", { from_thread_id: "gone", from_seq: 9, summary_markdown, ...by });
    await thread("b", [user("hello")], link);
    const result = await compile("b");
    expect(result.items[0]).toEqual({
      type: "handoff",
      thread_id: "gone",
      to_seq: 9,
      summary_markdown: "- #2 tool: password=[REDACTED:password]\n- #8 user: we ship on Friday\n",
    });
    expect(result.message_count).toBe(1);
    expect(result.rendered).toContain(
      "# Parent thread gone, which this one goes on from\n## What was handed on, up to #9\n- #2",
    );
  });

  test("a parent that is not in the store is reported as missing", async () => {
    await thread("b", [user("hello")], branched("gone", 7));
    const { items, rendered, message_count } = await compile("b");
    expect(items[0]).toEqual({ type: "uncovered", thread_id: "gone", from_seq: 0, to_seq: 7, messages: null });
    expect(message_count).toBe(1);
    expect(rendered).toContain("# Not shown: the parent thread, which is not in this store\n");
  });

  test("threads that are each other's parent do not loop forever", async () => {
    await thread("a", [user("a one")], branched("b", 2));
    await thread("b", [user("b one")], branched("a", 2));
    expect((await compile("a")).items.map(({ content }) => content)).toEqual(["b one", "a one"]);
  });

  test("the newest 32 parents of forty generations are followed, in 500 tokens too", async () => {
    await thread("t0-".padEnd(96, "x.y_"), [user("zero")]);
    for (let at = 1; at <= 40; at += 1)
      await thread(
        `t${at}-`.padEnd(96, "x.y_"),
        [user(`message ${at}`)],
        branched(`t${at - 1}-`.padEnd(96, "x.y_"), 2),
      );
    const id = "t40-".padEnd(96, "x.y_");
    const whole = await compile(id, { budget: 20_000 });
    expect([whole.message_count, whole.raw_messages]).toEqual([33, 33]);
    expect(whole.items[0]).toMatchObject({ type: "uncovered", messages: null });
    const small = await compile(id, { budget: 500 });
    expect(small.tokens).toBeLessThanOrEqual(500);
    expect(small.items.at(-1)).toMatchObject({ type: "message", content: "message 40" });
    expect(small.message_count).toBe(33);
  });
});

describe("messages", () => {
  test("one that does not fit is never cut: it is reported as missing, and others take its place", async () => {
    const huge = { actor_id: "tool:bash", content: "exit 1 ".repeat(100_000) };
    await thread("a", [user("first"), user("before"), huge, user("after"), user("last")]);
    const { items, rendered } = await compile("a");
    expect(items.map(({ type, content, from_seq }) => content ?? `${String(type)} ${String(from_seq)}`)).toEqual([
      "first",
      "before",
      "uncovered 3",
      "after",
      "last",
    ]);
    expect(rendered).toContain("## Not shown: 1 message, #3\n");
  });

  test("a newest message that takes most of the budget is still whole", async () => {
    const long = "it waits for the lock. ".repeat(1_200);
    await thread("a", [user("first"), user(long)]);
    const { items, tokens } = await compile("a");
    expect(items.at(-1)?.["content"]).toBe(long);
    expect(tokens).toBeGreaterThan(4_000);
  });

  test("secrets are redacted in the bundle, in every rendering and in the title", async () => {
    const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    await appendAll(memory, "a", [
      drafts("continuity_created", { workspace: "/w", title: `the ${secret}` }),
      messageDraft(drafts, user(`token ${secret}`)),
    ]);
    for (const render of ["json", "text", "openai", "anthropic"])
      expect(JSON.stringify(await compile("a", { render }))).not.toContain(secret);
  });

  test("a thread without messages has an empty context", async () => {
    await thread("a", []);
    const { items, source, rendered } = await compile("a");
    expect([items, source.from_message_id]).toEqual([[], null]);
    expect(rendered).toContain("Messages: 0; in full 0");
  });
});

describe("the request", () => {
  test("refuses an unknown thread or message", async () => {
    const [first] = await thread("a", [user("one")]);
    await thread("b", [user("two")]);
    await expect(compile("none")).rejects.toMatchObject({ code: "thread_not_found" });
    await expect(compile("b", { at: first?.id })).rejects.toMatchObject({ code: "message_not_found" });
    const [frame] = await memory.threads.frames({ thread_id: "a", limit: 1 });
    const parsed = parseFrame(frame?.line ?? "");
    const at = isFrame(parsed) ? parsed.id : "";
    await expect(compile("a", { at })).rejects.toMatchObject({ code: "not_a_message" });
    const sentence = "record appends frames, so it needs actor_id and origin (--actor and --origin).";
    await expect(compile("a", { record: true, origin: "x" })).rejects.toMatchObject({
      code: "usage",
      message: sentence,
    });
    await expect(compile("a", { build: true })).rejects.toMatchObject({ code: "usage" });
    await expect(compile("a", { build: true, at, ...by })).rejects.toMatchObject({ code: "usage" });
  });

  test("at a message, later frames are ignored", async () => {
    const [, second] = await thread("a", [user("one"), user("two"), user("three")]);
    const { items, source } = await compile("a", { at: second?.id });
    expect(items.map(({ content }) => content)).toEqual(["one", "two"]);
    expect(source).toEqual({ thread_id: "a", from_seq: 2, from_message_id: second?.id });
  });

  test("uses the last message's actor and origin if none are given", async () => {
    await thread("a", [{ actor_id: "alice", content: "one" }]);
    expect((await compile("a")).provenance).toEqual({ run_session_id: "run_1", actor_id: "alice", origin: "test" });
  });

  test("record stores the bundle and appends the selection and the result", async () => {
    await thread("a", [user("one")]);
    const before = await compile("a", { ...by });
    const result = await compile("a", { ...by, record: true, run_session_id: "run_7" });
    expect(result.bundle_artifact_id).not.toBe(before.bundle_artifact_id);
    const bytes = await memory.artifacts.get(result.bundle_artifact_id);
    expect(JSON.parse(new TextDecoder().decode(bytes))).toMatchObject({ items: result.items, source: result.source });
    const frames = await memory.threads.frames({ thread_id: "a", from_seq: 2, limit: 9 });
    const fields = frames.map(({ line }) => JSON.parse(line) as Record<string, unknown>);
    expect(fields.map(({ type }) => type)).toEqual([
      "continuity_context_selection_decided",
      "continuity_context_compiled",
    ]);
    expect(fields[0]).toMatchObject({
      message_id: result.source.from_message_id,
      limits: { budget_tokens: 8_000, tokens: "o200k-base" },
    });
    expect(fields[1]).toMatchObject({
      run_session_id: "run_7",
      bundle_artifact_id: result.bundle_artifact_id,
      from_seq: 1,
    });
  });
});

describe("summaries", () => {
  test("a rung whose artifact is missing is left out with a warning, and finer ones replace it", async () => {
    const content = "the importer was stale, so we waited for the lock of the staging database. ".repeat(4);
    const messages = await thread(
      "a",
      Array.from({ length: 400 }, () => user(content)),
    );
    const seqs = placed(messages.map(({ id }, at) => ({ ...user(content), seq: at + 1, id })));
    const rungs = await plantRungs(memory, "a", { messages: seqs, drafts });
    const isCoarse = ({ payload }: FrameDraft): boolean => payload["summary_kind"] === "rung_v1/1";
    const gone = { summary_artifact_id: "f".repeat(64) };
    await appendAll(
      memory,
      "a",
      rungs.map((rung, at) =>
        isCoarse(rung) && at % 2 === 0 ? { ...rung, payload: { ...rung.payload, ...gone } } : rung,
      ),
    );
    const { uncovered_messages, warnings, summarized_messages } = await compile("a");
    expect(uncovered_messages).toBe(0);
    expect(summarized_messages).toBeGreaterThan(300);
    expect(warnings.map(({ code }) => code)).toContain("artifact_not_found");
  });

  test("500 tokens cover most of a long thread: with less room, coarser rungs cover newer messages", async () => {
    const content = "the importer was stale, so we waited for the lock of the staging database. ".repeat(4);
    const messages = await thread(
      "a",
      Array.from({ length: 1_500 }, () => user(content)),
    );
    const seqs = placed(messages.map(({ id }, at) => ({ ...user(content), seq: at + 1, id })));
    await appendAll(memory, "a", await plantRungs(memory, "a", { messages: seqs, drafts }));
    const { uncovered_messages, tokens, items } = await compile("a", { budget: 500 });
    expect(uncovered_messages).toBeLessThan(300);
    expect(tokens).toBeLessThanOrEqual(500);
    const told = items.filter(({ type }) => type === "summary_ref");
    expect(told.length).toBeGreaterThanOrEqual(3);
    for (const { lines } of told) expect(lines).toBeGreaterThanOrEqual(1);
  });

  test("lines of a summary are in conversation order", async () => {
    const long = "we talked about the release and its lock for a while. ".repeat(40);
    const messages = await thread(
      "a",
      Array.from({ length: 60 }, () => user(long)),
    );
    const to = messages[29];
    const bytes = new TextEncoder().encode(
      JSON.stringify({
        schema: "rip.compaction_summary.v1",
        kind: "cumulative_v1",
        coverage: { thread_id: "a", from_seq: 0, to_seq: 30 },
        provenance: by,
        summary_markdown: "# Messages 1 to 30\n\n- #30 user: newest\n- #12 assistant: older\n",
      }),
    );
    const summary_artifact_id = await memory.artifacts.put(bytes);
    const checkpoint = { cut_rule_id: "manual_v1", summary_kind: "cumulative_v1", summary_artifact_id, from_seq: 0 };
    const ends = { to_seq: 30, to_message_id: to?.id, ...by };
    await appendAll(memory, "a", [drafts("continuity_compaction_checkpoint_created", { ...checkpoint, ...ends })]);
    const text = await textOf("a");
    expect(text).toContain("## Summary up to #30, until 2026-01-01\n- #12 assistant: older\n- #30 user: newest\n");
  });
});
