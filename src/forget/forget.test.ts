import { describe, expect, it } from "vitest";
import { appendFrames, beginningOfFrameId } from "../agents/capture/append.ts";
import { printInjection } from "../agents/sessions/record.ts";
import { operation } from "../operations/table.ts";
import { frameOf, MESSAGE, messageOf } from "../threads/model/frame.ts";
import { branchThread } from "../threads/run/branch-handoff.ts";
import { recordCheckpoint } from "../threads/compact/manual-checkpoint.ts";
import { appendMessages } from "../threads/run/append-messages.ts";
import { compileContext } from "../threads/compile/compile.ts";
import { createThread } from "../threads/run/threads.ts";
import { verifyThreads } from "../threads/verify/verify.ts";
import { openTestMemory, type TestMemory } from "../../test/fixtures/memory.ts";
import { resolveMerges } from "../tree/git/resolve.ts";
import { runVerify } from "../tree/inspect/verify.ts";
import { archiveBytes } from "../tree/logs/archive.ts";
import { appendEntry } from "../tree/logs/log-add.ts";
import { editEntry, renameTopic } from "../tree/logs/log-change.ts";
import { withWholeLogs } from "../tree/memory.ts";
import { recordsPath } from "../tree/model/period.ts";
import { runCompact } from "../tree/run/compact.ts";
import { findForgotten } from "./find.ts";
import { resumeForgetting, runForget } from "./forget.ts";
import { verifyForgotten } from "./sweep.ts";
import { planWork, writeWork } from "./work.ts";

const fact = "the vault code is tangerine-4471";

it("the preview shows nothing of a private key, even if its first line stays", async () => {
  const key = [
    "-----BEGIN RSA PRIVATE KEY-----",
    "Kx7+".repeat(16),
    "p/Q2".repeat(16),
    "-----END RSA PRIVATE KEY-----",
  ];
  const log = `# 2026-01-04\n\n## Host [project]\n${key.join("\n")}\n`;
  const note = `# Host\n\n${key.join("\n")}\n`;
  const { memory } = openTestMemory({
    files: { "memory/2026-01-04.md": log, "knowledge/host.md": note },
    today: "2026-01-05",
    disk: "folder",
  });
  const { lines } = await runForget(memory, { day: "2026-01-04", lines: "6", dry_run: true }, {});
  expect(lines.map(({ path, line }) => `${path}:${line}`)).toEqual(["memory/2026-01-04.md:6", "knowledge/host.md:5"]);
  expect(JSON.stringify(lines)).not.toContain("p/Q2");
});

it("the preview says which texts of sessions and which files go with it, and changes nothing", async () => {
  const path = "memory/2026-01-04.md";
  const tested = openTestMemory({
    files: { [path]: `# 2026-01-04\n\n## Vault [project]\n- ${fact}\n\n## Door [project]\n- the door is green\n` },
    today: "2026-01-05",
    disk: "folder",
  });
  const { memory } = tested;
  await runCompact(memory, {}, {});
  const given = (day: string, lines: readonly string[], text: string) =>
    printInjection({ at: `${day}T09:00:00.000Z`, event: "prompt", source: "", memory: "", lines, text });
  const other = given("2026-01-03", ["memory/2026-01-03.md:1"], "of another day");
  const record = ".heartwood/sessions/codex-two.jsonl";
  tested.write(".heartwood/sessions/codex-one.jsonl", given("2026-01-05", ["memory/ROOT.md"], "a start"));
  tested.write(record, other + given("2026-01-04", [path], "the fruit of the vault"));
  const before = tested.list().map((one) => [one, tested.read(one)]);
  const { code, derived } = await runForget(memory, { text: "tangerine-4471", dry_run: true }, {});
  expect(tested.list().map((one) => [one, tested.read(one)])).toEqual(before);
  const at = (day: string) => ({ first_at: `${day}T09:00:00.000Z`, last_at: `${day}T09:00:00.000Z` });
  expect(derived).toEqual({
    sessions: [
      { session: "codex-one", texts: 1, of: 1, ...at("2026-01-05") },
      { session: "codex-two", texts: 1, of: 2, ...at("2026-01-04") },
    ],
    rebuilt: ["memory/ROOT.md", "memory/daily/2026-01-04.md", "memory/monthly/2026-01.md", "memory/weekly/2026-W01.md"],
    removed: [],
  });
  const done = await runForget(memory, { text: "tangerine-4471", code }, {});
  expect([done.state, done.derived]).toEqual(["done", derived]);
  expect(tested.list().filter((one) => one.startsWith(".heartwood/sessions/"))).toEqual([record]);
  expect(tested.read(record)).toBe(other);
  expect((await verifyForgotten(memory)).findings).toEqual([]);
});

