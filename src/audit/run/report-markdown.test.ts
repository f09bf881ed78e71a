import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { appliedReport, auditReport, cleanReport } from "../../../test/fixtures/audit-results.ts";
import { scanLines } from "../../base/markdown.ts";
import { plainMarkdown, printAuditMarkdown } from "./report-markdown.ts";
import type { AuditResult } from "../model/report.ts";

/** The same report with this text wherever text of a file is quoted. */
function quoting(text: string): AuditResult {
  const [section = auditReport.sections[0]] = auditReport.sections.slice(1);
  return {
    ...auditReport,
    sections: section === undefined ? [] : [{ ...section, heading: text }],
    cross_file_issues: auditReport.cross_file_issues.map((issue) => ({
      ...issue,
      section: text,
      against: text,
      quotes: [
        { line: 4, text, memory_line: 11, memory_text: `${text} too` },
        { line: 5, text, memory_line: null, memory_text: null },
      ],
    })),
    internal_duplicate_lines: [{ text, count: 2, lines: [1, 2] }],
    actions: auditReport.actions.map((action) => ({ ...action, message: text })),
    findings: auditReport.findings.map((finding) => ({ ...finding, message: text })),
  };
}

/** The structure of a Markdown report: headings, and how each line begins. */
function formOf(markdown: string): readonly string[] {
  const lines = markdown.split("\n");
  const kinds = scanLines(lines).lines;
  return lines.map((line, index) => `${kinds[index]?.kind} ${/^(?:\| |\|-| *- |#+ |)/.exec(line)?.[0] ?? ""}`);
}

describe("the report as Markdown", () => {
  test("begins with its title and contains the day, but no time and no folder", () => {
    const text = printAuditMarkdown(auditReport);
    expect(text).toMatch(/^# Memory audit\n\n2026-11-22\. Findings: 2 high, 2 medium, 1 low\. Nothing was written\.\n/);
    expect(text).not.toMatch(/\d\d:\d\d|\/work\/project/);
    expect(printAuditMarkdown(appliedReport)).not.toContain("103105");
    expect(text.endsWith("\n")).toBe(true);
    expect(text).not.toMatch(/\n\n\n| \n/);
  });

  test("says so if the workspace is clean or the audit was applied", () => {
    expect(printAuditMarkdown(cleanReport)).toContain("2026-11-22. Clean. Nothing was written.");
    expect(printAuditMarkdown(appliedReport)).toContain("Applied: 1 change in 1 file.");
    expect(printAuditMarkdown(appliedReport)).toMatch(/\n- Undo: `heartwood audit undo`\n$/);
  });

  test("shows the size of MEMORY.md without the Compaction Root, before and after", () => {
    const rooted = { memory_size: 1_214, memory_size_before: 6_192, memory_size_after: 6_192 };
    expect(printAuditMarkdown({ ...auditReport, ...rooted })).toContain(
      "\n1214 bytes, 5000 characters, 120 lines, 1234 tokens (estimate), 1100 tokens (o200k). Including its Compaction Root: 6192 bytes.\n",
    );
    expect(printAuditMarkdown({ ...appliedReport, ...rooted, memory_size_after: 6_191 })).toContain(
      "\n1214 bytes before, 1213 bytes after. Including its Compaction Root: 6191 bytes.\n",
    );
  });

  test("shows differing lines one below the other", () => {
    const issues = auditReport.cross_file_issues.map((issue) => ({
      ...issue,
      quotes: [{ line: 4, text: "on Fridays only", memory_line: 11, memory_text: "on Mondays only" }],
    }));
    const text = printAuditMarkdown({ ...auditReport, cross_file_issues: issues });
    expect(text).toContain("  - memory/2026-11-20.md:4: on Fridays only\n  - MEMORY.md:11: on Mondays only");
  });

  test.each([
    "```",
    "| a | b |",
    "# x",
    "<!-- hw id=1 -->",
    "---",
    "- [ ] x",
    "> x",
    "a\n# b\n```",
    "\\|",
    "`",
    "</del>",
    "\u202Eabc\u0000",
  ])("is not broken by %j", (text) => {
    expect(formOf(printAuditMarkdown(quoting(text)))).toEqual(formOf(printAuditMarkdown(quoting("plain"))));
  });

  test("keeps its structure and number of cells whatever is quoted", () => {
    const whole = formOf(printAuditMarkdown(quoting("plain")));
    const cells = (markdown: string): readonly number[] =>
      markdown
        .split("\n")
        .flatMap((line) => (line.startsWith("|") ? [line.replaceAll(/\\[^]/g, "").split("|").length] : []));
    const wanted = cells(printAuditMarkdown(quoting("plain")));
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: fc.constantFrom(..."|`\\#-*_<>!&~[]() \n\t") })),
        (text) => {
          const markdown = printAuditMarkdown(quoting(text));
          expect(formOf(markdown)).toEqual(whole);
          expect(cells(markdown)).toEqual(wanted);
        },
      ),
      { numRuns: 200 },
    );
  });
});

test("plain Markdown is one line without any markup", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const plain = plainMarkdown(text);
      expect(plain).not.toMatch(/[\n\r\u0000-\u001F]/);
      expect(plain.replaceAll(/\\[^]/g, "")).not.toMatch(/[`*_[\]<>&|~]/);
    }),
  );
});
