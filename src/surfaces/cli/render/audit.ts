import { reportOf, type AuditReport, type ReportLimits } from "../../../audit/model/report.ts";
import type { AuditResult } from "../../../audit/run/audit-result.ts";
import { actionLines, nextLines } from "./audit-actions.ts";
import { duplicateLines, noteLines, otherLines } from "./audit-findings.ts";
import { memoryLines } from "./audit-memory.ts";
import { repeatLines } from "./audit-repeats.ts";
import { counted, grouped } from "./layout.ts";
import type { Paint, Screen } from "./screen.ts";

const LIMITS: ReportLimits = { sections: 12, repeats: 6, duplicates: 8, notes: 8, others: 12, actions: 12 };

/** The verdict, MEMORY.md, what repeats where, what else was found, what can be done about it. A clean workspace is three lines. */
export function renderAudit(result: AuditResult, screen: Screen): string {
  const report = reportOf(result, LIMITS);
  if (report.state === "clean") return cleanText(result, screen);
  const parts = [
    [verdictLine(result, report, screen.paint)],
    memoryLines(result, report, screen),
    repeatLines(report.repeats, screen),
    duplicateLines(report.duplicates, screen),
    noteLines(result, report.notes, screen),
    otherLines(report.others, screen),
    actionLines(result, report, screen),
    nextLines(report, screen),
  ];
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

function cleanText(result: AuditResult, { paint }: Screen): string {
  const { memory_lines, memory_size, memory_tokens, sections, dry_run } = result;
  const size = `${grouped(memory_size)} bytes, ${counted(memory_tokens, "token")} in ${counted(sections.length, "section")}`;
  return [
    paint.good("Clean: nothing repeats, and nothing is too large."),
    memory_lines === 0 ? "MEMORY.md is not there, or empty." : `MEMORY.md has ${size}.`,
    dry_run ? "There is nothing to do." : "There was nothing to do, and nothing was written.",
  ].join("\n");
}

function verdictLine({ findings_count, id, dry_run }: AuditResult, report: AuditReport, paint: Paint): string {
  const counts = [
    { count: findings_count.high, said: paint.bad(`${grouped(findings_count.high)} high`) },
    { count: findings_count.medium, said: paint.warn(`${grouped(findings_count.medium)} medium`) },
    { count: findings_count.low, said: `${grouped(findings_count.low)} low` },
  ].filter(({ count }) => count > 0);
  const findings =
    counts.length === 0
      ? "no findings"
      : `${counted(report.findings, "finding")}: ${counts.map(({ said }) => said).join(", ")}`;
  if (dry_run) return `${paint.title("Memory audit:")} ${findings}. Nothing was written.`;
  if (id === null) return `${paint.title("Memory audit:")} ${findings}. There was nothing to apply.`;
  const { actions, files } = report.saved;
  const done = `${paint.good("Applied")} ${counted(actions, "change")} in ${counted(files, "file")}`;
  return `${done}; left: ${findings}. Line numbers are those of before.`;
}
