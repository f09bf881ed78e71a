import fc from "fast-check";
import { Buffer } from "node:buffer";
import { describe, expect, test } from "vitest";
import { splitLines, unifiedDiff } from "./lines.ts";

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
    ["the start, if it is one run", "k".repeat(90_000), ""],
  ])("without a space near its end, ends at %s, and no half of a secret remains", (_, line, beginning) => {
    expect(beginningOf(line)).toBe(beginning);
  });

  test("without ASCII ends between two letters", () => {
    const text = beginningOf("覚".repeat(40_000));
    expect(text).toBe("覚".repeat(text.length));
    expect(text.length).toBeGreaterThan(18_000);
  });
});

/** Applies a diff to a text, as `patch` does. */
function patched(before: string, diff: string): string {
  const lines = linesOf(before);
  const made: string[] = [];
  let from = 0;
  for (const row of diff.split("\n").slice(2)) {
    const hunk = /^@@ -(\d+),(\d+) /u.exec(row);
    if (hunk !== null) {
      const start = Number(hunk[1]) - (hunk[2] === "0" ? 0 : 1);
      made.push(...lines.slice(from, start));
      from = start;
    } else if (row.startsWith("\\")) made.push((made.pop() ?? "").replace(/\n$/u, ""));
    else if (row.startsWith(" ")) made.push(lines[from++] ?? "");
    else if (row.startsWith("-")) from += 1;
    else if (row.startsWith("+")) made.push(`${row.slice(1)}\n`);
  }
  return [...made, ...lines.slice(from)].join("");
}

function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/gu) ?? [];
}

describe("a unified diff", () => {
  test("turns one text into the other", () => {
    const text = fc
      .tuple(fc.array(fc.constantFrom("a", "b", "c", "", "d\r")), fc.boolean())
      .map(([lines, end]) => lines.join("\n") + (end && lines.length > 0 ? "\n" : ""))
      .map((all) => (all === "" || all.endsWith("\n") ? all : `${all}\n`));
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(patched(before, unifiedDiff("f", before, after) || "\n\n")).toBe(after);
      }),
      { numRuns: 500 },
    );
  });

  test("shows three context lines and marks a missing final line break", () => {
    const before = ["1", "2", "3", "4", "5", "6"].join("\n");
    expect(unifiedDiff("f", before, `${before}\n`)).toBe(
      "--- f\n+++ f\n@@ -3,4 +3,4 @@\n 3\n 4\n 5\n-6\n\\ No newline at end of file\n+6\n",
    );
    expect(unifiedDiff("f", undefined, "a\n")).toBe("--- /dev/null\n+++ f\n@@ -0,0 +1,1 @@\n+a\n");
    expect(unifiedDiff("f", "a\n", undefined)).toBe("--- f\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n");
    expect(unifiedDiff("f", "a", "a")).toBe("");
  });
});