it("a code does not forget other lines that have come to the same place", async () => {
  const log = "memory/2026-01-04.md";
  const entries = ["one", "two", "three"].map((word) => `## ${word} [project]\n- the ${word} limit is 5\n\n`);
  const tested = openTestMemory({
    files: { [log]: `# 2026-01-04\n\n${entries.join("")}` },
    today: "2026-01-05",
    disk: "folder",
  });
  const input = { day: "2026-01-04", lines: "7" };
  const { code, lines } = await runForget(tested.memory, { ...input, dry_run: true }, {});
  expect(lines.at(-1)?.text).toBe("- the two limit is 5");
  const rest = `# 2026-01-04\n\n${entries.slice(1).join("")}`;
  tested.write(log, rest);
  const done = await runForget(tested.memory, { ...input, code }, {});
  expect(done.state).toBe("planned");
  expect(done.lines.at(-1)?.text).toBe("- the three limit is 5");
  expect(tested.read(log)).toBe(rest);
});

/** Entries over several weeks; those whose body has `fact` are left out of a twin. */
async function history(kind: "with" | "without"): Promise<TestMemory> {
  const test = openTestMemory({ today: "2026-01-05", disk: "folder" });
  const add = async (day: string, id: string, topic: string, body: string): Promise<void> => {
    test.setToday(day);
    if (kind === "with" || !body.includes("tangerine")) await appendEntry(test.memory, { topic, body, id });
    else if (body.split("\n").length > 1)
      await appendEntry(test.memory, {
        topic,
        id,
        body: body
          .split("\n")
          .filter((line) => !line.includes("tangerine"))
          .join("\n"),
      });
  };
  for (let day = 5; day < 30; day += 3) {
    const date = `2026-01-${String(day).padStart(2, "0")}`;
    await add(date, `a-${day}`, `Payments ${day}`, `- decisions: bucket ${day} holds\n- open: measure ${day}`);
    if (day === 11) await add(date, "secret", "Vault", `- ${fact}`);
    if (day === 14) await add(date, "mixed", "Doors", `- the doors close at six\n- ${fact}\n- open: ask about doors`);
    await add(date, `b-${day}`, "Staging", `- outcome: shipped build ${day}`);
    test.setToday(`2026-01-${String(day + 1).padStart(2, "0")}`);
    await runCompact(test.memory, {}, {});
  }
  test.setToday("2026-03-20");
  await runCompact(test.memory, {}, {});
  return test;
}

const treeOf = (test: TestMemory): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(
    test
      .list()
      .filter((path) => /^memory\/(?:\d|daily|weekly|monthly|ROOT)/u.test(path))
      .map((path) => [path, test.read(path)]),
  );

it("leaves the tree as if the text had never been written", async () => {
  const [test, twin] = [await history("with"), await history("without")];
  expect(test.read("memory/ROOT.md")).not.toBe(twin.read("memory/ROOT.md"));
  const planned = await runForget(test.memory, { text: "TANGERINE-4471" }, {});
  expect(planned.state).toBe("planned");
  expect(planned.lines.map(({ path, line }) => `${path}:${line}`)).toEqual([
    "memory/2026-01-11.md:8",
    "memory/2026-01-11.md:9",
    "memory/2026-01-11.md:10",
    "memory/2026-01-14.md:11",
  ]);
  const done = await runForget(test.memory, { text: "TANGERINE-4471", code: planned.code }, {});
  expect([done.state, done.left]).toEqual(["done", []]);
  expect(treeOf(test)).toEqual(treeOf(twin));
  for (const path of test.list()) expect(test.read(path)?.toLowerCase(), path).not.toContain("tangerine");
  expect((await runVerify(test.memory, {})).ok).toBe(true);
  expect(await verifyForgotten(test.memory)).toMatchObject({ ok: true, findings: [] });
  expect(test.read(recordsPath)?.trim().split("\n").length).toBe(2);
  expect(test.list()).not.toContain(".heartwood/forget.json");
});

it("does not take an entry with a forgotten id again", async () => {
  const test = await history("with");
  await runForget(test.memory, { entry: "secret", yes: true }, {});
  const again = await appendEntry(test.memory, { topic: "Vault", body: "- x", id: "secret", date: "2026-01-11" });
  expect([again.action, again.lines]).toEqual(["forgotten", [0, 0]]);
  expect(test.read("memory/2026-01-11.md")).not.toContain("Vault");
});

