/** Classes of UTF-16 units other than word letters. */
export const SPACE = 1;
export const LINE_END = 2;
export const DIGIT = 3;
/** Ends a sentence if followed by a space. */
export const STOP = 4;
/** Always ends a sentence. */
export const FULL_STOP = 5;
export const CLAUSE = 6;
export const QUOTE = 7;
export const BRACKET = 8;
/** `=`, `:`, `>`, `|`: separate a name from its value. */
export const SIGN = 9;
export const HYPHEN = 10;
/** `_`, `/`, `@`, `\`, `#`: join the parts of an identifier. */
export const JOIN = 11;
const SYMBOL = 12;
export const HAN = 13;
export const KANA = 14;
const HANGUL = 15;
/** Letters of scripts that do not put spaces between words: Thai, Lao, Khmer, Burmese. */
export const UNSPACED = 16;
export const PAIR = 17;
export const CONTROL = 18;
export const MONEY = 19;

/** The lowercase form of a unit that is a word letter; 0 for any other unit. */
export const FOLDED = foldTable();
/** The class of any other unit. */
export const KIND = kindTable();

function isUnspaced(code: number): boolean {
  return (
    (code >= 0xe_00 && code <= 0xe_ff) || (code >= 0x10_00 && code <= 0x10_9f) || (code >= 0x17_80 && code <= 0x17_ff)
  );
}

function foldTable(): Uint16Array {
  const letter = /[\p{L}\p{M}]/u;
  const table = new Uint16Array(0x1_00_00);
  for (let code = 0x41; code < 0xd8_00; code++) {
    if ((code >= 0x2e_80 && code < 0x30_a1) || (code >= 0x31_00 && code < 0xa0_00) || code >= 0xac_00) continue;
    const character = String.fromCharCode(code);
    if (!isUnspaced(code) && letter.test(character)) table[code] = lowerOf(character, code);
  }
  for (let code = 0x30_a1; code <= 0x30_ff; code++) table[code] = code === 0x30_fb ? 0 : code;
  for (let code = 0xfb_1d; code <= 0xfe_fc; code++) if (letter.test(String.fromCharCode(code))) table[code] = code;
  for (let code = 0xff_21; code <= 0xff_9f; code++)
    if (letter.test(String.fromCharCode(code))) table[code] = lowerOf(String.fromCharCode(code), code);
  return table;
}

function lowerOf(character: string, code: number): number {
  const lower = character.toLowerCase();
  return lower.length === 1 ? lower.charCodeAt(0) : code;
}

function kindTable(): Uint8Array {
  const table = new Uint8Array(0x1_00_00).fill(SYMBOL);
  set(table, "\n\r\u2028\u2029\u0085\v\f", LINE_END);
  set(table, " \t\u00a0\u1680\u202f\u205f\u3000\u200b\ufeff", SPACE);
  table.fill(SPACE, 0x20_00, 0x20_0b);
  for (let code = 0; code < 0x20; code++) if (table[code] === SYMBOL) table[code] = CONTROL;
  table.fill(CONTROL, 0x7f, 0x85).fill(CONTROL, 0x86, 0xa0);
  for (const start of [0x30, 0x6_60, 0x6_f0, 0x9_66, 0x9_e6, 0xe_50, 0xff_10]) table.fill(DIGIT, start, start + 10);
  set(table, ".!?…", STOP);
  set(table, "。！？｡．؟۔।॥։።፧", FULL_STOP);
  set(table, ",;،؛、，；：፣–—", CLAUSE);
  set(table, "\"'`“”„‟«»‹›「」『』《》〈〉’‘", QUOTE);
  set(table, "()[]{}（）［］【】〔〕", BRACKET);
  set(table, "=:>|", SIGN);
  set(table, "-", HYPHEN);
  set(table, "_/@\\#", JOIN);
  set(table, "$€£¥₩₹₽%‰°", MONEY);
  table.fill(HAN, 0x2e_80, 0x2f_e0).fill(HAN, 0x30_05, 0x30_08).fill(HAN, 0x31_00, 0x31_c0);
  table.fill(HAN, 0x34_00, 0xa0_00).fill(HAN, 0xf9_00, 0xfb_00);
  table.fill(KANA, 0x30_41, 0x30_a0).fill(HANGUL, 0xac_00, 0xd8_00);
  for (let code = 0xe_00; code < 0x17_ff; code++)
    if (isUnspaced(code) && table[code] === SYMBOL && /[\p{L}\p{M}]/u.test(String.fromCharCode(code)))
      table[code] = UNSPACED;
  table.fill(PAIR, 0xd8_00, 0xe0_00);
  return table;
}

