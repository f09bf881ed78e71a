import type { AuditHistoryEntry, AuditHistoryResult } from "../../../audit/run/history.ts";
import type { AuditUndoResult } from "../../../audit/run/undo.ts";
import { columns as aligned, counted, firstOf, grouped } from "./layout.ts";
import type { Paint, Screen } from "./screen.ts";

const AUDITS = 10;
const FILES = 8;

/** What was taken back, and what was left as it is. */
export function renderAuditUndo(
  { id, at, restored, appended, removed, kept, complete }: AuditUndoResult,
  { paint }: Screen,
): string {
  const rows = [
    ...firstOf(
      restored,
      FILES,
      (path) =>
        `  ${paint.good("restored")}  ${path}${appended.includes(path) ? ", with what was appended since behind it" : ""}`,
    ),
    ...firstOf(removed, FILES, (path) => `  removed   ${path}`),
  ];
  const head = complete ? paint.good("Taken back") : paint.warn("Taken back in part");
  const told = kept.flatMap(({ path, message, before }) => [
    `  ${paint.warn("kept")}      ${path}: ${message}`,
    `            its old bytes: ${before}`,
  ]);
  const again = complete ? [] : [`Put these in order, and repeat: heartwood audit undo ${id}`];
  return [`${head}: the audit ${paint.title(id)} of ${at}`, ...rows, ...told, ...again].join("\n");
}

/** The audits that changed something, the newest first. */
export function renderAuditHistory({ audits, skipped }: AuditHistoryResult, screen: Screen): string {
  const { paint } = screen;
  const told = skipped.map(({ path, message }) => paint.warn(`Skipped ${path}: ${message}`));
  if (audits.length === 0) return ["No audit has changed anything yet.", ...told].join("\n");
  const entries = audits.slice(0, AUDITS).map((entry) => entryLines(entry, paint).join("\n"));
  const more =
    audits.length > AUDITS ? [`… and ${counted(audits.length - AUDITS, "older audit")} (--json shows all)`] : [];
  const newest = audits.find(({ undone_at }) => undone_at === null);
  const next =
    newest === undefined ? [] : [`Take back the newest: ${paint.title(`heartwood audit undo ${newest.id}`)}`];
  return [...entries, ...more, ...told, ...next].join("\n\n");
}

function entryLines({ id, at, mode, undone_at, files }: AuditHistoryEntry, paint: Paint): readonly string[] {
  const how = mode === "aggressive" ? ", aggressive" : "";
  const state = undone_at === null ? "" : `; ${paint.dim(`taken back at ${undone_at}`)}`;
  const rows = aligned(
    files.map(({ path, change, before_bytes, after_bytes, now }) => [
      path,
      change,
      `${grouped(before_bytes)} → ${grouped(after_bytes)} bytes`,
      nowOf(now, undone_at === null ? "open" : "undone", paint),
    ]),
  );
  return [`${paint.title(id)}  ${at}${how}${state}`, ...firstOf(rows, FILES, (row) => row)];
}

function nowOf(now: AuditHistoryEntry["files"][number]["now"], state: "open" | "undone", paint: Paint): string {
  if (now === "changed") return paint.warn("changed since");
  if (now === "missing") return paint.warn("gone since");
  return now === "before" && state === "open" ? "as before the audit" : "";
}
