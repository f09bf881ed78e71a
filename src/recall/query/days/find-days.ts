import type { Day } from "../../../base/calendar.ts";
import { matchAt } from "../../../text/redact/span.ts";
import { forms } from "./forms.ts";
import { dayBefore, type Span } from "./span.ts";

/** A time named in a text: its position in UTF-16 units and the days it refers to. Open-ended if `since` or `until` is missing. */
export interface FoundDays {
  readonly start: number;
  readonly end: number;
  readonly since?: Day;
  readonly until?: Day;
}

/** Matches positions where a time can begin. No others are tried, which keeps long texts cheap. */
const beginnings =
  /(?<=^|[\s([{,;:'‘’“”\uFFFC]|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}、。])[a-z\d]|[大一二三四五六七八九十两兩前昨今本先上这這去最过過近こ从從自由在おき지저이그엊어오금재작올최일한두세네다여아열하사나]/giu;

/** Finds the times in a text, in order, without overlaps. Relative ones count from `today`. Never fails. */
export function findDays(text: string, today: Day): readonly FoundDays[] {
  const plain = withAsciiDigits(text);
  const found: FoundDays[] = [];
  let from = 0;
  for (const { index } of plain.matchAll(beginnings)) {
    if (index < from) continue;
    const days = timeAt({ text: plain, today }, index);
    if (days === undefined) continue;
    found.push(days);
    from = days.end;
  }
  return found;
}

/** The result has the same length. */
function withAsciiDigits(text: string): string {
  return text.replaceAll(/[０-９]/gu, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xfee0));
}

interface Reading {
  readonly text: string;
  readonly today: Day;
}

const introduction =
  /(?:(between|from|since|after|before|prior\s+to|until|till|up\s+to|through|in|during|within|over|on)\s+(?:the\s+(?!last\s+\w+\s+of\b))?|(从|從|自|由|在)\s*)/iuy;
const to = /\s*(?:(?:to|until|till|through)\s+|(?:[-–—~～〜…到至]|\.\.|から|부터|에서)\s*)/iuy;
const and = /\s+and\s+(?:the\s+)?/iuy;

function timeAt(reading: Reading, start: number): FoundDays | undefined {
  const [word = "", english, chinese = ""] = matchAt(introduction, reading.text, start) ?? [];
  const opening = (english ?? chinese).toLowerCase().replaceAll(/\s+/gu, " ");
  const time = word === "" ? undefined : behind(reading, start + word.length, opening);
  const read = time ?? (english === undefined ? behind(reading, start, "") : undefined);
  return read === undefined || !isBorder(reading.text, read.end) ? undefined : { start, ...read };
}

type Bounds = Omit<FoundDays, "start">;

/** Reads the time after an opening word. */
function behind(reading: Reading, at: number, opening: string): Bounds | undefined {
  const first = atomAt(reading, at, opening);
  if (first === undefined) return undefined;
  const range = rangeFrom(reading, first, opening);
  if (range !== undefined) return range;
  if (opening === "between") return undefined;
  const how = openings[opening];
  if (how !== undefined) return { ...boundBy(how, first), end: first.end };
  return withEnding(reading, first, opening);
}

interface Placed extends Span {
  readonly end: number;
}

function atomAt({ text, today }: Reading, at: number, opening: string): Placed | undefined {
  let best: Placed | undefined;
  for (const { pattern, stands, read } of forms) {
    if (stands === "introduced" && opening === "") continue;
    const match = matchAt(pattern(), text, at);
    if (match === null || at + match[0].length <= (best?.end ?? at)) continue;
    const span = isBorder(text, at + match[0].length) ? read(match.groups ?? {}, today) : undefined;
    // "comments on march" is not a time: "on" takes only a single day.
    if (span === undefined || (opening === "on" && stands === "introduced" && span.from !== span.to)) continue;
    best = { ...span, end: at + match[0].length };
  }
  return best;
}

/** Reads the rest of a range: "from March to May", "3月から5月まで", "1월부터 3월까지". An end without a year is the first such time after the start. */
function rangeFrom({ text, today }: Reading, first: Placed, opening: string): Bounds | undefined {
  if (!["", "between", "from", "从", "從", "自", "由", "在"].includes(opening)) return undefined;
  const mark = (opening === "between" ? matchAt(and, text, first.end) : null) ?? matchAt(to, text, first.end);
  if (mark === null) return undefined;
  const asOf = (day: Day): Placed | undefined => atomAt({ text, today: day }, first.end + mark[0].length, opening);
  const found = asOf(today);
  if (found === undefined) return undefined;
  const later = found.to < first.from ? asOf(dayBefore(first.from, -365) ?? today) : undefined;
  const second = later !== undefined && later.from >= first.from ? later : found;
  const tail = matchAt(/\s*(?:まで|为止|為止|之间|之間|の間|까지|사이)?(?:に|の|は|的|의|에|는)?/uy, text, second.end);
  const [since, until] = second.to < first.from ? [second.from, first.to] : [first.from, second.to];
  return { since, until, end: borderedEnd(text, second.end, tail) };
}

/** Which side of the days a word or an ending selects. */
type Bound = "since" | "after" | "until" | "before";

function boundBy(how: Bound, { from, to }: Span): Pick<FoundDays, "since" | "until"> {
  const day = { since: from, after: dayBefore(to, -1), until: to, before: dayBefore(from, 1) }[how];
  if (day === undefined) return {};
  return how === "since" || how === "after" ? { since: day } : { until: day };
}

const openings: Readonly<Record<string, Bound>> = {
  since: "since",
  after: "after",
  before: "before",
  "prior to": "before",
  until: "until",
  till: "until",
  "up to": "until",
  through: "until",
};

const endings: readonly (readonly [Bound, RegExp])[] = [
  ["since", /\s*(?:onwards?|以来|以來|以後|以降|以后|起|から|부터|이후|이래)(?:に|の|は|、|에|의|는)?/uy],
  ["after", /\s*(?:之后|之後|より後)(?:の|的)?/uy],
  ["until", /\s*(?:までに?|为止|為止|以前|까지|이전)(?:に|の|は|的|에|의|는)?/uy],
  ["before", /\s*(?:之前|より前|前(?=[にのはの、\s]|$)|전(?=에|\s|$))(?:に|の|は|的|에|의)?/uy],
];
const inside =
  /(?:的|の|に(?:は)?|は|里|裡|间|間|中|、)|(?:에서|에는|에도|에|의|은|는|이|가|도)?(?:\s?(?:중|동안)(?:에)?)?(?!\p{Script=Hangul})/uy;

/** Applies the word or ending that follows the days. */
function withEnding({ text }: Reading, span: Placed, opening: string): Bounds {
  for (const [how, pattern] of endings) {
    const match = matchAt(pattern, text, span.end);
    const end = span.end + (match?.[0].length ?? 0);
    if (match !== null && isBorder(text, end)) return { ...boundBy(how, span), end };
  }
  const onward = opening === "from" ? matchAt(/\s+on(?:wards?)?\b/iuy, text, span.end) : null;
  if (onward !== null) return { since: span.from, end: span.end + onward[0].length };
  return { since: span.from, until: span.to, end: borderedEnd(text, span.end, matchAt(inside, text, span.end)) };
}

/** The end after the particle if that is a border, else before it. */
function borderedEnd(text: string, end: number, particle: RegExpExecArray | null): number {
  const past = end + (particle?.[0].length ?? 0);
  return isBorder(text, past) ? past : end;
}

/** Whether a time may end here: not inside a word, number, path or version. */
function isBorder(text: string, end: number): boolean {
  const [last = "", next = ""] = [text.slice(0, end).match(/.$/su)?.[0], text.slice(end, end + 1)];
  if (next === "" || /[\s\uFFFC]/u.test(next)) return true;
  if (text.startsWith("..", end)) return true;
  if (/[.:,]/u.test(next)) return !/^[.:,]+[^\s.:,\uFFFC)\]]/u.test(text.slice(end, end + 3));
  if (/[*_/\\@+=#$%&-]/u.test(next)) return false;
  const isUnspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
  if (isUnspaced.test(last) || isUnspaced.test(next)) return true;
  if (/\p{Script=Hangul}/u.test(next)) return particles.test(text.slice(end, end + 4));
  return !/[\p{L}\p{N}\p{M}]/u.test(next);
}

/** What may follow a Korean time without a space. */
const particles =
  /^(?:에서|에는|에도|에|의|은|는|이|가|도|중|달|부터|까지|이후|이래|이전|전에?|동안|사이)(?!\p{Script=Hangul})|^(?:부터|에서)\s*\d/u;
