import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

/** The situations that the tree must handle. Each has a test with its name in this folder. */
const situations = [
  "week-fixed-early",
  "week-late-log",
  "body-says-fixed",
  "current-week-frozen",
  "current-month-frozen",
  "body-says-needs-summarization",
  "future-log",
  "late-append",
  "late-day",
  "edited-past",
  "summary-kept",
  "week-summary-kept",
  "tentative-becomes-fixed",
  "week-waits-for-children",
  "month-waits-for-last-week",
  "week-of-long-days",
  "root-day-one",
  "root-content",
  "root-ages",
  "snapshot-once",
  "slug-log",
  "root-cap",
  "topics",
  "child-front-matter",
  "month-of-week",
  "iso-week",
  "threshold-200",
  "one-long-line",
  "bad-date",
  "fence-heading",
  "dollar-signs",
  "quoted-marker",
  "not-utf8",
  "crlf-bom",
  "exclusions",
  "unreadable-source",
  "symlink-in",
  "symlink-out",
  "same-entry-twice",
  "own-zone",
  "heading-injection",
  "secrets-everywhere",
  "concurrent",
  "kill-mid-write",
  "no-op",
  "cycle-limit",
  "open-fence",
  "raw-missing",
  "upgrade",
  "odd-topics",
  "hipocampus-tree",
  "clock-back",
  "unknown-keys",
];

const folder = import.meta.dirname;
const shared = process.env["HEARTWOOD_SHARED"] ?? join(folder, "../../../shared");
const listFile = join(shared, "data/tree-situations.md");
const isAbsent = !existsSync(listFile);
if (isAbsent)
  console.warn(`SKIPPED: no list of situations at ${listFile}; the names in names.test.ts are not compared with it.`);

/** The names at the beginning of situation tests, in this folder or in the slow tier. Only a plain `it` counts: not one that is skipped, to do or expected to fail. */
function testedNames(): ReadonlySet<string> {
  const texts = globSync("{situations,processes,long}/*.test.ts", { cwd: dirname(folder) }).map((path) =>
    readFileSync(join(dirname(folder), path), "utf8"),
  );
  return new Set(
    texts.flatMap((text) => [...text.matchAll(/^\s*it\(\s*"([a-z0-9-]+): /gmu)].map((match) => match[1] ?? "")),
  );
}

describe("the list of situations", () => {
  it("has a test for each name", () => {
    const tested = testedNames();
    expect(situations.filter((name) => !tested.has(name))).toEqual([]);
    expect(new Set(situations).size).toBe(situations.length);
  });

  it("contains every situation that has a test", () => {
    const known = new Set(situations);
    expect([...testedNames()].filter((name) => !known.has(name))).toEqual([]);
  });

  it.skipIf(isAbsent)("matches the documented list", () => {
    const rows = readFileSync(listFile, "utf8")
      .split("\n")
      .filter((line) => /^\| [a-z]/u.test(line) && !line.startsWith("| name |"));
    const names = rows.flatMap((row) => (row.split("|")[1] ?? "").split(",").map((name) => name.trim()));
    expect(names.toSorted()).toEqual(situations.toSorted());
  });
});
