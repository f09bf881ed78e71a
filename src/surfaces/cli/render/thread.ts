import type * as R from "../../../threads/run/results.ts";
import { columns, counted, cutTo, grouped } from "./layout.ts";
import type { Screen } from "./screen.ts";

/** The id of a new thread, and how to go on. */
export function renderThreadCreated({ thread_id, title }: R.ThreadResult, { paint }: Screen): string {
  return [
    `${paint.good("Began")} the thread ${paint.title(thread_id)}${titleText(title)}`,
    `Next: heartwood thread append ${thread_id} --actor user --origin cli`,
  ].join("\n");
}

/** What a thread is. */
export function renderThread(result: R.ThreadResult, { paint }: Screen): string {
  const { thread_id, title, workspace, message_count, head_seq, created_at_ms, updated_at_ms, parent } = result;
  const rows = [
    ["Messages", grouped(message_count)],
    ["Head", `seq ${head_seq}`],
    ["Workspace", workspace],
    ["Begun", timeText(created_at_ms)],
    ["Last used", timeText(updated_at_ms)],
    ...(parent === null ? [] : [["Parent", parentText(parent)]]),
  ];
  const next = message_count === 0 ? [] : [`Next: heartwood thread compile ${thread_id}`];
  return [`${paint.title(thread_id)}${titleText(title)}`, ...columns(rows), ...next].join("\n");
}

/** The threads as a table. */
export function renderThreadList({ threads, total }: R.ThreadListResult, screen: Screen): string {
  if (threads.length === 0) return "There are no threads yet; begin one with `heartwood thread create`.";
  const titleSpace = Math.max(16, Math.min(screen.columns, 140) - 76);
  const rows = threads.map(({ thread_id, message_count, updated_at_ms, title }) => [
    thread_id,
    counted(message_count, "message"),
    timeText(updated_at_ms),
    title === null ? "" : cutTo(title, titleSpace),
  ]);
  const more = total > threads.length ? [`  … and ${grouped(total - threads.length)} more (--limit)`] : [];
  return [screen.paint.title(counted(total, "thread")), ...columns(rows), ...more].join("\n");
}

/** What was appended, and where the last message stands. */
export function renderThreadAppend(result: R.ThreadAppendResult, { paint }: Screen): string {
  const { thread_id, appended, known, head_seq, message_id, seq, message_ordinal } = result;
  const last =
    message_id === null || seq === null || message_ordinal === null
      ? `its head is seq ${head_seq}`
      : `message ${grouped(message_ordinal)}, seq ${seq} ${paint.dim(`(${message_id})`)}`;
  if (appended === 0) return `Nothing was appended to ${thread_id}: ${knownText(known)}; ${last}`;
  const passed = known === 0 ? "" : `, ${knownText(known)}`;
  return `${paint.good("Appended")} ${counted(appended, "frame")} to ${thread_id}${passed}: ${last}`;
}

/** What an import took, by thread, and what it refused. */
export function renderThreadImport({ threads, imported, known }: R.ThreadImportResult, { paint }: Screen): string {
  const refused = threads.filter(({ error }) => error !== null);
  const verdict = refused.length === 0 ? paint.good("Imported") : paint.warn("Imported");
  const into = counted(threads.length - refused.length, "thread");
  const rows = threads.map(({ thread_id, imported: taken, known: passed, head_seq, error }) => [
    thread_id,
    error === null ? `${counted(taken, "frame")}, ${grouped(passed)} known` : paint.bad("refused"),
    error === null ? `head seq ${head_seq}` : `${error.code} in line ${grouped(error.line)}: ${error.message}`,
  ]);
  return [
    `${verdict} ${counted(imported, "frame")} into ${into}; ${grouped(known)} were there already.`,
    ...columns(rows.slice(0, ROWS)),
    ...(rows.length > ROWS ? [`  … and ${grouped(rows.length - ROWS)} more (--json)`] : []),
  ].join("\n");
}

const ROWS = 40;

/** A child, and what it knows of its parent. */
export function renderThreadChild(result: R.ThreadResult | R.HandoffResult, { paint }: Screen): string {
  const { thread_id, title, parent } = result;
  const summary = "summary_artifact_id" in result ? [`Summary: ${result.summary_artifact_id}`] : [];
  return [
    `${paint.good("Began")} the thread ${paint.title(thread_id)}${titleText(title)}`,
    ...(parent === null ? [] : [`Parent: ${parentText(parent)}`]),
    ...summary,
    `Next: heartwood thread append ${thread_id} --actor user --origin cli`,
  ].join("\n");
}

/** `2026-03-15 12:00:00Z`; the number itself when no calendar has it. */
export function timeText(milliseconds: number): string {
  const date = new Date(milliseconds);
  if (Number.isNaN(date.getTime())) return `${milliseconds} ms`;
  return date
    .toISOString()
    .replace("T", " ")
    .replace(/\.\d+Z$/u, "Z");
}

function titleText(title: string | null): string {
  return title === null ? "" : ` “${title}”`;
}

function parentText({ kind, thread_id, seq, message_id }: R.ThreadParent): string {
  const message = message_id === null ? "" : ` (message ${message_id})`;
  return `${kind} of ${thread_id.slice(0, 96).replaceAll(/\s/gu, " ")} at seq ${seq}${message}`;
}

function knownText(known: number): string {
  return known === 1 ? "1 message was there already" : `${grouped(known)} messages were there already`;
}
