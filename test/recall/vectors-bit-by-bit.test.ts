import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { runForget } from "../../src/forget/forget.ts";
import type { Memory } from "../../src/operations/operation.ts";
import type { LockOptions } from "../../src/platform/locks.ts";
import { fillAll } from "../../src/recall/index/embedding.ts";
import { prepareIndex } from "../../src/recall/index/prepare.ts";
import { runIndex } from "../../src/recall/index/refresh.ts";
import type { NamedEmbedder } from "../../src/recall/memory.ts";
import { refreshIndex } from "../../src/summaries/run/compact.ts";
import { openTestMemory, type TestMemory } from "../fixtures/memory.ts";

const opened: TestMemory[] = [];
afterEach(async () => {
  for (const { memory } of opened.splice(0)) await memory.searchIndex.close();
});

/** A log of ten entries for each day, each with a statement unlike any other. */
const logOf = (day: number): string =>
  Array.from({ length: 10 }, (_, at) => `## Errand\n${saidOf(day, at)}\n`).join("\n");
const saidOf = (day: number, at: number): string => `I paid ${day * 100 + at} euros for tickets on day ${day}.`;
const pathOf = (day: number): string => `memory/2026-03-${String(day).padStart(2, "0")}.md`;
const days = Array.from({ length: 8 }, (_, at) => at + 1);
const files = Object.fromEntries(days.map((day) => [pathOf(day), logOf(day)]));

const vectorOf = (text: string): Int8Array => new Int8Array(createHash("sha512").update(text).digest().subarray(0, 64));

/** Deterministic; `seen` are its requests. */
function embedder(more: { readonly before?: (request: number) => void } = {}) {
  const seen: string[][] = [];
  const embed = async (texts: readonly string[]): Promise<readonly Int8Array[]> => {
    more.before?.(seen.length);
    seen.push([...texts]);
    return texts.map(vectorOf);
  };
  const named: NamedEmbedder = { id: "hash-1", open: async () => ({ id: "hash-1", dimensions: 64, embed }) };
  return { ...named, seen };
}

function project(more: Partial<Memory> = {}, given: Readonly<Record<string, string>> = files): TestMemory {
  const made = openTestMemory({ disk: "folder", files: given, with: more });
  opened.push(made);
  return made;
}

const lackingIn = async ({ searchIndex }: Memory): Promise<number> =>
  (await searchIndex.vectorCounts("hash-1")).lacking;

async function vectorsIn({ searchIndex: index }: Memory): Promise<ReadonlyMap<string, string>> {
  const { dimensions, ids, vectors } = await index.vectors("hash-1", {});
  const rows = await index.rows("statement", [...ids]);
  return new Map(
    rows.map(({ text }, at) => [text, vectors.subarray(at * dimensions, (at + 1) * dimensions).join(" ")] as const),
  );
}

describe("filling", () => {
  test("begins with the newest sources, ends when its time is over, and goes on from there", async () => {
    const model = embedder();
    const { memory } = project({ embedder: model });
    await runIndex(memory, {}, {});
    expect([model.seen, await lackingIn(memory)]).toEqual([[], 80]);
    expect(await fillAll(memory, { ms: 0.001 }, {})).toEqual({ embedded: 16, warnings: [] });
    expect(model.seen.flat().every((text) => /day [78]\./u.test(text))).toBe(true);
    await fillAll(memory, { ms: 60_000 }, {});
    expect([await lackingIn(memory), model.seen.flat().length, new Set(model.seen.flat()).size]).toEqual([0, 80, 80]);
    expect(await fillAll(memory, { ms: 60_000 }, {})).toEqual({ embedded: 0, warnings: [] });
  });

  test("writes the same bytes in any order, whatever was interrupted", async () => {
    const whole = project({ embedder: embedder() });
    await runIndex(whole.memory, { embed: true }, {});
    const parts = project({ embedder: embedder() }, {});
    for (const day of days.toReversed()) {
      parts.write(pathOf(day), logOf(day));
      await prepareIndex(parts.memory, "whole");
      await fillAll(parts.memory, { ms: 0.001 }, {});
    }
    await fillAll(parts.memory, { ms: 60_000 }, {});
    const made = await vectorsIn(whole.memory);
    expect(made.size).toBe(80);
    expect(new Map([...(await vectorsIn(parts.memory))].toSorted())).toEqual(new Map([...made].toSorted()));
  });

  test("holds the lock only to write, and keeps what was done before it was aborted", async () => {
    const stop = new AbortController();
    const [asked, held]: [string[], string[]] = [[], []];
    const acquire = async (name: string, { holder }: LockOptions) => {
      asked.push(`${name} ${holder}`);
      held.push(name);
      return { release: async () => void held.pop() };
    };
    const model = embedder({
      before: (request) => {
        expect(held).toEqual([]);
        if (request === 1) stop.abort();
      },
    });
    const { memory } = project({ embedder: model, locks: { id: "told-locks", acquire } });
    await runIndex(memory, {}, {});
    asked.length = 0;
    await expect(fillAll(memory, { ms: 60_000 }, { signal: stop.signal })).rejects.toThrow();
    expect(asked[0]).toBe("search index");
    expect(80 - (await lackingIn(memory))).toBe(model.seen.flat().length);
    expect(model.seen.length).toBe(2);
  });

  test("is done by the end of a compaction once there is an index, and includes the memories under it", async () => {
    const personal = project({ embedder: embedder() }, { [pathOf(9)]: logOf(9) });
    await prepareIndex(personal.memory, "whole");
    const { memory } = project({
      embedder: embedder(),
      under: async () => [{ name: "personal", memory: personal.memory }],
    });
    await refreshIndex(memory, []);
    expect(await lackingIn(memory)).toBe(0);
    expect((await vectorsIn(memory)).size + (await vectorsIn(personal.memory)).size).toBe(0);
    await prepareIndex(memory, "whole");
    await refreshIndex(memory, []);
    expect([await lackingIn(memory), await lackingIn(personal.memory)]).toEqual([0, 0]);
    expect((await vectorsIn(memory)).size + (await vectorsIn(personal.memory)).size).toBe(90);
  });
});

