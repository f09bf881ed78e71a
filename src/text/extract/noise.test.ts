import { describe, expect, it } from "vitest";
import { scanLines } from "../../base/markdown.ts";
import type { SourceLine } from "../../base/passage.ts";
import { isEphemeral, withoutNoise, wordForWord } from "./noise.ts";
import { lawRuns } from "../../../test/fixtures/law-runs.ts";
import { processorTime } from "../../../test/fixtures/processor-time.ts";

import fc from "fast-check";

function sourceLines(lines: readonly string[]): readonly SourceLine[] {
  const { lines: scanned } = scanLines(lines);
  return lines.map((text, index) => ({ number: index + 1, text, kind: scanned[index]?.kind ?? "text" }));
}

const keptOf = (...lines: readonly string[]): readonly string[] =>
  withoutNoise(sourceLines(lines)).flatMap((line) => (line.text.trim() === "" ? [] : [line.text]));

describe("stack traces", () => {
  it("do not include lines that only begin with `at`", () => {
    const lines = [
      "- decisions: freeze deploys",
      "  at 17:30",
      "at the eu-west gateway (the old one)",
      "at 17:30:05",
      "Error budget: spent",
      "at the office (Berlin)",
    ];
    expect(keptOf(...lines)).toEqual(lines);
  });

  it.each([
    ["a frame after an error", "TypeError: x of undefined", "    at pay (src/a.ts:12:7)", "    at src/main.ts:3:1"],
    [
      "a frame without a location",
      "Error: x",
      "    at new Promise (<anonymous>)",
      "    at async f (file:///a.mjs:1:2)",
    ],
    [
      "Java",
      "java.lang.IllegalStateException: x",
      "\tat a.b.C.m(C.java:12)",
      "\tat a.b.D.<init>(D.java:2)",
      "\t... 3 more",
    ],
    [
      "a cause",
      "a.RunException: y",
      "\tat a.b.C.m(C.java:12)",
      "Caused by: b.IoException: x",
      "\tat a.b.C.n(C.java:1)",
    ],
    [
      "Python",
      "Traceback (most recent call last):",
      '  File "a.py", line 3, in f',
      "    g(1)",
      "    ^^^^",
      "ValueError: x",
    ],
    ["C#", "System.InvalidOperationException: x", "   at A.B.C(String s) in C:\\p\\f.cs:line 12"],
  ])("are replaced by their error: %s", (_, ...lines) => {
    const error = lines.findLast((line) => /(?:Error|Exception): /u.test(line)) ?? "";
    expect(keptOf("- a", ...lines, "- b", "    - c")).toEqual(["- a", `- ${error}`, "- b", "    - c"]);
  });

  it("made only of frames are dropped if there are at least two unmistakable frames", () => {
    expect(keptOf("- a", "    at pay (src/a.ts:12:7)", "    at src/main.ts:3:1", "  at 17:30")).toEqual([
      "- a",
      "  at 17:30",
    ]);
    expect(keptOf("- a", "  at pay (src/a.ts:12:7)", "  b")).toEqual(["- a", "  at pay (src/a.ts:12:7)", "  b"]);
  });

  it("in Go become one line", () => {
    const trace = [
      "panic: runtime error: index out of range",
      "[signal SIGSEGV: segmentation violation]",
      "",
      "goroutine 1 [running]:",
      "main.(*T).f(0x1, {0x2, 0x3})",
      "\t/app/x.go:12 +0x1d",
      "created by main.main in goroutine 1",
      "\t/app/y.go:3 +0x2",
      "",
      "goroutine 7 [chan receive]:",
      "main.g(...)",
      "\t/app/x.go:9",
      "exit status 2",
    ];
    expect(keptOf("- a", ...trace, "", "- b")).toEqual(["- a", "- panic: runtime error: index out of range", "- b"]);
    expect(keptOf("goroutine 1 [running]:", "main.f(0x1)", "\t/app/x.go:12 +0x1d", "prose")).toEqual(["prose"]);
    expect(keptOf("goroutine pools are out", "panic: the demo is tomorrow")).toHaveLength(2);
  });

  it("in Rust become one line", () => {
    const frames = [
      "stack backtrace:",
      "   0: rust_begin_unwind",
      "             at /rustc/a/lib.rs:5:5",
      "   1: app::f",
      "note: some details are omitted",
    ];
    expect(keptOf("thread 'main' panicked at src/main.rs:1:2:", "index 9 of 3", ...frames, "- b")).toEqual([
      "- thread 'main' panicked at src/main.rs:1:2: index 9 of 3",
      "- b",
    ]);
    expect(keptOf("thread 'main' panicked at 'index 9', src/main.rs:1:2", ...frames, "- b")).toEqual([
      "- thread 'main' panicked at 'index 9', src/main.rs:1:2",
      "- b",
    ]);
  });
});

