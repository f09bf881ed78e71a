import { describe, expect, test } from "vitest";
import { appliedReport, auditReport, cleanReport } from "../../../test/fixtures/audit-results.ts";
import { reportOf, type AuditResult } from "./report.ts";

function report(changes: Partial<AuditResult> = {}): ReturnType<typeof reportOf> {
  return reportOf({ ...auditReport, ...changes });
}

describe("what a report shows", () => {
  test("is clean, open or done", () => {
    expect(report().state).toBe("open");
    expect(reportOf(cleanReport).state).toBe("clean");
    expect(reportOf({ ...appliedReport, findings_count: cleanReport.findings_count }).state).toBe("done");
  });

  test("counts savings of proposed or done actions, but not of those left", () => {
    expect(report().saved).toEqual({ actions: 1, files: 1, bytes: 181, tokens: 71 });
    const left = auditReport.actions.map((action) => ({ ...action, state: "left" as const }));
    const both = reportOf({ ...appliedReport, actions: [...appliedReport.actions, ...left] });
    expect(both.saved.actions).toBe(1);
  });
});

describe("what to do next", () => {
  const commands = (changes: Partial<AuditResult>): readonly string[] =>
    report(changes).next.map(({ command }) => command);

  test("is to apply in the same mode, and to see what the other mode would do", () => {
    expect(commands({})).toEqual(["heartwood audit --apply", "heartwood audit --aggressive"]);
    expect(commands({ aggressive: true })).toEqual(["heartwood audit --aggressive --apply"]);
    expect(commands({ internal_duplicate_lines: [], findings: [] })).toEqual(["heartwood audit --apply"]);
    expect(commands({ actions: [], internal_duplicate_lines: [], findings: [] })).toEqual([]);
  });

  test("is to undo, if something was written", () => {
    expect(commands({ dry_run: false, id: "x" })).toEqual(["heartwood audit undo"]);
    expect(commands({ dry_run: false, id: null })).toEqual([]);
  });
});
