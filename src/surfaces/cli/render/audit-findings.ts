import type { AuditFinding } from "../../../audit/model/finding.ts";
import type { AuditReport, Shortened } from "../../../audit/model/report.ts";
import type { NoteFigures } from "../../../audit/checks/file-checks.ts";
import type { AuditResult } from "../../../audit/run/audit-result.ts";
import { columns as aligned, cutTo, grouped, widthOf, wrapTo } from "./layout.ts";
import type { Paint, Screen } from "./screen.ts";
import { greatest } from "../../../base/lists.ts";

/** Line numbers of a repeated line that are shown, on a narrow screen and on others. */
const NUMBERS = { narrow: 3, wide: 6 };
const NARROW = 60;

/** Lines of MEMORY.md that stand there again. */
export function duplicateLines(
  { shown, hidden }: Shortened<AuditResult["internal_duplicate_lines"][number]>,
  { columns, paint }: Screen,
): readonly string[] {
  if (shown.length === 0) return [];
  const rows = aligned(
    shown.map(({ count, lines }) => [
      `${grouped(count)} times`,
      `lines ${numbers(lines, columns < NARROW ? NUMBERS.narrow : NUMBERS.wide)}`,
    ]),
  );
  const width = greatest(rows.map(widthOf));
  const isBeside = columns >= width + 30;
  return [
    paint.title("Lines that MEMORY.md repeats"),
    ...shown.flatMap(({ text }, index) => {
      const row = rows[index] ?? "";
      return isBeside
        ? [`${row.padEnd(width)}  ${cutTo(text, columns - width - 2)}`]
        : [row, `    ${cutTo(text, columns - 4)}`];
    }),
    ...moreLines(hidden),
  ];
}

function numbers(lines: readonly number[], most: number): string {
  return `${lines.slice(0, most).map(grouped).join(", ")}${lines.length > most ? ", …" : ""}`;
}

function moreLines(hidden: readonly unknown[]): readonly string[] {
  return hidden.length === 0 ? [] : [`  … and ${grouped(hidden.length)} more (--markdown or --json shows all)`];
}

/** Notes over a limit, and what becomes of them. */
export function noteLines(result: AuditResult, notes: Shortened<NoteFigures>, { paint }: Screen): readonly string[] {
  if (notes.shown.length === 0) return [];
  const rows = notes.shown.map((note) => [note.path, `${grouped(note.bytes)} bytes`, fateOf(note, result, paint)]);
  return [paint.title("Large notes"), ...aligned(rows), ...moreLines(notes.hidden)];
}

function fateOf(note: NoteFigures, result: AuditResult, paint: Paint): string {
  if (note.captured) return paint.dim("captured conversations: stays as it is");
  const rotation = result.actions.find(({ kind, path }) => kind === "rotate" && path === note.path);
  if (rotation?.state === "done") return paint.good("moved to memory/archive/");
  if (note.over === "bloat") return "over 8 KB";
  const isFinding = result.findings.some(({ code, path }) => code === "note_over_rotation" && path === note.path);
  if (!isFinding) return "over 30 KB, but of today";
  return paint.warn(`over 30 KB${rotation === undefined && !result.aggressive ? "; --aggressive moves it" : ""}`);
}

/** Places of findings that say the same that are shown. */
const PLACES = 6;

/** What nothing else tells, the worst first. */
export function otherLines({ shown, hidden }: AuditReport["others"], { columns, paint }: Screen): readonly string[] {
  if (shown.length === 0) return [];
  const indented = (text: string): readonly string[] => wrapTo(text, columns - 10).map((line) => `          ${line}`);
  const rows = shown.flatMap((group) => {
    const [first] = group;
    const [place = "", ...more] = indented(placesOf(group));
    const mark = `  ${markOf(first, paint)}${" ".repeat(8 - first.severity.length)}`;
    return [mark + place.trimStart(), ...more, ...indented(first.message)];
  });
  return [paint.title("Also found"), ...rows, ...moreLines(hidden)];
}

function placesOf(group: readonly AuditFinding[]): string {
  const places = group.slice(0, PLACES).map(({ path, line }) => (line === null ? path : `${path}:${line}`));
  return places.join(", ") + (group.length > PLACES ? ` and ${grouped(group.length - PLACES)} more places` : "");
}

function markOf({ severity, resolved }: AuditFinding, paint: Paint): string {
  if (resolved) return paint.good(severity);
  return severity === "high" ? paint.bad(severity) : severity === "medium" ? paint.warn(severity) : paint.dim(severity);
}
