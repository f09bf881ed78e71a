import { describe, expect, test } from "vitest";
import type { StoredRow } from "../index/search-index.ts";
import { withoutCopies, type Candidate } from "./rank-hits.ts";

type Given = Pick<StoredRow, "source" | "level" | "text"> & Partial<Pick<StoredRow, "lines" | "day">>;

/** The rows that stay, and where else they occur. Text between « and » counts as found. */
function kept(...given: readonly Given[]): readonly string[] {
  return withoutCopies(given.map(candidateOf)).map(({ row, parts }) =>
    [row.source, ...parts.map(({ part }) => part)].join(" "),
  );
}

function candidateOf({ lines = [1, 9], day = "2026-03-10", ...given }: Given, index: number): Candidate {
  const kind = given.level === "raw" ? "raw" : "node";
  const marks = [...given.text.matchAll(/«(.*?)»/gu)].map(({ index: at, 1: found = "" }, before) => {
    const start = at - 2 * before;
    return { start, end: start + found.length, words: [0] };
  });
  const text = given.text.replaceAll(/[«»]/gu, "");
  const place = {
    section: index,
    sectionLines: lines,
    lines,
    day,
    heading: "",
    type: "project",
    origin: "",
    weight: 0,
  } as const;
  return { row: { ...given, ...place, id: index, kind, text }, text, marks, score: 1, parts: [] };
}

const log = { source: "memory/2026-03-10.md", level: "raw" } as const;
const daily = { source: "memory/daily/2026-03-10.md", level: "daily" } as const;
const weekly = { source: "memory/weekly/2026-W11.md", level: "weekly" } as const;
const said = "- a «token bucket» limits payments";

describe("a node that repeats a log", () => {
  test("is named once at the log, however many of its rows match, ignoring list marks, case and spaces", () => {
    const again = { ...weekly, text: "12) A  «TOKEN bucket»   limits payments…" };
    expect(kept({ ...weekly, text: said }, again, { ...log, text: said })).toEqual([
      `${log.source} also in ${weekly.source}`,
    ]);
  });

  test("matches log lines by its refs: from the first to the last, but not next to them", () => {
    const row = { ...log, lines: [4, 6], text: "- something said at length" } as const;
    const from = (ref: string): number => kept(row, { ...daily, text: `- «payments» are limited so (${ref})` }).length;
    expect(["03-10:4", "03-10:6", "03-10:2-4", "03-10:6-9", "03-10"].map(from)).toEqual([1, 1, 1, 1, 1]);
    expect(["03-10:3", "03-10:7", "03-10:1-3", "03-10:7-9", "03-09"].map(from)).toEqual([2, 2, 2, 2, 2]);
  });

  test("stays if one of its found lines is in no log", () => {
    const both = `${said}\n- the «token bucket» of another team`;
    expect(kept({ ...log, text: said }, { ...daily, text: both })).toHaveLength(2);
    const unfound = `${said}\n- and what nobody looked for`;
    expect(kept({ ...log, text: said }, { ...daily, text: unfound })).toHaveLength(1);
  });

  test("stays if another node of its level repeats it, and is dropped if a lower one does", () => {
    const other = { ...weekly, source: "memory/weekly/2026-W10.md" };
    expect(kept({ ...weekly, text: said }, { ...other, text: said })).toHaveLength(2);
    expect(kept({ ...weekly, text: said }, { ...daily, text: said })).toEqual([
      `${daily.source} also in ${weekly.source}`,
    ]);
  });

  test("is compared by all of its lines if nothing was searched for, except headings and short lines", () => {
    const text = "## Payments\n- ok\n- a token bucket limits payments";
    expect(kept({ ...log, text: "- a token bucket limits payments" }, { ...daily, text })).toHaveLength(1);
    expect(
      kept({ ...log, text: "- a token bucket limits payments" }, { ...daily, text: `${text}\n- twelve chars` }),
    ).toHaveLength(2);
    expect(
      kept({ ...log, text: "- a token bucket limits payments" }, { ...daily, text: `${text}\n- eleven char` }),
    ).toHaveLength(1);
  });

  test("is compared without the backslashes that keep a line from being a heading or a comment", () => {
    const text = "\\# a «token bucket» limits payments";
    expect(kept({ ...log, text: "# a «token bucket» limits payments" }, { ...daily, text })).toHaveLength(1);
  });

  test("stays if it has no line to compare", () => {
    expect(kept({ ...log, text: "- ok" }, { ...daily, text: "- «ok»" })).toHaveLength(2);
  });
});
