import { describe, expect, test, afterEach } from "vitest";
import { createTurns, createCatchUp } from "./turns.ts";
import { openTestMemory, type TestMemory } from "../../../test/fixtures/memory.ts";

describe("calls in turn", () => {
  test("run one at a time in order, even if earlier ones fail", async () => {
    const inTurn = createTurns();
    const seen: string[] = [];
    const work = (name: string, ms: number, fate: "ends" | "fails") => async () => {
      seen.push(`${name} begins`);
      await new Promise((resolve) => setTimeout(resolve, ms));
      seen.push(`${name} ${fate}`);
      if (fate === "fails") throw new Error(name);
      return name;
    };
    const all = await Promise.allSettled([
      inTurn(work("a", 20, "fails")),
      inTurn(work("b", 1, "ends")),
      inTurn(work("c", 5, "ends")),
    ]);
    expect(all.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
    expect(seen).toEqual(["a begins", "a fails", "b begins", "b ends", "c begins", "c ends"]);
  });
});

const opened: TestMemory[] = [];
afterEach(async () => {
  for (const { memory } of opened.splice(0)) await memory.close();
});

function behind(days: number): TestMemory {
  const text = "- the words of a long day went on and on, and somebody counted them\n".repeat(3000);
  const paths = Array.from({ length: days }, (_, index) => `memory/2026-01-${String(index + 1).padStart(2, "0")}.md`);
  const memory = openTestMemory({ disk: "folder", files: Object.fromEntries(paths.map((path) => [path, text])) });
  opened.push(memory);
  return memory;
}

interface Turn {
  readonly not_indexed: number;
}

/** Indexes in slices and records how much is left after each. */
function noted({ memory }: TestMemory, fail: "never" | "always" = "never") {
  const left: number[] = [];
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (fail === "always") {
      left.push(-1);
      throw new Error("no index");
    }
    const result = await work();
    left.push((result as Turn).not_indexed);
    return result;
  };
  return { work: { memory: async () => memory, inTurn }, left };
}

describe("an outdated index", () => {
  test("is updated in slices, only once for several requests", async () => {
    const { work, left } = noted(behind(12));
    const catchUp = createCatchUp(work);
    await Promise.all(Array.from({ length: 5 }, catchUp));
    expect(left.length).toBeGreaterThan(1);
    expect(left.at(-1)).toBe(0);
    expect(left).toEqual(left.toSorted((a, b) => b - a));
    const slices = left.length;
    await catchUp();
    expect(left.length).toBe(slices + 1);
  });

  test("is not retried after a failure until the next request", async () => {
    const { work, left } = noted(behind(1), "always");
    const catchUp = createCatchUp(work);
    await catchUp();
    expect(left.length).toBe(1);
    await catchUp();
    expect(left.length).toBe(2);
  });
});
