import * as K from "./codes.ts";
import { FOLDED, KIND } from "./codes.ts";

/** Whether letters or digits stand on both sides. */
export function isInWord(text: string, at: number): boolean {
  return at > 0 && isWordly(text.charCodeAt(at - 1)) && isWordly(text.charCodeAt(at + 1));
}

function isWordly(code: number): boolean {
  return FOLDED[code] !== 0 || KIND[code] === K.DIGIT;
}

/** Whether `.`, `!`, `?` or `…` ends a sentence here: not in `e.g.`, `J. Doe`, `12. Juni`. */
export function isSentenceEnd(text: string, at: number, from: number): boolean {
  const next = at + 1 >= text.length ? K.LINE_END : (KIND[text.charCodeAt(at + 1)] as number);
  if (FOLDED[text.charCodeAt(at + 1)] !== 0 && at + 1 < text.length) return false;
  if (next !== K.SPACE && next !== K.LINE_END && next !== K.QUOTE && next !== K.BRACKET) return false;
  if (text.charCodeAt(at) !== 46) return true;
  const before = text.charCodeAt(at - 1);
  if (KIND[before] === K.DIGIT && FOLDED[before] === 0)
    return at - from > 3 && KIND[text.charCodeAt(at - 3)] === K.DIGIT;
  if (at < 2 || FOLDED[text.charCodeAt(at - 2)] === 0) return FOLDED[before] === 0;
  if (isTitle(text, at)) return false;
  const after = text.charCodeAt(at + 2);
  return FOLDED[after] === 0 || FOLDED[after] !== after || after > 0x4_ff;
}

/** Whether a title ends here, behind which a name comes: `Dr.`, `Mrs.`, `St.`. */
function isTitle(text: string, at: number): boolean {
  for (let from = at - 1; from >= at - 5 && from >= 0; from--)
    if (FOLDED[text.charCodeAt(from)] === 0) return isCapital(text, from + 1) && titles.has(text.slice(from + 1, at));
  return false;
}

function isCapital(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return FOLDED[code] !== code;
}

const titles = new Set("Dr Mr Mrs Ms Mx Prof St Sr Jr Sra Dra Hr Fr Frau Herr Mme Mlle Nr No".split(" "));

/** Whether a sentence goes on behind the end of a line: a letter stands before it and a small one behind it, or a comma before it. */
export function goesOn(text: string, at: number): boolean {
  const next = text.charCodeAt(at + 1);
  if (at + 1 >= text.length || FOLDED[next] === 0 || next > 0x5_2f) return false;
  let end = at - 1;
  while (end > 0 && text.charCodeAt(end) <= 32) end -= 1;
  const before = text.charCodeAt(end);
  return before === 44 || (FOLDED[before] !== 0 && FOLDED[next] === next);
}

/** Whether a mark of a list, a heading or an emphasis stands here: `- `, `* `, `**`, `# `, `3. `. */
export function isListed(text: string, from: number): boolean {
  let at = from;
  while (KIND[text.charCodeAt(at)] === K.SPACE) at += 1;
  const code = text.charCodeAt(at);
  if (code === 42 || code === 35 || code === 0x20_22) return true;
  if (code === 45) return text.charCodeAt(at + 1) === 32;
  while (KIND[text.charCodeAt(at)] === K.DIGIT && at < from + 6) at += 1;
  return at > from && text.charCodeAt(at) === 46 && text.charCodeAt(at + 1) === 32;
}
