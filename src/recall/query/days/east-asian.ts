import * as S from "./span.ts";
import { atom, type Atom, type Unit } from "./span.ts";

const figures = "〇一二三四五六七八九";
const number = "(\\d{1,4}|[一二两兩三四五六七八九十]{1,3})";
const small = "(\\d{1,2}|[一二三四五六七八九十]{1,3})";
/** No figure before it: 13月 is no 3月. */
const start = "(?<![\\d〇一二三四五六七八九十第几幾数])";
const unit = "(天|日間?|周间?|週間?|週间|[个個]?(?:星期|礼拜|禮拜)|(?:[个個箇ヶケかカヵ]|个)月間?|[个個]月|年間?)";
const week = "(?:周|週|[个個]?(?:星期|礼拜|禮拜))";
const weekday = "([一二三四五六日天])";

function numberOf(text = ""): number {
  if (/^\d+$/u.test(text)) return Number(text);
  const plain = text.replaceAll(/[两兩]/gu, "二");
  const [tens, ones] = plain.includes("十") ? plain.split("十") : ["", plain];
  const high = plain.includes("十") ? (tens === "" ? 1 : figures.indexOf(tens ?? "")) : 0;
  const low = ones === undefined || ones === "" ? 0 : figures.indexOf(ones);
  return high < 0 || low < 0 ? Number.NaN : high * 10 + low;
}

function unitOf(text = ""): Unit {
  if (text.includes("月")) return "month";
  if (/^[天日]/u.test(text)) return "day";
  return text.startsWith("年") ? "year" : "week";
}

const weekdayOf = (text = ""): number => "一二三四五六日".indexOf(text === "天" ? "日" : text);
const japaneseWeekdayOf = (text = ""): number => "月火水木金土日".indexOf(text);

function relative(source: string, count: number, of: Unit): Atom {
  return atom(source, (_, today) => S.unitBefore(today, count, of));
}

/** In which year, said as one before this one. */
function yearsBack(text = ""): number {
  if (/^(?:一昨年|おととし|前年)/u.test(text)) return 2;
  return /^(?:去年|昨年)/u.test(text) ? 1 : 0;
}

/** Days as they are written in Chinese and Japanese; many forms are those of both. */
export const eastAsianAtoms: readonly Atom[] = [
  relative("大前天", 3, "day"),
  relative("一昨日|おととい(?=[のにはも、\\s]|$)|(?<![以之目年月日天])前天", 2, "day"),
  relative("昨[天日晚夜晩]|(?<!\\p{Script=Hiragana})きのう(?=[のにはも、\\s]|$)", 1, "day"),
  relative("今[天日朝早晨]|本日", 0, "day"),
  relative(`先々週|上上${week}`, 2, "week"),
  relative(`先週|(?<![晚早马馬])上${week}`, 1, "week"),
  relative(`今週|(?<!日)[这這本]${week}`, 0, "week"),
  relative("先々月|上上[个個]?月", 2, "month"),
  relative("先月|(?<![晚早马馬])上[个個]?月", 1, "month"),
  relative("今月|(?<!日)(?:本月|[这這][个個]?月)", 0, "month"),
  relative("一昨年|おととし|(?<![以之目\\d十])前年", 2, "year"),
  relative("去年|昨年", 1, "year"),
  relative("今年|本年", 0, "year"),
  atom(`(上上|上|[这這本])${week}${weekday}`, ([, which, day], today) =>
    S.weekdayOfWeek(today, weekdayOf(day), which === "上上" ? 2 : which === "上" ? 1 : 0),
  ),
  atom("(先々|先|今)週の?([月火水木金土日])曜日?", ([, which, day], today) =>
    S.weekdayOfWeek(today, japaneseWeekdayOf(day), which === "先々" ? 2 : which === "先" ? 1 : 0),
  ),
  atom(`${start}${number}\\s*${unit}(?:[之以])?前`, ([, count, of], today) =>
    S.unitBefore(today, numberOf(count), unitOf(of)),
  ),
  atom(`(?:最近|过去|過去|近|この|ここ)の?\\s*${number}\\s*${unit}[間间]?(?:以?[内內])?`, ([, count, of], today) =>
    S.lastUnits(today, numberOf(count), unitOf(of)),
  ),
  atom(`${start}(\\d{4})年\\s*${small}月\\s*${small}[日号號]`, ([, year, month, day], today) =>
    S.daySpan(today, numberOf(month), numberOf(day), Number(year)),
  ),
  atom(`${start}(\\d{4})年\\s*${small}月份?`, ([, year, month], today) =>
    S.monthSpan(today, numberOf(month), Number(year)),
  ),
  atom(`(一昨年|去年|昨年|今年|前年)の?\\s*${small}月(?:\\s*${small}[日号號])?`, ([, which, month, day], today) =>
    S.inYearBefore(today, {
      years: yearsBack(which),
      month: numberOf(month),
      day: day === undefined ? undefined : numberOf(day),
    }),
  ),
  atom(`${start}${small}月\\s*${small}[日号號]`, ([, month, day], today) =>
    S.daySpan(today, numberOf(month), numberOf(day)),
  ),
  atom(`${start}${small}月份?`, ([, month], today) => S.monthSpan(today, numberOf(month))),
  atom(`${start}((?:19|20|21)\\d\\d)年`, ([, year]) => S.yearSpan(Number(year))),
];

