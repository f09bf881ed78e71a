import { pushAll, greatest } from "../../../base/lists.ts";
import {
  aligned,
  placeOf,
  counted,
  durationText,
  firstOf,
  grouped,
  cutTo,
  padTo,
  severityText,
  widthOf,
  type Screen,
} from "./layout.ts";
import { requestLines } from "./summaries.ts";
import type { InitResult } from "../../../tree/setup/init.ts";
import type { LogAddResult } from "../../../tree/logs/log-add.ts";
import type { LogChangeResult, LogUndoResult, TopicChangeResult } from "../../../tree/logs/log-change.ts";
import type { LogPromoteResult } from "../../../tree/logs/log-promote.ts";
import type { CompactResult, DueNode, WrittenNode } from "../../../tree/run/idle.ts";
import type { TreeNodeView, TreeResult, ShowResult } from "../../../tree/inspect/tree-view.ts";
import type { DroppedResult, RootResult } from "../../../tree/root-run/root.ts";
import type { ForwardResult } from "../../../agents/sessions/trace-forward.ts";
import type { TraceResult } from "../../../tree/inspect/trace-places.ts";
import type { VerifyResult } from "../../../tree/inspect/verify.ts";
import type { UndoResult } from "../../../operations/undo.ts";

export function renderInit(result: InitResult, { paint }: Screen): string {
  const { created, kept } = result;
  const rows = [
    ...created.map((path) => [paint.good("created"), path]),
    ...kept.map((path) => [paint.dim("kept"), path, paint.dim("already existed")]),
  ];
  const headline = created.length === 0 ? "Nothing to create" : "Memory is set up";
  return [
    paint.title(`${headline} in ${result.dir} (platform: ${result.platform})`),
    ...aligned(rows),
    "",
    ...(result.trust === "trusted" ? [] : [untrusted]),
    `Next: ${result.next}`,
    ...(result.git === undefined ? [] : [`To share it through git: ${result.git}`]),
  ].join("\n");
}

const untrusted =
  "Not trusted yet, because it contains earlier files: agents' hooks and tools do nothing here until you run `heartwood trust`.";

export function renderLogAdd(result: LogAddResult, { paint }: Screen): string {
  const entry = `${result.topic} [${result.type}]`;
  const place = placeOf(result.path, result.lines);
  const line =
    result.action === "added"
      ? `${paint.good("Added")} ${entry} at ${place} ${paint.dim(`(id ${result.id})`)}`
      : result.action === "forgotten"
        ? `An entry with the id ${result.id} was forgotten; nothing was written.`
        : `An entry with the id ${result.id} already exists (${place}); nothing was written.`;
  if (result.redacted.length === 0) return line;
  return [line, paint.warn(`Secrets were replaced before writing: ${result.redacted.join(", ")}`)].join("\n");
}

export function renderLogPromote(result: LogPromoteResult, screen: Screen): string {
  return `${renderLogAdd(result, screen)}\n  ${result.text} ${screen.paint.dim(`(${result.source})`)}`;
}

export function renderLogChange(result: LogChangeResult, { paint }: Screen): string {
  const { action, path, lines, topic, entry } = result;
  const what = `${action === "edited" ? "Edited" : "Removed"} ${paint.title(topic === "" ? "a note" : topic)}`;
  const old = `the old lines, ${placeOf(path, lines)}, are not used any more`;
  return entry === null
    ? `${what}: ${old}`
    : `${what}: now ${placeOf(entry.path, entry.lines)}, id ${entry.id}\n  ${paint.dim(old)}`;
}

export function renderLogUndo({ undone, logs, topic, at }: LogUndoResult, { paint }: Screen): string {
  const where = logs.length === 1 ? logs[0] : `${logs.length} logs`;
  const what = {
    edited: "the edit of an entry in",
    removed: "the removal of an entry from",
    renamed: "a topic's new name in",
  };
  if (undone === "dismissed") return `Undid the dismissal of an item of the inbox, made at ${paint.dim(at)}`;
  const name = topic === null ? "" : ` (${topic})`;
  return `Undid ${what[undone]} ${where}${name}, made at ${paint.dim(at)}`;
}

export function renderTopicChange({ action, from, to, logs, entries }: TopicChangeResult, { paint }: Screen): string {
  const done = action === "renamed" ? "is now called" : "is now part of";
  const count = `${entries} ${entries === 1 ? "entry" : "entries"} in ${logs.length} ${logs.length === 1 ? "log" : "logs"}`;
  return `${paint.title(from)} ${done} ${paint.title(to)}: ${count}`;
}

