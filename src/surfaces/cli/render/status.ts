import type { LevelCount, StatusResult } from "../../../operations/status.ts";
import { bytesText, columns, counted, firstOf, grouped } from "./layout.ts";
import type { Screen } from "./screen.ts";
import { summariesLines } from "./summaries-status.ts";

const ROWS = 6;

/** One screen: what is there, what is due, what is late, and the command to run next. */
export function renderStatus(result: StatusResult, screen: Screen): string {
  const { paint } = screen;
  const parts = [
    [paint.title(`${result.dir} (${result.platform}), ${result.today} in ${result.time_zone}`)],
    columns(factRows(result)),
    result.trust === "trusted"
      ? []
      : [paint.warn("Not trusted: agents' hooks and tools do nothing here until `heartwood trust`")],
    dueLines(result, screen),
    lateLines(result, screen),
    fileLines(result, screen),
    summariesLines(result.summaries, screen),
    memoryLines(result, screen),
    result.skipped.map(({ path, message }) => paint.warn(`Skipped ${path}: ${message}`)),
    [`Next: ${paint.title(result.next)}`],
  ];
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

function factRows({ raw, nodes, root, last_run }: StatusResult): readonly (readonly string[])[] {
  const span = raw.first === null ? "" : `, ${raw.first} to ${raw.last ?? raw.first}`;
  return [
    ["Raw logs", `${counted(raw.days, "day")}, ${counted(raw.files, "file")}, ${bytesText(raw.bytes)}${span}`],
    ["Daily", levelText(nodes.daily)],
    ["Weekly", levelText(nodes.weekly)],
    ["Monthly", levelText(nodes.monthly)],
    ["ROOT.md", rootText(root)],
    ["Last run", last_run ?? "never"],
  ];
}

function levelText({ total, fixed, tentative, late }: LevelCount): string {
  if (total === 0) return "none";
  const addenda = late === 0 ? "" : `, ${counted(late, "late addendum", "late addenda")}`;
  return `${counted(total, "node")}: ${grouped(fixed)} fixed, ${grouped(tentative)} tentative${addenda}`;
}

function rootText(root: StatusResult["root"]): string {
  if (root === null) return "not built yet";
  const dropped = root.dropped === 0 ? "" : `, ${grouped(root.dropped)} did not fit`;
  return `${grouped(root.tokens)} of ${grouped(root.cap)} tokens, ${counted(root.topics, "topic")}${dropped}, as of ${root.last_updated}`;
}

function dueLines({ due_nodes, run_due }: StatusResult, { paint }: Screen): readonly string[] {
  if (due_nodes.length === 0) return [paint.good("Nothing is due")];
  const run = run_due.yes ? `a run is due: ${run_due.reason}` : `no run is due yet: ${run_due.reason}`;
  const rows = columns(due_nodes.map(({ period, level, reason, detail }) => [period, level, reason, detail]));
  return [paint.warn(`${counted(due_nodes.length, "node")} due; ${run}`), ...firstOf(rows, ROWS, (row) => row)];
}

function lateLines({ late }: StatusResult, { paint }: Screen): readonly string[] {
  if (late.length === 0) return [];
  const rows = columns(
    late.map(({ path, code, addendum }) => {
      const pending = code === "source_missing" ? "gone; its node stays" : "not taken in yet";
      return [path, code, addendum === null ? pending : `in ${addendum}`];
    }),
  );
  return [paint.title("Late data"), ...firstOf(rows, ROWS, (row) => row)];
}

function fileLines({ files }: StatusResult, { paint }: Screen): readonly string[] {
  if (files.length === 0) return [];
  const rows = files.map(({ path, lines, target_lines, over, advice }) => {
    const size = `${grouped(lines)} of ${counted(target_lines, "line")}`;
    return [path, over ? `${paint.warn(`${size}, over its target`)}: ${advice ?? ""}` : size];
  });
  return [paint.title("Files against their targets"), ...columns(rows)];
}

/** What of MEMORY.md an agent does not get to see, or that it grows that far. */
function memoryLines({ memory }: StatusResult, { paint }: Screen): readonly string[] {
  if (memory === null || memory.over.length === 0) return [];
  const { bytes, own_bytes, lines, loaded_lines, over } = memory;
  const advice = "`heartwood audit` shows what can go.";
  if (!over.includes("loader_lines") && !over.includes("loader_bytes"))
    return [paint.warn(`MEMORY.md has ${grouped(own_bytes)} bytes, more than 15 KiB`) + `; ${advice}`];
  const size = `MEMORY.md has ${counted(lines, "line")} and ${grouped(bytes)} bytes`;
  const cut = loaded_lines === 0 ? "most of it" : `what stands behind line ${grouped(loaded_lines)}`;
  return [paint.bad(`${size}: loaders cut off ${cut}`) + ` (they read 200 lines, 25,000 bytes); ${advice}`];
}
