import { once } from "../../../base/lines.ts";
import * as S from "./span.ts";

/** A way to write days. Its named groups contain the values. */
export interface Form {
  /** Sticky. Compiled when first needed: compiling dozens of patterns takes longer than running a query without a day. */
  readonly pattern: () => RegExp;
  /** `alone`: counts as a time anywhere; `introduced`: only after a word such as "in" or "since". */
  readonly stands: "alone" | "introduced";
  /** `undefined` if there are no such days. */
  read(groups: Groups, today: string): S.Span | undefined;
}

type Groups = Readonly<Record<string, string | undefined>>;

/** How a language writes the values of the named groups. */
interface Language {
  readonly number: (text: string) => number;
  readonly unit: (text: string) => S.Unit;
  /** Monday is 0. */
  readonly weekday: (text: string) => number;
  readonly month: (text: string) => number;
  /** How many weeks or years ago: `上上`, `작년`. */
  readonly back: (text: string) => number;
}

/** `start`: a prefix of each pattern. */
function formsOf(language: Language, start = "") {
  const given = (groups: Groups, name: string, of: (text: string) => number): number | undefined =>
    groups[name] === undefined ? undefined : of(groups[name]);
  const counting =
    (spanOf: typeof S.unitBefore): Form["read"] =>
    (groups, today) =>
      spanOf(today, given(groups, "count", language.number) ?? 1, language.unit(groups["unit"] ?? ""));
  /** Reads the groups `year`, `month`, `day`, `quarter`, `weekday` and `back` (how many weeks or years ago) together. */
  const date: Form["read"] = (groups, today) => {
    const back = given(groups, "back", language.back);
    const weekday = given(groups, "weekday", language.weekday);
    if (weekday !== undefined)
      return back === undefined ? S.weekdaySpan(today, weekday, "today") : S.weekdayOfWeek(today, weekday, back);
    const year = back === undefined ? given(groups, "year", Number) : Number(today.slice(0, 4)) - back;
    const [month, day] = [given(groups, "month", language.month), given(groups, "day", language.number)];
    if (month !== undefined)
      return day === undefined ? S.monthsOf(today, month, 1, year) : S.daySpan(today, month, day, year);
    const quarter = given(groups, "quarter", Number);
    if (year === undefined) return undefined;
    return quarter === undefined ? S.monthsOf(today, 1, 12, year) : S.monthsOf(today, quarter * 3 - 2, 3, year);
  };
  const lastWeekday: Form["read"] = ({ weekday = "" }, today) =>
    S.weekdaySpan(today, language.weekday(weekday), "before");
  const form = (source: string, read: Form["read"], stands: Form["stands"] = "alone"): Form => ({
    pattern: once(() => new RegExp(`${start}(?:${source})`, "iuy")),
    stands,
    read,
  });
  /** Words for the current unit and earlier ones (`today`, `yesterday`): the current one first, then the previous one, and so on. */
  const before = (words: Readonly<Partial<Record<S.Unit, readonly string[]>>>): readonly Form[] =>
    Object.entries(words).flatMap(([unit, all]) =>
      all.map((source, count) => form(source, (_, today) => S.unitBefore(today, count, unit as S.Unit))),
    );
  return { form, before, ago: counting(S.unitBefore), last: counting(S.lastUnits), date, lastWeekday };
}

const months = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const weekdays = "mon tue wed thu fri sat sun".split(" ");
const counted = "one two three four five six seven eight nine ten eleven twelve".split(" ");

const english: Language = {
  number: (text) => {
    const said = text.toLowerCase();
    if (/^an?\b/u.test(said)) return /\s/u.test(said) ? 2 : 1;
    return counted.includes(said) ? counted.indexOf(said) + 1 : Number(said);
  },
  unit: (text) => text.toLowerCase() as S.Unit,
  weekday: (text) => weekdays.indexOf(text.slice(0, 3).toLowerCase()),
  month: (text) => (/^\d/u.test(text) ? Number(text) : months.indexOf(text.slice(0, 3).toLowerCase()) + 1),
  back: (text) => (text.toLowerCase() === "last" ? 1 : 0),
};

