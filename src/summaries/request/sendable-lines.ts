import { lastOfEachId, parseEntryComment, isPreserved } from "../../base/memory-type.ts";
import { scanLines } from "../../base/markdown.ts";
import type { SourceLine, SourceSection } from "../../base/passage.ts";
import { parseRefSuffix } from "../../base/refs.ts";
import { isEphemeral, withoutNoise, type KeptLine } from "../../text/extract/noise.ts";
import { withoutEphemeral } from "../../tree/extract/items.ts";
import { sentencesOf } from "../../text/extract/sentences.ts";
import { isTurn } from "../../text/extract/said.ts";
import { withoutHidden } from "./answer-outline.ts";
import type { SourceTextLine } from "../../tree/answers/match.ts";

/** Longer lines go out in pieces, so that what does not fit is left out piece by piece. UTF-16 units. */
const longestPiece = 1_000;

/**
 * The lines of sections of raw logs that may be told to a model: without what a summary leaves out, but with what an assistant said. Linear.
 */
export function sendableSections(sections: readonly SourceSection[]): readonly SourceTextLine[] {
  return lastOfEachId(sections, (section) => parseEntryComment(section.lines[1]?.text ?? "")?.id).flatMap(linesOf);
}

/** Lines of any other text that may be told, such as the messages of a thread: without the same things, their places kept. A message is one element, also of several lines. */
export function sendableLines(lines: readonly SourceTextLine[]): readonly SourceTextLine[] {
  return lines.flatMap((line): readonly SourceTextLine[] => {
    const texts = line.text.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/u);
    const kinds = scanLines(texts).lines;
    const rows = texts.map((text, at): SourceLine => ({ number: at + 1, text, kind: kinds[at]?.kind ?? "text" }));
    return withoutPassing(withoutNoise(rows)).flatMap(({ text }) =>
      piecesOf(text).map((piece) => ({ ...line, text: piece })),
    );
  });
}

/** A line of a summary without its refs, and whether it may be told. */
export function sendableItem(line: SourceTextLine, near: string): readonly SourceTextLine[] {
  const { text } = parseRefSuffix(line.text.trimEnd(), near);
  const isNothing = text.trim() === "" || /^\s*<!--.*-->\s*$/u.test(text);
  return isNothing ? [] : piecesOf(text).map((piece) => ({ ...line, text: piece }));
}

function linesOf(section: SourceSection): readonly SourceTextLine[] {
  const isKept = isPreserved(section.type);
  if (!isKept && isEphemeral(section.heading)) return [];
  const [first] = section.lines;
  const heading = section.heading !== "" && first?.kind === "heading" ? first : undefined;
  const body = withoutNoise(heading === undefined ? section.lines : section.lines.slice(1));
  const told = body.filter(({ text }) => text.trim() !== "" && !dayHeading.test(text));
  const kept = isKept ? told : withoutPassing(isSnapshot(section) ? told.filter(isOpenBox) : told);
  const lines = kept.flatMap((line) => toldLines(section.log, line));
  if (heading === undefined || lines.length === 0) return lines;
  return [...toldLines(section.log, { ...heading, to: heading.number }), ...lines];
}

function toldLines(log: string, { number, to, text }: KeptLine): readonly SourceTextLine[] {
  return piecesOf(text).map((piece) => ({ text: piece, refs: [{ log, from: number, to }] }));
}

/** Of a conversation, which has no paragraphs, the sentences without markers of what was passing; else the list items and paragraphs. */
function withoutPassing(lines: readonly KeptLine[]): readonly KeptLine[] {
  const told = lines.filter(({ text }) => text.trim() !== "");
  if (!told.some(({ text }) => isTurn(text))) return withoutEphemeral(told);
  return told.flatMap((line): readonly KeptLine[] => {
    if (!isEphemeral(line.text)) return [line];
    const text = sentencesOf(line.text)
      .filter((sentence) => !isEphemeral(sentence))
      .join(" ");
    return text === "" ? [] : [{ ...line, text }];
  });
}

/** The first line of a log names its day, and so does the name of the part. */
const dayHeading = /^#\s+\d{4}-\d\d-\d\d\s*$/u;

/** Of what an agent notes before it is interrupted, only what is open counts. */
function isSnapshot(section: SourceSection): boolean {
  return section.topic === "Working State Snapshot";
}

function isOpenBox({ text }: KeptLine): boolean {
  return /^\s*[-*] \[ \]/u.test(text);
}

/** A line in pieces of whole sentences, or else of whole words. */
function piecesOf(line: string): readonly string[] {
  const text = withoutHidden(line)
    .replaceAll(/[\u0085\u2028\u2029\r\v\f]/gu, " ")
    .trimEnd();
  if (text.trim() === "") return [];
  if (text.length <= longestPiece) return [text];
  const pieces: string[] = [];
  let open = "";
  for (const part of sentencesOf(text).flatMap(cutLong)) {
    if (open !== "" && open.length + part.length >= longestPiece) {
      pieces.push(open);
      open = "";
    }
    open = open === "" ? part : `${open} ${part}`;
  }
  return open === "" ? pieces : [...pieces, open];
}

function cutLong(sentence: string): readonly string[] {
  const pieces: string[] = [];
  let rest = sentence;
  while (rest.length > longestPiece) {
    const space = rest.lastIndexOf(" ", longestPiece);
    const end = space > longestPiece / 2 ? space : wholeEnd(rest);
    pieces.push(rest.slice(0, end).trim());
    rest = rest.slice(end).trim();
  }
  return [...pieces, rest].filter((piece) => piece !== "");
}

/** Where the longest piece ends that cuts no character in two. */
function wholeEnd(text: string): number {
  const code = text.charCodeAt(longestPiece - 1);
  return code >= 0xd8_00 && code <= 0xdb_ff ? longestPiece - 1 : longestPiece;
}