describe("what another clone forgot", () => {
  const entry = `capture-${"0123456789abcdef".repeat(2).slice(0, 26)}`;
  const started = beginningOfFrameId(entry);
  const messages = [
    ["00000000-0000-7000-8000-00000000000a", "user", "measure the export"],
    [`${started}abcdef`, "user", fact],
    ["00000000-0000-7000-8000-00000000000b", "assistant", "noted: tangerine"],
    ["00000000-0000-7000-8000-00000000000c", "user", "thanks, and now the importer"],
  ] as const;

  /** A clone that has the entry in its node, in an archived node, in a session and in a thread. */
  async function clone(): Promise<TestMemory> {
    const test = openTestMemory({ today: "2026-01-20", disk: "folder" });
    for (const [id, topic, body] of [
      ["kept", "Staging", "- outcome: shipped"],
      [entry, "Session 5f0c3a52", `- User: ${fact}`],
    ] as const)
      await appendEntry(test.memory, { topic, body, id, date: "2026-01-11" });
    await runCompact(test.memory, {}, {});
    await runCompact(test.memory, { reopen: "2026-01-11" }, {});
    const thread_id = "claude-code-5f0c3a52";
    await createThread(test.memory, { thread_id, actor_id: "user", origin: "test" } as never);
    const frames = messages.map(([id, actor_id, content], index) => ({
      id,
      timestamp_ms: 1_770_000_000_000 + index,
      type: MESSAGE as never,
      payload: { actor_id, origin: "test", content },
    }));
    await test.memory.threads.append({ thread_id, frames });
    return test;
  }

  /** The log and the tombstone as a merge brings them. */
  async function merge(test: TestMemory): Promise<void> {
    const path = "memory/2026-01-11.md";
    test.write(path, `${(test.read(path) ?? "").split("\n\n## Session")[0]}\n`);
    const record = { at: "2026-01-20T12:00:00+00:00", kind: "forgotten", place: path, entry };
    test.write(recordsPath, `${JSON.stringify({ id: "01a21a08-5722-7000-a152-184b0b213dce", ...record })}\n`);
    await test.memory.close();
  }

  it("goes from nodes, archived nodes and the turn in its thread", async () => {
    const test = await clone();
    expect(test.list().filter((path) => test.read(path)?.includes("tangerine")).length).toBeGreaterThan(4);
    await merge(test);
    await operation("tree.compact").run(test.memory, {});
    for (const path of test.list()) expect(test.read(path), path).not.toContain("tangerine");
    const { ok, findings } = await verifyForgotten(test.memory);
    expect([ok, findings.map(({ code, severity }) => `${severity} ${code}`)]).toEqual([true, ["info words_not_known"]]);
    expect(findings[0]?.message).toContain("the words of 1 of 3 tombstones are not known here");
    const frames = await test.memory.threads.frames({ thread_id: "claude-code-5f0c3a52", limit: 100 });
    expect(frames.flatMap((frame) => messageOf(frameOf(frame))?.content ?? [])).toEqual([
      "measure the export",
      "",
      "",
      "thanks, and now the importer",
    ]);
    expect((await verifyThreads(test.memory, {})).findings.filter(({ severity }) => severity !== "info")).toEqual([]);
    expect(test.read("memory/2026-01-11.md")).toContain("shipped");
  });

  it("is a finding until the next run, which reports what it wrote", async () => {
    const test = await clone();
    await merge(test);
    const due = {
      code: "forgetting_due",
      message: "what was forgotten in another clone is still to be removed here: run heartwood compact",
      path: "",
    };
    expect((await verifyForgotten(test.memory)).findings).toContainEqual({ ...due, severity: "error", line: null });
    expect((await runVerify(test.memory, {})).findings).toContainEqual({ ...due, severity: "warning", line: null });
    const { finished_forgetting, written } = await operation("tree.compact").run(test.memory, {});
    expect(finished_forgetting).toBe(true);
    expect(written.map(({ path }) => path)).toContain("memory/ROOT.md");
    expect(new Set(written.map(({ path }) => path)).size).toBe(written.length);
    const codes = (await runVerify(test.memory, {})).findings.map(({ code }) => code);
    expect(codes).not.toContain("forgetting_due");
    expect(await operation("tree.compact").run(test.memory, {})).not.toHaveProperty("finished_forgetting");
  });

  it("is looked for once: the next run writes nothing", async () => {
    const test = await clone();
    await merge(test);
    await operation("tree.compact").run(test.memory, {});
    const before = test.list().map((path) => [path, test.read(path)]);
    expect(await resumeForgetting(test.memory, {})).toBeUndefined();
    expect(test.list().map((path) => [path, test.read(path)])).toEqual(before);
  });

  it("is not looked for in a new clone, which keeps what the others archived", async () => {
    const test = openTestMemory({ today: "2026-01-20", disk: "folder" });
    test.write("memory/archive/nodes/2026-01-11.0123456789abcdef.md", "archived\n");
    test.write(
      "memory/2026-01-11.md",
      "# 2026-01-11\n\n## Staging [project]\n- outcome: shipped\n\n## Session 1\n- x\n",
    );
    await merge(test);
    expect((await verifyForgotten(test.memory)).ok).toBe(true);
    expect((await runVerify(test.memory, {})).findings.map(({ code }) => code)).not.toContain("forgetting_due");
    expect(await operation("tree.compact").run(test.memory, {})).not.toHaveProperty("finished_forgetting");
    expect(test.read("memory/archive/nodes/2026-01-11.0123456789abcdef.md")).toBe("archived\n");
    expect(await resumeForgetting(test.memory, {})).toBeUndefined();
  });
});

