import { describe, expect, it } from "vitest";
import { openTestMemory } from "../fixtures/memory.ts";
import {
  bodyAt,
  compact,
  expectSound,
  filesOf,
  keyAt,
  logOf,
  longLog,
  rawFiles,
  rootSection,
  textAt,
} from "./scenario.ts";

const [daily, week, month] = ["memory/daily/2026-03-15.md", "memory/weekly/2026-W11.md", "memory/monthly/2026-03.md"];

function linesOf(text: string): number {
  return text.split("\n").length - 1;
}

describe("bytes and lines", () => {
  it("threshold-200: 200 lines with a final line end are copied word for word, 201 are summarised", async () => {
    for (const [lines, rule] of [
      [200, "copy-1"],
      [201, "built-in-4"],
    ] as const) {
      const raw = longLog("2026-03-15", "Import", lines);
      expect(linesOf(raw)).toBe(lines);
      const tree = openTestMemory({ files: rawFiles({ "2026-03-15": raw }) });
      await compact(tree);
      expect(keyAt(tree, daily, "made-by")).toBe(rule);
      if (rule === "copy-1") expect(bodyAt(tree, daily)).toBe(raw);
      else expect(bodyAt(tree, daily)).toMatch(/^## Topics\n- Import \[project\]: /u);
      expect(linesOf(bodyAt(tree, daily))).toBeLessThanOrEqual(200);
      await expectSound(tree);
    }
  });

  it("threshold-200: dailies of 300 lines together are concatenated, 301 are summarised", async () => {
    for (const [more, rule] of [
      [150, "concat-1"],
      [151, "built-in-4"],
    ] as const) {
      const days = {
        "2026-03-14": longLog("2026-03-14", "Export", 150),
        "2026-03-15": longLog("2026-03-15", "Import", more),
      };
      const tree = openTestMemory({ files: rawFiles(days) });
      await compact(tree);
      expect(keyAt(tree, week, "made-by")).toBe(rule);
      if (rule === "concat-1")
        expect(bodyAt(tree, week)).toBe(`# 2026-03-14\n\n${days["2026-03-14"]}\n# 2026-03-15\n\n${days["2026-03-15"]}`);
      else expect(bodyAt(tree, week)).toMatch(/^# Weekly Summary: 2026-W11\n/u);
      await expectSound(tree);
    }
  });

  it("threshold-200: weeklies of 500 lines together are concatenated, 501 are summarised", async () => {
    for (const [last, rule] of [
      [123, "concat-1"],
      [124, "built-in-4"],
    ] as const) {
      const lines = { "2026-03-02": 123, "2026-03-03": 122, "2026-03-09": 122, "2026-03-10": last };
      const tree = openTestMemory({
        files: rawFiles(
          Object.fromEntries(Object.entries(lines).map(([day, count]) => [day, longLog(day, `Part ${day}`, count)])),
        ),
      });
      await compact(tree);
      const weeks = ["memory/weekly/2026-W10.md", week].map((path) => bodyAt(tree, path));
      expect(linesOf(weeks.join(""))).toBe(rule === "concat-1" ? 500 : 501);
      expect(keyAt(tree, month, "made-by")).toBe(rule);
      if (rule === "concat-1") expect(bodyAt(tree, month)).toBe(`# 2026-W10\n\n${weeks[0]}\n# 2026-W11\n\n${weeks[1]}`);
      await expectSound(tree);
    }
  });

  it("one-long-line: a line of 1 MB is not copied to the month; every level is bounded in bytes", async () => {
    const line = `- decisions: ${"lorem ipsum dolor ".repeat(58_300)}`;
    expect(line.length).toBeGreaterThan(1024 * 1024);
    const raw = logOf("2026-03-15", ["Import", line, "- outcome: shipped"]);
    const tree = openTestMemory({ files: rawFiles({ "2026-03-15": raw }) });
    await compact(tree);
    for (const [path, kib] of [
      [daily, 16],
      [week, 24],
      [month, 40],
      ["memory/ROOT.md", 25],
    ] as const) {
      expect(Buffer.byteLength(bodyAt(tree, path))).toBeLessThanOrEqual(kib * 1024);
      expect(bodyAt(tree, path)).toContain("lorem ipsum");
      expect(
        Math.max(
          ...bodyAt(tree, path)
            .split("\n")
            .map((text) => text.length),
        ),
      ).toBeLessThan(1000);
    }
    expect(bodyAt(tree, month)).toContain("shipped");
    expect(textAt(tree, "memory/2026-03-15.md")).toBe(raw);
    await expectSound(tree);
  });

  it("not-utf8: invalid UTF-8 is reported with its place, the other lines are used, and nothing becomes U+FFFD", async () => {
    const bytes = Buffer.concat([
      Buffer.from("# 2026-03-15\n\n## Café\n- good one\n- bad "),
      Buffer.from([0xff, 0xc3, 0x28]),
      Buffer.from(" bytes\n- good two ü\n"),
    ]);
    const tree = openTestMemory({ files: { "memory/2026-03-15.md": bytes } });
    const { warnings } = await compact(tree);
    expect(warnings.map(({ code, path, line }) => [code, path, line])).toEqual([
      ["not_utf8", "memory/2026-03-15.md", 5],
    ]);
    expect(warnings[0]?.message).toContain("line 5 of memory/2026-03-15.md");
    expect(bodyAt(tree, daily)).toBe("# 2026-03-15\n\n## Café\n- good one\n\n- good two ü\n");
    for (const [path, text] of filesOf(tree))
      if (path !== "memory/2026-03-15.md") expect(text, path).not.toContain("\uFFFD");
    expect(rootSection(tree, "Topics Index").join("\n")).toContain("- Café [project, 0d]");
    await expectSound(tree);
  });

  it("crlf-bom: a log with BOM and CRLF keeps its text, and its nodes have LF only and no BOM", async () => {
    const text = "# 2026-03-15\r\n\r\n## Auth [user]\r\n- tokens\r\n- mixed\n- last without end";
    const tree = openTestMemory({ files: { "memory/2026-03-15.md": `\uFEFF${text}` } });
    const raw = textAt(tree, "memory/2026-03-15.md");
    await compact(tree);
    expect(textAt(tree, "memory/2026-03-15.md")).toBe(raw);
    expect(bodyAt(tree, daily)).toBe(`${text.replaceAll("\r\n", "\n")}\n`);
    for (const path of [daily, week, month, "memory/ROOT.md"]) {
      expect(textAt(tree, path)).not.toMatch(/\r|\uFEFF/u);
      expect(textAt(tree, path).endsWith("\n")).toBe(true);
    }
    expect(keyAt(tree, daily, "topics")).toBe("Auth [user]");
    await expectSound(tree);
  });

  it("exclusions: a summary leaves out fences, traces, diffs and ephemeral items, and keeps the rest and the feedback", async () => {
    const noise = [
      "```ts src/pay/limit.ts:10-20",
      "const SECRET_CODE = limit(1);",
      "```",
      "TypeError: cannot read limit of undefined",
      "    at pay (src/pay/limit.ts:12:7)",
      "    at main (src/main.ts:3:1)",
      "",
      "diff --git a/x.ts b/x.ts",
      "--- a/x.ts",
      "+++ b/x.ts",
      "@@ -1,2 +1,2 @@",
      "-old_diff_line",
      "+new_diff_line",
      "",
      "commit 0123456789abcdef0123456789abcdef01234567",
      "Author: Anna",
      "Date:   today",
      "",
      "    commit_message_words",
      "",
      "├── tree_of_files.ts",
      "└── other_tree.ts",
      "",
    ];
    const kept = [
      "- decisions: token bucket, bursts must pass",
      "- outcome: limiter shipped",
      "- lesson: contemporary clocks drift",
    ];
    const gone = [
      "- temporary switch of the flag_a",
      "- a Test Run of flag_b",
      "- flag_c, delete later",
      "- 임시 설정 flag_d",
      "- flag_e 테스트 중",
      "- flag_f 나중에 삭제",
    ];
    const filler = ["```", ...Array.from({ length: 200 }, (_, index) => `fenced_output ${index}`), "```"];
    const raw = logOf(
      "2026-03-15",
      ["Payments [project]", ...noise, ...kept, ...gone, ...filler],
      ["Test run of the importer", "- whole_section_gone"],
      [
        "Flags [feedback]",
        "- rule: temporary flags get an owner",
        "- why: they were never temporary",
        "- how-to-apply: at every test run",
      ],
    );
    const tree = openTestMemory({ files: rawFiles({ "2026-03-15": raw }) });
    await compact(tree);
    expect(keyAt(tree, daily, "made-by")).toBe("built-in-4");
    const body = bodyAt(tree, daily);
    for (const words of [
      "SECRET_CODE",
      "fenced_output",
      "at pay",
      "at main",
      "diff_line",
      "Author: Anna",
      "commit_message_words",
      "tree_of_files",
      "other_tree",
      "flag_",
      "whole_section_gone",
      "```",
    ])
      expect(body).not.toContain(words);
    for (const words of [
      "src/pay/limit.ts:10-20",
      "TypeError: cannot read limit of undefined",
      "commit 0123456789ab",
      "token bucket, bursts must pass",
      "limiter shipped",
      "contemporary clocks drift",
    ])
      expect(body).toContain(words);
    expect(body).toContain(
      "### Flags [feedback] (03-15:242-245)\n- rule: temporary flags get an owner\n- why: they were never temporary\n- how-to-apply: at every test run",
    );
    expect(rootSection(tree, "Topics Index").join("\n")).toContain("- Flags [feedback, 0d]");
    await expectSound(tree);
  });

  it("exclusions: a long day of only code and a file of only invalid UTF-8 still have nodes", async () => {
    const code = [
      "# 2026-03-14",
      "",
      "```",
      ...Array.from({ length: 220 }, (_, index) => `line_of_code(${index});`),
      "```",
      "",
    ].join("\n");
    const files = { "memory/2026-03-14.md": code, "memory/2026-03-15.md": Buffer.from([0xff, 0xfe, 0x0a, 0xfd, 0x0a]) };
    const tree = openTestMemory({ files });
    const { skipped, due } = await compact(tree);
    expect([skipped, due]).toEqual([[], []]);
    expect(bodyAt(tree, "memory/daily/2026-03-14.md")).toMatch(/^## Notes\n- nothing to keep, .* \(03-14:1-224\)\n$/u);
    expect(bodyAt(tree, daily)).toMatch(/^## Notes\n- nothing to keep, .* \(03-15:1-2\)\n$/u);
    expect(keyAt(tree, week, "source-files")).toBe("[memory/daily/2026-03-14.md, memory/daily/2026-03-15.md]");
    await compact(tree, "2026-03-23");
    expect(keyAt(tree, week, "status")).toBe("fixed");
    await expectSound(tree);
  });
});