/** More rows would push the headline off the screen; `--json` lists all. */
const ROWS = 16;
/** Most important first, since the end may be cut off. */
const LEVELS = ["root", "monthly", "weekly", "daily"] as const;

export function renderCompact(result: CompactResult, screen: Screen): string {
  const { paint } = screen;
  const finished = result.finished_forgetting === true ? ["Finished what was left to forget."] : [];
  const lines = [...finished, paint.title(headlineOf(result)), ...writtenRows(result.written)];
  if (result.written.length === 0 && result.dry_run === true) {
    const rows = aligned(result.due.map(({ reason, path, detail }) => [reason, path, detail]));
    pushAll(lines, firstOf(rows, ROWS));
  }
  for (const { path, message } of result.skipped) lines.push(paint.warn(`Skipped ${path}: ${message}`));
  if (result.root !== null && result.written.length > 0) lines.push(rootLine(result.root));
  if (result.requests !== undefined) pushAll(lines, requestLines(result.requests, screen));
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
    return `Nothing was written for ${result.today}: ${counted(result.due.length, "node")} may still be summarized by a model.`;
  if (result.due.length > 0)
    return `Nothing was written for ${result.today}: ${counted(result.due.length, "node")} could not be brought up to date.`;
  if (result.finished_forgetting === true) return `No node is due for ${result.today}.`;
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
  const rows = aligned(ordered.map(({ action, path, status, summarizer }) => [action, path, status, summarizer]));
  return firstOf(rows, ROWS);
}

function rootLine(root: NonNullable<CompactResult["root"]>): string {
  const dropped = root.dropped === 0 ? "" : `; ${grouped(root.dropped)} did not fit (heartwood root --dropped)`;
  return `ROOT.md: ${grouped(root.tokens)} of ${grouped(root.cap)} tokens, ${counted(root.topics, "topic")}${dropped}`;
}

function dueSummary(due: readonly DueNode[]): string {
  const names = due.slice(0, 3).map(({ period, reason }) => `${period} (${reason})`);
  return `${counted(due.length, "node")}: ${names.join(", ")}${due.length > 3 ? ", …" : ""}`;
}

/** Topics are cut at this width even in a pipe: a month has dozens, and `--json` lists them all. */
const WIDEST = 120;

/** ROOT.md first, then months, weeks, days and raw logs as branches. */
export function renderTree(result: TreeResult, screen: Screen): string {
  const { root, months } = result;
  const head =
    root === null
      ? "ROOT.md is not built yet; run `heartwood compact`"
      : `${root.path}: ${grouped(root.tokens)} tokens, as of ${root.last_updated}`;
  const lines: Line[] = [];
  collect(months, "", lines);
  const width = greatest([0, ...lines.map(({ name }) => widthOf(name))]);
  return [screen.paint.title(head), ...lines.map((line) => lineText(line, width, screen))].join("\n");
}

interface Line {
  readonly name: string;
  readonly node: TreeNodeView | undefined;
}

function collect(nodes: readonly TreeNodeView[], indent: string, lines: Line[]): void {
  nodes.forEach((node, index) => {
    const last = index === nodes.length - 1;
    const late = node.late === 0 ? "" : ` late ${node.late}`;
    lines.push({ name: `${indent}${last ? "└─ " : "├─ "}${node.period}${late}`, node });
    const below = `${indent}${last ? "   " : "│  "}`;
    collect(node.children, below, lines);
    // One log per day is normal; list them only if there are several.
    if (node.raw.length > 1) node.raw.forEach((path) => lines.push({ name: `${below}· ${path}`, node: undefined }));
  });
}

function lineText({ name, node }: Line, width: number, { columns, paint }: Screen): string {
  if (node === undefined) return paint.dim(name);
  const status = node.status === "fixed" ? paint.dim("fixed    ") : paint.warn("tentative");
  const size = counted(node.lines, "line").padStart(11);
  const room = Math.min(columns, WIDEST) - width - 26;
  const topics = room < 12 ? "" : cutTo(node.topics.join(", "), room);
  return `${padTo(name, width)}  ${status}  ${paint.dim(size)}  ${topics}`.trimEnd();
}

export function renderShow({ text, late }: ShowResult, { paint }: Screen): string {
  const addenda = late.map((addendum) => `\n${paint.title(`--- ${addendum.path} (late) ---`)}\n\n${addendum.text}`);
  return [text, ...addenda].join("");
}

export function renderRoot(result: RootResult | DroppedResult, screen: Screen): string {
  return "text" in result ? result.text : renderDropped(result, screen);
}