it("a text is looked for in what was said, not in what heartwood writes around it", async () => {
  const test = openTestMemory({ today: "2026-03-16" });
  await appendEntry(test.memory, { topic: "Bike", body: "- blue bike", id: "bike-1" });
  for (const text of ["agent", "project", "2026-03-16", "bytes"])
    expect((await runForget(test.memory, { text, yes: true }, {})).state, text).toBe("nothing");
  expect(test.read("memory/2026-03-16.md")).toContain("- blue bike");
});

it("what an edit replaced stays out of use when the new text is forgotten, and the new one is used when the old is", async () => {
  for (const [forgotten, left] of [
    ["earns 250", "Pay"],
    ["earns 100", "earns 250"],
  ] as const) {
    const test = openTestMemory({ today: "2026-03-16" });
    await appendEntry(test.memory, { topic: "Pay", body: "- Bob earns 100", id: "pay-1" });
    await editEntry(test.memory, { entry: "pay-1", body: "- Bob earns 250" });
    await runForget(test.memory, { text: forgotten, yes: true }, {});
    await runCompact(test.memory, {}, {});
    const root = test.read("memory/ROOT.md") ?? "";
    expect(root).not.toContain(forgotten);
    expect(root).not.toContain("earns 100");
    expect(root.includes("earns 250")).toBe(left === "earns 250");
  }
});

it("a day whose title loses the text below it stays one node", async () => {
  const log = "# 2026-03-11\n\nFree note zebra42.\n\n## A\n- one\n\n## B\n- two\n";
  const test = openTestMemory({ today: "2026-03-16", files: { "memory/2026-03-11.md": log } });
  await runCompact(test.memory, {}, {});
  await runForget(test.memory, { text: "zebra42", yes: true }, {});
  await runCompact(test.memory, {}, {});
  const twin = openTestMemory({
    today: "2026-03-16",
    files: { "memory/2026-03-11.md": test.read("memory/2026-03-11.md") ?? "" },
  });
  await runCompact(twin.memory, {}, {});
  const nodes = (of: typeof test) =>
    of
      .list()
      .filter((path) => /^memory\/(?:daily|weekly)/u.test(path))
      .map((path) => [path, of.read(path)]);
  expect(nodes(test)).toEqual(nodes(twin));
});

/** A memory in which the forgetting of the entry `secret` was interrupted before the logs were cut. */
async function interrupted(): Promise<TestMemory> {
  const test = await history("with");
  const forgetting = await planWork(
    await withWholeLogs(test.memory),
    await findForgotten(test.memory, { entry: "secret" }),
  );
  await writeWork(test.memory, forgetting);
  return test;
}

describe("what was interrupted", () => {
  it("stays so after a preview, which warns of it", async () => {
    const test = await interrupted();
    const before = test.list().map((path) => [path, test.read(path)]);
    const warning = {
      code: "forgetting_unfinished",
      message: "a forgetting was interrupted: run heartwood compact to finish it",
    };
    const planned = await runForget(test.memory, { text: "the doors close at six", dry_run: true }, {});
    expect(planned).toMatchObject({ state: "planned", warnings: [warning] });
    const nothing = await runForget(test.memory, { entry: "gone", dry_run: true }, {});
    expect(nothing).toMatchObject({ state: "nothing", warnings: [warning] });
    expect(test.list().map((path) => [path, test.read(path)])).toEqual(before);
    for (const [{ findings }, severity] of [
      [await verifyForgotten(test.memory), "error"],
      [await runVerify(test.memory, {}), "warning"],
    ] as const)
      expect(findings).toContainEqual({ ...warning, severity, path: "", line: null });
  });

  it("is finished by compact, whose result has what was written for it", async () => {
    const test = await interrupted();
    const done = await operation("tree.compact").run(test.memory, {});
    expect(done.finished_forgetting).toBe(true);
    expect(done.written.map(({ path }) => path)).toEqual(
      expect.arrayContaining(["memory/daily/2026-01-11.md", "memory/ROOT.md"]),
    );
    expect(test.read("memory/2026-01-11.md")).not.toContain("tangerine");
    expect((await operation("tree.compact").run(test.memory, {})).written).toEqual([]);
  });
});

