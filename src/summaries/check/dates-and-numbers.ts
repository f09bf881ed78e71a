import { weekdays } from "../../base/calendar.ts";
import { numberOf } from "../../text/words/names-and-numbers.ts";
import type { Item, Reading } from "./items.ts";

const monthNames: ReadonlyMap<string, number> = new Map(
  [
    "january jan januar janvier enero январь января",
    "february feb februar février fevrier febrero февраль февраля",
    "march mar märz maerz mars marzo март марта",
    "april apr avril abril апрель апреля",
    "may mai mayo мая",
    "june jun juni juin junio июнь июня",
    "july jul juli juillet julio июль июля",
    "august aug août aout agosto август августа",
    "september sep sept septembre septiembre сентябрь сентября",
    "october oct oktober okt octobre octubre октябрь октября",
    "november nov novembre noviembre ноябрь ноября",
    "december dec dezember dez décembre decembre diciembre декабрь декабря",
  ].flatMap((names, at) => names.split(" ").map((name): [string, number] => [name, at + 1])),
);
const month = [...monthNames.keys()].toSorted((a, b) => b.length - a.length).join("|");

const ordinal = "(?:st|nd|rd|th|er|º|\\.)?";
const year = "(?:,?\\s{1,2}(?:de\\s|of\\s)?(?<y>(?:19|20)\\d\\d)(?![\\d.,]\\d))?";
const letter = "\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}";
const before = `(?<![${letter}\\p{N}_/.\\-])`;
const after = `(?![${letter}\\p{N}_/\\-]|\\.[\\p{L}\\p{N}])`;

/** Builds the keys of a date from the named groups of a match; empty keys are ignored. */
type KeysOf = (groups: Readonly<Record<string, string | undefined>>) => readonly string[];

const ownKey: KeysOf = ({ y, m, d }) => [d === undefined ? monthKey(y, m) : dayKey(y, m, d)];

const dateForms: readonly (readonly [pattern: RegExp, keysOf?: KeysOf])[] = [
  [/(?<![\p{N}_/.-])(?<y>(?:19|20)\d\d)([-/.])(?<m>\d{1,2})\2(?<d>\d{1,2})(?![\p{N}_/-]|\.\p{L})/gu],
  [new RegExp(`${before}(?<y>(?:19|20)\\d\\d)(?<m>[01]\\d)(?<d>[0-3]\\d)${after}`, "gu")],
  [/(?:(?<y>\d{4})\s?[年년]\s?)?(?<!\d)(?<m>\d{1,2})\s?(?:[月월]|个月)\s?(?<d>\d{1,2})\s?[日号號일]/gu],
  [/(?<y>\d{4})\s?[年년]\s?(?<m>\d{1,2})\s?[月월]/gu],
  [new RegExp(`${before}(?<d>\\d{1,2})${ordinal}\\s{1,2}(?:of\\s|de\\s)?(?<m>${month})\\b\\.?${year}`, "giu")],
  [
    new RegExp(
      `${before}(?<m>${month})\\.?\\s{1,2}(?<d>\\d{1,2})(?!\\d|[.,:]\\d|%)${ordinal}${year}(?![\\p{L}\\p{N}])`,
      "giu",
    ),
  ],
  [new RegExp(`${before}(?<m>${month})\\.?,?\\s{1,2}(?:of\\s|de\\s)?(?<y>(?:19|20)\\d\\d)${after}`, "giu")],
  [
    new RegExp(`${before}(?<a>\\d{1,2})([/.])(?<b>\\d{1,2})\\2(?<y>(?:19|20)?\\d\\d)${after}`, "gu"),
    ({ a, b, y }) => [dayKey(y?.padStart(4, "20"), a, b), dayKey(y?.padStart(4, "20"), b, a)],
  ],
  [new RegExp(`${before}(?<y>(?:19|20)\\d\\d)[-/](?<m>0[1-9]|1[0-2])${after}`, "gu")],
  [
    // `3/15` and `3-15` may also be a fraction or a range, so they get a range key too; a leading zero (`03-15`) rules that out.
    new RegExp(`${before}(?<a>\\d{1,2})[/-](?<b>\\d{1,2})${after}`, "gu"),
    ({ a = "", b = "" }) => {
      const days = [dayKey(undefined, a, b), dayKey(undefined, b, a)].filter((key) => key !== "");
      const isRange = days.length > 0 && !a.startsWith("0") && !b.startsWith("0");
      return isRange ? [...days, `r${Number(a)}..${Number(b)}`] : days;
    },
  ],
  [
    // `15.3.`; `6.1.` may be a number at the end of a sentence.
    /(?<![\p{L}\p{N}_/.-])(?<d>\d{1,2})\.(?<m>\d{1,2})\.(?![\p{L}\p{N}])/gu,
    ({ d, m }) => {
      const key = dayKey(undefined, m, d);
      return key === "" ? [] : [key, `n${Number(`${d}.${m}`)}`];
    },
  ],
  [
    new RegExp(
      `${before}(?<m>january|february|march|april|june|july|august|september|october|november|december)(?![\\p{L}\\p{N}_/\\-])`,
      "giu",
    ),
    ({ m = "" }) => (/^\p{Ll}/u.test(m) ? [] : [monthKey(undefined, m)]),
  ],
  [/(?<![\d.])(?<m>\d{1,2})\s?[月월](?!間|间)/gu],
];

