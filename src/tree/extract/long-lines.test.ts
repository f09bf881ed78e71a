import { describe, expect, it } from "vitest";
import { scanLines } from "../../base/markdown.ts";
import type { SourceSection } from "../../base/passage.ts";
import { extractSection } from "./extract.ts";
import { processorTime } from "../../../test/fixtures/processor-time.ts";

function noteOf(...said: readonly string[]): SourceSection {
  const texts = ["## Notes", ...said, "- the carpenter came at nine"];
  const { lines } = scanLines(texts);
  return {
    heading: "Notes",
    topic: "Notes",
    type: "project",
    tagged: "untagged",
    log: "2026-03-15",
    lines: texts.map((text, index) => ({ number: index + 1, text, kind: lines[index]?.kind ?? "text" })),
  };
}

const spaces = " ".repeat(60_000);

describe("a long line", () => {
  it.each([
    ["begins with spaces", `${spaces}x`],
    ["is a heading with spaces inside", `### a${spaces}b`],
    ["has a key, spaces and a line separator", `a:${" ".repeat(2_000)}x\u2028y`],
    ["has hyphens and no file", `${"a-".repeat(30_000)}.x/`],
    ["has folders behind hyphens", `${"-a/".repeat(20_000)}.x`],
  ])("that %s is read in linear time", (_, line) => {
    const note = noteOf(line);
    expect(processorTime(800, () => extractSection(note))).toBeLessThan(800);
  });
});

describe("a note of many short lines", () => {
  it.each([
    ["Chinese", "- 我的服务器的数据库的缓存的日志已经完成了"],
    ["English", "- the gardener watered both beds again"],
    ["Japanese", "- 設計の検討を進めた。会議は来週だ。"],
  ])("in %s is read in linear time", (_, line) => {
    const note = noteOf(...Array.from({ length: 6_000 }, (__, index) => `${line}${index % 7}`));
    expect(processorTime(2_500, () => extractSection(note))).toBeLessThan(2_500);
  });
});
