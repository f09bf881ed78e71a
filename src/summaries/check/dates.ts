import { weekdays } from "../../base/calendar.ts";
import type { Reading } from "./items.ts";

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
  const [m, d] = [numberOf(month), Number(day)];
  return m < 1 || m > 12 || d < 1 || d > 31 ? "" : `d${year === undefined ? "" : `${year}-`}${two(m)}-${two(d)}`;
}

function monthKey(year: string | undefined, month: string | undefined): string {
  const m = numberOf(month);
  return m < 1 || m > 12 ? "" : `d${year === undefined ? "" : `${year}-`}m${two(m)}`;
}

function numberOf(month = ""): number {
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
