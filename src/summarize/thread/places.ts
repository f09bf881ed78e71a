import { isEnding } from "../../base/redact/name.ts";
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

/** Whether the word that ends here is one behind which a password may be spoken. */
export function isSpoken(text: string, to: number): boolean {
  const end = text.slice(to - 6, to).toLowerCase();
  return end === "ssword" || end === "sswort";
}

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

/** Whether a run of characters may be a token: it has a digit, an underscore or a capital in its middle. */
export function mayBeToken(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code >= 48 && (code <= 57 || code === 95 || (code >= 65 && code <= 90 && at - from > 5))) return true;
  }
  return false;
}

/** Whether the name before a sign may announce a secret, by its last letters. */
export function mayAnnounce(text: string, at: number): boolean {
  let end = at - 1;
  for (let n = 0; n < 24 && end >= 0 && FOLDED[text.charCodeAt(end)] === 0; n++) end -= 1;
  if (!isEnding(lower(text, end - 2), lower(text, end - 1), lower(text, end))) return false;
  return !usual.test(text.slice(Math.max(0, end - 6), end + 1));
}

/** Endings of words of every text that are those of names that announce secrets too, behind other letters. */
const usual =
  /(?:(?<!zat|sat|uct)ion|(?<!str|stag)ing|(?<!l)ive|(?<!dent)ial|(?<!enti)als|(?<!pl)ain|(?<!c)ode|(?<!t)ext|(?<!w)ord|(?<!b|hr)ase|(?<!p)ass|(?<!va)lue)$/i;

function lower(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 65 && code <= 90 ? code + 32 : code;
}
