import { aroundDifferences, wordDifferences, type Stretch } from "../../../audit/model/word-differences.ts";
import { saysTheSame, sectionName, tellingQuotes, type Shortened } from "../../../audit/model/report.ts";
import type { CrossFileIssue, QuotedLine } from "../../../audit/checks/redundant-sections.ts";
import { counted, cutTo, padTo, placeOf, widthOf } from "./layout.ts";
import type { Paint, Screen } from "./screen.ts";
import { greatest } from "../../../base/lists.ts";

/** Common characters that are shown on each side of a difference. */
const AROUND = 30;
const QUOTES = 2;
/** A narrower screen has the text under its place. */
const BESIDE = 70;

/** Each section of a note that MEMORY.md has too, with both places quoted. */
export function repeatLines({ shown, hidden }: Shortened<CrossFileIssue>, screen: Screen): readonly string[] {
  if (shown.length === 0) return [];
  const count = shown.length + hidden.length;
  return [
    screen.paint.title(`${counted(count, "section")} of notes ${count === 1 ? "repeats" : "repeat"} MEMORY.md`),
    ...shown.flatMap((issue) => issueLines(issue, screen)),
    ...(hidden.length > 0 ? [`  … and ${hidden.length} more (--markdown or --json shows all)`] : []),
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

interface QuotedText {
  readonly place: string;
  readonly stretches: readonly Stretch[];
  readonly differs: (text: string) => string;
}

function quoteLines(path: string, quote: QuotedLine, screen: Screen): readonly string[] {
  const { paint } = screen;
  const texts = quotedTexts(path, quote, paint);
  const width = greatest(texts.map(({ place }) => widthOf(place)));
  const isBeside = screen.columns >= BESIDE;
  const space = screen.columns - (isBeside ? width + 6 : 6);
  return texts.flatMap(({ place, stretches, differs }) => {
    const text = paintedTo(stretches, space, differs);
    return isBeside ? [`    ${paint.dim(padTo(place, width))}  ${text}`] : [`    ${paint.dim(place)}`, `      ${text}`];
  });
}

function quotedTexts(path: string, quote: QuotedLine, paint: Paint): readonly QuotedText[] {
  const { line, text, memory_line, memory_text } = quote;
  const here = `${path}:${line}`;
  const whole = [{ kind: "same" as const, text }];
  if (memory_line === null || memory_text === null)
    return [{ place: `${here} (not in MEMORY.md)`, stretches: whole, differs: paint.left }];
  const there = `MEMORY.md:${memory_line}`;
  if (saysTheSame(quote)) return [{ place: `${here} = ${there}`, stretches: whole, differs: paint.left }];
  const { left, right } = wordDifferences(text, memory_text);
  return [
    { place: here, stretches: left, differs: paint.left },
    { place: there, stretches: right, differs: paint.right },
  ];
}

/** The text with its differences marked, cut to the width. */
function paintedTo(all: readonly Stretch[], width: number, differs: (text: string) => string): string {
  const marks = widthOf(differs(""));
  const fits = all.reduce((sum, { kind, text }) => sum + widthOf(text) + (kind === "differs" ? marks : 0), 0) <= width;
  let space = width;
  let painted = "";
  for (const { kind, text } of fits ? all : aroundDifferences(all, AROUND)) {
    const room = space - (kind === "differs" ? marks : 0);
    if (room < 1) return painted;
    const kept = cutTo(text, room);
    painted += kind === "differs" ? differs(kept) : kept;
    if (kept !== text) return painted;
    space = room - widthOf(kept);
  }
  return painted;
}
