import { Buffer } from "node:buffer";
import { describe, expect, test } from "vitest";
import { splitLines } from "./lines.ts";

function beginningOf(line: string): string {
  return splitLines(Buffer.from(line)).map(({ text }) => text)[0] ?? "";
}

describe("a line longer than 64 KiB", () => {
  test("ends at a space", () => {
    const text = beginningOf(`${"word ".repeat(20_000)}`);
    expect(text.length).toBeGreaterThan(60_000);
    expect(text.endsWith("word")).toBe(true);
  });

  test.each([
    ["a comma", `${"ab,".repeat(16_000)}sk-${"x".repeat(40_000)}`, `${"ab,".repeat(16_000)}`],
    ["a quote", `{"text":"${"y".repeat(90_000)}"}`, '{"text":"'],
    ["a letter of Han", `${"忘".repeat(18_000)}token=${"z".repeat(40_000)}`, "忘".repeat(18_000)],
    ["nothing, when it is all one", "k".repeat(90_000), ""],
  ])("without a space near its end, at %s: what is left holds no half of a secret", (_, line, beginning) => {
    expect(beginningOf(line)).toBe(beginning);
  });

  test("without any sign of ASCII ends between two letters", () => {
    const text = beginningOf("覚".repeat(40_000));
    expect(text).toBe("覚".repeat(text.length));
    expect(text.length).toBeGreaterThan(18_000);
  });
});
