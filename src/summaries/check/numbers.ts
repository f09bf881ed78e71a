import { numberOf } from "../../text/words/names-and-numbers.ts";
import type { Item, Reading } from "./items.ts";

/** Words and letters that multiply the number before them. */
const factors: ReadonlyMap<string, number> = new Map(
  (
    [
      [1e3, "k K thousand 천 千"],
      [1e6, "M m mn million"],
      [1e9, "bn B G billion"],
      [1e4, "만 万 萬"],
      [1e8, "억 億 亿"],
      [100, "hundred 백 百"],
      [10, "십 十"],
      [12, "dozen"],
    ] as const
  ).flatMap(([value, names]) => names.split(" ").map((name): [string, number] => [name, value])),
);
const factor = "thousand|million|billion|hundred|dozen|mn|bn|[kKMmBG십백천만억十百千万萬億亿](?![\\p{Ll}\\p{Lu}])";
const digits = new RegExp(
  `(?<![[\\p{L}\\p{N}_]--[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}]])(?<!\\d[.,'])\\d+(?:[.,']\\d+| \\d{3}(?!\\d))*(?:[ \\-]?(${factor}))?`,
  "gv",
);

/** Reads the numbers in a line that are not part of a date, time or code. Keys: each possible value, such as `n1234.5`. */
export function readNumbers(reading: Reading): void {
  reading.take(digits, ({ 0: shown, 1: factorName = "", index }) => {
    const end = index + shown.length;
    return numberItem(shown, factorName, reading.rest.slice(end, end + 16));
  });
  reading.take(hanNumber, (match) => countedItem(match[0], hanValue(match[1] ?? "")));
  reading.take(nativeKorean, (match) => countedItem(match[0], numberWord(match[1] ?? "") ?? 0));
}

function numberItem(text: string, factorName: string, rest: string): Item {
  const values = valuesOf(text.slice(0, text.length - factorName.length).replace(/[ -]$/u, ""));
  const scaled = values.map((value) => Number((value * (factors.get(factorName) ?? 1)).toPrecision(12)));
  // `5m` may mean five minutes or meters as well as five million, and `5k` may be a run.
  const all = /^[kmMGB]$/u.test(factorName) ? [...scaled, ...values] : scaled;
  const unit = /^\s?(%|[\p{Script=Latin}°µ]{1,12}|[^\p{L}\p{N}\s]?)/u.exec(rest)?.[1] ?? "";
  const shown = `${text}${/^[%°\p{L}]/u.test(unit) ? rest.slice(0, rest.indexOf(unit) + unit.length) : ""}`.trim();
  const keys = [...new Set(all)].map((value) => `n${value}`);
  // `the 15th`, `15日`: the sources may have the full date.
  const day = /^(\d{1,2})\s?(?:st|nd|rd|th|日|일|号)$/u.exec(shown)?.[1];
  return { kind: "number", shown, keys: day === undefined ? keys : [...keys, `o${Number(day)}`] };
}

/** `1,234` is 1234 or 1.234. */
function valuesOf(text: string): readonly number[] {
  const bare = text.replaceAll(/[ ']/g, "");
  const marks = [...bare.matchAll(/[.,]/g)].map(([mark]) => mark);
  if (marks.length === 0) return [Number(bare)];
  const last = marks.at(-1) ?? ".";
  const groups = bare.split(/[.,]/);
  const grouped = groups.slice(1).every((group) => group.length === 3) && (groups[0] ?? "").length <= 3;
  const joined = Number(groups.join(""));
  const decimal = Number(`${groups.slice(0, -1).join("")}.${groups.at(-1) ?? ""}`);
  if (marks.length > 1 && marks.every((mark) => mark === last)) return grouped ? [joined] : [joined, decimal];
  if (marks.length > 1) return [decimal];
  return grouped ? [joined, decimal] : [decimal];
}

const hanCounters =
  "[天日月年人个個件回次週周枚円元台本冊杯匹]|時間|小时|分[钟間]|か月|ヶ月|个月|週間|[时時点点](?!候)";
const hanNumber = new RegExp(
  `(?<![第一二两三四五六七八九十百千万])(?!十分[^钟間])([一二两三四五六七八九十百千万]{1,7})(?=${hanCounters})`,
  "gu",
);
/** `三百二十` is 320. */
export function hanValue(text: string): number {
  return Number(numberOf(text) ?? 0);
}

const nativeKorean =
  /(?<!\p{Script=Hangul})(두|세|네|다섯|여섯|일곱|여덟|아홉|열(?:한|두|세|네|다섯)?|스무)\s?(?=[개명번시주달살곳가건장권마]|시간|가지)/gu;

function countedItem(shown: string, value: number): Item | null {
  return value < 2 ? null : { kind: "number", shown, keys: [`n${value}`] };
}

const english =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen";
const tens = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
/** Number words with consecutive values starting at `first`; for a word with two values, the last one is used. */
const rows: readonly (readonly [first: number, words: string])[] = [
  [0, english],
  [1, "first second third fourth fifth sixth seventh eighth ninth tenth"],
  [2, "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf"],
  [2, "deux trois quatre cinq six sept huit neuf dix onze douze"],
  [2, "dos tres cuatro cinco seis siete ocho nueve diez once doce"],
  [1, "하나 둘 셋 넷"],
  [2, "두 세 네 다섯 여섯 일곱 여덟 아홉 열 열한 열두 열세 열네 열다섯"],
  [20, "스무"],
  [1, "once twice"],
  ...tens.map((ten, at) => {
    const units = english.split(" ").slice(1, 10);
    return [(at + 2) * 10, [ten, ...units.map((unit) => `${ten}-${unit}`)].join(" ")] as const;
  }),
  [12, "dozen"],
  [0.5, "half"],
  [100, "hundred"],
  [1000, "thousand"],
  [1e6, "million"],
  [2, "both"],
  [2, "pair"],
];
const numberWords: ReadonlyMap<string, number> = new Map(
  rows.flatMap(([first, words]) => words.split(" ").map((word, at): [string, number] => [word, first + at])),
);

/** The value of a number word; `undefined` for any other word. */
export function numberWord(word: string): number | undefined {
  return numberWords.get(word.toLowerCase());
}
