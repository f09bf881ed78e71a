import type { CrossFileIssue, QuotedLine } from "../checks/redundant-sections.ts";
import type { LinePair } from "../model/finding.ts";
import { type AuditReport, type AuditResult, reportOf, saysTheSame, sectionName } from "../model/report.ts";
import { visibleLine } from "../../text/visible.ts";

/** Prints the report as Markdown. Deterministic; the only time in it is the day. */
export function printAuditMarkdown(result: AuditResult): string {
  const report = reportOf(result);
  const parts = [
    ["# Memory audit"],
    [verdict(result, report)],
    chapter("MEMORY.md", memoryPart(result, report)),
    chapter("Findings", findingPart(report)),
    chapter("Sections of notes that repeat MEMORY.md", report.repeats.flatMap(repeatPart)),
    chapter(result.dry_run ? "What --apply would do" : "What was done", actionPart(result, report)),
    report.next.map(({ what, command }) => `- ${nextWords[what]}: \`${command}\``),
  ];
  const filled = parts.filter((lines) => lines.length > 0).map((lines) => lines.join("\n"));
  return `${filled.join("\n\n")}\n`;
}

const nextWords = { apply: "Do it", more: "See more", undo: "Undo" } as const;

function chapter(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`## ${title}`, "", ...lines];
}

function verdict({ today, dry_run, id, findings_count }: AuditResult, report: AuditReport): string {
  const counts = (["high", "medium", "low"] as const)
    .filter((severity) => findings_count[severity] > 0)
    .map((severity) => `${findings_count[severity]} ${severity}`);
  const found = report.state === "clean" ? "Clean" : `Findings: ${counts.length === 0 ? "none" : counts.join(", ")}`;
  if (dry_run || id === null) return `${today}. ${found}. Nothing was written.`;
  const { actions, files } = report.saved;
  const done = `${actions} ${actions === 1 ? "change" : "changes"} in ${files} ${files === 1 ? "file" : "files"}`;
  return `${today}. ${found}. Applied: ${done}. Line numbers are from before the changes.`;
}

function memoryPart(result: AuditResult, { noMemory, size }: AuditReport): readonly string[] {
  if (noMemory !== undefined) return [noMemory === "not read" ? "It was not read." : "It is missing or empty."];
  const { memory_lines, memory_chars, memory_tokens, memory_bpe_tokens, memory_size_after } = result;
  const { before, after, derived } = size;
  const whole = derived === 0 ? "" : ` Including its Compaction Root: ${memory_size_after} bytes.`;
  // The section table is left out after a change, because it describes the file before the change.
  if (before !== after) return [`${before} bytes before, ${after} bytes after.${whole}`];
  const figures = `${before} bytes, ${memory_chars} characters, ${memory_lines} lines, ${memory_tokens} tokens (estimate), ${memory_bpe_tokens} tokens (o200k).`;
  const rows = result.sections.map(({ heading, level, line, tokens }) => {
    return [`${line}`, level === 0 ? "(beginning)" : plainMarkdown(heading), `${tokens}`];
  });
  return [figures + whole, "", ...markdownTable(["line", "section", "tokens"], rows)];
}

function findingPart({ findings }: AuditReport): readonly string[] {
  const rows = findings.map(({ severity, path, lines, message }) => {
    return [severity, lines === null ? plainMarkdown(path) : placeOf(path, lines), plainMarkdown(message)];
  });
  return markdownTable(["severity", "place", "finding"], rows);
}

function repeatPart(issue: CrossFileIssue): readonly string[] {
  const { path, lines, severity, similarity, against, against_lines, quotes } = issue;
  const here = `${placeOf(path, lines)} ${plainMarkdown(sectionName(issue))}`;
  const there = `${placeOf("MEMORY.md", against_lines)} ${against === "MEMORY.md" ? "(whole file)" : plainMarkdown(against)}`;
  return [
    `- **${severity}**: ${here} is similar to ${there}, similarity ${similarity.toFixed(3)}`,
    ...quotes.toSorted((a, b) => a.line - b.line).flatMap((quote) => quoteLines(path, quote)),
  ];
}

function quoteLines(path: string, quote: QuotedLine): readonly string[] {
  const { line, text, memory_line, memory_text } = quote;
  const here = placeOf(path, [line, line]);
  if (memory_line === null || memory_text === null) return [`  - ${here}, not in MEMORY.md: ${plainMarkdown(text)}`];
  const there = placeOf("MEMORY.md", [memory_line, memory_line]);
  if (saysTheSame(quote)) return [`  - ${here} and ${there}: ${plainMarkdown(text)}`];
  return [`  - ${here}: ${plainMarkdown(text)}`, `  - ${there}: ${plainMarkdown(memory_text)}`];
}

function actionPart({ actions }: AuditResult, { saved }: AuditReport): readonly string[] {
  const rows = actions.map(({ path, lines, kind, message, state, bytes, tokens }) => {
    const places =
      kind === "rotate" ? "" : `:${lines.map(([from, to]) => (from === to ? from : `${from}-${to}`)).join(",")}`;
    const figures = state === "left" ? ["left", "left"] : [`${bytes}`, `${tokens}`];
    return [`${plainMarkdown(path)}${places}`, plainMarkdown(message), ...figures];
  });
  const sum = rows.length > 1 && saved.actions > 0 ? [["total", "", `${saved.bytes}`, `${saved.tokens}`]] : [];
  return markdownTable(["place", "change", "saves bytes", "saves tokens"], [...rows, ...sum]);
}

function placeOf(path: string, [from, to]: LinePair): string {
  return `${plainMarkdown(path)}:${from === to ? from : `${from}-${to}`}`;
}

/**
 * Escapes any text as one line of Markdown that can be placed anywhere in a line: it does not start or end emphasis, links, code, table cells, HTML or
 * comments. Characters that reverse or hide text are made visible, as in `visible`.
 */
export function plainMarkdown(text: string): string {
  return visibleLine(text)
    .replace(/[\\`*_[\]<>&|~$!#@]/g, "\\$&")
    .trim();
}

/** A table, or nothing if there are no rows. The cells are already Markdown. */
function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  if (rows.length === 0) return [];
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [
    line(head),
    `|${head.map((name) => (numbers.includes(name) ? "---:" : "---")).join("|")}|`,
    ...rows.map(line),
  ];
}

/** Right-aligned columns. */
const numbers: readonly string[] = ["line", "tokens", "saves bytes", "saves tokens"];