test("a changed log keeps the vectors of what it still says, wherever it moved", async () => {
  const model = embedder();
  const { memory, write } = project({ embedder: model });
  await runIndex(memory, { embed: true }, {});
  model.seen.length = 0;
  const changed = logOf(3).replace("paid 305 euros", "paid 5 euros");
  write(pathOf(3), `## Before\n- I moved to Porto in May 2025.\n\n${changed}`);
  await runIndex(memory, {}, {});
  expect(await lackingIn(memory)).toBe(2);
  await fillAll(memory, { ms: 60_000 }, {});
  expect(model.seen.flat().toSorted()).toEqual([
    "Before: I moved to Porto in May 2025.",
    "Errand: I paid 5 euros for tickets on day 3.",
  ]);
});

test("a statement is embedded below its heading and with the lines around it, and again when these change", async () => {
  const model = embedder();
  const log = "## 09:14 Trips\n- I flew to Rome in May 2025.\n- My sister Ines paid 90 euros.\n";
  const { memory, write } = project({ embedder: model }, { [pathOf(1)]: log });
  await runIndex(memory, { embed: true }, {});
  const [one, two] = ["I flew to Rome in May 2025.", "My sister Ines paid 90 euros."];
  expect(model.seen.flat()).toEqual([`Trips: ${one}`, `Trips: ${one}\n${two}`, `Trips: ${two}`]);
  model.seen.length = 0;
  write(pathOf(1), log.replace("90", "80"));
  await runIndex(memory, { embed: true }, {});
  expect(model.seen.flat().some((text) => text.includes("90"))).toBe(false);
  expect(model.seen.flat()).toContain(`Trips: ${one}\nMy sister Ines paid 80 euros.`);
});

test("`index --embed` first says what it takes; without an embedder it says how to get one", async () => {
  const notes: (string | undefined)[] = [];
  const { memory } = project({ embedder: embedder() });
  const progress = ({ note }: { readonly note?: string }): void => void notes.push(note);
  expect(await runIndex(memory, { embed: true }, { progress })).toMatchObject({ embedded: 80, not_embedded: 0 });
  expect(notes.filter((note) => note !== undefined)).toEqual([
    expect.stringMatching(
      /^80 statements to embed: about \d+ s \(\d+\.\d ms each\), 0\.0 MB on disk, \d+\.\d MB of memory; Ctrl-C keeps what is done$/u,
    ),
  ]);
  const { memory: without } = project();
  await expect(runIndex(without, { embed: true }, {})).rejects.toMatchObject({
    code: "model_unavailable",
    message: expect.stringMatching(
      /no embedding model is installed; install one: npm install .*heartwood-embedder-minilm\.$/u,
    ),
  });
});

test("after `forget`, no file has the vector of a forgotten statement", async () => {
  const { memory } = project({ embedder: embedder() });
  await runIndex(memory, { embed: true }, {});
  const [kept, gone] = [3, 4].map((at) => Buffer.from(vectorOf(`Errand: ${saidOf(4, at)}`)));
  const bytes = (): readonly Buffer[] => {
    const folder = join(memory.dir, ".heartwood", "search");
    return readdirSync(folder).map((name) => readFileSync(join(folder, name)));
  };
  const has = (vector: Buffer | undefined): boolean =>
    bytes().some((file) => vector !== undefined && file.includes(vector));
  expect([has(kept), has(gone)]).toEqual([true, true]);
  const { code } = (await runForget(memory, { text: "404 euros" }, {})) as { readonly code: string };
  await runForget(memory, { text: "404 euros", code }, {});
  expect(has(gone)).toBe(false);
  await runIndex(memory, { embed: true }, {});
  expect([has(kept), has(gone)]).toEqual([true, false]);
});
