import { marksOf, type Mark } from "./marks.ts";
import { wholeOnes } from "./whole-sentences.ts";
import { spokenLines, type SpokenLine } from "./speakers.ts";
import type { SourceLine, Statement } from "./types.ts";
import { pushAll } from "../../base/lists.ts";

/** Sentences longer than this are pasted in, not said. In characters. */
const longest = 480;
/** A turn of a named person up to this length stays whole: its name tells of whom its sentences speak. In characters. */
const wholeTurn = 320;
/** Shorter ones tell nothing that stands by itself. East Asian ones say as much in fewer characters. */
const shortest = { alphabet: 12, eastAsian: 5 };

/**
 * The sentences of a section that may tell something: what persons said in a conversation, and what the author wrote elsewhere, with how much each tells.
 * What an assistant recites is left to the chunks. Headings, code, tables and comments are no statements. Linear in the text; in the order of the lines.
 */
export function statementsOf(lines: readonly SourceLine[]): readonly Statement[] {
  const statements: Statement[] = [];
  let fence = false;
  for (const line of spokenLines(lines)) {
    if (line.speaker === "assistant") fence = false;
    else if (/^\s*(?:```|~~~)/u.test(line.text)) fence = !fence;
    else if (!fence && line.text !== "") pushAll(statements, statementsIn(line));
  }
  return statements;
}

function statementsIn(line: SpokenLine): readonly Statement[] {
  if (notProse.test(line.text)) return [];
  const text = line.text.replace(listMark, "").trim();
  const whole = line.speaker === "named" && text.length <= wholeTurn;
  return (whole ? [text] : sentencesIn(text))
    .filter(isSaid)
    .map((sentence) => ({ line: line.number, text: sentence, weight: weightOf(sentence) }));
}

/** Headings, tables, comments, rules, and a day by itself (`Date: 2026-03-15`). */
const notProse = /^\s*(?:#{1,6} |\||<!--|---|===|(?:[\p{L} ]{1,24}[:：] ?)?\d{4}-\d\d-\d\d[\dT:Z. ]*$)/u;
const listMark = /^\s*(?:[-*+•] |\d{1,3}[.)] |> )?(?:\[[ xX]\] )?/u;

/** Ends of sentences: a mark with what closes behind it and a new beginning; of East Asian ones the mark alone. */
const sentenceEnd =
  /(?<=[.!?…]["'”’)\]*]{0,2})\s+(?=["'“‘([*]{0,2}[\p{Lu}\p{N}\p{Lo}])|(?<=[。！？])(?=[^」』”）)\s])|(?<=[。！？][」』”）)])(?=[^とっ」』”）)\s])/u;

/** The sentences of one line. What stands behind a title, behind initials, or in quotes or brackets that are still open, is no new one. */
export function sentencesIn(text: string): readonly string[] {
  return wholeOnes(
    text.split(sentenceEnd).map((sentence) => sentence.trim()),
    text,
  );
}

const eastAsian = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

function isSaid(sentence: string): boolean {
  if (sentence.length > longest || sentence.length < shortest.eastAsian) return false;
  return sentence.length >= shortest.alphabet ? /\p{L}\p{L}/u.test(sentence) : eastAsian.test(sentence);
}

const telling: readonly Mark[] = ["own", "name", "figure", "time", "happened", "aside"];
const asking: readonly Mark[] = ["asks", "requests"];

/** 0 to 1: points of what tells against points of what asks. */
export function weightOf(sentence: string): number {
  const found = marksOf(sentence);
  const points = (marks: readonly Mark[]): number => marks.filter((mark) => found.has(mark)).length;
  return (points(telling) + asking.length - points(asking)) / (telling.length + asking.length);
}