function englishForms(): readonly Form[] {
  const { form, before, ago, last, date, lastWeekday } = formsOf(english);
  const month =
    "(?<month>jan(?:uary|\\.)?|feb(?:ruary|\\.)?|mar(?:ch|\\.)?|apr(?:il|\\.)?|may|june?|july?|aug(?:ust|\\.)?|sept?(?:ember|\\.)?|oct(?:ober|\\.)?|nov(?:ember|\\.)?|dec(?:ember|\\.)?)";
  const weekday = "(?<weekday>monday|tuesday|wednesday|thursday|friday|saturday|sunday)";
  const count = `(?<count>\\d{1,4}|a\\s+couple\\s+of|an?|${counted.join("|")})`;
  const year = "(?<year>(?:19|20|21)\\d\\d)";
  const unit = "(?<unit>week|month|quarter|year)";
  const units = "(?<unit>day|week|month|quarter|year)s?";
  const ordinal = "(?<day>\\d{1,2})(?<suffix>st|nd|rd|th)?";
  /** In "in 2000 rows", 2000 is a number, not a year. */
  const notCounting = "(?!\\s+(?!(?:is|was|has|does|this|as)\\b)\\p{L}+s\\b)";
  /** "the last week of the project" is not a calendar week. */
  const notOf = "(?!\\s+of\\b)";
  const own = "(?:['’]s)?";
  // "may 5 users" is not a day, but "5th may", "on may 5" and "5 may 2026" are.
  const isClear = ({ month: name = "", suffix, year: digits }: Groups): boolean =>
    suffix !== undefined || digits !== undefined || !/^(?:ma(?:y|r|rch))$/u.test(name);
  const upToNow: Form["read"] = (groups, today) =>
    Number(groups["year"]) > Number(today.slice(0, 4)) ? undefined : date(groups, today);
  const dates = [
    `(?:the\\s+)?${ordinal}(?:\\s+of)?\\s+${month}(?:,?\\s+${year})?`,
    `${month}\\s+(?:the\\s+)?${ordinal}(?:,?\\s+${year})?`,
  ];
  return [
    // Only digits: ISO 8601 and similar forms.
    form("(?<year>\\d{4})(?<mark>[-/.])(?<month>\\d{1,2})\\k<mark>(?<day>\\d{1,2})", date),
    form("(?<day>\\d{1,2})\\.(?<month>\\d{1,2})\\.(?<year>\\d{4})", date),
    form("(?<week>\\d{4}-w\\d{2})", ({ week = "" }) => S.weekNamed(week.toUpperCase())),
    form("(?<year>\\d{4})-q(?<quarter>[1-4])", date),
    form("(?<year>\\d{4})-(?<month>\\d{2})", date),
    ...before({
      day: [
        `(?:today|this\\s+morning)${own}`,
        `(?:yesterday|last\\s+night)${own}`,
        `(?:the\\s+)?day\\s+before\\s+yesterday${own}`,
      ],
    }),
    form(`(?:last|previous)\\s+${unit}${own}${notOf}`, ago),
    form(`this\\s+${unit}${own}`, ({ unit: of = "" }, today) => S.unitBefore(today, 0, english.unit(of))),
    form(`past\\s+${unit}${notOf}`, last),
    form(`(?:last|past|previous)\\s+${count}\\s+${units}${notOf}`, last),
    form(`${count}\\s+${units}\\s+ago`, ago),
    form(`last\\s+weekend${own}`, (_, today) => S.weekendSpan(today, "before")),
    form("(?:the|this)\\s+weekend", (_, today) => S.weekendSpan(today, "latest"), "introduced"),
    form(`(?:last|previous)\\s+${weekday}${own}`, lastWeekday),
    form(weekday, date, "introduced"),
    form(`${month}\\s+(?<back>last|this)\\s+year`, date),
    form(`last\\s+${month}`, (groups, today) => date(groups, S.unitBefore(today, 1, "month")?.to ?? today)),
    form(`${month}(?:\\s+of)?,?\\s+${year}`, date),
    ...dates.flatMap((source) => [
      form(source, (groups, today) => (isClear(groups) ? date(groups, today) : undefined)),
      form(source, date, "introduced"),
    ]),
    form(month, date, "introduced"),
    form(`q(?<quarter>[1-4])\\s+${year}`, date),
    form(`${year}${notCounting}`, upToNow, "introduced"),
  ];
}

const figures = "〇一二三四五六七八九";

const chineseJapanese: Language = {
  number: (text) => {
    if (/^\d+$/u.test(text)) return Number(text);
    const plain = text.replaceAll(/[两兩]/gu, "二");
    const [tens, ones] = plain.includes("十") ? plain.split("十") : ["", plain];
    const high = plain.includes("十") ? (tens === "" ? 1 : figures.indexOf(tens ?? "")) : 0;
    const low = ones === undefined || ones === "" ? 0 : figures.indexOf(ones);
    return high < 0 || low < 0 ? Number.NaN : high * 10 + low;
  },
  unit: (text) => {
    if (text.includes("月")) return "month";
    if (/^[天日]/u.test(text)) return "day";
    return text.startsWith("年") ? "year" : "week";
  },
  weekday: (text) => Math.max("一二三四五六日".indexOf(text === "天" ? "日" : text), "月火水木金土日".indexOf(text)),
  month: (text) => chineseJapanese.number(text),
  back: (text) => {
    if (/^(?:一昨年|おととし|前年|上上|先々)/u.test(text)) return 2;
    return /^(?:去年|昨年|上|先)/u.test(text) ? 1 : 0;
  },
};