function set(table: Uint8Array, characters: string, kind: number): void {
  for (let at = 0; at < characters.length; at++) table[characters.charCodeAt(at)] = kind;
}

/** Whether there are letters or digits on both sides. */
export function isInWord(text: string, at: number): boolean {
  return at > 0 && isWordly(text.charCodeAt(at - 1)) && isWordly(text.charCodeAt(at + 1));
}

function isWordly(code: number): boolean {
  return FOLDED[code] !== 0 || KIND[code] === DIGIT;
}

/** Whether `.`, `!`, `?` or `…` ends a sentence here: not in `e.g.`, `J. Doe`, `12. Juni`. */
export function isSentenceEnd(text: string, at: number, from: number): boolean {
  const next = at + 1 >= text.length ? LINE_END : (KIND[text.charCodeAt(at + 1)] as number);
  if (FOLDED[text.charCodeAt(at + 1)] !== 0 && at + 1 < text.length) return false;
  if (next !== SPACE && next !== LINE_END && next !== QUOTE && next !== BRACKET) return false;
  if (text.charCodeAt(at) !== 46) return true;
  const before = text.charCodeAt(at - 1);
  if (KIND[before] === DIGIT && FOLDED[before] === 0) return at - from > 3 && KIND[text.charCodeAt(at - 3)] === DIGIT;
  if (at < 2 || FOLDED[text.charCodeAt(at - 2)] === 0) return FOLDED[before] === 0;
  if (isTitle(text, at)) return false;
  const after = text.charCodeAt(at + 2);
  return FOLDED[after] === 0 || FOLDED[after] !== after || after > 0x4_ff;
}

/** Whether a title before a name ends here: `Dr.`, `Mrs.`, `St.`. */
function isTitle(text: string, at: number): boolean {
  for (let from = at - 1; from >= at - 5 && from >= 0; from--)
    if (FOLDED[text.charCodeAt(from)] === 0) return titles.has(text.slice(from + 1, at));
  return false;
}

const titles = new Set("Dr Mr Mrs Ms Mx Prof St Sr Jr Sra Dra Hr Fr Frau Herr Mme Mlle Nr No".split(" "));

/** Whether a sentence continues after a line end: after a letter if a lowercase letter follows, or after a comma. */
export function goesOn(text: string, at: number): boolean {
  const next = text.charCodeAt(at + 1);
  if (at + 1 >= text.length || FOLDED[next] === 0 || next > 0x5_2f) return false;
  let end = at - 1;
  while (end > 0 && text.charCodeAt(end) <= 32) end -= 1;
  const before = text.charCodeAt(end);
  return before === 44 || (FOLDED[before] !== 0 && FOLDED[next] === next);
}

/** Whether a list marker, a heading or emphasis begins here: `- `, `* `, `**`, `# `, `3. `. */
export function isListed(text: string, from: number): boolean {
  let at = from;
  while (KIND[text.charCodeAt(at)] === SPACE) at += 1;
  const code = text.charCodeAt(at);
  if (code === 42 || code === 35 || code === 0x20_22) return true;
  if (code === 45) return text.charCodeAt(at + 1) === 32;
  while (KIND[text.charCodeAt(at)] === DIGIT && at < from + 6) at += 1;
  return at > from && text.charCodeAt(at) === 46 && text.charCodeAt(at + 1) === 32;
}
