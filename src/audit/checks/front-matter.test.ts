import { describe, expect, test } from "vitest";
import { plantedToken, textOfFile } from "../../../test/fixtures/audit-text.ts";
import { checkFrontMatter } from "./front-matter.ts";

const judge = (content: string): readonly unknown[] =>
  checkFrontMatter(textOfFile("knowledge/a.md", content)).map(({ line, message }) => [line, message]);

describe("broken_front_matter", () => {
  test.each([
    ["none", "# A\ntext\n"],
    ["a rule further down", "text\n---\nbroken: [\n"],
    ["one that can be read", "---\ntype: daily\ntopics: a, b\n---\n# A\n"],
    ["with CRLF", "---\r\ntype: daily\r\n---\r\n# A\r\n"],
    ["behind a byte order mark", "\uFEFF---\ntype: daily\n---\n"],
    ["an empty one", "---\n---\n"],
    ["an empty file", ""],
  ])("%s is not broken", (_name, content) => {
    expect(judge(content)).toEqual([]);
  });

  test.each([
    ["one that never ends", "---\ntype: daily\n# A\n", 1, "has no closing ---"],
    ["a key that stands twice", "---\r\na: 1\r\nb: 2\r\na: 3\r\n---\r\n", 4, "the key a stands twice"],
    ["a line that is nothing", "\uFEFF---\n{{{\n---\n", 2, "a line is neither"],
  ])("%s is, with its line", (_name, content, line, said) => {
    expect(judge(content)).toEqual([[line, expect.stringContaining(said)]]);
  });

  test("no secret and no novel is quoted", () => {
    const [[, message]] = judge(`---\n${plantedToken}: 1\n${plantedToken}: 1\n---\n`) as [[number, string]];
    expect(message).not.toContain(plantedToken);
    const [[, long]] = judge(`---\n${"k".repeat(5000)}: 1\n${"k".repeat(5000)}: 1\n---\n`) as [[number, string]];
    expect(long.length).toBeLessThan(300);
  });

  test("is of severity medium", () => {
    expect(checkFrontMatter(textOfFile("memory/ROOT.md", "---\n"))[0]).toMatchObject({
      code: "broken_front_matter",
      severity: "medium",
      path: "memory/ROOT.md",
      line: 1,
    });
  });
});
