import { describe, expect, test, afterEach } from "vitest";
import { createCatchUp, createTurns } from "../../operations/mcp/turns.ts";
import { parseArguments, Wire } from "./main.ts";
import { PassThrough, Writable } from "node:stream";
import { openTestMemory, type TestMemory } from "../../../test/fixtures/memory.ts";

describe("the arguments of heartwood mcp", () => {
  test("set the folder, the day and the tools", () => {
    expect(parseArguments(["mcp"])).toEqual({ tools: ["memory"], trust: "recorded" });
    expect(parseArguments(["mcp", "--dir", "/p", "--tools", "threads, all", "--today=2026-03-24"])).toEqual({
      dir: "/p",
      today: "2026-03-24",
      tools: ["threads", "all"],
      trust: "recorded",
    });
  });

  test.each([
    ["mcp", "-C", "/p"],
    ["mcp", "-C/p", "--quiet"],
    ["-C", "/p", "mcp"],
    ["--quiet", "--dir=/p", "mcp"],
  ])("set the folder like in every command: %s %s %s %s", (...words) => {
    expect(parseArguments(words.filter((word) => word !== undefined))).toEqual({
      tools: ["memory"],
      trust: "recorded",
      dir: "/p",
    });
  });

  test.each([
    [
      ["mcp", "--tools", "everything"],
      /--tools contains "everything"; pass a comma-separated list of memory, summaries, threads, all/u,
    ],
    [["mcp", "--colour"], /Unknown option '--colour'.*; see `heartwood mcp --help`/u],
    [["mcp", "serve"], /Unexpected argument 'serve'/u],
    [["mcp", "--dir"], /Option '--dir' needs a value/u],
  ])("are refused with a clear message: %j", (words, sentence) => {
    expect(() => parseArguments(words)).toThrow(sentence);
  });
});

/** A client that reads answers only when allowed. */
class Slow extends Writable {
  readonly taken: string[] = [];
  #go: (() => void) | undefined;
  #reads = false;

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.taken.push(chunk.toString("utf8"));
    if (this.#reads) done();
    else this.#go = done;
  }

  read(): void {
    this.#reads = true;
    this.#go?.();
  }
}

const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

describe("the wire", () => {
  test("reads no requests while 8 MiB of answers are unread, and all of them afterwards", async () => {
    const [input, output] = [new PassThrough(), new Slow()];
    const wire = new Wire({ input, output, ended: () => undefined });
    const taken: unknown[] = [];
    wire.onmessage = (message) => {
      taken.push(message);
      void wire.send({ jsonrpc: "2.0", id: taken.length, result: { text: "x".repeat(1024 * 1024) } });
    };
    await wire.start();
    for (let id = 1; id <= 40; id += 1) {
      input.write(`${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/list" })}\n`);
      await later();
    }
    expect(taken.length).toBeGreaterThan(8);
    expect(taken.length).toBeLessThan(12);
    output.read();
    while (taken.length < 40) await later();
    expect(output.taken.length).toBe(40);
  });

  test.each(["its input ends", "its reader is gone", "it is closed", "a frame is too large"])(
    "calls ended once if %s",
    async (why) => {
      const [input, output] = [new PassThrough(), new PassThrough()];
      let ended = 0;
      const wire = new Wire({ input, output, ended: () => void (ended += 1) });
      await wire.start();
      if (why === "its input ends") input.end();
      else if (why === "its reader is gone") output.destroy(new Error("write EPIPE"));
      else if (why === "it is closed") await wire.close();
      else input.write("x".repeat(11 * 1024 * 1024));
      await later();
      await wire.close();
      expect(ended).toBe(1);
      expect(input.listenerCount("data")).toBe(0);
    },
  );
});

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
