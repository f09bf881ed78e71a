import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openSession } from "../../src/agents/sessions/record.ts";
import { runCapture } from "../../src/agents/capture/run.ts";
import { runAudit } from "../../src/audit/run/run-audit.ts";
import { runForget } from "../../src/forget/forget.ts";
import { verifyForgotten } from "../../src/forget/sweep.ts";
import { runIndex } from "../../src/recall/index/refresh.ts";
import { runSearch } from "../../src/recall/search/search.ts";
import { runSchedule } from "../../src/threads/compact/schedule.ts";
import { compileContext } from "../../src/threads/compile/compile.ts";
import { MESSAGE } from "../../src/threads/model/frame.ts";
import { createThread } from "../../src/threads/run/threads.ts";
import { verifyThreads } from "../../src/threads/verify/verify.ts";
import { defaultSettings } from "../../src/summaries/run/budget.ts";
import { compactMemory } from "../../src/summaries/run/compact.ts";
import type { ForgetInput } from "../../src/tree/inputs.ts";
import { appendEntry } from "../../src/tree/logs/log-add.ts";
import { runVerify } from "../../src/tree/inspect/verify.ts";
import { withLogicalLogs } from "../../src/tree/memory.ts";
import { createFakeSummarizer } from "../fixtures/fake-summarizer.ts";
import { goodAnswer, goodRoot, longDay } from "../fixtures/long-days.ts";
import { openTestMemory, type TestMemory } from "../fixtures/memory.ts";
import { answer, claudeSession, lines, said } from "../fixtures/transcripts/claude-code.ts";

/**
 * 50 facts in logs, threads, a title, MEMORY.md, nodes by a model, the archive of an audit, the index and sessions are forgotten; the result is compared with a
 * twin in which they were never written.
 */
const facts = Array.from({ length: 50 }, (_, index) => {
  // The Kelvin sign and the long s fold to k and s.
  const word = index % 7 === 3 ? `Quo\u212A\u212Aa${index}X` : `quokka${index}x`;
  return { index, plain: `quokka${index}x`, sentence: `the locker of team ${index} opens with ${word}` };
});
const placed = (kind: number) => facts.filter(({ index }) => index % 5 === kind);
/** A thread has it in its title alone. */
const titled = placed(2).at(-1);
const by = { actor_id: "user", origin: "test" };
const dayOf = (index: number): string => `2026-01-${String(3 + ((index * 7) % 24)).padStart(2, "0")}`;

/** A model that repeats what it reads of the facts, in its own lines. */
function model() {
  return createFakeSummarizer(({ instructions, prompt }) => {
    const heard = /locker of team \d+ opens with \w+/u.exec(prompt)?.[0];
    if (instructions.includes("## Active Context")) return goodRoot;
    return heard === undefined
      ? goodAnswer
      : goodAnswer.replace("decided to keep it small", `decided to keep it small\n- ${heard}`);
  });
}

