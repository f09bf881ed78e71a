import { describe, expect, it } from "vitest";
import { processorTime } from "../../test/fixtures/processor-time.ts";
import { parseHeading, scanLines } from "./markdown.ts";

const kinds = (text: string): string =>
  scanLines(text.split("\n"))
    .lines.map((line) => line.kind.charAt(0))
    .join("");

describe("the line scanner", () => {
  it("finds headings and drops closing hashes", () => {
    expect(parseHeading("## Payment flow [project] ##")).toEqual({ level: 2, text: "Payment flow [project]" });
    expect(parseHeading("##no space")).toBeUndefined();
    expect(parseHeading("#")).toEqual({ level: 1, text: "" });
    expect(parseHeading("####### seven")).toBeUndefined();
  });

  it("ignores headings inside fences", () => {
    expect(kinds("## a\n```\n## b\n```\n## c")).toBe("hfcfh");
    expect(kinds("~~~~ md\n~~~\n## b\n~~~~\n## c")).toBe("fccfh");
  });

  it("ends an unclosed fence before the next second-level heading", () => {
    expect(kinds("## a\n```\ncode\n## b [user]\ntext")).toBe("hfcht");
    expect(scanLines(["```", "x", "## b"]).unclosed).toEqual([0]);
  });

  it("does not close an unclosed fence with the mark of a later fence", () => {
    expect(kinds("```\ncode\n## b [user]\ntext\n```sh\nls\n```\n## c")).toBe("fchtfcfh");
    expect(kinds("```\ncode\n## b [user]\n```\nls\n```\n## c")).toBe("fchfcfh");
  });

  it("finds a fence indented like its list item", () => {
    expect(kinds("- fix:\n    ```ts\n    ## a\n    ```\n- b")).toBe("tfcft");
    expect(kinds("1. a\n   - b\n\n     ```\n     c\n     ```\ntext")).toBe("tttfcft");
    expect(kinds("text\n\n    ```\n    c\n    ```")).toBe("ttttt");
    expect(kinds("- a\ntext\n    ```\n    c\n    ```\n## b")).toBe("ttttth");
  });

  it("finds a fence right after a list marker", () => {
    expect(kinds("- ```sh\n  make X\n  ```\n- b\n## c")).toBe("fcfth");
    expect(kinds("- a\n  1. ~~~\n     x\n     ~~~\n  2. b")).toBe("tfcft");
  });

  it("ends an unclosed fence in a list item with the item and reports it", () => {
    expect(kinds("- ```sh\n  make X\n- b\n\n```\ncode\n```\n## c")).toBe("fcttfcfh");
    expect(scanLines(["- ```sh", "  x", "- b"]).unclosed).toEqual([0]);
    expect(kinds("```\ncode\n## b [user]\n- ```sh\n  ls\n  ```\n## c")).toBe("fchfcfh");
  });

  it("reads a hundred thousand fence marks in lists in linear time", () => {
    const run = (): void => {
      scanLines(Array.from({ length: 100_000 }, (_, index) => `${" ".repeat(index % 40)}- \`\`\`a`));
      scanLines(Array.from({ length: 100_000 }, () => "- ```a"));
    };
    expect(processorTime(2_000, run)).toBeLessThan(2_000);
  });

  it("reads a hundred thousand unclosed fences in linear time", () => {
    expect(processorTime(2_000, () => scanLines(Array.from({ length: 100_000 }, () => "```a")))).toBeLessThan(2_000);
  });
});

describe("git conflict markers", () => {
  const conflict = ["a", "<<<<<<< HEAD", "b", "=======", "c", ">>>>>>> x/y", "d"];
  const shape = (lines: readonly string[]): string =>
    scanLines(lines)
      .lines.map(({ kind }) => kind.charAt(0))
      .join("");

  it("are neither text nor headings, and neither is the merge base", () => {
    expect(shape(conflict)).toBe("tmtmtmt");
    expect(scanLines(conflict).conflicts).toEqual([[1, 5]]);
    expect(shape(["<<<<<<< a", "x", "||||||| b", "## old", "=======", "## new", ">>>>>>> c"])).toBe("mtmmmhm");
  });

  it("count only if all three are present, in order, at the start of a line", () => {
    for (const lines of [
      ["Title", "=======", "text"],
      ["<<<<<<< a", "=======", "text"],
      ["<<<<<<< a", ">>>>>>> b", "======="],
      ["  <<<<<<< a", "=======", ">>>>>>> b"],
      ["<<<<<<<< a", "=======", ">>>>>>> b"],
    ])
      expect(scanLines(lines).conflicts).toEqual([]);
  });

  it("do not count inside one fence, but count across fences", () => {
    expect(scanLines(["```", ...conflict, "```"]).conflicts).toEqual([]);
    const across = ["<<<<<<< a", "```", "x", "```", "=======", "```", "y", "```", ">>>>>>> b"];
    expect(scanLines(across).conflicts).toEqual([[0, 8]]);
  });

  it("are not reported for an entry that quotes them, and are not text there either", () => {
    const shown = conflict.map((line) => line.replace(/^</u, "\\<"));
    expect([shape(shown), scanLines(shown).conflicts]).toEqual(["tmtmtmt", []]);
  });
});
