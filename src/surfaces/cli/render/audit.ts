import { reportOf, type AuditAction, type AuditReport, type AuditResult } from "../../../audit/model/report.ts";
import type { AuditFinding } from "../../../audit/model/finding.ts";
import type { AuditHistoryEntry, AuditHistoryResult } from "../../../audit/run/history.ts";
import type { AuditUndoResult } from "../../../audit/run/undo.ts";
import {
  moreLine,
  counted,
  grouped,
  wrapTo,
  aligned,
  paragraphs,
  severityText,
  stackedRows,
  placeOf,
  firstOf,
  type Paint,
  type Screen,
} from "./layout.ts";

/** Maximum rows shown, for findings and for actions each. */
const most = 20;
const showsAll = "--markdown or --json shows all";

export function renderAudit(result: AuditResult, screen: Screen): string {
  const report = reportOf(result);
  if (report.state === "clean") return cleanText(result, screen);
  return paragraphs([
    [verdictLine(result, report, screen.paint)],
    memoryLines(result, report, screen),
    findingLines(report.findings, screen),
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
      : `${counted(report.findings.length, "finding")}: ${counts.map(({ said }) => said).join(", ")}`;
  if (dry_run) return `${paint.title("Memory audit:")} ${findings}. Nothing was written.`;
  if (id === null) return `${paint.title("Memory audit:")} ${findings}. Nothing to apply.`;
  const { actions, files } = report.saved;
  const done = `${paint.good("Applied")} ${counted(actions, "change")} in ${counted(files, "file")}`;
  return `${done}; remaining: ${findings}. Line numbers are from before the changes.`;
}

function memoryLines(result: AuditResult, { noMemory, size }: AuditReport, { paint }: Screen): readonly string[] {
  const { memory_lines, memory_tokens, memory_bpe_tokens, memory_size_after } = result;
  const { before, after, derived } = size;
  if (noMemory !== undefined)
    return [noMemory === "not read" ? "MEMORY.md was not read." : "MEMORY.md is missing or empty."];
  const title = paint.title("MEMORY.md:");
  const whole = derived === 0 ? "" : `; ${grouped(memory_size_after)} bytes with its Compaction Root`;
  if (before !== after) return [`${title} ${grouped(before)} → ${sizeOf(after, result, paint)}${whole}`];
  const tokens = `${counted(memory_tokens, "token")} (estimate; ${grouped(memory_bpe_tokens)} in o200k)`;
  return [`${title} ${sizeOf(before, result, paint)}, ${tokens}, ${counted(memory_lines, "line")}${whole}`];
}

function sizeOf(bytes: number, { max_memory_kb }: AuditResult, paint: Paint): string {
  return `${grouped(bytes)} bytes${bytes > max_memory_kb * 1024 ? paint.warn(` (over ${max_memory_kb} KB)`) : ""}`;
}

/** Maximum places shown for findings with the same message. */
const PLACES = 6;

/** Worst first; groups findings with the same severity and message. */
function findingLines(findings: readonly AuditFinding[], { columns, paint }: Screen): readonly string[] {
  if (findings.length === 0) return [];
  const groups = [...Map.groupBy(findings, ({ severity, message }) => `${severity} ${message}`).values()];
  const rows = groups.slice(0, most).flatMap((group) => {
    const [{ severity, message }] = group as [AuditFinding];
    const places = group.slice(0, PLACES).map(({ path, line }) => (line === null ? path : `${path}:${line}`));
    const more = group.length > PLACES ? ` and ${grouped(group.length - PLACES)} more places` : "";
    const [first = "", ...others] = [
      ...wrapTo(places.join(", ") + more, columns - 10),
      ...wrapTo(message, columns - 10),
    ];
    const mark = `  ${severityText(severity, paint)}${" ".repeat(8 - severity.length)}`;
    return [mark + first, ...others.map((line) => `          ${line}`)];
  });
  return [paint.title("Findings"), ...rows, ...moreLine(groups.length - most, showsAll)];
}

/** Maximum line ranges shown per action. */
const RANGES = 3;

function actionLines({ actions, dry_run }: AuditResult, { saved }: AuditReport, screen: Screen): readonly string[] {
  const { paint } = screen;
  if (actions.length === 0) return [];
  const shown = actions.slice(0, most);
  const cells = shown.map((action) => [placesOf(action), WORDS[action.kind], ...savingOf(action, paint)]);
  const sum = `${counted(saved.actions, "change")} in ${counted(saved.files, "file")}, ${counted(saved.bytes, "byte")}, ${counted(saved.tokens, "token")} less`;
  return [
    paint.title(dry_run ? "What --apply would do" : "What was done"),
    ...stackedRows(cells, screen.columns).flat(),
    ...moreLine(actions.length - most, showsAll),
    ...(saved.actions > 1 ? [`  ${paint.title(`Total: ${sum}`)}`] : []),
    ...shown
      .filter(({ state }) => state === "left")
      .map(({ path, message }) => `  ${paint.warn(`Left ${path}:`)} ${message}`),
  ];
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
  const rest = more.slice(0, RANGES - 1).map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`));
  return [placeOf(path, first), ...rest].join(",") + (more.length >= RANGES ? ",…" : "");
}

function nextSteps({ next, findings }: AuditReport, { paint }: Screen): readonly string[] {
  if (next.length === 0) return findings.length === 0 ? [] : ["The rest is up to you; --apply does not change it."];
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