describe("diffs and logs", () => {
  const rest = ["- decisions: keep strict mode on", "- status: shipped", "+ a third item"];
  const files = ["--- a/src/p.ts", "+++ b/src/p.ts"];

  it("end where their hunk ends", () => {
    expect(keptOf(...files, "@@ -1,2 +1,2 @@", " c", "-a", "+b", ...rest)).toEqual(rest);
    expect(
      keptOf(
        ...files,
        "@@ -1 +1 @@",
        "-a",
        "\\ No newline at end of file",
        "+b",
        "\\ No newline at end of file",
        ...rest,
      ),
    ).toEqual(rest);
    expect(keptOf(...files, "@@ -1,3 +1,3 @@", " c", "", "-a", "+b", "@@ -9 +9 @@ f", "-- a", "+- b", ...rest)).toEqual(
      rest,
    );
  });

  it("end before a list if their hunk is truncated or has no header", () => {
    expect(
      keptOf(
        "diff --git a/x b/x",
        "index 0123456..789abcd 100644",
        ...files,
        "@@ -1,9 +1,9 @@",
        "-a",
        "+b",
        "",
        ...rest,
      ),
    ).toEqual(rest);
    expect(keptOf(...files, " c", "-a", "+b", ...rest)).toEqual(rest);
    expect(keptOf("index 1234567 of shares", ...rest)).toEqual(["index 1234567 of shares", ...rest]);
  });

  it("include the diffstat", () => {
    const log = [
      "commit 0123456789abcdef",
      "Author: Anna",
      "Date:   today",
      "",
      "    message",
      "",
      " src/p.ts | 2 +-",
      " a.png    | Bin 0 -> 10 bytes",
      " 2 files changed, 1 insertion(+), 1 deletion(-)",
      " create mode 100644 a.png",
    ];
    expect(keptOf(...log, ...rest)).toEqual(["- commit 0123456789ab", ...rest]);
  });
});

describe("fenced code in lists", () => {
  it("is dropped, and the text after it stays", () => {
    expect(keptOf("- fix:", "    ```ts", "    const secret = 1;", "    ```", "- b")).toEqual(["- fix:", "- b"]);
    expect(keptOf("- ```sh", "  make X", "  ```", "- decisions: ship", "prose")).toEqual([
      "- decisions: ship",
      "prose",
    ]);
  });
});

describe("adversarial lines", () => {
  it.each([
    ["one frame", [`at ${"x ( 1:1 in a:line ".repeat(20_000)}`]],
    ["one error", ["Error.".repeat(50_000), "at x"]],
    ["half frames", Array.from({ length: 100_000 }, () => "at <anonymous>")],
    ["a diff without hunks", ["--- a/x", ...Array.from({ length: 100_000 }, () => " context")]],
    ["a diffstat", ["commit 0123456", ` ${"| 1 ".repeat(50_000)}`]],
  ])("are read in linear time: %s", (_, lines) => {
    expect(processorTime(2_000, () => keptOf(...lines))).toBeLessThan(2_000);
  });
});

describe("the line that says what an entry corrects", () => {
  it("is heartwood's own, unless somebody wrote something like it", () => {
    expect(keptOf("- corrects: memory/2026-03-20.md:18-19", "- twelve customers")).toEqual(["- twelve customers"]);
    expect(keptOf("- corrects: thread:release-4:5", "- step 6 is first")).toEqual(["- step 6 is first"]);
    const written = ["- corrects: the figure of yesterday", "- the linter corrects: memory/notes.md"];
    expect(keptOf(...written)).toEqual(written);
  });
});

describe("any mixture of lines", () => {
  it("keeps its order, and uses each line at most once", () => {
    const line = fc.constantFrom(
      "diff --git a/x b/x",
      "index 0123456..",
      "index 0123456..789abcd",
      "--- a/x",
      "+++ b/x",
      "@@ -1,2 +1 @@",
      "@@ -1",
      "-a",
      "+b",
      " c",
      "",
      "- item",
      "    - deep",
      "commit 0123456",
      " x | 2 +-",
      "panic: x",
      "goroutine 1 [running]:",
      "main.f(0x1)",
      "\t/a/x.go:1",
      "Error: x",
      "  at f (a.js:1:2)",
      "at 17:30",
      "Traceback (most recent call last):",
      '  File "a.py", line 3',
      "thread 'main' panicked at a.rs:1:2:",
      "stack backtrace:",
      "   0: f",
      "```",
      "    ```",
      "- ```sh",
      "~~~",
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
        const kept = withoutNoise(sourceLines(lines));
        kept.forEach(({ number, to }, index) => {
          expect(number).toBeGreaterThan(kept[index - 1]?.to ?? 0);
          expect(to).toBeGreaterThanOrEqual(number);
          expect(to).toBeLessThanOrEqual(lines.length);
        });
      }),
      { numRuns: lawRuns(2_000), seed: 20_260_315 },
    );
  });
});

it("table rows become list items; the table head and rule are dropped", () => {
  expect(keptOf("| part | before |", "|---|---:|", "| seal | 12 ms |", "| pump | 9 ms |")).toEqual([
    "- seal – 12 ms",
    "- pump – 9 ms",
  ]);
  expect(keptOf("a | b", "|x| is absolute")).toEqual(["a | b", "|x| is absolute"]);
});

describe("word-for-word lines", () => {
  it("are all lines except comments and blank lines outside fences", () => {
    const lines = [
      "at Example GmbH",
      "",
      "├── a",
      "<!-- hw id=x -->",
      "<!-- mine -->",
      "```",
      "<!-- html -->",
      "",
      "x",
      "```",
    ];
    expect(wordForWord(sourceLines(lines)).map((line) => line.number)).toEqual([1, 3, 6, 7, 8, 9, 10]);
  });
});

describe("ephemeral markers", () => {
  it.each([
    "임시 설정",
    "임시로 켬",
    "임시입니다",
    "테스트 중",
    "테스트 중입니다",
    "테스트 중인 것",
    "나중에 삭제",
    "나중에 삭제할 것",
    "나중에 삭제 예정",
    "(임시)",
    "a Test Run of it",
    "(test run) of the pump",
    "the flag is temporary.",
  ])("are recognized: %s", (text) => {
    expect(isEphemeral(text)).toBe(true);
  });

  it.each([
    "테스트 중단",
    "테스트 중복",
    "임시총회",
    "임시직 채용",
    "비임시",
    "contemporary",
    "test runner",
    "uses a temporary table",
    "rotor replaced, test run of 20 minutes without error",
  ])("are not recognized: %s", (text) => {
    expect(isEphemeral(text)).toBe(false);
  });
});
