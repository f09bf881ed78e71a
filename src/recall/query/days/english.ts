import * as S from "./span.ts";
import { atom, type Atom, type Unit } from "./span.ts";

const months = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const weekdays = "mon tue wed thu fri sat sun".split(" ");
const month =
  "(jan(?:uary|\\.)?|feb(?:ruary|\\.)?|mar(?:ch|\\.)?|apr(?:il|\\.)?|may|june?|july?|aug(?:ust|\\.)?|sept?(?:ember|\\.)?|oct(?:ober|\\.)?|nov(?:ember|\\.)?|dec(?:ember|\\.)?)";
const weekday = "(monday|tuesday|wednesday|thursday|friday|saturday|sunday)";
const counted = { one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10 } as const;
const further = { a: 1, an: 1, eleven: 11, twelve: 12, "a couple of": 2 } as const;
const numbers: ReadonlyMap<string, number> = new Map(Object.entries({ ...counted, ...further }));
const number = `(\\d{1,4}|a\\s+couple\\s+of|an?|${[...Object.keys(counted), "eleven", "twelve"].join("|")})`;
const year = "((?:19|20|21)\\d\\d)";
/** "in 2000 rows" is a number of them. */
const notCounting = "(?!\\s+(?!(?:is|was|has|does|this|as)\\b)\\p{L}+s\\b)";
const ordinal = "(\\d{1,2})(st|nd|rd|th)?";
/** "the last week of the project" is no week of the calendar. */
const notOf = "(?!\\s+of\\b)";
const possessive = "(?:['’]s)?";

/** Months whose names are also other words, when they are not written as names. */
const isWord = (name: string): boolean => /^(?:ma(?:y|r|rch))$/u.test(name);
const monthOf = (name = ""): number => months.indexOf(name.slice(0, 3).toLowerCase()) + 1;
const weekdayOf = (name = ""): number => weekdays.indexOf(name.slice(0, 3).toLowerCase());
const numberOf = (text = ""): number => numbers.get(text.toLowerCase().replaceAll(/\s+/gu, " ")) ?? Number(text);
const unitOf = (text = ""): Unit => text.toLowerCase() as Unit;
const yearOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));

/** Days as they are written in English. */
export const englishAtoms: readonly Atom[] = [
  atom(`(?:the\\s+)?day\\s+before\\s+yesterday${possessive}`, (_, today) => S.unitBefore(today, 2, "day")),
  atom(`(?:yesterday|last\\s+night)${possessive}`, (_, today) => S.unitBefore(today, 1, "day")),
  atom(`(?:today|this\\s+morning)${possessive}`, (_, today) => S.unitBefore(today, 0, "day")),
  atom(`(?:last|previous)\\s+(week|month|quarter|year)${possessive}${notOf}`, ([, unit], today) =>
    S.unitBefore(today, 1, unitOf(unit)),
  ),
  atom(`this\\s+(week|month|quarter|year)${possessive}`, ([, unit], today) => S.unitBefore(today, 0, unitOf(unit))),
  atom(`past\\s+(week|month|quarter|year)${notOf}`, ([, unit], today) => S.lastUnits(today, 1, unitOf(unit))),
  atom(`(?:last|past|previous)\\s+${number}\\s+(day|week|month|quarter|year)s?${notOf}`, ([, count, unit], today) =>
    S.lastUnits(today, numberOf(count), unitOf(unit)),
  ),
  atom(`${number}\\s+(day|week|month|quarter|year)s?\\s+ago`, ([, count, unit], today) =>
    S.unitBefore(today, numberOf(count), unitOf(unit)),
  ),
  atom(`last\\s+weekend${possessive}`, (_, today) => S.weekendSpan(today, "before")),
  atom("(?:the|this)\\s+weekend", (_, today) => S.weekendSpan(today, "latest"), "introduced"),
  atom(`(?:last|previous)\\s+${weekday}${possessive}`, ([, name], today) =>
    S.weekdaySpan(today, weekdayOf(name), "before"),
  ),
  atom(weekday, ([, name], today) => S.weekdaySpan(today, weekdayOf(name), "today"), "introduced"),
  atom(`${month}\\s+(last|this)\\s+year`, ([, name, which], today) =>
    S.monthSpan(today, monthOf(name), Number(today.slice(0, 4)) - (which?.toLowerCase() === "last" ? 1 : 0)),
  ),
  atom(`last\\s+${month}`, ([, name], today) =>
    S.monthSpan(S.unitBefore(today, 1, "month")?.to ?? today, monthOf(name)),
  ),
  atom(`${month}(?:\\s+of)?,?\\s+${year}`, ([, name, digits], today) =>
    S.monthSpan(today, monthOf(name), yearOf(digits)),
  ),
  ...dayAndMonth(),
  atom(month, ([, name], today) => S.monthSpan(today, monthOf(name)), "introduced"),
  atom(`q([1-4])\\s+${year}`, ([, quarter, digits]) => S.quarterSpan(Number(digits), Number(quarter))),
  atom(
    `${year}${notCounting}`,
    ([, digits], today) => (Number(digits) > Number(today.slice(0, 4)) ? undefined : S.yearSpan(Number(digits))),
    "introduced",
  ),
];

/** "may 5 users" is no day; "May 5", "5th may", "on may 5" and "5 may 2026" are. */
function dayAndMonth(): readonly Atom[] {
  const before = `(?:the\\s+)?${ordinal}(?:\\s+of)?\\s+${month}(?:,?\\s+${year})?`;
  const behind = `${month}\\s+(?:the\\s+)?${ordinal}(?:,?\\s+${year})?`;
  const read = ({ name, day, digits }: Named, today: string): S.Span | undefined =>
    S.daySpan(today, monthOf(name), Number(day), yearOf(digits));
  const isClear = ({ name = "", suffix, digits }: Named): boolean =>
    suffix !== undefined || digits !== undefined || !isWord(name);
  const fromBefore = ([, day, suffix, name, digits]: RegExpExecArray): Named => ({ name, day, suffix, digits });
  const fromBehind = ([, name, day, suffix, digits]: RegExpExecArray): Named => ({ name, day, suffix, digits });
  return [
    { source: before, named: fromBefore },
    { source: behind, named: fromBehind },
  ].flatMap(({ source, named }) => [
    atom(source, (match, today) => (isClear(named(match)) ? read(named(match), today) : undefined)),
    atom(source, (match, today) => read(named(match), today), "introduced"),
  ]);
}

interface Named {
  readonly name: string | undefined;
  readonly day: string | undefined;
  readonly suffix: string | undefined;
  readonly digits: string | undefined;
}
