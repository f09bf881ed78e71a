import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { unifiedDiff } from "./unified-diff.ts";

/** The text after a diff was applied to the one before, by what `patch` does. */
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
  test("leads from the one text to the other", () => {
    const text = fc
      .tuple(fc.array(fc.constantFrom("a", "b", "c", "", "d\r")), fc.boolean())
      .map(([lines, end]) => lines.join("\n") + (end && lines.length > 0 ? "\n" : ""))
      // A line that has no line end on both sides is shown as gone and come.
      .map((all) => (all === "" || all.endsWith("\n") ? all : `${all}\n`));
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(patched(before, unifiedDiff("f", before, after) || "\n\n")).toBe(after);
      }),
      { numRuns: 500 },
    );
  });

  test("shows three lines around a change, and a line end that is missing", () => {
    const before = ["1", "2", "3", "4", "5", "6"].join("\n");
    expect(unifiedDiff("f", before, `${before}\n`)).toBe(
      "--- f\n+++ f\n@@ -3,4 +3,4 @@\n 3\n 4\n 5\n-6\n\\ No newline at end of file\n+6\n",
    );
    expect(unifiedDiff("f", undefined, "a\n")).toBe("--- /dev/null\n+++ f\n@@ -0,0 +1,1 @@\n+a\n");
    expect(unifiedDiff("f", "a\n", undefined)).toBe("--- f\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n");
    expect(unifiedDiff("f", "a", "a")).toBe("");
  });
});
