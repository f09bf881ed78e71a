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
const year = "(?:,?\\s{1,2}(?:de\\s|of\\s)?((?:19|20)\\d\\d)(?![\\d.,]\\d))?";
const letter = "\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}";
const before = `(?<![${letter}\\p{N}_/.\\-])`;
const after = `(?![${letter}\\p{N}_/\\-]|\\.[\\p{L}\\p{N}])`;

const patterns = {
  year: /(?<![\p{N}_/.-])((?:19|20)\d\d)([-/.])(\d{1,2})\2(\d{1,2})(?![\p{N}_/-]|\.\p{L})/gu,
  packed: new RegExp(`${before}((?:19|20)\\d\\d)([01]\\d)([0-3]\\d)${after}`, "gu"),
  eastAsian: /(?:(\d{4})\s?[年년]\s?)?(?<!\d)(\d{1,2})\s?(?:[月월]|个月)\s?(\d{1,2})\s?[日号號일]/gu,
  eastAsianMonth: /(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]/gu,
  monthFirst: new RegExp(
    `${before}(${month})\\.?\\s{1,2}(\\d{1,2})(?!\\d|[.,:]\\d|%)${ordinal}${year}(?![\\p{L}\\p{N}])`,
    "giu",
  ),
  dayFirst: new RegExp(`${before}(\\d{1,2})${ordinal}\\s{1,2}(?:of\\s|de\\s)?(${month})\\b\\.?${year}`, "giu"),
  monthYear: new RegExp(`${before}(${month})\\.?,?\\s{1,2}(?:of\\s|de\\s)?((?:19|20)\\d\\d)${after}`, "giu"),
  numeric: new RegExp(`${before}(\\d{1,2})([/.])(\\d{1,2})\\2((?:19|20)?\\d\\d)${after}`, "gu"),
  yearMonth: new RegExp(`${before}((?:19|20)\\d\\d)[-/](0[1-9]|1[0-2])${after}`, "gu"),
  short: new RegExp(`${before}(\\d{1,2})[/-](\\d{1,2})${after}`, "gu"),
  dayMonthDots: /(?<![\p{L}\p{N}_/.-])(\d{1,2})\.(\d{1,2})\.(?![\p{L}\p{N}])/gu,
  monthAlone: new RegExp(
    `${before}(january|february|march|april|june|july|august|september|october|november|december)(?![\\p{L}\\p{N}_/\\-])`,
    "giu",
  ),
  eastAsianMonthAlone: /(?<![\d.])(\d{1,2})\s?[月월](?!間|间)/gu,
};

/**
 * The dates of a line. Keys: `03-15` for one without a year, `2026-03-15` with one; `m03`, `2026-m03` for a month. A date that can be read as day and month in two ways has the keys of both.
 */
export function readDates(reading: Reading): void {
  const full = (y: number, m: number, d: number) => (shown: string) => dateItem(shown, [dayKey(y, m, d)]);
  reading.take(patterns.year, ([shown, y, , m, d]) => full(Number(y), Number(m), Number(d))(shown));
  reading.take(patterns.packed, ([shown, y, m, d]) => full(Number(y), Number(m), Number(d))(shown));
  reading.take(patterns.eastAsian, ([shown, y, m, d]) => full(yearOf(y), Number(m), Number(d))(shown));
  reading.take(patterns.eastAsianMonth, ([shown, y, m]) => dateItem(shown, [monthKey(Number(y), Number(m))]));
  reading.take(patterns.dayFirst, ([shown, d, m, y]) => full(yearOf(y), numberOf(m), Number(d))(shown));
  reading.take(patterns.monthFirst, ([shown, m, d, y]) => full(yearOf(y), numberOf(m), Number(d))(shown));
  reading.take(patterns.monthYear, ([shown, m, y]) => dateItem(shown, [monthKey(Number(y), numberOf(m))]));
  reading.take(patterns.numeric, ([shown, a, , b, y]) => {
    const of = yearOf((y ?? "").padStart(4, "20"));
    return dateItem(shown, [dayKey(of, Number(a), Number(b)), dayKey(of, Number(b), Number(a))]);
  });
  reading.take(patterns.yearMonth, ([shown, y, m]) => dateItem(shown, [monthKey(Number(y), Number(m))]));
  readShort(reading);
  reading.take(patterns.monthAlone, ([shown, m]) =>
    /^\p{Ll}/u.test(shown) ? null : dateItem(shown, [monthKey(0, numberOf(m))]),
  );
  reading.take(patterns.eastAsianMonthAlone, ([shown, m]) => dateItem(shown, [monthKey(0, Number(m))]));
}

/** `3/15`, `03-15`, `15.3.`: also a share or a range, so its numbers are keys too. */
function readShort(reading: Reading): void {
  reading.take(patterns.short, ([shown, a, b]) => {
    const keys = [dayKey(0, Number(a), Number(b)), dayKey(0, Number(b), Number(a))].filter((key) => key !== "");
    if (keys.length === 0) return null;
    // A range has no zero in front: `03-15` is a day, `3-15` may be either.
    const range = /^0|[-/]0/u.test(shown) ? [] : [`${Number(a)}..${Number(b)}`];
    return { kind: "date", shown, keys: [...keys, ...range] };
  });
  // `6.1.` may be a number at the end of a sentence.
  reading.take(patterns.dayMonthDots, ([shown, d, m]) => {
    const key = dayKey(0, Number(m), Number(d));
    return key === "" ? null : { kind: "date", shown, keys: [key, `n${Number(`${d}.${m}`)}`] };
  });
}

function dateItem(shown: string, keys: readonly string[]): Item | null {
  const valid = [...new Set(keys.filter((key) => key !== ""))];
  return valid.length === 0 ? null : { kind: "date", shown: shown.trim(), keys: valid };
}

function dayKey(y: number, m: number, d: number): string {
  if (m < 1 || m > 12 || d < 1 || d > 31) return "";
  return `${y === 0 ? "" : `${y}-`}${two(m)}-${two(d)}`;
}

function monthKey(y: number, m: number): string {
  return m < 1 || m > 12 ? "" : `${y === 0 ? "" : `${y}-`}m${two(m)}`;
}

function numberOf(name: string | undefined): number {
  return monthNames.get((name ?? "").toLowerCase()) ?? 0;
}

function yearOf(text: string | undefined): number {
  return text === undefined ? 0 : Number(text);
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}