describe("what cannot be forgotten", () => {
  const log =
    "# 2026-03-15\n\n## Staging [reference]\n<!-- hw id=one at=2026-03-15T14:05:00+01:00 origin=user -->\n- port 5544\n";
  const opened = (): TestMemory => openTestMemory({ files: { "memory/2026-03-15.md": log } });

  it.each([
    [{ text: "x" }, "usage", "The text is shorter than 3 characters, so it is in too many lines; pass a longer one."],
    [{ text: "a", day: "2026-03-15" }, "usage", "TEXT and --day each say what to forget; pass only one of them."],
    [
      { entry: "one", day: "2026-03-15", topic: "Staging" },
      "usage",
      "--entry and --day and --topic each say what to forget; pass only one of them.",
    ],
    [
      { day: "2026-03-15", lines: "9-4" },
      "usage",
      '--lines is "9-4"; it must be a line or a range of lines, such as 12 or 12-18.',
    ],
    [
      { day: "2026-02-30" },
      "invalid_date",
      'The day is "2026-02-30"; it must be a valid date such as 2026-03-15, or the name of a log.',
    ],
    [
      { day: "2026-02-30-standup", lines: "1" },
      "invalid_date",
      'The day is "2026-02-30-standup"; it must be a valid date such as 2026-03-15, or the name of a log.',
    ],
    [{ entry: "nope" }, "not_found", 'No entry has the id "nope"; heartwood forget TEXT finds an entry by its text.'],
    [{ day: "2026-03-14" }, "not_found", "2026-03-14 has no log; heartwood tree lists the days."],
    [{ day: "2026-03-14", lines: "1" }, "not_found", "2026-03-14 has no log; heartwood tree lists the days."],
    [{ day: "2026-03-15", lines: "9000" }, "not_found", "memory/2026-03-15.md has no line 9000; it has 5 lines."],
    [{ day: "2026-03-15", lines: "6-8" }, "not_found", "memory/2026-03-15.md has no line 6; it has 5 lines."],
    [{ topic: "Nope" }, "not_found", 'No entry has the topic "Nope"; heartwood show ROOT lists the topics.'],
  ])("%j", async (input, code, message) => {
    const { memory } = opened();
    await expect(runForget(memory, { ...input, yes: true }, {})).rejects.toMatchObject({ code, message });
  });

  it("neither what is already forgotten nor a text that is nowhere is an error", async () => {
    const { memory } = openTestMemory({ files: { "memory/2026-03-15.md": log }, disk: "folder" });
    const state = async (input: Parameters<typeof runForget>[1]): Promise<string> =>
      (await runForget(memory, { ...input, yes: true }, {})).state;
    expect(await state({ text: "port 9999" })).toBe("nothing");
    expect(await state({ entry: "one" })).toBe("done");
    expect(await state({ entry: "one" })).toBe("already_forgotten");
    expect(await state({ day: "2026-03-15" })).toBe("already_forgotten");
    expect(await state({ day: "2026-03-15", lines: "2" })).toBe("already_forgotten");
    await createThread(memory, { thread_id: "t", actor_id: "user", origin: "test" } as never);
    const id = "00000000-0000-7000-8000-00000000000a";
    const payload = { actor_id: "user", origin: "test", content: "measure the export" };
    await memory.threads.append({
      thread_id: "t",
      frames: [{ id, timestamp_ms: 1_770_000_000_000, type: MESSAGE as never, payload }],
    });
    expect(await state({ thread: "t", message: "1" })).toBe("done");
    for (const message of ["1", id]) expect(await state({ thread: "t", message })).toBe("already_forgotten");
    for (const message of ["0", "2", id.replace("a", "b")])
      await expect(state({ thread: "t", message })).rejects.toMatchObject({ code: "message_not_found" });
    await expect(editEntry(memory, { entry: "one", body: "- x" })).rejects.toMatchObject({
      code: "not_found",
      message: 'The entry "one" is forgotten.',
    });
  });
});

