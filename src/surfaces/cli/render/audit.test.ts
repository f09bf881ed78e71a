import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import type { AuditResult } from "../../../audit/model/report.ts";
import {
  appliedReport,
  auditHistory,
  auditReport,
  cleanReport,
  undoneAudit,
} from "../../../../test/fixtures/audit-results.ts";
import type { SinkLook } from "../terminal.ts";
import { renderResult } from "../../../../test/fixtures/rendered.ts";
import { widthOf } from "./layout.ts";

const PIPE: SinkLook = { kind: "pipe", colours: "off", columns: 80 };

function shown(result: AuditResult, look: SinkLook = PIPE): string {
  return renderResult("audit.run", result, look);
}

function onTerminal(result: AuditResult, columns: number, colours: "on" | "off" = "off"): string {
  return shown(result, { kind: "terminal", colours, columns });
}

describe("a report", () => {
  test("on a clean workspace is three lines", () => {
    expect(shown(cleanReport)).toBe(
      [
        "Clean: no repeats, and nothing too large.",
        "MEMORY.md has 900 bytes, 210 tokens in 2 sections.",
        "Nothing to do.",
      ].join("\n"),
    );
    expect(shown({ ...cleanReport, dry_run: false }).split("\n")).toHaveLength(3);
    expect(shown({ ...cleanReport, memory_lines: 0 })).toContain("MEMORY.md is missing or empty.");
  });

  test("starts with the verdict and ends with the command to run", () => {
    const lines = shown(auditReport).split("\n");
    expect(lines[0]).toBe("Memory audit: 5 findings: 2 high, 2 medium, 1 low. Nothing was written.");
    expect(lines.slice(-2)).toEqual([
      "Apply: heartwood audit --apply (`heartwood audit undo` reverts it)",
      "See what removing repeated lines and archiving large notes would save: heartwood audit --aggressive",
    ]);
    expect(shown({ ...auditReport, aggressive: true })).toMatch(/Apply: heartwood audit --aggressive --apply [^\n]*$/);
  });

  test("on an applied audit shows what was done, what remains and how to undo it", () => {
    const text = shown(appliedReport);
    expect(text).toMatch(
      /^Applied 1 change in 1 file; remaining: 4 findings: 1 high, 2 medium, 1 low\. Line numbers are from before the changes\.\n/,
    );
    expect(text).toContain("What was done\n  memory/2026-11-20.md:3-7,9  remove copies  -181 bytes  -71 tokens");
    expect(text).toMatch(/\nUndo: heartwood audit undo$/);
  });

  test("on an applied audit does not list resolved findings", () => {
    const text = shown({ ...appliedReport, memory_size_after: 900 });
    expect(text).toContain("\nMEMORY.md: 6,144 → 900 bytes\n");
    expect(text).not.toContain("high    memory/2026-11-20.md:3");
  });

  test("shows the size of MEMORY.md without its Compaction Root, before and after", () => {
    const rooted = { memory_size: 1_214, memory_size_before: 6_192, memory_size_after: 6_192 };
    expect(shown({ ...auditReport, ...rooted })).toContain(
      "\nMEMORY.md: 1,214 bytes, 1,234 tokens (estimate; 1,100 in o200k), 120 lines; 6,192 bytes with its Compaction Root\n",
    );
    expect(shown({ ...appliedReport, ...rooted, memory_size_after: 6_191 })).toContain(
      "\nMEMORY.md: 1,214 → 1,213 bytes; 6,191 bytes with its Compaction Root\n",
    );
  });

  test("reports an unreadable MEMORY.md as not read, not as missing", () => {
    const unread = { code: "unreadable", severity: "high", path: "MEMORY.md", line: null, lines: null } as const;
    const findings = [{ ...unread, message: "MEMORY.md was not audited: it is a folder.", resolved: false }];
    const text = shown({ ...auditReport, memory_lines: 0, findings });
    expect(text).toContain("\nMEMORY.md was not read.\n");
    expect(text).toContain("MEMORY.md was not audited: it is a folder.");
    expect(text).not.toContain("missing");
  });

  test("puts each change on one line, or on two on a narrow screen", () => {
    expect(shown(auditReport)).toContain("\n  memory/2026-11-20.md:3-7,9  remove copies  -181 bytes  -71 tokens\n");
    expect(onTerminal(auditReport, 40)).toContain(
      "\n  memory/2026-11-20.md:3-7,9\n    remove copies, -181 bytes, -71 tokens\n",
    );
  });

  test("shows what was left because the file had changed, and why", () => {
    const actions = auditReport.actions.map((action) => ({ ...action, state: "left" as const, message: "it changed" }));
    const text = shown({ ...appliedReport, id: null, actions });
    expect(text).toContain("remove copies  left\n  Left memory/2026-11-20.md: it changed");
  });

  test("shows a finding at many places once", () => {
    const secret = auditReport.findings[1];
    const findings = Array.from({ length: 8 }, (_, line) => ({ ...secret, line: line + 1 })) as AuditResult["findings"];
    expect(shown({ ...auditReport, findings })).toContain(
      "  high    USER.md:1, USER.md:2, USER.md:3, USER.md:4, USER.md:5, USER.md:6 and 2 more places\n          A GitHub token",
    );
  });

  test("mentions if there is nothing for --apply to do", () => {
    const findings = auditReport.findings.filter(({ code }) => code !== "note_over_rotation");
    const text = shown({ ...auditReport, actions: [], internal_duplicate_lines: [], findings });
    expect(text).toMatch(/\nThe rest is up to you; --apply does not change it\.$/);
  });
});

