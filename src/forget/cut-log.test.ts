import { describe, expect, test } from "vitest";
import { cutLog, withContinuations, linesOfLog, planCut, shiftedPlace } from "./cut-log.ts";

const path = "memory/2026-03-15.md";
const log = [
  "# 2026-03-15",
  "",
  "## Vault [project]",
  "<!-- hw id=v1 at=2026-03-15T10:00:00+01:00 origin=agent bytes=19 -->",
  "- the code is 4471",
  "",
  "## Doors [project]",
  "<!-- hw id=d1 at=2026-03-15T11:00:00+01:00 origin=agent bytes=31 -->",
  "- close at six",
  "- open with 4471",
  "",
  "## Fix [project]",
  "<!-- hw id=f1 at=2026-03-15T12:00:00+01:00 origin=user bytes=60 -->",
  "- corrects: memory/2026-03-15.md:9-10",
  "- doors close at seven",
  "",
];

function cut(lines: readonly string[], chosen: readonly number[], end = "\n"): string | undefined {
  const bytes = Buffer.from(lines.join(end));
  const plan = planCut(linesOfLog(bytes).texts, new Set(chosen));
  const after = cutLog(path, bytes, new Map([[path, plan.lines]]));
  return after === undefined ? undefined : Buffer.from(after).toString("utf8");
}

describe("a cut", () => {
  test("takes an entry of which nothing is left, with the blank line before it", () => {
    expect(cut(log, [5])).toBe(
      [...log.slice(0, 2), ...log.slice(6)]
        .join("\n")
        .replace("15.md:9-10", "15.md:5-6")
        .replace("bytes=60", "bytes=59"),
    );
  });

  test("takes a line, and the entry says how long it is now", () => {
    const text = cut(log, [10]);
    expect(text).not.toContain("open with");
    expect(text).toContain("id=d1 at=2026-03-15T11:00:00+01:00 origin=agent bytes=14 -->\n- close at six\n\n## Fix");
    expect(text).toContain("- corrects: memory/2026-03-15.md:9\n");
  });

  test("of what an entry corrects leaves the entry without its place", () => {
    expect(cut(log, [9, 10])).toContain("bytes=22 -->\n- doors close at seven\n");
    expect(cut(log, [9, 10])).not.toContain("corrects");
  });

  test("of a heading takes its entry", () => {
    expect(cut(log, [7])).not.toMatch(/Doors|close at six/u);
  });

  test("of the whole content leaves no file", () => {
    expect(
      cut(
        log,
        log.map((_, index) => index + 1),
      ),
    ).toBeUndefined();
    expect(cut(log.slice(0, 6), [5])).toBeUndefined();
  });

  test("takes a fence with its content, and keeps the rest", () => {
    const fenced = ["## Code", "text", "```sh", "echo 4471", "```", "more", ""];
    expect(cut(fenced, [4])).toBe("## Code\ntext\nmore\n");
    expect(cut([...fenced.slice(0, 3), "echo one", ...fenced.slice(3)], [5])).toBe(
      "## Code\ntext\n```sh\necho one\n```\nmore\n",
    );
  });

  test("keeps line ends, a byte order mark and bytes that are not UTF-8", () => {
    const bytes = Buffer.concat([
      Buffer.from("\uFEFF# Notes\r\n- a 4471\r\n- b "),
      Buffer.from([0xff, 0xfe]),
      Buffer.from("\r\n- c"),
    ]);
    const after = cutLog(path, bytes, new Map([[path, [2]]]));
    expect(Buffer.from(after ?? [])).toEqual(
      Buffer.concat([Buffer.from("\uFEFF# Notes\r\n- b "), Buffer.from([0xff, 0xfe]), Buffer.from("\r\n- c")]),
    );
  });

  test("of another log only shifts places", () => {
    const cuts = new Map([["memory/2026-03-14.md", [3, 4]]]);
    expect(shiftedPlace("memory/2026-03-14.md:2", cuts)).toBe("memory/2026-03-14.md:2");
    expect(shiftedPlace("memory/2026-03-14.md:2-6", cuts)).toBe("memory/2026-03-14.md:2-4");
    expect(shiftedPlace("memory/2026-03-14.md:3-4", cuts)).toBeUndefined();
    expect(shiftedPlace("thread:x:5", cuts)).toBe("thread:x:5");
    const bytes = Buffer.from(log.join("\n"));
    expect(cutLog(path, bytes, cuts)).toBe(bytes);
  });
});

test("lines that continue a chosen list item go with it", () => {
  const texts = ["- first", "- pin 9182 again", "  continued detail", "  - of its own", "- last", "text", "  indented"];
  expect([...withContinuations(texts, new Set([2]))]).toEqual([2, 3]);
  expect([...withContinuations(texts, new Set([6]))]).toEqual([6]);
});
