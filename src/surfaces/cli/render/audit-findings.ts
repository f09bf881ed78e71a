import {
  saysTheSame,
  sectionName,
  tellingQuotes,
  type Shortened,
  type AuditReport,
} from "../../../audit/model/report.ts";
import { type CrossFileIssue, type QuotedLine } from "../../../audit/checks/redundant-sections.ts";
import { type AuditFinding } from "../../../audit/model/finding.ts";
import { type NoteFigures } from "../../../audit/checks/file-checks.ts";
import type { AuditResult } from "../../../audit/model/report.ts";
import { greatest } from "../../../base/lists.ts";
import {
  moreLine,
  counted,
  cutTo,
  padTo,
  placeOf,
  widthOf,
  aligned,
  grouped,
  severityText,
  wrapTo,
  type Paint,
  type Screen,
} from "./layout.ts";

export const showsAll = "--markdown or --json shows all";

const QUOTES = 2;
/** On a narrower screen the text is below its place. */
const BESIDE = 70;

/** Each section of a note that repeats MEMORY.md, with quotes from both. */
export function repeatLines({ shown, hidden }: Shortened<CrossFileIssue>, screen: Screen): readonly string[] {
  if (shown.length === 0) return [];
  const count = shown.length + hidden.length;
  return [
    screen.paint.title(`${counted(count, "section")} of notes ${count === 1 ? "repeats" : "repeat"} MEMORY.md`),
    ...shown.flatMap((issue) => issueLines(issue, screen)),
    ...moreLine(hidden.length, showsAll),
  ];
}

function issueLines(issue: CrossFileIssue, screen: Screen): readonly string[] {
  const { path, lines, severity, similarity, against, against_lines } = issue;
  const { columns, paint } = screen;
  const mark = severity === "high" ? paint.bad(`(${severity})`) : paint.warn(`(${severity})`);
  const here = `  ${placeOf(path, lines)} `;
  const there = `    like ${placeOf("MEMORY.md", against_lines)} `;
  const tail = `, similarity ${similarity.toFixed(2)}`;
  const space = (used: string): number => Math.max(8, columns - widthOf(used));
  return [
    `${here}${cutTo(sectionName(issue), space(`${here} ${mark}`))} ${mark}`,
    `${there}${cutTo(against === "MEMORY.md" ? "(all of it)" : against, space(there + tail))}${tail}`,
    ...tellingQuotes(issue.quotes, QUOTES).flatMap((quote) => quoteLines(path, quote, screen)),
  ];
}

function quoteLines(path: string, quote: QuotedLine, screen: Screen): readonly string[] {
  const texts = quotedTexts(path, quote);
  const width = greatest(texts.map(([place]) => widthOf(place)));
  const isBeside = screen.columns >= BESIDE;
  const space = screen.columns - (isBeside ? width + 6 : 6);
  return texts.flatMap(([place, said]) => {
    const [where, text] = [screen.paint.dim(isBeside ? padTo(place, width) : place), cutTo(said, space)];
    return isBeside ? [`    ${where}  ${text}`] : [`    ${where}`, `      ${text}`];
  });
}

function quotedTexts(path: string, quote: QuotedLine): readonly (readonly [place: string, text: string])[] {
  const { line, text, memory_line, memory_text } = quote;
  const here = `${path}:${line}`;
  if (memory_line === null || memory_text === null) return [[`${here} (not in MEMORY.md)`, text]];
  const there = `MEMORY.md:${memory_line}`;
  if (saysTheSame(quote)) return [[`${here} = ${there}`, text]];
  return [
    [here, text],
    [there, memory_text],
  ];
}

/** Line numbers shown of a repeated line. */
const NUMBERS = { narrow: 3, wide: 6 };
const NARROW = 60;

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
    paint.title("Repeated lines in MEMORY.md"),
    ...shown.flatMap(({ text }, index) => {
      const row = rows[index] ?? "";
      return isBeside
        ? [`${row.padEnd(width)}  ${cutTo(text, columns - width - 2)}`]
        : [row, `    ${cutTo(text, columns - 4)}`];
    }),
    ...moreLine(hidden.length, showsAll),
  ];
}

function numbers(lines: readonly number[], most: number): string {
  return `${lines.slice(0, most).map(grouped).join(", ")}${lines.length > most ? ", …" : ""}`;
}

/** Notes over a limit, and what happens to them. */
export function noteLines(result: AuditResult, notes: Shortened<NoteFigures>, { paint }: Screen): readonly string[] {
  if (notes.shown.length === 0) return [];
  const rows = notes.shown.map((note) => [note.path, `${grouped(note.bytes)} bytes`, fateOf(note, result, paint)]);
  return [paint.title("Large notes"), ...aligned(rows), ...moreLine(notes.hidden.length, showsAll)];
}

function fateOf(note: NoteFigures, result: AuditResult, paint: Paint): string {
  if (note.captured) return paint.dim("captured conversations: left alone");
  const rotation = result.actions.find(({ kind, path }) => kind === "rotate" && path === note.path);
  if (rotation?.state === "done") return paint.good("moved to memory/archive/");
  if (note.over === "bloat") return "over 8 KB";
  const isFinding = result.findings.some(({ code, path }) => code === "note_over_rotation" && path === note.path);
  if (!isFinding) return "over 30 KB, but from today";
  return paint.warn(`over 30 KB${rotation === undefined && !result.aggressive ? "; --aggressive moves it" : ""}`);
}

/** Places shown of findings with the same message. */
const PLACES = 6;

/** The remaining findings, worst first. */
export function otherLines({ shown, hidden }: AuditReport["others"], { columns, paint }: Screen): readonly string[] {
  if (shown.length === 0) return [];
  const indented = (text: string): readonly string[] => wrapTo(text, columns - 10).map((line) => `          ${line}`);
  const rows = shown.flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const [place = "", ...more] = indented(placesOf(group));
    const mark = `  ${markOf(first, paint)}${" ".repeat(8 - first.severity.length)}`;
    return [mark + place.trimStart(), ...more, ...indented(first.message)];
  });
  return [paint.title("Also found"), ...rows, ...moreLine(hidden.length, showsAll)];
}

function placesOf(group: readonly AuditFinding[]): string {
  const places = group.slice(0, PLACES).map(({ path, line }) => (line === null ? path : `${path}:${line}`));
  return places.join(", ") + (group.length > PLACES ? ` and ${grouped(group.length - PLACES)} more places` : "");
}

function markOf({ severity, resolved }: AuditFinding, paint: Paint): string {
  if (resolved) return paint.good(severity);
  return severityText(severity, paint);
}
