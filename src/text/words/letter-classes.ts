/** What a UTF-16 unit is to the scan of `partsOf`. */
export const BREAK = 0;
export const LOWER = 1;
export const UPPER = 2;
export const DIGIT = 3;
/** Signs that end a name: `C++`. */
export const SIGN = 4;
/** Signs that stand inside a number. */
export const POINT = 5;
/** Han and kana as they are commonly encoded. */
export const EASTERN = 6;
/** A syllable of Hangul. */
export const SYLLABLE = 7;
/** Any other letter or mark, for which the properties of Unicode are asked. */
export const OTHER = 8;

type Range = readonly [from: number, to: number, letter: number];

const ranges: readonly Range[] = [
  [0x30, 0x39, DIGIT],
  [0x41, 0x5a, UPPER],
  [0x61, 0x7a, LOWER],
  [0xaa, 0x1fff, OTHER],
  [0x2c00, 0x2dff, OTHER],
  [0x3005, 0x3007, EASTERN],
  [0x3041, 0x3096, EASTERN],
  [0x3099, 0x309a, OTHER],
  [0x309d, 0x309f, EASTERN],
  [0x30a1, 0x30fa, EASTERN],
  [0x30fc, 0x30ff, EASTERN],
  [0x3131, 0x33ff, OTHER],
  [0x3400, 0x4dbf, EASTERN],
  [0x4e00, 0x9fff, EASTERN],
  [0xa000, 0xabff, OTHER],
  [0xac00, 0xd7a3, SYLLABLE],
  [0xd7b0, 0xd7ff, OTHER],
  [0xd800, 0xd83b, OTHER],
  [0xd83f, 0xdfff, OTHER],
  [0xf900, 0xfdff, OTHER],
  [0xfe70, 0xffef, OTHER],
];

/** The class of every unit. */
export const letterClasses: Uint8Array = classTable();

function classTable(): Uint8Array {
  const table = new Uint8Array(0x10000);
  for (const [from, to, letter] of ranges) table.fill(letter, from, to + 1);
  for (const sign of "+#") table[sign.charCodeAt(0)] = SIGN;
  for (const sign of ",.") table[sign.charCodeAt(0)] = POINT;
  return table;
}
