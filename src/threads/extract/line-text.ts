import * as K from "./codes.ts";
import { FOLDED, KIND } from "./codes.ts";

/** Code points of a line. */
export const longestLine = 240;

const head = /^(?:[-*+•·>#]+\s+|\d{1,3}[.)]\s+|\[[ xX]\]\s+)+/u;

/** The text of one unit on one line: no control characters, spaces folded, no mark of a list before it, cut at a word. */
export function lineText(text: string, from: number, to: number): string {
  const far = Math.min(to, from + 4 * longestLine);
  const raw = text.slice(from, far).trim();
  if (far === to && raw.length <= longestLine && isPlain(raw)) return raw;
  const flat = raw
    .toWellFormed()
    .replaceAll(/[\p{Cc}\s\u200b]+/gu, " ")
    .trim()
    .replace(head, "");
  return flat.length <= longestLine && far === to ? flat : cut(flat);
}

/** Whether a text begins with a letter and has nothing that is to be folded or replaced. */
function isPlain(text: string): boolean {
  const first = text.charCodeAt(0);
  if (FOLDED[first] === 0 && (KIND[first] as number) < K.HAN) return false;
  let before = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (FOLDED[code] === 0) {
      const kind = KIND[code] as number;
      if (kind === K.CONTROL || kind === K.PAIR || kind === K.LINE_END) return false;
      if (kind === K.SPACE && (code !== 32 || before === 32)) return false;
    }
    before = code;
  }
  return true;
}

function cut(flat: string): string {
  if (flat.length < longestLine) return `${flat}…`;
  const points = Array.from(flat.slice(0, 2 * longestLine));
  if (points.length <= longestLine && flat.length <= 2 * longestLine) return flat;
  const most = points.slice(0, longestLine - 1).join("");
  const space = most.lastIndexOf(" ");
  return `${most.slice(0, space > most.length * 0.7 ? space : most.length).trimEnd()}…`;
}
