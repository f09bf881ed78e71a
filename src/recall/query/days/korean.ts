import * as S from "./span.ts";
import { atom, type Atom, type Unit } from "./span.ts";

const counted = "한 두 세 네 다섯 여섯 일곱 여덟 아홉 열".split(" ");
const days = { 하루: 1, 이틀: 2, 사흘: 3, 나흘: 4, 열흘: 10 } as const;
const daysNamed: ReadonlyMap<string, number> = new Map(Object.entries(days));
const number = `(\\d{1,4}|일|${counted.join("|")})`;
const unit = "(일|주일?|개월|달|년|해)";
const weekday = "([월화수목금토일])요일";
const date = "(\\d{1,2})월\\s?(\\d{1,2})일";
/** No letter or figure before it: words are parted by spaces. */
const start = "(?<![\\d\\p{L}])";

const numberOf = (text = ""): number =>
  /^\d/u.test(text) ? Number(text) : text === "일" ? 1 : counted.indexOf(text) + 1;
const weekdayOf = (text = ""): number => "월화수목금토일".indexOf(text);

function unitOf(text = ""): Unit {
  if (text.startsWith("주")) return "week";
  if (text === "개월" || text === "달") return "month";
  return text === "일" ? "day" : "year";
}

function relative(source: string, count: number, of: Unit): Atom {
  return atom(`${start}(?:${source})`, (_, today) => S.unitBefore(today, count, of));
}

/** Days as they are written in Korean. */
export const koreanAtoms: readonly Atom[] = [
  relative("그저께|그제|엊그제", 2, "day"),
  relative("어제|어젯밤", 1, "day"),
  relative("오늘", 0, "day"),
  relative("지지난\\s?주|저저번\\s?주", 2, "week"),
  relative("지난\\s?주|저번\\s?주", 1, "week"),
  relative("이번\\s?주|금주", 0, "week"),
  relative("지지난\\s?달|저저번\\s?달", 2, "month"),
  relative("지난\\s?달|저번\\s?달", 1, "month"),
  relative("이번\\s?달", 0, "month"),
  relative("재작년", 2, "year"),
  relative("작년|지난\\s?해", 1, "year"),
  relative("올해|금년", 0, "year"),
  atom(`${start}(지지난|지난|저번|이번)\\s?주\\s?${weekday}`, ([, which, day], today) =>
    S.weekdayOfWeek(today, weekdayOf(day), which === "지지난" ? 2 : which === "이번" ? 0 : 1),
  ),
  atom(`${start}지난\\s?${weekday}`, ([, day], today) => S.weekdaySpan(today, weekdayOf(day), "before")),
  atom(`${start}${number}\\s?${unit}\\s?전`, ([, count, of], today) =>
    S.unitBefore(today, numberOf(count), unitOf(of)),
  ),
  atom(`${start}(${Object.keys(days).join("|")})\\s?전`, ([, name = ""], today) =>
    S.unitBefore(today, daysNamed.get(name) ?? 0, "day"),
  ),
  atom(`${start}(?:최근|지난)\\s?${number}\\s?${unit}(?:간|\\s?동안)?`, ([, count, of], today) =>
    S.lastUnits(today, numberOf(count), unitOf(of)),
  ),
  atom(`${start}(\\d{4})년\\s?${date}`, ([, year, month, day], today) =>
    S.daySpan(today, Number(month), Number(day), Number(year)),
  ),
  atom(`${start}(\\d{4})년\\s?(\\d{1,2})월`, ([, year, month], today) =>
    S.monthSpan(today, Number(month), Number(year)),
  ),
  atom(`${start}(재작년|작년|올해)\\s?(\\d{1,2})월(?:\\s?(\\d{1,2})일)?`, ([, which, month, day], today) =>
    S.inYearBefore(today, {
      years: which === "재작년" ? 2 : which === "작년" ? 1 : 0,
      month: Number(month),
      day: day === undefined ? undefined : Number(day),
    }),
  ),
  atom(`${start}(?:지난\\s?)?${date}`, ([, month, day], today) => S.daySpan(today, Number(month), Number(day))),
  atom(`${start}(?:지난\\s?)?(\\d{1,2})월(?:달)?`, ([, month], today) => S.monthSpan(today, Number(month))),
  atom(`${start}((?:19|20|21)\\d\\d)년`, ([, year]) => S.yearSpan(Number(year))),
];