async function history(kind: "with" | "without"): Promise<TestMemory> {
  const isWith = kind === "with";
  const transcript = "in/session.jsonl";
  const rows = [
    said("q0", "Please look at the importer of the billing page", "2026-01-20T10:00:00.000Z"),
    answer("a0", "I looked at the importer: a stale lock was the cause", "2026-01-20T10:01:00.000Z"),
    ...placed(4).flatMap(({ sentence, index }) =>
      isWith
        ? [
            said(`q${index}`, `Remember that ${sentence}`, `2026-01-20T11:${String(index).padStart(2, "0")}:00.000Z`),
            answer(
              `a${index}`,
              `I keep in mind that ${sentence}`,
              `2026-01-20T11:${String(index).padStart(2, "0")}:30.000Z`,
            ),
          ]
        : [],
    ),
    said("q99", "Then measure the export", "2026-01-20T12:00:00.000Z"),
    answer("a99", "The export takes four minutes now", "2026-01-20T12:01:00.000Z"),
  ];
  const more = isWith
    ? placed(1)
        .slice(0, 2)
        .map(({ sentence }) => `- ${sentence}\n`)
    : ["", ""];
  const test = openTestMemory({
    disk: "folder",
    today: "2026-01-28",
    files: {
      "MEMORY.md": `# Memory\n\n## Core\n- we use pnpm\n${
        isWith
          ? placed(3)
              .map(({ sentence }) => `- ${sentence}\n`)
              .join("")
          : ""
      }- reviews on Friday\n`,
      "memory/2026-01-28.md": longDay("2026-01-28", { more: more[0] ?? "" }),
      "memory/2026-01-29.md": longDay("2026-01-29", { lines: 800, more: more[1] ?? "" }),
      [transcript]: lines(rows),
    },
    with: {
      summarizer: model(),
      user: {
        qmd: "off",
        summaries: {
          ...defaultSettings,
          adapter: "openai-compatible",
          maxRequestsPerDay: 10_000,
          maxTokensPerDay: 100_000_000,
        },
      },
    },
  });
  const { memory } = test;
  for (let index = 0; index < 24; index += 1) {
    const date = dayOf(index);
    await appendEntry(memory, {
      topic: `Work ${index}`,
      body: `- decisions: bucket ${index} holds\n- open: measure ${index}`,
      id: `work-${index}`,
      date,
    });
    for (const fact of placed(0).filter((one) => (one.index / 5) % 24 === index && isWith))
      await appendEntry(memory, {
        topic: `Locker ${fact.index}`,
        body: `- ${fact.sentence}`,
        id: `own-${fact.index}`,
        date,
      });
    for (const fact of placed(1)
      .slice(2)
      .filter((one) => ((one.index - 1) / 5) % 24 === index))
      await appendEntry(memory, {
        topic: `Doors ${fact.index}`,
        id: `line-${fact.index}`,
        body: ["- doors close at six", ...(isWith ? [`- ${fact.sentence}`] : []), "- open: ask about keys"].join("\n"),
        date,
      });
  }
  await runCapture(memory, { client: "claude-code", path: join(memory.dir, transcript), ended: "session" });
  await settle(test);
  await createThread(memory, { thread_id: "notes", ...by } as never);
  for (let batch = 0; batch < 10; batch += 1) {
    const contents = Array.from(
      { length: 25 },
      (_, index) =>
        `Message ${batch} ${index} about the importer and how long it runs on that machine ${index * batch}.`,
    );
    const fact = placed(2)[batch];
    if (isWith && fact !== undefined && fact !== titled) contents[11] = `By the way, ${fact.sentence}.`;
    const frames = contents.map((content, index) => ({
      id: memory.ids.next(),
      timestamp_ms: 1_769_000_000_000 + batch * 1000 + index,
      type: MESSAGE as never,
      payload: { ...by, content },
    }));
    await memory.threads.append({ thread_id: "notes", frames });
    await runSchedule(memory, { thread_id: "notes", stride_messages: 50, ...by } as never, {});
    if (batch % 3 === 2)
      await compileContext(memory, {
        thread_id: "notes",
        record: true,
        run_session_id: `run_${batch}`,
        ...by,
      } as never);
  }
  const title = isWith && titled !== undefined ? { title: titled.sentence } : {};
  await createThread(memory, { thread_id: "titled", ...title, ...by } as never);
  const frame = { id: memory.ids.next(), timestamp_ms: 1_769_000_000_000, type: MESSAGE as never };
  await memory.threads.append({ thread_id: "titled", frames: [{ ...frame, payload: { ...by, content: "Hello." } }] });
  await compileContext(memory, { thread_id: "titled", record: true, run_session_id: "run_titled", ...by } as never);
  test.setToday("2026-03-20");
  await settle(test);
  await runAudit(memory, { apply: true, aggressive: true });
  await settle(test);
  await compactMemory(memory, { reopen: "2026-W03" }, {});
  await settle(test);
  await runIndex(memory, {}, {});
  await runSearch(memory, { query: "locker" }, {});
  const session = await openSession(memory.files, "claude-code", claudeSession);
  const text = `Memory of this project. ${test.read("memory/ROOT.md")}${test.read("MEMORY.md")}`;
  await session.append({
    at: "2026-03-01T00:00:00Z",
    event: "session-start",
    source: "startup",
    memory: "x",
    lines: ["memory/ROOT.md"],
    text,
  });
  return test;
}