const counted = "한 두 세 네 다섯 여섯 일곱 여덟 아홉 열".split(" ");
const days = { 하루: 1, 이틀: 2, 사흘: 3, 나흘: 4, 열흘: 10 } as const;
const daysNamed: ReadonlyMap<string, number> = new Map(Object.entries(days));
const koreanNumber = `(\\d{1,4}|일|${counted.join("|")})`;
const koreanUnit = "(일|주일?|개월|달|년|해)";
const koreanWeekday = "([월화수목금토일])요일";
const date = "(\\d{1,2})월\\s?(\\d{1,2})일";
/** No letter or figure before it: words are parted by spaces. */
const koreanStart = "(?<![\\d\\p{L}])";

const koreanNumberOf = (text = ""): number =>
  /^\d/u.test(text) ? Number(text) : text === "일" ? 1 : counted.indexOf(text) + 1;
const koreanWeekdayOf = (text = ""): number => "월화수목금토일".indexOf(text);

function koreanUnitOf(text = ""): Unit {
  if (text.startsWith("주")) return "week";
  if (text === "개월" || text === "달") return "month";
  return text === "일" ? "day" : "year";
}

function relativeKorean(source: string, count: number, of: Unit): Atom {
  return atom(`${koreanStart}(?:${source})`, (_, today) => S.unitBefore(today, count, of));
}

/** Days as they are written in Korean. */
export const koreanAtoms: readonly Atom[] = [
  relativeKorean("그저께|그제|엊그제", 2, "day"),
  relativeKorean("어제|어젯밤", 1, "day"),
  relativeKorean("오늘", 0, "day"),
  relativeKorean("지지난\\s?주|저저번\\s?주", 2, "week"),
  relativeKorean("지난\\s?주|저번\\s?주", 1, "week"),
  relativeKorean("이번\\s?주|금주", 0, "week"),
  relativeKorean("지지난\\s?달|저저번\\s?달", 2, "month"),
  relativeKorean("지난\\s?달|저번\\s?달", 1, "month"),
  relativeKorean("이번\\s?달", 0, "month"),
  relativeKorean("재작년", 2, "year"),
  relativeKorean("작년|지난\\s?해", 1, "year"),
  relativeKorean("올해|금년", 0, "year"),
  atom(`${koreanStart}(지지난|지난|저번|이번)\\s?주\\s?${koreanWeekday}`, ([, which, day], today) =>
    S.weekdayOfWeek(today, koreanWeekdayOf(day), which === "지지난" ? 2 : which === "이번" ? 0 : 1),
  ),
  atom(`${koreanStart}지난\\s?${koreanWeekday}`, ([, day], today) =>
    S.weekdaySpan(today, koreanWeekdayOf(day), "before"),
  ),
  atom(`${koreanStart}${koreanNumber}\\s?${koreanUnit}\\s?전`, ([, count, of], today) =>
    S.unitBefore(today, koreanNumberOf(count), koreanUnitOf(of)),
  ),
  atom(`${koreanStart}(${Object.keys(days).join("|")})\\s?전`, ([, name = ""], today) =>
    S.unitBefore(today, daysNamed.get(name) ?? 0, "day"),
  ),
  atom(`${koreanStart}(?:최근|지난)\\s?${koreanNumber}\\s?${koreanUnit}(?:간|\\s?동안)?`, ([, count, of], today) =>
    S.lastUnits(today, koreanNumberOf(count), koreanUnitOf(of)),
  ),
  atom(`${koreanStart}(\\d{4})년\\s?${date}`, ([, year, month, day], today) =>
    S.daySpan(today, Number(month), Number(day), Number(year)),
  ),
  atom(`${koreanStart}(\\d{4})년\\s?(\\d{1,2})월`, ([, year, month], today) =>
    S.monthSpan(today, Number(month), Number(year)),
  ),
  atom(`${koreanStart}(재작년|작년|올해)\\s?(\\d{1,2})월(?:\\s?(\\d{1,2})일)?`, ([, which, month, day], today) =>
    S.inYearBefore(today, {
      years: which === "재작년" ? 2 : which === "작년" ? 1 : 0,
      month: Number(month),
      day: day === undefined ? undefined : Number(day),
    }),
  ),
  atom(`${koreanStart}(?:지난\\s?)?${date}`, ([, month, day], today) => S.daySpan(today, Number(month), Number(day))),
  atom(`${koreanStart}(?:지난\\s?)?(\\d{1,2})월(?:달)?`, ([, month], today) => S.monthSpan(today, Number(month))),
  atom(`${koreanStart}((?:19|20|21)\\d\\d)년`, ([, year]) => S.yearSpan(Number(year))),
];
