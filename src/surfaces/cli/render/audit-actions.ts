import type { AuditReport, AuditAction } from "../../../audit/model/report.ts";
import type { LinePair } from "../../../audit/model/finding.ts";
import type { AuditResult } from "../../../audit/run/audit-result.ts";
import { columns as aligned, counted, grouped, placeOf, widthOf } from "./layout.ts";
import type { Paint, Screen } from "./screen.ts";

/** Ranges of lines of one action that are shown. */
const RANGES = 3;

/** What would be done or was done, what was left, and what it saves. */
export function actionLines({ dry_run }: AuditResult, report: AuditReport, screen: Screen): readonly string[] {
  const { paint } = screen;
  const { shown, hidden } = report.actions;
  if (shown.length === 0) return [];
  const rows = actionRows(shown, screen);
  const { actions, files, bytes, tokens } = report.saved;
  const sum = `${counted(actions, "change")} in ${counted(files, "file")}, ${bytesOf(bytes)}, ${counted(tokens, "token")} less`;
  return [
    paint.title(dry_run ? "What --apply would do" : "What was done"),
    ...rows,
    ...(hidden.length === 0 ? [] : [`  … and ${grouped(hidden.length)} more (--markdown or --json shows all)`]),
    ...(actions > 1 ? [`  ${paint.title(`In all: ${sum}`)}`] : []),
    ...shown
      .filter(({ state }) => state === "left")
      .map(({ path, message }) => `  ${paint.warn(`Left ${path}:`)} ${message}`),
  ];
}

function actionRows(actions: readonly AuditAction[], { columns, paint }: Screen): readonly string[] {
  const cells = actions.map((action) => [placesOf(action), WORDS[action.kind], ...sizeOf(action, paint)]);
  const rows = aligned(cells);
  if (rows.every((row) => widthOf(row) <= columns)) return rows;
  return cells.flatMap(([place = "", ...what]) => [
    `  ${place}`,
    `    ${what.filter((part) => part !== "").join(", ")}`,
  ]);
}

const WORDS: Readonly<Record<AuditAction["kind"], string>> = {
  remove_section: "copies leave",
  remove_duplicates: "repeats leave",
  merge_blank_lines: "blanks leave",
  rotate: "is archived",
};

function sizeOf({ state, bytes, tokens }: AuditAction, paint: Paint): readonly string[] {
  return state === "left"
    ? [paint.warn("left")]
    : [`-${bytesOf(bytes)}`, tokens === 0 ? "" : `-${counted(tokens, "token")}`];
}

function bytesOf(bytes: number): string {
  return counted(bytes, "byte");
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

/** The command that does it, the one that shows more, or the one that takes it back. */
export function nextLines({ next, findings }: AuditReport, { paint }: Screen): readonly string[] {
  if (next.length === 0)
    return findings === 0 ? [] : ["What is left is for a person to decide; --apply changes nothing of it."];
  return next.map(({ what, command }) => {
    if (what === "undo") return `Take it back: ${paint.title(command)}`;
    if (what === "more") return `See what repeated lines and large notes would save: ${paint.title(command)}`;
    return `Do it: ${paint.title(command)} (\`heartwood audit undo\` takes it back)`;
  });
}