describe("titles of threads", () => {
  const title = "The vault of the old house by the sea opens with tangerine-4471";
  const by = { actor_id: "user", origin: "test" };
  const titleOf = async (test: TestMemory, id: string) => (await test.memory.threads.head(id))?.title;

  it("a text that only a title has is shown and goes, and contexts are those of a thread without one", async () => {
    const test = openTestMemory({ disk: "folder" });
    await createThread(test.memory, { thread_id: "plans", title, ...by } as never);
    const frames = Array.from({ length: 12 }, (_, index) => ({
      id: test.memory.ids.next(),
      timestamp_ms: 1 + index,
      type: MESSAGE as never,
      payload: { ...by, content: `measure the export ${"again and ".repeat(index)}` },
    }));
    await test.memory.threads.append({ thread_id: "plans", frames });
    // The title counts in the budget, so that some of these have another last message without it.
    for (let budget = 300; budget < 500; budget += 10)
      await compileContext(test.memory, {
        thread_id: "plans",
        record: true,
        run_session_id: `run_${budget}`,
        budget,
        ...by,
      } as never);
    const planned = await runForget(test.memory, { text: "TANGERINE-4471" }, {});
    expect([planned.state, planned.fields]).toEqual([
      "planned",
      [{ thread_id: "plans", seq: 0, field: "title", text: title }],
    ]);
    const done = await runForget(test.memory, { text: "TANGERINE-4471", code: planned.code }, {});
    expect([done.state, done.left, done.names]).toEqual(["done", [], []]);
    expect(await titleOf(test, "plans")).toBeNull();
    for (const path of test.list()) expect(test.read(path)?.toLowerCase(), path).not.toMatch(/tangerine|old house/u);
    expect((await verifyThreads(test.memory, {})).findings).toEqual([]);
    expect((await verifyForgotten(test.memory)).findings).toEqual([]);
    const created = { id: test.memory.ids.next(), timestamp_ms: 1, type: "continuity_created" as const };
    const thread = { id: "captured", begun: async () => [{ ...created, payload: { workspace: "/", title } }] };
    await appendFrames(test.memory, thread, [{ ...frames[0], id: test.memory.ids.next() } as never], "wet");
    expect(await titleOf(test, "captured")).toBeNull();
    await createThread(test.memory, { thread_id: "again", title, ...by } as never);
    expect((await verifyForgotten(test.memory)).findings.map(({ code }) => code)).toEqual(["forgotten_line"]);
  });

  it("other titles with the text are shown with what has it, and a title of a thread that goes", async () => {
    const test = openTestMemory({ disk: "folder" });
    await createThread(test.memory, { thread_id: "plans", title, ...by } as never);
    await createThread(test.memory, { thread_id: "other", title: "Release 4", ...by } as never);
    await appendEntry(test.memory, { topic: "Vault", body: `- ${fact}`, id: "v-1" });
    const named = async (input: Parameters<typeof runForget>[1]) =>
      (await runForget(test.memory, { ...input, dry_run: true }, {})).fields.map(({ thread_id }) => thread_id);
    expect(await named({ text: "tangerine-4471" })).toEqual(["plans"]);
    expect(await named({ thread: "other" })).toEqual(["other"]);
    expect(await named({ entry: "v-1" })).toEqual([]);
    await runForget(test.memory, { text: "tangerine-4471", yes: true }, {});
    expect([await titleOf(test, "plans"), await titleOf(test, "other")]).toEqual([null, "Release 4"]);
  });

  it("a text that the id of a thread or a type of frame has goes elsewhere, and the thread is named", async () => {
    const test = openTestMemory({ disk: "folder" });
    await createThread(test.memory, { thread_id: "vault-4471", title: "Release 4", ...by } as never);
    await branchThread(test.memory, { thread_id: "vault-4471", title: "child", ...by } as never);
    await appendEntry(test.memory, { topic: "Vault", body: "- the code of vault-4471 was created", id: "v-1" });
    await appendEntry(test.memory, { topic: "Vault", body: "- continuity_created counts", id: "v-2" });
    const done = await runForget(test.memory, { text: "vault-4471", yes: true }, {});
    expect([done.state, done.left, done.names]).toEqual(["done", [], ["thread:vault-4471"]]);
    expect((await runForget(test.memory, { text: "continuity_created", yes: true }, {})).state).toBe("done");
    expect((await verifyThreads(test.memory, {})).findings).toEqual([]);
    expect((await test.memory.threads.heads({ limit: 9 })).heads.map((head) => head.title).toSorted()).toEqual([
      "Release 4",
      "child",
    ]);
  });
});

describe("files", () => {
  it("every file with the text is shown before, as one that loses lines or one that stays", async () => {
    const test = openTestMemory({
      disk: "folder",
      files: {
        "AGENTS.md": `# Rules\n- ${fact}\n`,
        "MEMORY.md": `# Memory\n- ${fact}\n- kept\n`,
        "MEMORY (conflicted copy).md": `# Memory\n- ${fact}\n- kept\n`,
        "memory/notes.txt": `a\n${fact}\n`,
        "memory/rows.jsonl": `{"a":"${fact}"}\n{"b":1}\n`,
        "memory/archive/old.md": `- ${fact}\n- kept\n`,
        "memory/notes/tangerine-4471.md": "- kept\n",
        "memory/notes/doors.md": `- ${fact}\n- kept\n`,
      },
    });
    const [left, names] = [["memory/notes.txt", "memory/rows.jsonl", "AGENTS.md"], ["memory/notes/tangerine-4471.md"]];
    const planned = await runForget(test.memory, { text: "tangerine-4471" }, {});
    expect(planned.lines.map(({ path }) => path)).toEqual([
      "memory/archive/old.md",
      "memory/notes/doors.md",
      "MEMORY (conflicted copy).md",
      "MEMORY.md",
    ]);
    expect([planned.left, planned.names]).toEqual([left, names]);
    const before = left.map((path) => test.read(path));
    const done = await runForget(test.memory, { text: "tangerine-4471", code: planned.code }, {});
    expect([done.state, done.left, done.names]).toEqual(["done", left, names]);
    expect(left.map((path) => test.read(path))).toEqual(before);
    const found = (await verifyForgotten(test.memory)).findings.map(({ code, path }) => `${code} ${path}`);
    expect(found.toSorted()).toEqual(
      [...left.map((path) => `forgotten_line ${path}`), ...names.map((path) => `forgotten_name ${path}`)].toSorted(),
    );
    const again = await runForget(test.memory, { text: "tangerine-4471", yes: true }, {});
    expect([again.state, again.left, again.names]).toEqual(["nothing", left, names]);
  });

  it("front matter of nodes and names of logs in it stay, and a log with the text in its name is named", async () => {
    const log = "memory/2026-01-05-tangerine-4471.md";
    const test = openTestMemory({
      disk: "folder",
      files: {
        [log]: "# 2026-01-05\n\n## Doors\n- close at six\n",
        "memory/2026-01-12.md": `# 2026-01-12\n\n## Vault\n- a daily ${fact}\n\n## B\n- kept\n`,
      },
    });
    await runCompact(test.memory, {}, {});
    const node = test.read("memory/daily/2026-01-05.md");
    const done = await runForget(test.memory, { text: "tangerine-4471", yes: true }, {});
    expect([done.state, done.left, done.names]).toEqual(["done", [], [log]]);
    await appendEntry(test.memory, { topic: "Walks", body: "- daily", id: "w-1" });
    await runForget(test.memory, { text: "daily", yes: true }, {});
    expect(test.read("memory/daily/2026-01-05.md")).toBe(node);
    expect((await runVerify(test.memory, {})).ok).toBe(true);
  });
});

