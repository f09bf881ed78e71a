import { reportOf, type AuditReport, type ReportLimits, type AuditAction } from "../../../audit/model/report.ts";
import { type SectionFigures } from "../../../audit/checks/memory-checks.ts";
import { type LinePair } from "../../../audit/model/finding.ts";
import type { AuditResult } from "../../../audit/model/report.ts";
import type { AuditHistoryEntry, AuditHistoryResult } from "../../../audit/run/history.ts";
import type { AuditUndoResult } from "../../../audit/run/undo.ts";
import { greatest } from "../../../base/lists.ts";
import { showsAll, duplicateLines, noteLines, otherLines, repeatLines } from "./audit-findings.ts";
import {
  moreLine,
  counted,
  grouped,
  cutTo,
  padTo,
  widthOf,
  wrapTo,
  aligned,
  paragraphs,
  stackedRows,
  placeOf,
  firstOf,
  type Paint,
  type Screen,
} from "./layout.ts";

const LIMITS: ReportLimits = { sections: 12, repeats: 6, duplicates: 8, notes: 8, others: 12, actions: 12 };

/** The verdict, MEMORY.md, repeats, other findings, and what to do about them. A clean workspace is three lines. */
export function renderAudit(result: AuditResult, screen: Screen): string {
  const report = reportOf(result, LIMITS);
  if (report.state === "clean") return cleanText(result, screen);
  return paragraphs([
    [verdictLine(result, report, screen.paint)],
    memoryLines(result, report, screen),
    repeatLines(report.repeats, screen),
    duplicateLines(report.duplicates, screen),
    noteLines(result, report.notes, screen),
    otherLines(report.others, screen),
    actionLines(result, report, screen),
    nextSteps(report, screen),
  ]);
}

