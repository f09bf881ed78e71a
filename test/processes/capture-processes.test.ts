import { spawn } from "node:child_process";
import { appendFileSync, closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openTestMemory } from "../fixtures/memory.ts";
import { answer, claudeSession, lines, said, toolCall } from "../fixtures/transcripts/claude-code.ts";
import { endOf } from "../fixtures/built-program.ts";

const worker = join(import.meta.dirname, "..", "fixtures", "capture-worker.ts");
const base = mkdtempSync(join(tmpdir(), "heartwood-capture-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

interface Told {
  readonly messages: number;
  readonly entries: number;
  /** MiB. */
  readonly most: number;
}

async function captured(dir: string, path: string, times: number): Promise<Told> {
  const child = spawn(process.execPath, [worker, dir, path, String(times)], { env: { ...process.env, TZ: "UTC" } });
  const { status, out, err } = await endOf(child);
  expect([status, err]).toEqual([0, ""]);
  return JSON.parse(out) as Told;
}

const time = (second: number): string => new Date(Date.UTC(2026, 2, 10, 9) + second * 1000).toISOString();

function turn(n: number, words = ""): string {
  return lines([
    said(`u${n}`, `Question ${n} about the ledger ${words}`, time(n * 2)),
    answer(`a${n}`, `Answer ${n}: it balances. ${words}`, time(n * 2 + 1)),
  ]);
}

describe("concurrent captures", () => {
  it("capture each message and each turn once, even while the transcript grows", async () => {
    const test = openTestMemory({ disk: "folder", today: "2026-03-11", files: { "memory/2026-03-01.md": "" } });
    const path = join(base, `${claudeSession}.jsonl`);
    appendFileSync(path, Array.from({ length: 60 }, (_, n) => turn(n)).join(""));
    const running = Promise.all([1, 2, 3, 4].map(() => captured(test.memory.dir, path, 12)));
    for (let n = 60; n < 120; n++) {
      appendFileSync(path, turn(n));
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
    const told = [...(await running), await captured(test.memory.dir, path, 1)];
    const sum = (of: (one: Told) => number): number => told.reduce((all, one) => all + of(one), 0);
    expect(sum(({ messages }) => messages)).toBe(240);
    expect(sum(({ entries }) => entries)).toBe(120);
    const log = test.read("memory/2026-03-10.md") ?? "";
    expect(log.match(/^## Session /gmu)).toHaveLength(120);
    const frames = await test.memory.threads.frames({ thread_id: `claude-code-${claudeSession}`, limit: 1_000 });
    const contents = frames.map(({ line }) => (JSON.parse(line) as { readonly content?: string }).content ?? "");
    const numbers = contents.flatMap((text) => /^Question (\d+)/u.exec(text)?.[1] ?? []).map(Number);
    expect(numbers).toEqual(Array.from({ length: 120 }, (_, n) => n));
  });
});

/** 200 in CI and on request: `HEARTWOOD_TRANSCRIPT_MB=200`. */
const megabytes = Number(process.env["HEARTWOOD_TRANSCRIPT_MB"] ?? (process.env["CI"] === undefined ? 40 : 200));

describe("memory", () => {
  it(`does not grow with a transcript of ${megabytes} MB`, async () => {
    const small = join(base, "11111111-0000-4000-8000-000000000001.jsonl");
    const large = join(base, "22222222-0000-4000-8000-000000000002.jsonl");
    const test = openTestMemory({ disk: "folder", today: "2026-03-11", files: { "memory/2026-03-01.md": "" } });
    appendFileSync(small, turn(0));
    const few = await captured(test.memory.dir, small, 1);
    const turns = writeLarge(large, megabytes * 1_000_000);
    const many = await captured(test.memory.dir, large, 1);
    expect(many.entries).toBe(turns);
    console.log(`A transcript of ${megabytes} MB took ${many.most} MiB, one of a turn ${few.most} MiB.`);
    expect(many.most < 300).toBe(true);
  });
});

/** Like a long day of work: tool results, with conversation in between. */
function writeLarge(path: string, bytes: number): number {
  const file = openSync(path, "w");
  const result = JSON.stringify({ ...toolCall("t", time(0)), toolUseResult: { stdout: "x".repeat(60_000) } });
  const words = "The ledger of the branch office has a line for each day, and none is missing. ".repeat(40);
  let [turns, written] = [0, 0];
  for (; written < bytes; turns++) {
    const [first = "", last = ""] = turn(turns, words).split(/(?<=\n)/u);
    written += writeSync(file, `${first}${result}\n${last}`);
  }
  closeSync(file);
  return turns;
}
