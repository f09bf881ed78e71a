import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import type { CrossFileIssue } from "../../src/audit/checks/redundant-sections.ts";
import { readAuditHistory } from "../../src/audit/run/history.ts";
import { runAudit } from "../../src/audit/run/run-audit.ts";
import { undoAudit } from "../../src/audit/run/undo.ts";
import { openTestMemory, type TestMemory } from "../fixtures/memory.ts";

/**
 * A small workspace with everything that goes wrong in a known implementation: exact copies of one section that it does not find, a copied section with the
 * heading of a unique one, which it removes instead, CRLF that it drops, and an invalid date.
 */
const shared = process.env["HEARTWOOD_SHARED"] ?? join(import.meta.dirname, "../../../shared");
const sample = join(shared, "data/audit-sample");
const isThere = existsSync(join(sample, "workspace"));
if (!isThere) console.warn(`NOT RUN: there is no audit sample at ${sample}; give a folder with HEARTWOOD_SHARED`);

describe.skipIf(!isThere)("the audit sample", () => {
  test("the known issues are found, and also the copies of one section", async () => {
    const known = JSON.parse(readFileSync(join(sample, "known-implementation.dry.json"), "utf8")) as KnownReport;
    const result = await runAudit(open().memory, {});
    expect(result.cross_file_issues.map(nameOf).toSorted()).toEqual(
      [...known.cross_file_issues.map(nameOf), "2026-01-02.md Accounts high", "2026-01-02.md 用户偏好 high"].toSorted(),
    );
    const found = new Map(result.cross_file_issues.map((issue) => [nameOf(issue), issue]));
    for (const issue of known.cross_file_issues)
      expect(found.get(nameOf(issue))?.similarity, nameOf(issue)).toBeGreaterThan(0.9);
    expect(result.high_severity_count).toBe(5);
    expect(result.internal_duplicates).toBe(3);
    expect(result.memory_size).toBe(known.memory_size);
    expect([result.memory_size_before, result.memory_size_after, result.rotated]).toEqual([1039, 1039, false]);
    expect(result.sections.map(({ heading, lines }) => [heading, lines])).toEqual(
      known.sections.map(({ heading, lines }) => [heading, lines]),
    );
  });

  test("a copy is reported with both places", async () => {
    const { cross_file_issues } = await runAudit(open().memory, {});
    const copy = cross_file_issues.find(({ file, section }) => file === "2026-01-02.md" && section === "Accounts");
    expect(copy).toMatchObject({ lines: [3, 7], similarity: 1, against: "Accounts", against_lines: [5, 9] });
    expect(copy?.quotes[0]).toMatchObject({
      line: 4,
      text: "- GitHub account: acme-dev, default branch main, two-factor enabled",
      memory_line: 6,
    });
  });

  test("files that are not notes are reported and never changed", async () => {
    const { findings, actions } = await runAudit(open().memory, { aggressive: true });
    expect(findings.filter(({ code }) => code === "bad_name").map(({ path }) => path)).toEqual([
      "memory/2026-13-99.md",
    ]);
    const touched = actions.map(({ path }) => path);
    for (const path of [
      "memory/2026-13-99.md",
      "memory/notes.md",
      "memory/2026-01-07-extra.md",
      "memory/archive/2025-12-31.md",
    ])
      expect(touched).not.toContain(path);
  });

  test("--apply removes the copied Log and not the unique one above it", async () => {
    const here = open();
    const before = bytesOf(here);
    const result = await runAudit(here.memory, { apply: true });
    expect(result.actions.every(({ state }) => state === "done")).toBe(true);
    expect(here.read("memory/2026-01-03.md")).toBe(
      "## Log\n- UNIQUE decision: move the database to Frankfurt in March\n- UNIQUE action: Alice renews the TLS certificate\n\n" +
        "## Tail\n- something else entirely different\n",
    );
    expect(here.read("memory/2026-01-02.md")).toBe(
      "# 2026-01-02\n\n## Work log\n- Fixed bug 1234 in the parser\n- Reviewed pull request 77\n",
    );
    const untouched = [
      "MEMORY.md",
      "memory/2026-01-04.md",
      "memory/2026-01-05.md",
      "memory/2026-13-99.md",
      "memory/notes.md",
    ];
    for (const path of untouched) expect(bytesOf(here).get(path), path).toEqual(before.get(path));
  });

  test("--aggressive rotates the long note, and the CRLF note keeps its line ends", async () => {
    const here = open();
    const crlf = here.read("memory/2026-01-05.md");
    const long = here.read("memory/2026-01-04.md");
    const result = await runAudit(here.memory, { apply: true, aggressive: true });
    expect([result.rotated, result.rotated_count, result.rotated_files]).toEqual([true, 1, ["memory/2026-01-04.md"]]);
    expect(here.read("memory/archive/2026-01-04.full.md")).toBe(long);
    expect(here.read("memory/2026-01-05.md")).toBe(crlf);
    expect(here.read("MEMORY.md")?.match(/Always run the linter/gu)?.length).toBe(1);
    expect(result.memory_size_after).toBe(Buffer.byteLength(here.read("MEMORY.md") ?? ""));
  });

  test.each([{}, { aggressive: true }])("undo restores every byte (%o)", async (mode) => {
    const here = open();
    const before = bytesOf(here);
    const { id } = await runAudit(here.memory, { apply: true, ...mode });
    expect(bytesOf(here)).not.toEqual(before);
    expect((await readAuditHistory(here.memory)).audits.map((entry) => entry.id)).toEqual([id]);
    const undone = await undoAudit(here.memory, {});
    expect([undone.id, undone.complete, undone.kept]).toEqual([id, true, []]);
    expect(bytesOf(here)).toEqual(before);
  });

  test("a second --apply does nothing", async () => {
    const here = open();
    await runAudit(here.memory, { apply: true, aggressive: true });
    const once = bytesOf(here);
    const second = await runAudit(here.memory, { apply: true, aggressive: true });
    expect([second.id, second.actions, bytesOf(here)]).toEqual([null, [], once]);
  });
});

interface KnownReport {
  readonly memory_size: number;
  readonly cross_file_issues: readonly Pick<CrossFileIssue, "file" | "section" | "severity">[];
  readonly sections: readonly { readonly heading: string; readonly lines: number }[];
}

/** The known implementation calls the text before the first heading `unknown`. */
function nameOf({ file, section, severity }: Pick<CrossFileIssue, "file" | "section" | "severity">): string {
  return `${file} ${section === "unknown" ? "header" : section} ${severity}`;
}

function open(): TestMemory {
  const root = join(sample, "workspace");
  const paths = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) =>
    statSync(join(root, path)).isFile(),
  );
  const files = Object.fromEntries(
    paths.map((path) => [relative(root, join(root, path)), readFileSync(join(root, path))]),
  );
  return openTestMemory({ files, today: "2026-01-10", disk: "folder" });
}

/** Every file except those in `.heartwood/`, byte for byte. */
function bytesOf(here: TestMemory): ReadonlyMap<string, string> {
  const own = here.list().filter((path) => !path.startsWith(".heartwood/"));
  return new Map(own.map((path) => [path, readFileSync(join(here.memory.dir, path)).toString("latin1")]));
}