function cleanText(result: AuditResult, { paint }: Screen): string {
  const { memory_lines, memory_size, memory_tokens, sections, dry_run } = result;
  const size = `${grouped(memory_size)} bytes, ${counted(memory_tokens, "token")} in ${counted(sections.length, "section")}`;
  return [
    paint.good("Clean: no repeats, and nothing too large."),
    memory_lines === 0 ? "MEMORY.md is missing or empty." : `MEMORY.md has ${size}.`,
    dry_run ? "Nothing to do." : "Nothing to do; nothing was written.",
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
  if (id === null) return `${paint.title("Memory audit:")} ${findings}. Nothing to apply.`;
  const { actions, files } = report.saved;
  const done = `${paint.good("Applied")} ${counted(actions, "change")} in ${counted(files, "file")}`;
  return `${done}; remaining: ${findings}. Line numbers are from before the changes.`;
}

const WIDEST_BAR = 40;
const WIDEST_HEADING = 48;
/** A shorter bar is meaningless. */
const SHORTEST_BAR = 4;

/** The size of MEMORY.md, and its sections with bars in the order of the file. */
function memoryLines(result: AuditResult, report: AuditReport, screen: Screen): readonly string[] {
  const { memory_lines, memory_tokens, memory_bpe_tokens, memory_size_after } = result;
  const { before, after, derived } = report.size;
  const { columns, paint } = screen;
  if (report.noMemory === "not read") return ["MEMORY.md was not read."];
  if (report.noMemory !== undefined) return ["MEMORY.md is missing or empty."];
  const cutOff = wrapTo(report.cutOff?.message ?? "", columns - 2).map((text) => `  ${paint.bad(text)}`);
  const title = paint.title("MEMORY.md:");
  // The sections were measured before the changes.
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
    rows.push(
      paint.dim(
        `  ! over 500 tokens: shorten ${bloated === 1 ? "this section" : "these sections"} or move ${bloated === 1 ? "it" : "them"} to knowledge/`,
      ),
    );
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

/** Line ranges shown of one action. */
const RANGES = 3;

/** What was or would be done, what was left alone, and what it saves. */
function actionLines({ dry_run }: AuditResult, report: AuditReport, screen: Screen): readonly string[] {
  const { paint } = screen;
  const { shown, hidden } = report.actions;
  if (shown.length === 0) return [];
  const rows = actionRows(shown, screen);
  const { actions, files, bytes, tokens } = report.saved;
  const sum = `${counted(actions, "change")} in ${counted(files, "file")}, ${counted(bytes, "byte")}, ${counted(tokens, "token")} less`;
  return [
    paint.title(dry_run ? "What --apply would do" : "What was done"),
    ...rows,
    ...moreLine(hidden.length, showsAll),
    ...(actions > 1 ? [`  ${paint.title(`Total: ${sum}`)}`] : []),
    ...shown
      .filter(({ state }) => state === "left")
      .map(({ path, message }) => `  ${paint.warn(`Left ${path}:`)} ${message}`),
  ];
}

function actionRows(actions: readonly AuditAction[], { columns, paint }: Screen): readonly string[] {
  const cells = actions.map((action) => [placesOf(action), WORDS[action.kind], ...savingOf(action, paint)]);
  return stackedRows(cells, columns).flat();
}

const WORDS: Readonly<Record<AuditAction["kind"], string>> = {
  remove_section: "remove copies",
  remove_duplicates: "remove repeats",
  merge_blank_lines: "remove blank lines",
  rotate: "archive",
};

function savingOf({ state, bytes, tokens }: AuditAction, paint: Paint): readonly string[] {
  return state === "left"
    ? [paint.warn("left")]
    : [`-${counted(bytes, "byte")}`, tokens === 0 ? "" : `-${counted(tokens, "token")}`];
}

function placesOf({ kind, path, lines }: AuditAction): string {
  const [first, ...more] = lines;
  if (kind === "rotate" || first === undefined) return path;
  const rest = more.slice(0, RANGES - 1).map(rangeOf);
  return [placeOf(path, first), ...rest].join(",") + (more.length >= RANGES ? ",…" : "");
}

function rangeOf([from, to]: LinePair): string {
  return from === to ? `${from}` : `${from}-${to}`;
}

/** The command that applies it, shows more, or undoes it. */
function nextSteps({ next, findings }: AuditReport, { paint }: Screen): readonly string[] {
  if (next.length === 0) return findings === 0 ? [] : ["The rest is for you to decide; --apply does not change it."];
  return next.map(({ what, command }) => {
    if (what === "undo") return `Undo: ${paint.title(command)}`;
    if (what === "more")
      return `See what removing repeated lines and archiving large notes would save: ${paint.title(command)}`;
    return `Apply: ${paint.title(command)} (\`heartwood audit undo\` reverts it)`;
  });
}

const AUDITS = 10;
const FILES = 8;

export function renderAuditUndo(
  { id, at, restored, appended, removed, kept, complete }: AuditUndoResult,
  { paint }: Screen,
): string {
  const rows = [
    ...firstOf(
      restored.map((path) => {
        const since = appended.includes(path) ? ", followed by what was appended since" : "";
        return `  ${paint.good("restored")}  ${path}${since}`;
      }),
      FILES,
    ),
    ...firstOf(
      removed.map((path) => `  removed   ${path}`),
      FILES,
    ),
  ];
  const head = complete ? paint.good("Undone") : paint.warn("Partly undone");
  const told = kept.flatMap(({ path, message, before }) => [
    `  ${paint.warn("kept")}      ${path}: ${message}`,
    `            its old bytes: ${before}`,
  ]);
  const again = complete ? [] : [`Fix these, then run again: heartwood audit undo ${id}`];
  return [`${head}: audit ${paint.title(id)} of ${at}`, ...rows, ...told, ...again].join("\n");
}

export function renderAuditHistory({ audits, skipped }: AuditHistoryResult, screen: Screen): string {
  const { paint } = screen;
  const told = skipped.map(({ path, message }) => paint.warn(`Skipped ${path}: ${message}`));
  if (audits.length === 0) return ["No audit has changed anything yet.", ...told].join("\n");
  const entries = audits.slice(0, AUDITS).map((entry) => entryLines(entry, paint).join("\n"));
  const more =
    audits.length > AUDITS ? [`… and ${counted(audits.length - AUDITS, "older audit")} (--json shows all)`] : [];
  const newest = audits.find(({ undone_at }) => undone_at === null);
  const next = newest === undefined ? [] : [`Undo the newest: ${paint.title(`heartwood audit undo ${newest.id}`)}`];
  return [...entries, ...more, ...told, ...next].join("\n\n");
}

function entryLines({ id, at, mode, undone_at, files }: AuditHistoryEntry, paint: Paint): readonly string[] {
  const how = mode === "aggressive" ? ", aggressive" : "";
  const state = undone_at === null ? "" : `; ${paint.dim(`undone at ${undone_at}`)}`;
  const rows = aligned(
    files.map(({ path, change, before_bytes, after_bytes, now }) => [
      path,
      change,
      `${grouped(before_bytes)} → ${grouped(after_bytes)} bytes`,
      nowOf(now, undone_at === null ? "open" : "undone", paint),
    ]),
  );
  return [`${paint.title(id)}  ${at}${how}${state}`, ...firstOf(rows, FILES)];
}

function nowOf(now: AuditHistoryEntry["files"][number]["now"], state: "open" | "undone", paint: Paint): string {
  if (now === "changed") return paint.warn("changed since");
  if (now === "missing") return paint.warn("deleted since");
  return now === "before" && state === "open" ? "as before the audit" : "";
}
