import * as S from "./span.ts";
import { atom, type Atom } from "./span.ts";

/** Days as they are written in figures alone: ISO 8601 and its look-alikes. */
export const numericAtoms: readonly Atom[] = [
  atom("(\\d{4})([-/.])(\\d{1,2})\\2(\\d{1,2})", ([, year, , month, day], today) =>
    S.daySpan(today, Number(month), Number(day), Number(year)),
  ),
  atom("(\\d{1,2})\\.(\\d{1,2})\\.(\\d{4})", ([, day, month, year], today) =>
    S.daySpan(today, Number(month), Number(day), Number(year)),
  ),
  atom("(\\d{4})-w(\\d{2})", ([, year, week]) => S.weekNamed(`${year}-W${week}`)),
  atom("(\\d{4})-q([1-4])", ([, year, quarter]) => S.quarterSpan(Number(year), Number(quarter))),
  atom("(\\d{4})-(\\d{2})", ([, year, month], today) => S.monthSpan(today, Number(month), Number(year))),
];