/** Runs until nothing waits for the model. */
async function settle(test: TestMemory): Promise<void> {
  for (let run = 0; run < 12; run += 1) {
    const { due, written } = await compactMemory(test.memory, {}, {});
    if (due.length === 0 && written.length === 0) return;
  }
}

async function treeOf(test: TestMemory): Promise<Readonly<Record<string, string>>> {
  const { files } = await withLogicalLogs(test.memory);
  const tree: Record<string, string> = {};
  for (const path of test.list().filter((one) => /^(?:memory\/(?:\d|daily|weekly|monthly|ROOT)|MEMORY)/u.test(one)))
    tree[path] = Buffer.from((await files.read(path))?.bytes ?? []).toString("utf8");
  return tree;
}

function holders(dir: string, words: readonly string[]): readonly string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.endsWith("/in"))
    .flatMap((entry) => {
      const path = join(entry.parentPath, entry.name);
      const text = readFileSync(path).toString("utf8").normalize("NFKC").toLowerCase();
      return words.filter((word) => text.includes(word)).map((word) => `${path.slice(dir.length + 1)}: ${word}`);
    });
}

/** How each fact is named. */
async function inputsFor(test: TestMemory, fact: (typeof facts)[number]): Promise<ForgetInput> {
  const kind = fact.index % 5;
  const turn = Math.floor(fact.index / 5) % 3;
  if (kind === 0 && turn === 0) return { entry: `own-${fact.index}` };
  if (kind === 0 && turn === 1) return { topic: `locker ${fact.index}` };
  if (kind === 1 && turn === 1) {
    const { files } = await withLogicalLogs(test.memory);
    for (const path of test.list().filter((one) => /^memory\/\d/u.test(one))) {
      const text = Buffer.from((await files.read(path))?.bytes ?? []).toString("utf8");
      const line = text.split("\n").findIndex((one) => one.includes(fact.sentence)) + 1;
      if (line > 0) return { day: path.slice(7, -3), lines: `${line}` };
    }
  }
  if (kind === 2 && turn === 1) {
    for (const frame of await test.memory.threads.frames({ thread_id: "notes", limit: 10_000 }))
      if (frame.line.includes(fact.sentence)) return { thread: "notes", message: `${frame.seq}` };
  }
  return { text: fact.sentence.toUpperCase() };
}

it("50 facts are forgotten, and the memory equals its twin", { timeout: 3_600_000 }, async () => {
  const [test, twin] = [await history("with"), await history("without")];
  const words = facts.map(({ plain }) => plain);
  const before = new Set(holders(test.memory.dir, words).map((one) => one.split(": ")[1]));
  expect(before.size).toBe(50);
  for (const fact of facts) {
    const input = await inputsFor(test, fact);
    const done = await runForget(test.memory, { ...input, yes: true }, {});
    expect([fact.index, JSON.stringify(input), done.state, done.left]).toEqual([
      fact.index,
      JSON.stringify(input),
      "done",
      [],
    ]);
  }
  expect(holders(test.memory.dir, words)).toEqual([]);
  await settle(test);
  const { findings } = await runVerify(test.memory, {});
  expect(findings.filter(({ severity }) => severity !== "info")).toEqual([]);
  expect((await verifyThreads(test.memory, {})).findings.filter(({ severity }) => severity !== "info")).toEqual([]);
  expect((await verifyForgotten(test.memory)).findings).toEqual([]);
  const [tree, other] = [await treeOf(test), await treeOf(twin)];
  const paths = [...new Set([...Object.keys(tree), ...Object.keys(other)])];
  expect(
    paths
      .filter((path) => tree[path] !== other[path])
      .map((path) => [path, tree[path]?.slice(0, 700), other[path]?.slice(0, 700)]),
  ).toEqual([]);
  expect(holders(test.memory.dir, words)).toEqual([]);
  // Nothing brings them back.
  await runCapture(test.memory, {
    client: "claude-code",
    path: join(test.memory.dir, "in/session.jsonl"),
    ended: "session",
  });
  expect(holders(test.memory.dir, words)).toEqual([]);
});