describe("conflict copies", () => {
  const log = "memory/2026-01-11.md";
  const copies = [
    "memory/2026-01-11.sync-conflict-20260101-120000-ABCDEFG.md",
    "memory/2026-01-11 (conflicted copy).md",
    "memory/2026-01-11 (1).md",
  ];

  it.each([{ text: "tangerine-4471" }, { entry: "secret" }, { day: "2026-01-11", lines: "7-9" }])(
    "git resolve does not bring back what %o names",
    async (input) => {
      const test = openTestMemory({ disk: "folder" });
      await appendEntry(test.memory, { topic: "Doors", body: "- close at six", id: "doors", date: "2026-01-11" });
      await appendEntry(test.memory, { topic: "Vault", body: `- ${fact}`, id: "secret", date: "2026-01-11" });
      expect(test.read(log)?.split("\n")[8]).toBe(`- ${fact}`);
      for (const path of copies)
        test.write(path, `${test.read(log)}\n## Copied [project]\n- only here\n\n## Tangerine-4471\n- opens\n`);
      const planned = await runForget(test.memory, input, {});
      for (const path of [log, ...copies]) expect(planned.lines.map((line) => line.path)).toContain(path);
      await runForget(test.memory, { ...input, code: planned.code }, {});
      for (const path of copies) {
        expect(test.read(path), path).not.toContain(fact);
        expect(test.read(path), path).toContain("- only here");
        if ("text" in input) expect(test.read(path), path).not.toContain("opens");
      }
      await resolveMerges(test.memory);
      expect(test.list().filter((path) => copies.includes(path))).toEqual([]);
      expect(test.read(log)).toContain("- only here");
      await runCompact(test.memory, {}, {});
      for (const path of test.list()) expect(test.read(path), path).not.toContain(fact);
      expect((await verifyForgotten(test.memory)).findings).toEqual([]);
    },
  );

  it("copies of nodes and records have it no longer either", async () => {
    const test = await history("with");
    const nodes = ["memory/daily/2026-01-11.md", "memory/ROOT.md"];
    await test.memory.files.append(
      recordsPath,
      Buffer.from(
        '{"id":"01a21a08-5722-7000-a152-184b0b213dce","kind":"renamed","from":"Tangerine-4471","to":"V","logs":[]}\n',
      ),
    );
    for (const path of [...nodes, recordsPath])
      test.write(path.replace(/(\.[a-z]+)$/u, ".sync-conflict-20260101-120000-ABCDEFG$1"), test.read(path) ?? "");
    await runForget(test.memory, { text: "tangerine-4471", yes: true }, {});
    for (const path of test.list()) expect(test.read(path)?.toLowerCase(), path).not.toContain("tangerine");
    expect(test.list().filter((path) => /^memory\/(?:daily|ROOT).*conflict/u.test(path))).toEqual([]);
  });
});