function chineseJapaneseForms(): readonly Form[] {
  const { form, before, ago, last, date } = formsOf(chineseJapanese);
  const count = "(?<count>\\d{1,4}|[一二两兩三四五六七八九十]{1,3})";
  const small = "\\d{1,2}|[一二三四五六七八九十]{1,3}";
  const month = `(?<month>${small})月`;
  const day = `(?<day>${small})[日号號]`;
  /** Not after a digit: 13月 is not 3月. */
  const start = "(?<![\\d〇一二三四五六七八九十第几幾数])";
  const unit = "(?<unit>天|日間?|周间?|週間?|[个個]?(?:星期|礼拜|禮拜)|(?:[个個箇ヶケかカヵ]|个)月間?|[个個]月|年間?)";
  const week = "(?:周|週|[个個]?(?:星期|礼拜|禮拜))";
  return [
    ...before({
      day: [
        "今[天日朝早晨]|本日",
        "昨[天日晚夜晩]|(?<!\\p{Script=Hiragana})きのう(?=[のにはも、\\s]|$)",
        "一昨日|おととい(?=[のにはも、\\s]|$)|(?<![以之目年月日天])前天",
        "大前天",
      ],
      week: [`今週|(?<!日)[這这本]${week}`, `先週|(?<![晚早马馬])上${week}`, `先々週|上上${week}`],
      month: ["今月|(?<!日)(?:本月|[这這][个個]?月)", "先月|(?<![晚早马馬])上[个個]?月", "先々月|上上[个個]?月"],
      year: ["今年|本年", "去年|昨年", "一昨年|おととし|(?<![以之目\\d十])前年"],
    }),
    form(`(?<back>上上|上|[这這本])${week}(?<weekday>[一二三四五六日天])`, date),
    form("(?<back>先々|先|今)週の?(?<weekday>[月火水木金土日])曜日?", date),
    form(`${start}${count}\\s*${unit}(?:[之以])?前`, ago),
    form(`(?:最近|过去|過去|近|この|ここ)の?\\s*${count}\\s*${unit}[間间]?(?:以?[内內])?`, last),
    form(`${start}(?<year>\\d{4})年\\s*${month}\\s*${day}`, date),
    form(`${start}(?<year>\\d{4})年\\s*${month}份?`, date),
    form(`(?<back>一昨年|去年|昨年|今年|前年)の?\\s*${month}(?:\\s*${day})?`, date),
    form(`${start}${month}\\s*${day}`, date),
    form(`${start}${month}份?`, date),
    form(`${start}(?<year>(?:19|20|21)\\d\\d)年`, date),
  ];
}

const koreanCounted = "한 두 세 네 다섯 여섯 일곱 여덟 아홉 열".split(" ");
const koreanDays: Readonly<Record<string, number>> = { 하루: 1, 이틀: 2, 사흘: 3, 나흘: 4, 열흘: 10 };

const korean: Language = {
  number: (text) => {
    if (/^\d/u.test(text)) return Number(text);
    return koreanDays[text] ?? (text === "일" ? 1 : koreanCounted.indexOf(text) + 1);
  },
  unit: (text) => {
    if (text.startsWith("주")) return "week";
    if (text === "개월" || text === "달") return "month";
    return text === "일" || text === "" ? "day" : "year";
  },
  weekday: (text) => "월화수목금토일".indexOf(text),
  month: Number,
  back: (text) => {
    if (text === "재작년" || text === "지지난") return 2;
    return text === "올해" || text === "이번" ? 0 : 1;
  },
};

function koreanForms(): readonly Form[] {
  // Not after a letter or digit, because words are separated by spaces.
  const { form, before, ago, last, date, lastWeekday } = formsOf(korean, "(?<![\\d\\p{L}])");
  const count = `(?<count>\\d{1,4}|일|${koreanCounted.join("|")})`;
  const unit = "(?<unit>일|주일?|개월|달|년|해)";
  const weekday = "(?<weekday>[월화수목금토일])요일";
  const month = "(?<month>\\d{1,2})월";
  const day = "(?<day>\\d{1,2})일";
  return [
    ...before({
      day: ["오늘", "어제|어젯밤", "그저께|그제|엊그제"],
      week: ["이번\\s?주|금주", "지난\\s?주|저번\\s?주", "지지난\\s?주|저저번\\s?주"],
      month: ["이번\\s?달", "지난\\s?달|저번\\s?달", "지지난\\s?달|저저번\\s?달"],
      year: ["올해|금년", "작년|지난\\s?해", "재작년"],
    }),
    form(`(?<back>지지난|지난|저번|이번)\\s?주\\s?${weekday}`, date),
    form(`지난\\s?${weekday}`, lastWeekday),
    form(`${count}\\s?${unit}\\s?전`, ago),
    form(`(?<count>${Object.keys(koreanDays).join("|")})\\s?전`, ago),
    form(`(?:최근|지난)\\s?${count}\\s?${unit}(?:간|\\s?동안)?`, last),
    form(`(?<year>\\d{4})년\\s?${month}\\s?${day}`, date),
    form(`(?<year>\\d{4})년\\s?${month}`, date),
    form(`(?<back>재작년|작년|올해)\\s?${month}(?:\\s?${day})?`, date),
    form(`(?:지난\\s?)?${month}\\s?${day}`, date),
    form(`(?:지난\\s?)?${month}(?:달)?`, date),
    form(`(?<year>(?:19|20|21)\\d\\d)년`, date),
  ];
}

export const forms: readonly Form[] = [...englishForms(), ...chineseJapaneseForms(), ...koreanForms()];
