import type { CompactResult, DueNode, WrittenNode } from "../../../tree/run/idle.ts";
import { columns, counted, durationText, firstOf, grouped } from "./layout.ts";
import type { Screen } from "./screen.ts";
import { requestLines } from "./summary-requests.ts";
import { pushAll } from "../../../base/lists.ts";

/** More rows than this push the headline off the screen; `--json` lists all. */
const ROWS = 16;
/** What a person reads first comes first, since the end may be cut off. */
const LEVELS = ["root", "monthly", "weekly", "daily"] as const;

/** What the run wrote, or would write, in one screen. */
export function renderCompact(result: CompactResult, screen: Screen): string {
  const { paint } = screen;
  const lines = [paint.title(headlineOf(result)), ...writtenRows(result.written)];
  if (result.written.length === 0 && result.dry_run === true) pushAll(lines, dueRows(result.due));
  for (const { path, message } of result.skipped) lines.push(paint.warn(`Skipped ${path}: ${message}`));
  if (result.root !== null && result.written.length > 0) lines.push(rootLine(result.root));
  pushAll(lines, requestLines(result.requests ?? [], screen));
  if (result.dry_run !== true && result.due.length > 0) lines.push("", `Still due: ${dueSummary(result.due)}`);
  return lines.join("\n");
}

function headlineOf(result: CompactResult): string {
  if (result.dry_run === true) return `Plan for ${result.today}: ${planOf(result)}. Nothing was written.`;
  if (result.written.length > 0) {
    const cycles = counted(result.cycles, "cycle");
    return `Compacted for ${result.today} in ${cycles}, ${durationText(result.duration_ms)}: ${levelsOf(result.written)}`;
  }
  if (result.waits !== undefined)
    return `Nothing was written for ${result.today}: no run is due yet (${result.waits}).`;
  if (result.due.length > 0 && result.due.every(({ reason }) => reason === "answer"))
    return `Nothing was written for ${result.today}: ${counted(result.due.length, "node")} may still get an answer of a model.`;
  if (result.due.length > 0)
    return `Nothing was written for ${result.today}: ${counted(result.due.length, "node")} could not be brought up to date.`;
  return `Nothing is due for ${result.today}; nothing was written.`;
}

function planOf({ written, due }: CompactResult): string {
  if (written.length > 0) return levelsOf(written);
  return due.length > 0 ? counted(due.length, "node") : "nothing is due";
}

function levelsOf(written: readonly WrittenNode[]): string {
  const parts = (["daily", "weekly", "monthly"] as const)
    .map((level) => ({ level, count: written.filter((node) => node.level === level).length }))
    .filter(({ count }) => count > 0)
    .map(({ level, count }) => `${grouped(count)} ${level}`);
  return [...parts, ...(written.some(({ level }) => level === "root") ? ["ROOT.md"] : [])].join(", ");
}

function writtenRows(written: readonly WrittenNode[]): readonly string[] {
  const ordered = LEVELS.flatMap((level) => written.filter((node) => node.level === level));
  const rows = columns(ordered.map(({ action, path, status, summarizer }) => [action, path, status, summarizer]));
  return firstOf(rows, ROWS, (row) => row);
}

function dueRows(due: readonly DueNode[]): readonly string[] {
  return firstOf(columns(due.map(({ reason, path, detail }) => [reason, path, detail])), ROWS, (row) => row);
}

function rootLine(root: NonNullable<CompactResult["root"]>): string {
  const dropped = root.dropped === 0 ? "" : `; ${grouped(root.dropped)} did not fit (heartwood root --dropped)`;
  return `ROOT.md: ${grouped(root.tokens)} of ${grouped(root.cap)} tokens, ${counted(root.topics, "topic")}${dropped}`;
}

function dueSummary(due: readonly DueNode[]): string {
  const names = due.slice(0, 3).map(({ period, reason }) => `${period} (${reason})`);
  return `${counted(due.length, "node")}: ${names.join(", ")}${due.length > 3 ? ", …" : ""}`;
}