describe("a text that no log has any more", () => {
  const today = "2026-01-20";
  const compactNow = (test: TestMemory) => runCompact(test.memory, {}, {});

  it("goes from the nodes that still have it, and from the archive", async () => {
    const test = openTestMemory({ disk: "folder", today });
    await appendEntry(test.memory, { topic: "Vault", body: `- ${fact}\n- kept`, id: "v-1", date: "2026-01-12" });
    await compactNow(test);
    const log = "memory/2026-01-12.md";
    test.write(log, (test.read(log) ?? "").replace(`- ${fact}\n`, ""));
    await runCompact(test.memory, { accept: "all" }, {});
    const archived = test.list().filter((path) => test.read(path)?.includes(fact) === true);
    expect(archived.length).toBeGreaterThan(0);
    const planned = await runForget(test.memory, { text: fact }, {});
    expect([planned.state, planned.lines, planned.files]).toEqual(["planned", [], archived]);
    expect((await runForget(test.memory, { text: fact, code: planned.code }, {})).state).toBe("done");
    for (const path of test.list()) expect(test.read(path), path).not.toContain(fact);
    expect((await runVerify(test.memory, {})).ok).toBe(true);
    expect((await runForget(test.memory, { text: fact }, {})).state).toBe("nothing");
  });

  it("goes with the name that a topic got, and its days have the name before or after", async () => {
    const test = openTestMemory({ disk: "folder", today });
    for (const [topic, date] of [
      ["Limiter", "2026-01-12"],
      ["Parser", "2026-01-13"],
    ] as const)
      await appendEntry(test.memory, { topic, body: "- counts tokens", id: topic, date });
    await renameTopic(test.memory, { from: "Limiter", to: "Zebrafish limiter" });
    await renameTopic(test.memory, { from: "Parser", to: "Zebrafish parser" });
    await renameTopic(test.memory, { from: "Zebrafish parser", to: "Grammar" });
    await compactNow(test);
    const planned = await runForget(test.memory, { text: "zebrafish" }, {});
    expect(planned.renames.map(({ to }) => to)).toEqual(["Zebrafish limiter", "Zebrafish parser", "Grammar"]);
    expect((await runForget(test.memory, { text: "zebrafish", code: planned.code }, {})).left).toEqual([]);
    for (const path of test.list()) expect(test.read(path)?.toLowerCase(), path).not.toContain("zebrafish");
    const root = test.read("memory/ROOT.md");
    expect([root?.includes("Limiter"), root?.includes("Grammar"), root?.includes("Parser")]).toEqual([
      true,
      true,
      false,
    ]);
    expect((await runVerify(test.memory, {})).findings).toEqual([]);
  });
});

it("a topic is forgotten by the name that it has now, and another one that had this name stays", async () => {
  const test = openTestMemory({ disk: "folder", today: "2026-01-20" });
  await appendEntry(test.memory, { topic: "Alpha", body: "- the first thing", id: "a", date: "2026-01-12" });
  await appendEntry(test.memory, { topic: "Beta", body: "- the second thing", id: "b", date: "2026-01-13" });
  for (const [from, to] of [
    ["Alpha", "Swapped"],
    ["Beta", "Alpha"],
    ["Swapped", "Beta"],
  ] as const)
    await renameTopic(test.memory, { from, to });
  await runForget(test.memory, { topic: "alpha", yes: true }, {});
  expect(test.list().filter((path) => /^memory\/\d/u.test(path))).toEqual(["memory/2026-01-12.md"]);
  expect(test.read("memory/ROOT.md")).toContain("Beta: the first thing");
});

it("a note loses its copy of an entry as a whole", async () => {
  const test = openTestMemory({ disk: "folder" });
  const body = `- ${fact}\n- deploys are on Tuesday afternoon`;
  const { path } = await appendEntry(test.memory, { topic: "Tangerine-4471", body, id: "v-1" });
  const entry = (test.read(path) ?? "").split("\n").slice(2).join("\n");
  test.write("knowledge/copied.md", `# Notes\n${entry}- mine stays\n`);
  await runForget(test.memory, { text: "tangerine-4471", yes: true }, {});
  expect(test.read("knowledge/copied.md")).toBe("# Notes\n- mine stays\n");
  expect((await verifyForgotten(test.memory)).findings).toEqual([]);
});

it("a summary that a person wrote is shown, loses its lines, and its thread stays sound", async () => {
  const test = openTestMemory({ disk: "folder" });
  const by = { actor_id: "user", origin: "test" };
  await createThread(test.memory, { thread_id: "plans", title: "Plans", ...by } as never);
  for (const content of ["one", "two", "three"])
    await appendMessages(test.memory, { thread_id: "plans", content, ...by } as never);
  const bytes = Buffer.from(`# Up to two\n- ${fact}\n- kept`);
  const summary_file = {
    name: "summary.md",
    chunks: async function* () {
      yield bytes;
    },
  };
  await recordCheckpoint(test.memory, { thread_id: "plans", to_seq: 2, summary_file, ...by } as never);
  const planned = await runForget(test.memory, { text: "tangerine-4471" }, {});
  expect(planned.fields.map(({ field, text }) => [field, text])).toEqual([["summary", `- ${fact}`]]);
  await runForget(test.memory, { text: "tangerine-4471", code: planned.code }, {});
  for (const path of test.list()) expect(test.read(path), path).not.toContain(fact);
  expect((await verifyThreads(test.memory, {})).findings).toEqual([]);
});

it("the archive gets no forgotten line, and nothing of a conflict that may still have one", async () => {
  const test = openTestMemory({ disk: "folder" });
  await appendEntry(test.memory, { topic: "Vault", body: `- ${fact}\n- kept`, id: "v-1" });
  await runForget(test.memory, { text: "tangerine-4471", yes: true }, {});
  const conflict = `<<<<<<< HEAD\n- ours\n=======\n- theirs: ${fact}, and more\n>>>>>>> x\n`;
  const path = await archiveBytes(test.memory.files, "memory/ROOT.md", Buffer.from(`- a\n- ${fact}\n${conflict}- b\n`));
  expect(test.read(path)).toBe("- a\n- b\n");
});
