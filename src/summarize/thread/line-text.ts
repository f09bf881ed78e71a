/** Code points of a line. */
export const longestLine = 240;

const head = /^(?:[-*+•·>#]+\s+|\d{1,3}[.)]\s+|\[[ xX]\]\s+)+/u;

/** The text of one unit on one line: no control characters, spaces folded, no mark of a list before it, cut at a word. */
export function lineText(text: string, from: number, to: number): string {
  const far = Math.min(to, from + 4 * longestLine);
  const flat = text
    .slice(from, far)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\s\u200b]+/gu, " ")
    .trim()
    .replace(head, "");
  return flat.length <= longestLine && far === to ? flat : cut(flat);
}

function cut(flat: string): string {
  if (flat.length < longestLine) return `${flat}…`;
  const points = Array.from(flat.slice(0, 2 * longestLine));
  if (points.length <= longestLine && flat.length <= 2 * longestLine) return flat;
  const most = points.slice(0, longestLine - 1).join("");
  const space = most.lastIndexOf(" ");
  return `${most.slice(0, space > most.length * 0.7 ? space : most.length).trimEnd()}…`;
}
