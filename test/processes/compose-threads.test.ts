import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startWorker, type Worker } from "../../src/platform/program.ts";
import type { CompactResult } from "../../src/tree/run/idle.ts";
import { openTestMemory } from "../fixtures/memory.ts";
import { compact, logOf, rawFiles } from "../situations/scenario.ts";

/** `npm run test:all` builds it first. */
const program = join(import.meta.dirname, "../../dist/program.cjs");

const days = Array.from({ length: 120 }, (_, at) => new Date(Date.UTC(2025, 10, 1 + at)).toISOString().slice(0, 10));

/** A secret is known from one day and occurs alone in others, and one log is not a file. */
const start = {
  ...rawFiles(
    Object.fromEntries(
      days.map((day, at) => {
        const lines = Array.from({ length: at % 3 === 0 ? 400 : 40 }, (_, line) => `- part ${at}.${line} of the kiln`);
        const key = at === 30 ? "- password: Tr0ub4dor&3xQ9" : `- seen today: Tr0ub4dor&3xQ9 in room ${at}`;
        return [
          day,
          logOf(day, [`Kiln ${at % 5} [project]`, ...lines, key], ["Glaze [user]", `- I prefer glaze ${at}`]),
        ];
      }),
    ),
  ),
  "memory/2026-03-14.md/inside.txt": "a folder\n",
};

interface Built {
  readonly files: ReadonlyMap<string, string | undefined>;
  readonly result: CompactResult;
}

async function built(
  most: number,
  begin: (dir: string) => Worker = (dir) =>
    startWorker(program, { surface: "worker", start: "main", given: dir, heap: 256 }),
  initial: Readonly<Record<string, string>> = start,
): Promise<Built> {
  const tree = openTestMemory({ files: initial, disk: "folder" });
  const { files, dir } = tree.memory;
  const workers = { files, most, leastBytes: 0, start: () => begin(dir) };
  const result = { ...(await compact({ ...tree, memory: { ...tree.memory, workers } })), duration_ms: 0 };
  const made = tree.list().filter((path) => path.startsWith("memory/") && !path.endsWith("state.json"));
  return { files: new Map(made.map((path) => [path, tree.read(path)])), result };
}

describe("other threads compose nodes", () => {
  it("any number of them gives the same files and the same result", async () => {
    const alone = await built(0);
    expect(alone.result.written.length).toBeGreaterThan(45);
    expect(alone.result.skipped).toHaveLength(1);
    const nodes = [...alone.files].filter(([path]) => !/^memory\/\d/.test(path));
    expect(nodes.map(([, text]) => text).join("\n")).not.toContain("Tr0ub4dor");
    let asked = 0;
    const counted = (dir: string): Worker => {
      const worker = startWorker(program, { surface: "worker", start: "main", given: dir, heap: 256 });
      return { ...worker, ask: async (job) => ((asked += 1), worker.ask(job)) };
    };
    for (const most of [1, 2, 4]) expect(await built(most, counted), `${most} threads`).toEqual(alone);
    expect(asked).toBeGreaterThan(60);
  });

  it("the steps of a thread that dies are done by the others", async () => {
    const alone = await built(0);
    let left = 20;
    const dying = (dir: string): Worker => {
      const worker = startWorker(program, { surface: "worker", start: "main", given: dir, heap: 256 });
      const ask: Worker["ask"] = async (job) => {
        const answer = worker.ask(job);
        if (--left === 0) await worker.end();
        return answer;
      };
      return { ...worker, ask };
    };
    expect(await built(1, dying)).toEqual(alone);
    expect(left).toBeLessThan(0);
  });

  it("a thread that cannot load the program is done without", async () => {
    const missing = (dir: string): Worker =>
      startWorker(join(dir, "program.cjs"), { surface: "worker", start: "main", given: dir, heap: 256 });
    expect(await built(2, missing)).toEqual(await built(0));
  });

  it("they leave out secrets that only a node of another program announces, and those found before they started", async () => {
    const many = Array.from({ length: 330 }, (_, at) => new Date(Date.UTC(2025, 3, 1 + at)).toISOString().slice(0, 10));
    const texts = many.map((day, at) => {
      const lines = Array.from({ length: 30 }, (_, line) => `- part ${at}.${line} of the kiln`);
      return [day, logOf(day, ["Kiln [project]", ...lines, "- seen today: Xk9qLm27TzW4 and pW83hdKq02Lm"])] as const;
    });
    const initial = {
      ...rawFiles(Object.fromEntries(texts)),
      "memory/2025-04-01.md": logOf("2025-04-01", ["Door [project]", "- password: pW83hdKq02Lm"]),
      "memory/monthly/2025-05.md": "# May\n\n- password: Xk9qLm27TzW4\n",
      // The first batch has a step that only this thread may do.
      "memory/daily/2026-02-20.md": "# A day\n\n- by hand\n",
    };
    const alone = await built(0, undefined, initial);
    const shared = await built(2, undefined, initial);
    expect(shared).toEqual(alone);
    const days = [...shared.files].filter(([path]) => path.startsWith("memory/daily/"));
    expect(days.filter(([, text]) => /Xk9qLm27TzW4|pW83hdKq02Lm/.test(text ?? ""))).toEqual([]);
  });
});
