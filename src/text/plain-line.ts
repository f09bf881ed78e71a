import { redact } from "./redact/index.ts";

/** Characters of a text that are looked at, and how often marks are taken away. */
const mostRead = 4000;
const mostRounds = 8;

/**
 * What a model wrote as one line of plain text with at most `most` characters (UTF-16 units): no secrets, no marks of Markdown's blocks or of ours, nothing
 * that hides or turns text. Empty when nothing is left of it, or when it hides marks within marks. To apply it again changes nothing.
 */
export function plainLine(given: string, most: number): string {
  let text = given.slice(0, mostRead);
  for (let round = 0; round < mostRounds; round++) {
    const next = plainer(text, most);
    if (next === text) return text;
    text = next;
  }
  return "";
}

/** What turns text around, hides it or ends a line. */
const hidden = /[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;
/** Our tags of a type, and the place marks of ours. */
const tag = /\s*\[(?:project|user|feedback|reference)(?:(?:,| by )[^\]]*)?\]/giu;
const place = /\{\d+\+\d+=[^}]*\}/gu;
const marks = [tag, place, /<!--|-->/gu, /[`~]{3,}/gu];
const start = /^(?:(?:#{1,6}|[-*+>]|\d{1,3}[.)])(?:\s+|$)|(?:-{3,}|={3,}|<{7}|>{7})\s*)+/u;

function plainer(given: string, most: number): string {
  const flat = given.toWellFormed().replaceAll(hidden, " ");
  const inert = marks.reduce((text, mark) => text.replaceAll(mark, ""), flat);
  const bare = inert.replaceAll(/\s+/gu, " ").trim().replace(start, "");
  return clipped(redact(bare).text, most).trim();
}

function clipped(text: string, most: number): string {
  if (text.length <= most) return text;
  const space = text.lastIndexOf(" ", most - 1);
  const end = space > most / 2 ? space : most - 1;
  return `${text
    .slice(0, end)
    .toWellFormed()
    .replace(/\ufffd$/u, "")}…`;
}
