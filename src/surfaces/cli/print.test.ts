import { expect, test } from "vitest";
import { printResult, printStream, createProgressLine } from "./print.ts";
import type { Sink } from "./terminal.ts";
import { createFakeTerminal } from "../../../test/fixtures/fake-terminal.ts";

async function* linesOf(...lines: readonly string[]): AsyncGenerator<string, void, void> {
  yield* lines;
}

test("prints each line with an LF, and nothing for an empty stream", async () => {
  const terminal = createFakeTerminal();
  await printStream(linesOf("a", "", "漢字"), terminal);
  expect(terminal.out()).toBe("a\n\n漢字\n");
  await printStream(linesOf(), terminal);
  expect(terminal.out()).toBe("a\n\n漢字\n");
});

test("replays one text exactly in a pipe, and visibly on a terminal; without a number, each has a title", async () => {
  const text = "<<<ab Memory\u200b of this project.\n- é";
  const one = { number: 1, at: "2026-03-15T09:00:00.000Z", event: "prompt", source: "", tokens: 9, text };
  const common = { output: "text", chatter: "normal" } as const;
  const printed = async (kind: "pipe" | "terminal", input: object): Promise<string> => {
    const terminal = createFakeTerminal({ look: { kind } });
    const operation = { name: "sessions.replay", effect: "reads" } as const;
    const result = { session: "s", texts: [one] };
    await printResult({ operation, input: { ...input }, result, outcome: "done", common, terminal });
    return terminal.out();
  };
  expect(await printed("pipe", { number: 1 })).toBe(text);
  expect(await printed("terminal", { number: 1 })).toBe("<<<ab Memory\\u{200b} of this project.\n- é\n");
  expect(await printed("pipe", {})).toBe(
    "--- 1: 2026-03-15T09:00:00.000Z prompt, 9 tokens ---\n<<<ab Memory\\u{200b} of this project.\n- é\n",
  );
});

test("escapes hidden characters on a terminal and prints lines unchanged in a pipe", async () => {
  const line = '{"content":"\u009b31m\u202e"}';
  const pipe = createFakeTerminal();
  await printStream(linesOf(line), pipe);
  expect(pipe.out()).toBe(`${line}\n`);
  const terminal = createFakeTerminal({ look: { kind: "terminal" } });
  await printStream(linesOf(line), terminal);
  expect(terminal.out()).toBe('{"content":"\\u009b31m\\u202e"}\n');
});

test("prints an available line while waiting for the next", async () => {
  const terminal = createFakeTerminal();
  let release: () => void = () => undefined;
  const later = new Promise<void>((resolve) => (release = resolve));
  async function* slow(): AsyncGenerator<string, void, void> {
    yield "first";
    await later;
    yield "second";
  }
  const printing = printStream(slow(), terminal);
  await new Promise((done) => setTimeout(done, 20));
  expect(terminal.out()).toBe("first\n");
  release();
  await printing;
  expect(terminal.out()).toBe("first\nsecond\n");
});

test("does not read ahead of a slow reader", async () => {
  let asked = 0;
  async function* endless(): AsyncGenerator<string, void, void> {
    for (; asked < 1_000_000; asked += 1) yield "x".repeat(1_000);
  }
  const stuck: Sink = {
    write: () => undefined,
    drained: () => new Promise(() => undefined),
    look: () => ({ kind: "pipe", colours: "off", columns: 80 }),
  };
  void printStream(endless(), { stdout: stuck });
  await new Promise((done) => setTimeout(done, 20));
  expect(asked).toBeLessThan(100);
});

test("prints the lines before a failure", async () => {
  const terminal = createFakeTerminal();
  async function* failing(): AsyncGenerator<string, void, void> {
    yield "a";
    throw new Error("the disk is gone");
  }
  await expect(printStream(failing(), terminal)).rejects.toThrow("the disk is gone");
  expect(terminal.out()).toBe("a\n");
});

function progressAt(moments: readonly number[], kind: "terminal" | "pipe" = "terminal"): string {
  let now = 0;
  const terminal = createFakeTerminal({ elapsedMs: () => now, look: { kind } });
  const progress = createProgressLine(terminal);
  moments.forEach((moment, index) => {
    now = moment;
    progress.listener({ phase: "daily", done: index, total: 9 });
  });
  progress.clear();
  return terminal.err();
}

test("shows nothing for work under a second", () => {
  expect(progressAt([10, 500, 999])).toBe("");
});

test("shows the line after a second, updates it at most ten times a second and clears it at the end", () => {
  expect(progressAt([1_001, 1_050, 1_200])).toBe("\r\u001B[2Kdaily 0/9, 1 s\r\u001B[2Kdaily 2/9, 1 s\r\u001B[2K");
});

test("never shows the line in a pipe", () => {
  expect(progressAt([1_001, 5_000, 60_000], "pipe")).toBe("");
});
