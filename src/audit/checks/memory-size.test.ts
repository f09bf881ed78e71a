import { Buffer } from "node:buffer";
import { describe, expect, test } from "vitest";
import { memoryOf } from "../../../test/fixtures/audit-text.ts";
import { checkLoaderLimits, checkMemoryMax, measureMemory } from "./memory-size.ts";

describe("the size of MEMORY.md", () => {
  test("is bytes, characters, lines and tokens", () => {
    expect(measureMemory(memoryOf("# Äpfel 😀\r\n汉字 and words\r\n"))).toEqual({
      diskBytes: 33,
      bytes: 33,
      characters: 25,
      lines: 2,
      tokens: 4,
      text: "# Äpfel 😀\r\n汉字 and words\r\n",
    });
  });

  test("leaves the derived section out, lines on the disk aside", () => {
    const own = "# M\nwords here\n";
    const derived = "## Compaction Root\n\n### Topics Index\n- a\n";
    const figures = measureMemory(memoryOf(`${own}${derived}# N\n`));
    expect(figures).toMatchObject({ bytes: 19, characters: 19, lines: 7, tokens: 3, text: "# M\nwords here\n# N\n" });
    expect(figures.diskBytes).toBe(Buffer.byteLength(`${own}${derived}# N\n`));
  });

  test.each([
    ["", { diskBytes: 0, bytes: 0, characters: 0, lines: 0, tokens: 0, text: "" }],
    ["\uFEFF", { diskBytes: 3, bytes: 3, characters: 0, lines: 0, tokens: 0, text: "" }],
    ["\uFEFFx", { diskBytes: 4, bytes: 4, characters: 1, lines: 1, tokens: 0, text: "x" }],
  ])("%j is measured", (content, figures) => {
    expect(measureMemory(memoryOf(content))).toEqual(figures);
  });
});

describe("memory_over_max", () => {
  const codes = (content: string, most: number): readonly string[] =>
    checkMemoryMax({ ...measureMemory(memoryOf(content)), path: "MEMORY.md" }, most).map(({ code }) => code);

  test.each([
    [5120, 5, []],
    [5121, 5, ["memory_over_max"]],
    [15_360, 15, []],
    [15_361, 15, ["memory_over_max"]],
    [1024, 1, []],
    [1025, 1, ["memory_over_max"]],
  ])("%i bytes at %i KB", (bytes, most, expected) => {
    expect(codes("x".repeat(bytes), most)).toEqual(expected);
  });

  test("counts bytes, not characters, and not the derived section", () => {
    expect(codes("汉".repeat(1707), 5)).toEqual(["memory_over_max"]);
    expect(codes(`${"x".repeat(1023)}\n## Compaction Root\n${"y".repeat(9000)}`, 1)).toEqual([]);
  });

  test("says what there is, what is wanted, and what to do", () => {
    const [finding] = checkMemoryMax({ ...measureMemory(memoryOf("x".repeat(1025))), path: "MEMORY.md" }, 1);
    expect(finding).toEqual({
      code: "memory_over_max",
      severity: "low",
      path: "MEMORY.md",
      line: null,
      lines: null,
      message:
        "MEMORY.md has 1025 bytes, 1024 (1 KB) are wanted at most: merge what belongs together, move detail to knowledge/.",
      resolved: false,
    });
  });
});

describe("memory_over_loader", () => {
  test.each([
    ["200 lines", "x\n".repeat(200), null],
    ["200 lines without a last line end", `${"x\n".repeat(199)}x`, null],
    ["201 lines", "x\n".repeat(201), 201],
    ["a last line without an end counts", `${"x\n".repeat(200)}x`, 201],
    ["300 lines", "x\r\n".repeat(300), 201],
    ["25,000 bytes", "x".repeat(25_000), null],
    ["25,001 bytes", "x".repeat(25_001), 1],
    ["25,000 bytes in lines", `${"x".repeat(24_997)}\ny\n`, null],
    ["the first line that is cut is named", `${"x".repeat(24_997)}\ny\nz`, 3],
    ["derived lines count: the loader reads them", `x\n## Compaction Root\n${"y\n".repeat(199)}`, 201],
    ["an empty file", "", null],
  ])("%s", (_name, content, cut) => {
    const message = checkLoaderLimits(memoryOf(content))[0]?.message;
    expect(Number(/from line (\d+)/u.exec(message ?? "")?.[1] ?? 0)).toBe(cut ?? 0);
  });

  test("is of severity high and says where reading ends", () => {
    const [finding] = checkLoaderLimits(memoryOf("x\n".repeat(210)));
    expect(finding).toMatchObject({ code: "memory_over_loader", severity: "high", line: null, lines: null });
    expect(finding?.message).toContain("210 lines and 420 bytes, loaders read 200 lines and 25000 bytes");
  });
});