function renderDropped({ cap, dropped }: DroppedResult, { columns: width, paint }: Screen): string {
  if (dropped.length === 0) return `Everything fits in the ${grouped(cap)} tokens of ROOT.md.`;
  const head = paint.title(`${counted(dropped.length, "line")} did not fit in the ${grouped(cap)} tokens of ROOT.md`);
  const rows = dropped.map(({ section, reason, tokens, text }) => {
    return [section, reason, `${grouped(tokens)} tokens`, cutTo(text, Math.max(24, width - 60))];
  });
  return [head, ...aligned(rows)].join("\n");
}

/** Maximum lines shown per step. */
const STEP_LINES = 3;
const RAW_LINES = 12;

/** From the ROOT line down to the raw lines, one paragraph per step. */
export function renderTrace(result: TraceResult | ForwardResult, { paint }: Screen): string {
  if ("derived" in result) return renderForward(result, { paint });
  const { line, chain, raw } = result;
  const head = [paint.title(`${line.path}:${line.line}`), indented(line.text, STEP_LINES)];
  const steps = chain
    .filter(({ path }) => path !== line.path)
    .flatMap(({ path, lines, text }) => ["", paint.title(placeOf(path, lines)), indented(text, STEP_LINES)]);
  const sources = raw.flatMap(({ path, lines, sha256, text, state, approximate, kept_in: kept }) => {
    const found = approximate === true ? "  (approximate match)" : "";
    const place = `${placeOf(path, lines)}${found}  ${stateText(state)}`.trimEnd();
    return [
      "",
      sha256 === "" ? paint.title(place) : `${paint.title(place)}  ${paint.dim(`sha256 ${sha256.slice(0, 16)}…`)}`,
      ...(kept === null ? [] : [`  ${paint.dim(`kept in ${placeOf(kept.path, kept.lines)}`)}`]),
      ...(text === "" ? [] : [indented(text, RAW_LINES)]),
    ];
  });
  return [...head, ...steps, ...sources].join("\n");
}

const derivedHow: Readonly<Record<ForwardResult["derived"][number]["how"], string>> = {
  verbatim: "copy",
  summary: "made from it",
  correction: "corrects it",
  message: "the message in its thread",
  entry: "the entry in the log",
  session: "given to a session",
};

/** The place, then what comes from it, each with its text. */
function renderForward({ source, derived, indexed }: ForwardResult, { paint }: Pick<Screen, "paint">): string {
  const found = derived.flatMap(({ path, lines, text, how, approximate }) => {
    const place = `${placeOf(path, lines)}  ${derivedHow[how]}${approximate === true ? " (approximate match)" : ""}`;
    return ["", paint.title(place), ...(text === "" ? [] : [indented(text, STEP_LINES)])];
  });
  const count = `${counted(derived.length, "place")} ${derived.length === 1 ? "comes" : "come"} from it`;
  return [
    paint.title(placeOf(source.path, source.lines)),
    indented(source.text, RAW_LINES),
    ...found,
    "",
    `${count}; the search index ${indexed ? "has" : "does not have"} it.`,
  ].join("\n");
}

function stateText(state: TraceResult["raw"][number]["state"]): string {
  if (state === "found") return "";
  if (state === "moved") return "(moved here since)";
  return state === "missing" ? "(the log no longer exists)" : "(these lines have changed since)";
}

function indented(text: string, limit: number): string {
  const rows = text
    .replace(/\n+$/, "")
    .split("\n")
    .map((row) => `  ${row}`.trimEnd());
  return firstOf(rows, limit).join("\n");
}

export function renderVerify({ ok, checked, findings }: VerifyResult, { paint, input }: Screen): string {
  const [sound, unsound] =
    input["forgotten"] === true
      ? ["Nothing forgotten is left", "Something forgotten is left"]
      : ["The tree is sound", "The tree has findings"];
  const isPartial = findings.some(({ code }) => code === "words_not_known");
  const verdict = ok
    ? paint.good(isPartial ? "Nothing forgotten that is known here is left" : sound)
    : paint.bad(unsound);
  const rows = findings.map(({ severity, path, line, code, message }) => [
    severityText(severity, paint),
    line === null ? path : `${path}:${line}`,
    code,
    message,
  ]);
  return [
    `${verdict}: ${counted(checked, "file")} checked, ${counted(findings.length, "finding")}.`,
    ...aligned(rows),
  ].join("\n");
}

export function renderUndo({ undone, restored, kept }: UndoResult, { paint }: Screen): string {
  const rows = [
    ...restored.map((path) => [paint.good("restored"), path]),
    ...kept.map(({ path, message }) => [paint.warn("kept"), path, message]),
  ];
  return [paint.title(`Undone: ${undone}`), ...aligned(rows)].join("\n");
}
