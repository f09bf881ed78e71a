import { wordKeysInOrder } from "../../text/word-keys.ts";
import {
  dateForms,
  hanValue,
  numberForm,
  numberKeys,
  partsOfDate,
  timeForm,
  timeKey,
  writtenNumbers,
} from "./numbers-and-dates.ts";

/** One thing in a line that its sources should have. */
export interface Item {
  readonly kind: "number" | "date" | "time" | "identifier" | "name";
  readonly shown: string;
  /** The sources have it when they have all the keys of one of these. */
  readonly keys: readonly (readonly string[])[];
}

/** What of a line its sources should have. `title`: a name or heading of its writer's own, whose capitals say nothing. Linear. */
export function itemsOf(line: string, place: "title" | "text"): readonly Item[] {
  const items: Item[] = [];
  let rest = plain(line);
  /** What is understood, later steps do not see. Without keys it is left to them. */
  const take = (
    kind: Item["kind"],
    pattern: RegExp,
    keysOf: (match: readonly string[], groups: readonly (string | undefined)[]) => Item["keys"],
  ): void => {
    const pieces: string[] = [];
    let from = 0;
    for (const match of rest.matchAll(pattern)) {
      const [shown] = match;
      const keys = keysOf(match, match.slice(1));
      if (keys.length === 0) continue;
      items.push({ kind, shown: trimmed(shown), keys });
      pieces.push(rest.slice(from, match.index), filler.repeat(shown.length));
      from = match.index + shown.length;
    }
    rest = pieces.join("") + rest.slice(from);
  };
  for (const [pattern, days] of dateForms) take("date", pattern, (_, groups) => days(groups).map((key) => [key]));
  take("time", timeForm, (_, groups) => [[timeKey(groups)]]);
  take("identifier", token, ([shown = ""]) => (isIdentifier(trimmed(shown)) ? nameKeys(trimmed(shown)) : []));
  take("number", numberForm, (_, groups) => numberKeys(groups).map((key) => [key]));
  for (const shown of namesIn(rest, place)) items.push({ kind: "name", shown, keys: nameKeys(shown) });
  for (const [, quoted = ""] of plain(line).matchAll(/`([^`\n]{2,120})`/gu))
    for (const [shown] of quoted.matchAll(/[A-Za-z][A-Za-z0-9_-]{2,60}/gu))
      items.push({ kind: "identifier", shown, keys: identifierKeys(shown) });
  return items;
}

/** Everything that a line of the sources has. */
export function keysIn(line: string): readonly string[] {
  const text = plain(line);
  const pieces = piecesOf(text);
  const initials = (text.match(/\p{L}+/gu) ?? []).map((word) => word.slice(0, 1).toLowerCase());
  return [
    ...itemsOf(line, "text").flatMap(({ keys }) => keys.flat().flatMap(partsOfDate)),
    ...writtenNumbers(text),
    ...pieces.flatMap((piece, at) => [
      ...[1, 2, 3, 4].map((count) => `c${pieces.slice(at, at + count).join("")}`),
      ...(isHash.test(piece) ? Array.from(piece, (_, end) => `c${piece.slice(0, end + 7)}`) : []),
    ]),
    ...initials.flatMap((_, at) => [2, 3, 4, 5].map((count) => `i${initials.slice(at, at + count).join("")}`)),
    ...wordKeysInOrder(text).flatMap((key) => [`w${key}`, `w${key.slice(0, stemOfName)}`]),
  ];
}

/** Replaces what was understood: a letter of no word. */
const filler = "\u0001";

/** With straight apostrophes, and digits in dates: `三月九日` is `3月9日`. */
function plain(line: string): string {
  const text = line.normalize("NFKC").replaceAll(/[‘’]/gu, "'");
  return text.replaceAll(/[一二三四五六七八九十]{1,3}(?=[月日号])/gu, (numeral) => String(hanValue(numeral)));
}

const isHash = /^(?=.*\d)[\da-f]{7,64}$/u;

/** Words, and the parts of identifiers: `due` and `on` of `dueOn`. A version loses its v. */
function piecesOf(text: string): readonly string[] {
  const bare = text.replaceAll(/(?<![A-Za-z])v(?=\d)/giu, "");
  const pieces = bare.match(/\p{Lu}+(?!\p{Ll})[\p{N}\p{M}]*|\p{Lu}?[\p{Ll}\p{M}\p{N}]+|[\p{L}\p{M}\p{N}]/gu) ?? [];
  return pieces.map((piece) => piece.toLowerCase());
}

/** The sources have an identifier in any spelling (`due_on`, `dueOn`, due on), and a path when its parts follow one another; `…` may replace some. */
function identifierKeys(shown: string): Item["keys"] {
  const parts = shown
    .replace(/^[a-z]+:\/\/(?:www\.)?/iu, "")
    .split(/\.{3}|…|\*|[?]/u)
    .map(piecesOf);
  const pairs = parts.flatMap((pieces) =>
    pieces.length < 2
      ? pieces.map((piece) => `c${piece}`)
      : pieces.slice(1).map((piece, at) => `c${pieces[at]}${piece}`),
  );
  return pairs.length === 0 ? [] : [[`c${parts.flat().join("")}`], pairs];
}

const token = /[\w$@#~./\\-][\w$@#~.:/\\+%=?&…*()[\]-]*/gu;

function isIdentifier(text: string): boolean {
  if (!/[A-Za-z]/u.test(text)) return /^#\d|^\d+(?:\.\d+){2,}$/u.test(text);
  // `15th`, `5min`, `30-minute`, `3.1x`, `1990s` are numbers with what they count.
  if (/^[$~]?\d[\d.,]*(?:-?[A-Za-z]{1,4}|-[A-Za-z-]+)$/u.test(text)) return false;
  if (/[/\\]/u.test(text)) return /[/\\].*[/\\]|\.[a-z][a-z0-9]{0,7}$|^[~.]?[/\\]|[a-z][_\d][a-z\d]/iu.test(text);
  if (/[_$@]|[a-z\d][A-Z]|::|->|\(\)$|^--[A-Za-z]|\d/u.test(text)) return true;
  return /[A-Za-z\d]{2}\.[a-z]{2}/u.test(text);
}

/** Without the signs of a sentence at its end. */
function trimmed(text: string): string {
  return text.trim().replace(/(?<!\()[.,;:!?)\]}*_-]+$|(?<=\(\))[.,;:!?)\]}*_-]+$/u, "");
}

/** Letters of a longer name that its inflections and longer forms share. */
const stemOfName = 5;

/** The sources have a name inflected, in any spelling, or as the short form of several words. */
function nameKeys(shown: string): Item["keys"] {
  const name = shown.replace(/'s?$|(?<=\p{Lu})s$/u, "");
  // Products are written in one word too: `PostgreSQL`.
  if (!/^\p{Lu}?[\p{L}\p{M}'-]+$/u.test(name)) return identifierKeys(name);
  const stems = wordKeysInOrder(name).map((key) => `w${key.slice(0, stemOfName)}`);
  return [...identifierKeys(name), [`i${name.toLowerCase()}`], stems];
}

/** Short forms that everybody writes, whatever the source wrote. */
const everyday = new Set(
  "ok todo am pm ui api id ids pr prs ci cd db url urls http https it ai qa faq eta wip tbd tv pc us uk eu vs na no yes cpu ram os sdk cli json i english chinese japanese korean german french spanish italian russian european american asian christmas easter internet eur usd gbp jpy krw cny chf kb mb gb tb ms kg km hz mhz ghz kw kwh monday tuesday wednesday thursday friday saturday sunday".split(
    " ",
  ),
);
const person =
  /([\p{Script=Han}]{1,4}|[\p{Script=Katakana}ー]{2,12})(?:さん|先輩|先生|部長|課長|[様氏]|女士|老师|经理)|(?<!\p{Script=Hangul})(\p{Script=Hangul}{2,4}?)\s?(?:씨|님|과장|대리|팀장|부장|선생님|교수)(?!\p{Script=Hangul}{4})/gu;
const notPerson =
  /^(?:고객|담당자|사용자|선생|부모|손님|회원|관리자|개발자|皆|お客|客|者|奥|子|母|父|王|同|模|多|有|担当者|営業|業者|医者|老)$/u;
/** What a person at the beginning of a sentence does. */
const personal =
  /^(?:said|says|told|wants?|wanted|prefers?|preferred|asked|agreed|decided|likes?|loves?|joined|reported|suggested|proposed|reviewed|confirmed|plans|planned|approved|promised|sent|wrote|called|found|gave|met|checked|helped|recommended)$/u;
const roles = new Set("team customer user client manager reviewer everyone they she he we it who that this".split(" "));

/** Words that begin with a capital within a sentence; Latin words in a text of East Asia; persons with their titles. */
function namesIn(text: string, place: "title" | "text"): readonly string[] {
  const eastAsian = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu) ?? [];
  const words = [
    ...text.matchAll(
      /[\p{L}--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]][[\p{L}\p{M}\p{N}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]]*(?:['\-]\p{Script=Latin}+)*/gv,
    ),
  ];
  const isEastAsian = eastAsian.length > 0 && eastAsian.length >= words.length;
  const names = words.filter(({ 0: word, index }, at) => {
    if (word.length < 2 || everyday.has(word.toLowerCase())) return false;
    if (isEastAsian) return word.length > 2 || /^\p{Lu}/u.test(word);
    if (/^\p{Lu}[\p{Lu}\p{N}]+s?$/u.test(word)) return true;
    if (!/^\p{Lu}/u.test(word) || place === "title") return false;
    const isFirst = /(?:^|[.!?:;|•—–→>/。！？…-])[\s"'“”(*_[`]*$/u.test(text.slice(Math.max(0, index - 12), index));
    return !isFirst || (personal.test(words[at + 1]?.[0] ?? "") && !roles.has(word.toLowerCase()));
  });
  const persons = Array.from(text.matchAll(person), ([, one, other = one]) => other ?? "");
  return [...names.map(([word]) => word), ...persons.filter((name) => !notPerson.test(name))];
}
