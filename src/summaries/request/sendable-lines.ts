import { sentenceParts } from "../../recall/passages/sections.ts";
import { isPreserved, lastOfEachId, parseEntryComment } from "../../base/memory-type.ts";
import { scanLines } from "../../base/markdown.ts";
import type { SourceSection } from "../../base/passage.ts";
import { parseRefSuffix } from "../../base/refs.ts";
import { isEphemeral, type KeptLine, withoutNoise } from "../../text/extract/noise.ts";
import { isTurn } from "../../text/extract/said.ts";
import { sentencesOf } from "../../text/extract/sentences.ts";
import type { SourceTextLine } from "../../tree/answers/match.ts";
import { withoutEphemeral } from "../../tree/extract/items.ts";
import { lineEnd, withoutHidden } from "./answer-outline.ts";

/** The lines of raw log sections that may be sent to a model. Drops what summaries omit, but keeps what an assistant said. Linear time. */
export function sendableSections(sections: readonly SourceSection[]): readonly SourceTextLine[] {
  return lastOfEachId(sections, (section) => parseEntryComment(section.lines[1]?.text ?? "")?.id).flatMap(linesOf);
}

/**
 * The lines in any other text that may be sent, such as messages in a thread: filtered the same way, with their places kept. Each element is one
 * message, even if it has several lines.
 */
export function sendableLines(lines: readonly SourceTextLine[]): readonly SourceTextLine[] {
  return lines.flatMap((line): readonly SourceTextLine[] => {
    const texts = line.text.split(lineEnd);
    const kinds = scanLines(texts).lines;
    const rows = texts.map((text, at) => ({ number: at + 1, text, kind: kinds[at]?.kind ?? "text" }));
    return withoutPassing(withoutNoise(rows)).flatMap(({ text }) => inPieces({ ...line, text }));
  });
}

/** A line of a summary without its refs; empty if it may not be sent. */
export function sendableItem(line: SourceTextLine, near: string): readonly SourceTextLine[] {
  const { text } = parseRefSuffix(line.text.trimEnd(), near);
  return /^\s*<!--.*-->\s*$/u.test(text) ? [] : inPieces({ ...line, text });
}

function linesOf(section: SourceSection): readonly SourceTextLine[] {
  const isKept = isPreserved(section.type);
  if (!isKept && isEphemeral(section.heading)) return [];
  const [first] = section.lines;
  const heading = section.heading !== "" && first?.kind === "heading" ? first : undefined;
  const body = withoutNoise(heading === undefined ? section.lines : section.lines.slice(1));
  // Drop the first line of a log, which only names the day; the name of the part already does.
  const lines = body.filter(({ text }) => text.trim() !== "" && !/^#\s+\d{4}-\d\d-\d\d\s*$/u.test(text));
  // In a snapshot written before an interruption, only open items matter.
  const isSnapshot = section.topic === "Working State Snapshot";
  const counting = isSnapshot ? lines.filter(({ text }) => /^\s*[-*] \[ \]/u.test(text)) : lines;
  const placed = ({ number, to, text }: KeptLine): readonly SourceTextLine[] =>
    inPieces({ text, refs: [{ log: section.log, from: number, to }] });
  const sendable = (isKept ? lines : withoutPassing(counting)).flatMap(placed);
  if (heading === undefined || sendable.length === 0) return sendable;
  return [...placed({ ...heading, to: heading.number }), ...sendable];
}

/** In a conversation, which has no paragraphs, drops sentences marked as ephemeral; elsewhere, drops whole list items and paragraphs. */
function withoutPassing(all: readonly KeptLine[]): readonly KeptLine[] {
  const lines = all.filter(({ text }) => text.trim() !== "");
  if (!lines.some(({ text }) => isTurn(text))) return withoutEphemeral(lines);
  return lines.flatMap((line): readonly KeptLine[] => {
    const sentences = sentencesOf(line.text);
    const kept = sentences.filter((sentence) => !isEphemeral(sentence));
    if (kept.length === sentences.length) return [line];
    return kept.length === 0 ? [] : [{ ...line, text: kept.join(" ") }];
  });
}

/** Longer lines are sent in pieces, so that overflow is dropped piece by piece. UTF-16 units. */
const longestPiece = 1_000;

/** Splits a line at sentence ends, else between words. */
function inPieces(line: SourceTextLine): readonly SourceTextLine[] {
  const flat = withoutHidden(line.text).replaceAll(/[\u0085\u2028\u2029\r\v\f]/gu, " ");
  const text = flat.trimEnd();
  if (text === "") return [];
  const pieces = text.length <= longestPiece ? [text] : sentenceParts(text, longestPiece);
  return pieces.map((piece) => ({ ...line, text: piece }));
}
