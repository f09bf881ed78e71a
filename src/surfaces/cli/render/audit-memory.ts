import type { AuditReport } from "../../../audit/model/report.ts";
import type { SectionFigures } from "../../../audit/checks/memory-checks.ts";
import type { AuditResult } from "../../../audit/run/audit-result.ts";
import { counted, cutTo, grouped, padTo, widthOf, wrapTo } from "./layout.ts";
import type { Paint, Screen } from "./screen.ts";
import { greatest } from "../../../base/lists.ts";

const WIDEST_BAR = 40;
const WIDEST_HEADING = 48;
/** A shorter bar says nothing. */
const SHORTEST_BAR = 4;

/** The size of MEMORY.md, and its sections with bars in the order of the file. */
export function memoryLines(result: AuditResult, report: AuditReport, screen: Screen): readonly string[] {
  const { memory_lines, memory_tokens, memory_bpe_tokens, memory_size_after } = result;
  const { before, after, derived } = report.size;
  const { columns, paint } = screen;
  if (report.noMemory === "not read") return ["MEMORY.md was not read."];
  if (report.noMemory !== undefined) return ["MEMORY.md is not there, or empty."];
  const cutOff = wrapTo(report.cutOff?.message ?? "", columns - 2).map((text) => `  ${paint.bad(text)}`);
  const title = paint.title("MEMORY.md:");
  // Its sections are those of before.
  if (before !== after) {
    const whole = derived === 0 ? "" : `; ${grouped(memory_size_after)} bytes with its Compaction Root`;
    return [`${title} ${grouped(before)} → ${sizeOf(after, result, paint)}${whole}`, ...cutOff];
  }
  const tokens = `${counted(memory_tokens, "token")} (estimate; ${grouped(memory_bpe_tokens)} in o200k)`;
  const lines = counted(memory_lines, "line");
  const head = `${title} ${sizeOf(before, result, paint)}, ${tokens}`;
  const heads =
    derived === 0
      ? [`${head}, ${lines}`]
      : [head, `  with its Compaction Root ${grouped(memory_size_after)} bytes, ${lines}`];
  return [...heads, ...cutOff, ...sectionRows(report, screen)];
}

function sizeOf(bytes: number, { max_memory_kb }: AuditResult, paint: Paint): string {
  return `${grouped(bytes)} bytes${bytes > max_memory_kb * 1024 ? paint.warn(` (over ${max_memory_kb} KB)`) : ""}`;
}

function sectionRows({ sections, largest }: AuditReport, { columns, paint }: Screen): readonly string[] {
  const { shown, hidden } = sections;
  const names = shown.map(nameOf);
  const headingSpace = Math.min(WIDEST_HEADING, Math.max(10, Math.floor(columns * 0.4)));
  const heading = Math.min(headingSpace, greatest([0, ...names.map(widthOf)]));
  const number = greatest([0, ...shown.map((one) => grouped(one.tokens).length)]);
  const bar = Math.min(WIDEST_BAR, columns - heading - number - 8);
  const rows = shown.map((section, index) => {
    const name = padTo(cutTo(names[index] ?? "", heading), heading);
    const mark = section.bloated ? paint.warn("!") : " ";
    return `  ${name}  ${grouped(section.tokens).padStart(number)} ${mark} ${barOf(section, largest, bar)}`.trimEnd();
  });
  const rest = hidden.reduce((sum, section) => sum + section.tokens, 0);
  if (hidden.length > 0)
    rows.push(`  … and ${counted(hidden.length, "smaller section")} with ${counted(rest, "token")}`);
  const bloated = shown.filter((section) => section.bloated).length;
  if (bloated > 0)
    rows.push(paint.dim(`  ! over 500 tokens: ${counted(bloated, "section")} to shorten, or to move to knowledge/`));
  return rows;
}

/** Indented by its level. */
function nameOf({ heading, level }: SectionFigures): string {
  return level === 0 ? "(beginning)" : `${"  ".repeat(level - 1)}${heading}`;
}

function barOf({ tokens }: SectionFigures, largest: number, width: number): string {
  if (tokens === 0 || width < SHORTEST_BAR) return "";
  return "█".repeat(Math.max(1, Math.round((tokens / largest) * width)));
}
