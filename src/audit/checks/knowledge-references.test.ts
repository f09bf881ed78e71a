import { describe, expect, test } from "vitest";
import { processorTime } from "../../../test/fixtures/processor-time.ts";
import { memoryOf, plantedToken } from "../../../test/fixtures/audit-text.ts";
import { checkKnowledgeReferences, knowledgeReferences } from "./knowledge-references.ts";

describe("what a line names", () => {
  test.each<[string, readonly string[]]>([
    ["see knowledge/a.md", ["knowledge/a.md"]],
    ["knowledge/a.md", ["knowledge/a.md"]],
    ["see knowledge/a.md.", ["knowledge/a.md"]],
    ["(knowledge/a.md), `knowledge/b.md`; **knowledge/c.md**", ["knowledge/a.md", "knowledge/b.md", "knowledge/c.md"]],
    ['[text](knowledge/a.md) and [b](./knowledge/b.md#part "title")', ["knowledge/a.md", "knowledge/b.md"]],
    ["[up](../knowledge/a.md) ../../knowledge/b.md", ["knowledge/a.md", "knowledge/b.md"]],
    ["[a](<knowledge/with spaces.md>) <knowledge/b.md>", ["knowledge/with spaces.md", "knowledge/b.md"]],
    [
      "[[knowledge/a.md]] [[knowledge/b c.md|shown]] [[knowledge/d.md#part]]",
      ["knowledge/a.md", "knowledge/b c.md", "knowledge/d.md"],
    ],
    ["[a](knowledge/with%20space.md)", ["knowledge/with space.md"]],
    [
      "knowledge/%E6%B1%89.md knowledge/50%.md knowledge/%ff.md",
      ["knowledge/汉.md", "knowledge/50%.md", "knowledge/%ff.md"],
    ],
    ["knowledge/sub/deep/a.md, knowledge/v1.2-notes_b.md", ["knowledge/sub/deep/a.md", "knowledge/v1.2-notes_b.md"]],
    ["knowledge/./a.md knowledge/sub/../b.md", ["knowledge/a.md", "knowledge/b.md"]],
    ["knowledge/../USER.md", []],
    [
      "详见knowledge/部署.md。还有 knowledge/测试.md,knowledge/c.md的说明",
      ["knowledge/部署.md", "knowledge/测试.md", "knowledge/c.md"],
    ],
    ["knowledge/目录下的文件,见knowledge/a.md", ["knowledge/a.md"]],
    ["詳細は「knowledge/メモ.md」", ["knowledge/メモ.md"]],
    ["ראו knowledge/א.md", ["knowledge/א.md"]],
    ["path=knowledge/a.md, path:knowledge/b.md", ["knowledge/a.md", "knowledge/b.md"]],
    ["https://example.com/knowledge/a.md", []],
    ["~/other/knowledge/a.md /srv/knowledge/a.md x/../knowledge/a.md", []],
    ["myknowledge/a.md my-knowledge/a.md my_knowledge/a.md", []],
    [
      "knowledge/*.md knowledge/<topic>.md knowledge/{a,b}.md knowledge/….md knowledge/...md knowledge/$a.md knowledge/?.md",
      [],
    ],
    ["knowledge/ knowledge/a knowledge/a.txt knowledge/a.md.bak knowledge/a.mdx knowledge/a.md/b", []],
    ["knowledge/ is where a.md is", []],
    ["Knowledge/a.md knowledge\\a.md", []],
    ["", []],
  ])("%s", (line, expected) => {
    expect(knowledgeReferences(line)).toEqual(expected);
  });

  test("a line of 64 KiB takes no time", () => {
    const lines = ["knowledge/", "字knowledge/", "<knowledge/a ", "[[knowledge/", "./", "%41knowledge/a%"];
    const run = (): void => {
      for (const line of lines) knowledgeReferences(line.repeat(65_536 / line.length));
    };
    expect(processorTime(500, run)).toBeLessThan(500);
  });
});

describe("dangling_reference", () => {
  const judge = (content: string, ...there: readonly string[]): readonly unknown[] =>
    checkKnowledgeReferences(memoryOf(content), new Set(there)).map(({ line, message }) => [
      line,
      message.split(" ")[0],
    ]);

  test("is what is named and is not there", () => {
    expect(judge("# A\n- knowledge/a.md and knowledge/b.md\n", "knowledge/a.md")).toEqual([[2, "knowledge/b.md"]]);
    expect(judge("- knowledge/a.md\n", "knowledge/a.md")).toEqual([]);
    expect(judge("- knowledge/a.md\n", "knowledge/A.md")).toEqual([[1, "knowledge/a.md"]]);
  });

  test("once for a name on a line", () => {
    expect(judge("knowledge/a.md knowledge/a.md\nknowledge/a.md\n")).toEqual([
      [1, "knowledge/a.md"],
      [2, "knowledge/a.md"],
    ]);
  });

  test("names are the same composed and decomposed", () => {
    const name = "knowledge/café-ü.md";
    expect(judge(name.normalize("NFC"), name.normalize("NFD"))).toEqual([]);
    expect(judge(name.normalize("NFD"), name.normalize("NFC"))).toEqual([]);
  });

  test("not inside fences, not in the derived section", () => {
    expect(judge("```\nknowledge/a.md\n```\n~~~\nknowledge/b.md\n~~~\nknowledge/c.md\n")).toEqual([
      [7, "knowledge/c.md"],
    ]);
    expect(judge("## Compaction Root\nknowledge/a.md\n## B\nknowledge/b.md\n")).toEqual([[4, "knowledge/b.md"]]);
    expect(judge("## Core (Static)\nknowledge/a.md\n")).toEqual([[2, "knowledge/a.md"]]);
  });

  test("line numbers hold with a byte order mark and CRLF", () => {
    expect(judge("\uFEFFknowledge/a.md\r\n\r\nknowledge/b.md\r\n")).toEqual([
      [1, "knowledge/a.md"],
      [3, "knowledge/b.md"],
    ]);
  });

  test("a name that is a secret is not told", () => {
    expect(JSON.stringify(judge(`knowledge/${plantedToken}.md\n`))).not.toContain(plantedToken);
    expect(JSON.stringify(judge(`DB_PASSWORD=knowledge/Tr0ub${"4dor"}!x.md\n`))).not.toContain("4dor");
  });

  test("is of severity low and says what to do", () => {
    expect(checkKnowledgeReferences(memoryOf("x\nknowledge/a.md"), new Set())).toEqual([
      {
        code: "dangling_reference",
        severity: "low",
        path: "MEMORY.md",
        line: 2,
        lines: [2, 2],
        message: "knowledge/a.md is named here and is not there: write it, or correct the name.",
        resolved: false,
      },
    ]);
  });
});
