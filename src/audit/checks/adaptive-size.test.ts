import { Buffer } from "node:buffer";
import { describe, expect, test } from "vitest";
import { memoryOf } from "../../../test/fixtures/audit-text.ts";
import { checkAdaptive } from "./adaptive-size.ts";

const lines = (content: string | Uint8Array): readonly unknown[] =>
  checkAdaptive(memoryOf(content)).map((finding) => finding.lines);
const items = (count: number): string => "- item\n".repeat(count);

describe("adaptive_over_target", () => {
  test.each<[string, string, readonly unknown[]]>([
    ["50 lines", `## Adaptive\n${items(50)}`, []],
    ["51 lines", `## Adaptive\n${items(51)}`, [[1, 52]]],
    ["blank lines do not count", `## Adaptive\n${"- item\n\n \t\n".repeat(50)}`, []],
    ["whatever its title goes on with", `x\n## Adaptive (Dynamic) — Subject to compaction\n${items(51)}`, [[2, 53]]],
    ["deeper headings count as lines of it", `## Adaptive\n### A\n${items(25)}### B\n${items(24)}`, [[1, 52]]],
    ["and do not end it", `## Adaptive\n### A\n${items(24)}### B\n${items(24)}`, []],
    ["the next heading of level 2 ends it", `## Adaptive\n${items(50)}## Next\n${items(9)}`, []],
    ["one of level 1 too", `## Adaptive\n${items(50)}# Next\n${items(9)}`, []],
    ["one in a fence does not", `## Adaptive\n${items(47)}\`\`\`\n## Next\n\`\`\`\nx\n`, [[1, 52]]],
    ["another level is another section", `# Adaptive\n${items(51)}### Adaptive\n${items(51)}`, []],
    ["another title too", `## Not Adaptive\n${items(51)}`, []],
    [
      "each one that is too long",
      `## Adaptive\n${items(51)}## Adaptive 2\n${items(52)}`,
      [
        [1, 52],
        [53, 105],
      ],
    ],
    ["the end of Core begins it", `## Core (Static)\n${items(80)}## Adaptive\n${items(51)}`, [[82, 133]]],
    ["there is none", items(90), []],
  ])("%s", (_name, content, expected) => {
    expect(lines(content)).toEqual(expected);
  });

  test("lines that are not UTF-8 count", () => {
    expect(lines(Buffer.from(`## Adaptive\n${"\xff\n".repeat(51)}`, "latin1"))).toEqual([[1, 52]]);
  });

  test("says how many and what to do", () => {
    expect(checkAdaptive(memoryOf(`## Adaptive (Dynamic)\n${items(60)}`))[0]).toMatchObject({
      severity: "low",
      line: 1,
      message:
        '"Adaptive (Dynamic)" has 60 lines, 50 are wanted at most: merge the oldest ones, move detail to knowledge/.',
    });
  });
});
