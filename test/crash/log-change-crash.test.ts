import { describe, expect, it } from "vitest";
import { createSeededRandom, type SeededRandom } from "../../src/testing/index.ts";
import { parseEntryComment } from "../../src/base/memory-type.ts";
import { ifMemoryError } from "../../src/base/errors.ts";
import type { Memory } from "../../src/operations/operation.ts";
import { editEntry, mergeTopics, removeEntry, renameTopic, undoLogChange } from "../../src/tree/logs/log-change.ts";
import { entriesIn, logTexts } from "../../src/tree/logs/changed-logs.ts";
import { withLogicalLogs } from "../../src/tree/memory.ts";
import type { FaultyFsOptions } from "../fixtures/faulty/calls.ts";
import { createFaultyFs, type FaultyFs } from "../fixtures/faulty-fs.ts";
import { openOn, textOf } from "../fixtures/crash-scene.ts";

/**
 * `log edit`, `log remove`, `log undo`, `topic rename` and `topic merge` on a disk that loses power. Afterwards every log
 * reads as before or as after the interrupted command, and as after every acknowledged one; the same command again
 * completes it; no log loses a byte.
 */
const statesWanted = Number(process.env["HEARTWOOD_CRASH_STATES"] ?? 10_000);
const runs = 40;
const today = "2026-03-15";
const logs: Readonly<Record<string, string>> = {
  "memory/2026-03-13.md": logOf("2026-03-13", ["Limits", "Importer", "Deploy"]),
  "memory/2026-03-14.md": logOf("2026-03-14", ["Limits", "Release", "Importer", "Tone"]),
};

describe("changes of entries and topics on a disk that loses power", () => {
  it(`are there or not, and can be completed, in ${statesWanted} crash states`, async () => {
    const seen = await crashRuns({ states: statesWanted });
    expect(seen.damage.slice(0, 5)).toEqual([]);
    expect(seen.states >= statesWanted).toBe(true);
    // The test would prove nothing without commands that were interrupted before and after they took effect.
    expect(seen.undone > 0 && seen.done > 0).toBe(true);
  });

  it("fails if the fsync of files is patched out (negative control)", async () => {
    const seen = await crashRuns({ states: 400, fs: { ignoreFsync: "files" } });
    expect(seen.damage.length > 0).toBe(true);
  });
});

function logOf(day: string, topics: readonly string[]): string {
  const entries = topics.map((topic, index) => {
    const id = `${day}-${index}`;
    const body = `- ${topic} on ${day}: café 완료 ${"word ".repeat(index * 40)}end`;
    return `## ${topic} [project]\n<!-- hw id=${id} at=${day}T10:00:00+01:00 origin=agent bytes=${Buffer.byteLength(body)} -->\n${body}\n`;
  });
  return `# ${day}\n\n${entries.join("\n")}`;
}

interface Act {
  readonly title: string;
  run(memory: Memory): Promise<unknown>;
}

/** A command, and what the logs read as before and after it. */
interface Recorded extends Act {
  readonly before: string;
  readonly after: string;
  readonly from: number;
  readonly to: number;
}

interface Seen {
  states: number;
  /** Interrupted commands that had no effect, and that had theirs. */
  undone: number;
  done: number;
  readonly damage: string[];
}

function actsOf(random: SeededRandom): readonly Act[] {
  const id = (): string => {
    const day = random.below(2) === 0 ? "2026-03-13" : "2026-03-14";
    return `${day}-${random.below(day === "2026-03-13" ? 3 : 4)}`;
  };
  const [edited, removed] = [id(), id()];
  const body = `- now: ${"text ".repeat(1 + random.below(200))}`.trimEnd();
  const all: readonly Act[] = [
    { title: "edit", run: (memory) => editEntry(memory, { entry: edited, body }) },
    { title: "remove", run: (memory) => removeEntry(memory, { entry: removed }) },
    { title: "rename", run: (memory) => renameTopic(memory, { from: "Limits", to: "Rate limits" }) },
    { title: "merge", run: (memory) => mergeTopics(memory, { from: "Importer", to: "Deploy" }) },
    { title: "undo", run: (memory) => undoLogChange(memory) },
  ];
  return Array.from({ length: 4 }, () => all[random.below(all.length)] as Act);
}

async function crashRuns(plan: { readonly states: number; readonly fs?: FaultyFsOptions }): Promise<Seen> {
  const seen: Seen = { states: 0, undone: 0, done: 0, damage: [] };
  for (let run = 0; run < runs; run += 1) {
    const fs = createFaultyFs({ ...plan.fs, files: logs });
    const memory = openOn(fs, { today, seed: run });
    const acts: Recorded[] = [];
    for (const act of actsOf(createSeededRandom(run))) {
      const [before, from] = [await readAll(fs), fs.operations];
      const isDone = await act.run(memory).then(
        () => true,
        ifMemoryError(() => false),
      );
      if (isDone) acts.push({ ...act, before, after: await readAll(fs), from, to: fs.operations });
    }
    for (const crash of fs.crashStates(run, Math.ceil(plan.states / runs))) {
      seen.states += 1;
      await inspect(seen, acts, crash.fs, crash.at, `run ${run} at ${crash.at}`);
    }
  }
  return seen;
}

/** The whole entries of all logs, as everything that reads a log reads them: a torn one is not an entry. */
async function readAll(fs: FaultyFs): Promise<string> {
  const { files } = await withLogicalLogs(openOn(fs, { today, seed: 5 }));
  const read: string[] = [];
  for (const path of Object.keys(logs)) {
    const texts = logTexts((await files.read(path))?.bytes ?? new Uint8Array(0));
    const whole = entriesIn(texts).flatMap(({ lines: [from, to], topic }): readonly string[] => {
      const comment = parseEntryComment(texts[from] ?? "");
      const body = texts
        .slice(from + 1, to)
        .join("\n")
        .trim();
      const isWhole = comment?.bytes === Buffer.byteLength(body) && !body.includes("\0");
      return isWhole ? [`${path} ${comment.id} ${topic}: ${body}`] : [];
    });
    read.push(...new Set(whole));
  }
  return read.join("\n");
}

async function inspect(seen: Seen, acts: readonly Recorded[], fs: FaultyFs, at: number, title: string): Promise<void> {
  for (const [path, text] of Object.entries(logs))
    if (!textOf(fs.files().get(path)).startsWith(text)) seen.damage.push(`${title}: ${path} lost bytes`);
  const last = acts.findLast(({ to }) => to <= at);
  const open = acts.find(({ from, to }) => from < at && at < to);
  const now = await readAll(fs);
  if (open === undefined) {
    const expected = last?.after ?? acts[0]?.before ?? now;
    if (now !== expected) seen.damage.push(`${title}: the logs do not read as after ${last?.title ?? "nothing"}`);
    return;
  }
  const isDone = now === open.after;
  if (!isDone && now !== open.before) seen.damage.push(`${title}: ${open.title} is there in part`);
  seen[isDone ? "done" : "undone"] += 1;
  if (isDone) return;
  await open.run(openOn(fs, { today, seed: 1000 + at })).catch(ifMemoryError(() => undefined));
  const again = fs.crashAt(fs.operations, createSeededRandom(at));
  if ((await readAll(again)) !== open.after) seen.damage.push(`${title}: ${open.title} again does not complete it`);
}