/**
 * Reads the dates of a line. Keys: `d03-15` without a year, `d2026-03-15` with one; `dm03` or `d2026-m03` for a month. A date with an ambiguous
 * order of day and month gets the keys of both.
 */
export function readDates(reading: Reading): void {
  for (const [pattern, keysOf = ownKey] of dateForms)
    reading.take(pattern, ({ 0: shown, groups }) => {
      const keys = [...new Set(keysOf(groups ?? {}))].filter((key) => key !== "");
      return keys.length === 0 ? null : { kind: "date", shown: shown.trim(), keys };
    });
}

/** `d03-15` or `d2026-03-15`; empty for a month or day that does not exist. */
function dayKey(year: string | undefined, month: string | undefined, day: string | undefined): string {
  const [m, d] = [monthNumber(month), Number(day)];
  return m < 1 || m > 12 || d < 1 || d > 31 ? "" : `d${year === undefined ? "" : `${year}-`}${two(m)}-${two(d)}`;
}

function monthKey(year: string | undefined, month: string | undefined): string {
  const m = monthNumber(month);
  return m < 1 || m > 12 ? "" : `d${year === undefined ? "" : `${year}-`}m${two(m)}`;
}

function monthNumber(month = ""): number {
  return monthNames.get(month.toLowerCase()) ?? Number(month);
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}

const clock = /(?<![\p{L}\p{N}_:.])(\d{1,2}):([0-5]\d)(?::[0-5]\d)?\s{0,1}([ap]\.?m\b\.?)?(?![\p{N}:])/giu;
const hour = /(?<![\p{L}\p{N}_:.,])(\d{1,2})\s?([ap]\.?m)\b\.?/giu;
const eastAsianHour =
  /(午前|午後|上午|下午|晚上|早上|오전|오후)?\s?(?<!\d)(\d{1,2})\s?[時点點시](?!間|间|간)(?:\s?(\d{1,2})\s?[分분]|(半|반))?/gu;

const longNames = [...weekdays.keys()].filter((name) => /^\p{Ll}{4,}$/u.test(name) && name !== "tues").join("|");
const weekday = new RegExp(`(?<![\\p{L}\\p{N}_])(${longNames})s?(?![\\p{L}\\p{N}_])`, "giu");
const eastAsianDay = /[月火水木金土日]曜日?|(?:周|星期)[一二三四五六日天]|[월화수목금토일]요일/gu;

/** Reads the times of day and weekdays of a line. Keys: `t14:30`, and both times if it could be a.m. or p.m.; `e1` is Monday. */
export function readTimes(reading: Reading): void {
  reading.take(clock, ([shown, h, m, half]) => timeItem(shown, Number(h), Number(m), half));
  reading.take(hour, ([shown, h, half]) => timeItem(shown, Number(h), 0, half));
  reading.take(eastAsianHour, ([shown, half, h, m, thirty]) =>
    timeItem(shown, Number(h), m === undefined ? (thirty === undefined ? 0 : 30) : Number(m), half),
  );
  const day = ([shown, name]: RegExpExecArray) =>
    ({ kind: "weekday", shown, keys: [`e${weekdays.get((name ?? shown).toLowerCase()) ?? 0}`] }) as const;
  reading.take(weekday, day);
  reading.take(eastAsianDay, day);
}

function timeItem(shown: string, h: number, m: number, half: string | undefined) {
  if (h > 24 || m > 59) return null;
  const told = half === undefined ? "" : /^(?:p|午後|下午|晚上|오후)/iu.test(half) ? "after" : "before";
  const later = h < 12 ? h + 12 : h;
  const hours = told === "after" ? [later] : told === "before" ? [h % 12, h] : h < 13 ? [h, later] : [h];
  return {
    kind: "time",
    shown: shown.trim(),
    keys: hours.map((one) => `t${one}:${String(m).padStart(2, "0")}`),
  } as const;
}

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
