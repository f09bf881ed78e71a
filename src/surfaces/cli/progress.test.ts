import { expect, test } from "vitest";
import { createFakeTerminal } from "../../../test/fixtures/fake-terminal.ts";
import { createProgressLine } from "./progress.ts";

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

test("work under a second shows nothing", () => {
  expect(progressAt([10, 500, 999])).toBe("");
});

test("after a second the line is shown, ten times a second at most, and wiped at the end", () => {
  expect(progressAt([1_001, 1_050, 1_200])).toBe("\r\u001B[2Kdaily 0/9, 1 s\r\u001B[2Kdaily 2/9, 1 s\r\u001B[2K");
});

test("in a pipe nothing is ever shown", () => {
  expect(progressAt([1_001, 5_000, 60_000], "pipe")).toBe("");
});
