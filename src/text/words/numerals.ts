/** Numerals of Han and of Korean, with their values; those from ten on multiply. */
const values: ReadonlyMap<string, number> = new Map([
  ..."〇一二三四五六七八九".split("").map((sign, value) => [sign, value] as const),
  ..."영일이삼사오육칠팔구".split("").map((sign, value) => [sign, value] as const),
  ...([
    ["零", 0],
    ["两", 2],
    ["兩", 2],
    ["十", 10],
    ["百", 100],
    ["千", 1000],
    ["万", 1e4],
    ["萬", 1e4],
    ["億", 1e8],
    ["亿", 1e8],
    ["십", 10],
    ["백", 100],
    ["천", 1000],
    ["만", 1e4],
    ["억", 1e8],
  ] as const),
]);

/** Two signs and more, one of them no digit. In Korean one of them multiplies, and a word begins or a digit stands before it: `이` and `사` are syllables too. */
const numerals =
  /(?<![\d.])(?=\d*[〇零一二三四五六七八九十百千万萬億亿两兩])[\d〇零一二三四五六七八九十百千万萬億亿两兩]{2,}|(?<![\p{Script=Hangul}\d.])(?=[\d일이삼사오육칠팔구]*[십백천만억])[\d일이삼사오육칠팔구십백천만억]{2,}/gu;
/** What every numeral has: said first, because it is quickly looked for. */
const likely =
  /[\d〇零一二三四五六七八九十百千万萬億亿两兩][〇零一二三四五六七八九十百千万萬億亿两兩]|[\d일이삼사오육칠팔구십백천만억][십백천만억]|[십백천만억][\d일이삼사오육칠팔구]/;
/** Longer ones are no number that a person wrote. */
const mostSigns = 15;

/** The numbers that a text has in numerals, as digits: `三十五` and `11万` give `35` and `110000`. */
export function numbersIn(text: string): readonly string[] {
  if (!likely.test(text)) return [];
  return Array.from(text.matchAll(numerals), ([found]) => numberOf(found)).filter((number) => number !== undefined);
}

function numberOf(found: string): string | undefined {
  if (found.length > mostSigns) return undefined;
  const number = /[十百千万萬億亿십백천만억]/u.test(found) ? counted(found) : Number(digitsOf(found));
  return Number.isSafeInteger(number) ? String(number) : undefined;
}

/** `二〇二五` as it is read sign by sign. */
function digitsOf(found: string): string {
  return Array.from(found, (sign) => values.get(sign) ?? sign).join("");
}

/** `七千二百`: each sign that multiplies counts what stands before it, and `万` and `億` all before them. */
function counted(found: string): number {
  let all = 0;
  let below = 0;
  let digits = "";
  for (const sign of found) {
    const value = values.get(sign) ?? Number(sign);
    if (value < 10) {
      digits += String(value);
      continue;
    }
    const before = digits === "" ? undefined : Number(digits);
    digits = "";
    if (value < 1e4) below += (before ?? 1) * value;
    else {
      all += (below + (before ?? (below === 0 ? 1 : 0))) * value;
      below = 0;
    }
  }
  return all + below + Number(digits);
}