describe("on a screen", () => {
  const long = "word ".repeat(40).trim();
  const cjk = "支払い設計の判断と背景".repeat(8);
  const wide: AuditResult = {
    ...auditReport,
    findings: auditReport.findings.map((finding) => ({ ...finding, message: `${long} ${cjk}` })),
  };

  test.each([40, 80, 200])("with %d columns, no finding is wider", (columns) => {
    const [, , findings = ""] = onTerminal(wide, columns).split("\n\n");
    const lines = findings.split("\n").slice(1);
    expect(lines.length).toBeGreaterThan(8);
    for (const line of lines)
      expect([line, widthOf(line)]).toEqual([line, expect.toSatisfy((width) => width <= columns)]);
  });

  test("prints no colours if they are off", () => {
    expect(onTerminal(auditReport, 80)).toBe(stripVTControlCharacters(onTerminal(auditReport, 80, "on")));
  });
});

test("undo shows what was restored, what was kept and how to continue", () => {
  expect(renderResult("audit.undo", undoneAudit, PIPE)).toBe(
    [
      "Partly undone: audit 20261122-103105-3f2a of 2026-11-22T10:31:05+01:00",
      "  restored  MEMORY.md",
      "  restored  memory/2026-01-05.md, followed by what was appended since",
      "  removed   memory/archive/2026-01-04.full.md",
      "  kept      memory/2026-01-04.md: it was changed since",
      "            its old bytes: .heartwood/artifacts/sha256/ab",
      "Fix these, then run again: heartwood audit undo 20261122-103105-3f2a",
    ].join("\n"),
  );
  expect(renderResult("audit.undo", { ...undoneAudit, kept: [], complete: true }, PIPE)).toMatch(/^Undone: audit/);
});

test("history shows what each audit changed, what happened to it since, and how to undo the newest", () => {
  const text = renderResult("audit.history", auditHistory, PIPE);
  expect(text).toContain("20261122-103105-3f2a  2026-11-22T10:31:05+01:00, aggressive\n");
  expect(text).toContain("memory/2026-01-04.md  rotated  33,294 → 1,411 bytes  changed since");
  expect(text).toContain("undone at 2026-11-21T09:05:00+01:00");
  expect(text).toMatch(/\nUndo the newest: heartwood audit undo 20261122-103105-3f2a$/);
  expect(renderResult("audit.history", { audits: [], skipped: [] }, PIPE)).toBe("No audit has changed anything yet.");
});
