import { describe, expect, test } from "vitest";
import { appliedReport, auditReport, cleanReport } from "../../../test/fixtures/audit-results.ts";
import { reportOf, tellingQuotes, type ReportLimits, type AuditResult } from "./report.ts";

const LIMITS: ReportLimits = { sections: 2, repeats: 2, duplicates: 2, notes: 2, others: 2, actions: 2 };

function report(changes: Partial<AuditResult> = {}): ReturnType<typeof reportOf> {
  return reportOf({ ...auditReport, ...changes }, LIMITS);
}

describe("what a report shows", () => {
  test("is clean, open or done", () => {
    expect(report().state).toBe("open");
    expect(reportOf(cleanReport, LIMITS).state).toBe("clean");
    expect(reportOf({ ...appliedReport, findings_count: cleanReport.findings_count }, LIMITS).state).toBe("done");
  });

  test("are the largest sections, in the order of the file", () => {
    const { sections, largest } = report();
    expect(sections.shown.map(({ heading }) => heading)).toEqual(["用户偏好", "Deploy"]);
    expect(sections.hidden).toHaveLength(2);
    expect(largest).toBe(600);
  });

  test("hides no single row: the line that counts it would be as long", () => {
    const actions = Array.from({ length: 3 }, () => auditReport.actions[0]).flatMap((one) => (one ? [one] : []));
    expect(report({ actions }).actions.hidden).toEqual([]);
    expect(report({ actions: [...actions, ...actions] }).actions).toMatchObject({
      shown: { length: 2 },
      hidden: { length: 4 },
    });
  });

  test("are notes over a limit, the largest first, and no shortened one", () => {
    const { notes } = reportOf(auditReport, { ...LIMITS, notes: 9 });
    expect(notes.shown.map(({ bytes }) => bytes)).toEqual([50_000, 33_294, 9_000]);
  });

  test("is each finding once: what bars, quotes and tables tell is not told again", () => {
    expect(
      report()
        .others.shown.flat()
        .map(({ code }) => code),
    ).toEqual(["secret_found"]);
  });

  test("puts findings that say the same together", () => {
    const secrets = auditReport.findings.filter(({ code }) => code === "secret_found");
    const findings = [...secrets, ...secrets.map((finding) => ({ ...finding, line: 9 }))];
    expect(report({ findings }).others.shown.map((group) => group.map(({ line }) => line))).toEqual([[7, 9]]);
  });

  test("saves what is proposed, or was done, but not what was left", () => {
    expect(report().saved).toEqual({ actions: 1, files: 1, bytes: 181, tokens: 71 });
    const left = auditReport.actions.map((action) => ({ ...action, state: "left" as const }));
    const both = reportOf({ ...appliedReport, actions: [...appliedReport.actions, ...left] }, LIMITS);
    expect([both.saved.actions, both.left]).toEqual([1, 1]);
  });
});

describe("what to do next", () => {
  const commands = (changes: Partial<AuditResult>): readonly string[] =>
    report(changes).next.map(({ command }) => command);

  test("is to apply, in the mode that was shown, and to see what the other one would do", () => {
    expect(commands({})).toEqual(["heartwood audit --apply", "heartwood audit --aggressive"]);
    expect(commands({ aggressive: true })).toEqual(["heartwood audit --aggressive --apply"]);
    expect(commands({ internal_duplicate_lines: [], findings: [] })).toEqual(["heartwood audit --apply"]);
    expect(commands({ actions: [], internal_duplicate_lines: [], findings: [] })).toEqual([]);
  });

  test("is to take it back, when something was written", () => {
    expect(commands({ dry_run: false, id: "x" })).toEqual(["heartwood audit undo"]);
    expect(commands({ dry_run: false, id: null })).toEqual([]);
  });
});

test("quotes that differ are chosen before those that do not, and stay in order", () => {
  const quote = (line: number, text: string, memory_text: string | null) => ({
    line,
    text,
    memory_line: 1,
    memory_text,
  });
  const quotes = [quote(1, "- a", "a"), quote(2, "**b**", "- b"), quote(3, "c", "d"), quote(4, "e", null)];
  expect(tellingQuotes(quotes, 3).map(({ line }) => line)).toEqual([1, 3, 4]);
});
