import { compareTexts } from "../../base/lists.ts";
import { isPreserved, standingOf, type MemoryType, type Origin } from "../../base/memory-type.ts";
import { nameKey, sharedKeys, wordKeys } from "../word-keys.ts";
import { endedIn, type Ended } from "./changes.ts";
import { readStatement, type ReadStatement } from "./statement.ts";
import { isVague, type Slot } from "./slots.ts";

/** A statement with its date and position. */
export interface DatedStatement {
  /** One line or sentence as written; may start with a list marker. */
  readonly text: string;
  /** The heading above it; empty if there is none. */
  readonly topic: string;
  readonly type: MemoryType;
  /** `YYYY-MM-DD` or empty. */
  readonly day: string;
  /** Orders statements within a day and source; larger is later. */
  readonly order: number;
  readonly source: string;
  readonly origin?: Origin;
  /** Its entry. Two values in one entry are a list. A statement without this is an entry of its own. */
  readonly entry?: string | number;
  /** For statements in an unresolved git conflict: a number shared by all sides of the conflict. */
  readonly conflict?: number;
  /** Whether it is the only statement of its entry. */
  readonly isAlone?: boolean;
  /** `ends`: its values need no comparison because their keys are known to be unique. */
  readonly only?: "ends";
}

/** A replaced statement. All numbers are indices into the input. */
export interface Replacement {
  readonly older: number;
  /** The first replacement; the older statement was valid until its day. */
  readonly first: number;
  /** The newest replacement, direct or indirect. */
  readonly newest: number;
  /** Whether its key has so many values that it is a recurring figure, such as a daily count. */
  readonly isOfSeries: boolean;
}

/** Maps each replaced statement to its newest replacement. */
export function replacedAmong(statements: readonly DatedStatement[]): ReadonlyMap<number, number> {
  return new Map(replacementsAmong(statements).map(({ older, newest }) => [older, newest]));
}

/**
 * Finds replaced statements, only on explicit evidence: another value for the same label or sentence, the opposite, or a
 * sentence that says what is over. Statements without a day, or of the same day in different sources, are never compared.
 * In doubt nothing is replaced.
 */
export function replacementsAmong(statements: readonly DatedStatement[]): readonly Replacement[] {
  if (statements.length < 2) return [];
  const all = statements.map((said, at): Known => {
    return { ...said, at, key: nameKey(said.topic), read: readStatement(said.text, said.type) };
  });
  const { pairs, series } = otherValues(all);
  const replaced = [...pairs, ...endings(all)].filter(([older, later]) => mayReplace(later, older));
  const newer = Map.groupBy(replaced, ([older]) => older);
  const laterThan = (older: Known): readonly Known[] =>
    (newer.get(older) ?? []).map(([, later]) => later).toSorted(inTime);
  const newestOf = (one: Known): Known => {
    const last = laterThan(one).at(-1);
    return last === undefined ? one : newestOf(last);
  };
  return all.flatMap((older): readonly Replacement[] => {
    const [first] = laterThan(older);
    if (first === undefined) return [];
    return [{ older: older.at, first: first.at, newest: newestOf(older).at, isOfSeries: series.has(older) }];
  });
}

interface Known extends DatedStatement {
  readonly at: number;
  /** Key of its topic. */
  readonly key: string;
  readonly read: ReadStatement;
}

type Pair = readonly [older: Known, later: Known];

function isLater(one: Known, other: Known): boolean {
  if (one.day === "" || other.day === "") return false;
  if (one.conflict !== undefined && one.conflict === other.conflict && one.source === other.source) return false;
  return one.day === other.day ? one.source === other.source && one.order > other.order : one.day > other.day;
}

/** Compares by day. Statements of the same day are ordered by source, so input order does not matter. */
function inTime(a: Known, b: Known): number {
  const texts = (one: Known): string => `${one.text}\n${one.topic}\n${one.type}`;
  return (
    compareTexts(a.day, b.day) ||
    compareTexts(a.source, b.source) ||
    a.order - b.order ||
    compareTexts(texts(a), texts(b)) ||
    b.at - a.at
  );
}

/** A statement that only claims to be a person's words cannot replace a person's actual words. */
function mayReplace(later: Known, older: Known): boolean {
  const isWord = ({ type, origin }: Known): boolean => isPreserved(standingOf(type, origin).type);
  return isWord(later) || !isWord(older) || !isPreserved(later.type);
}

function isSameEntry(a: Known, b: Known): boolean {
  return a.entry !== undefined && a.entry === b.entry && a.day === b.day && a.source === b.source;
}

/** A key with this many successive values is a figure that is recorded repeatedly: `oldest ticket: …`. */
const leastOfSeries = 4;

/**
 * Pairs with different values for the same key. If one entry states two values they are a list, and nothing is
 * replaced. `series`: statements of keys with many values.
 */
function otherValues(all: readonly Known[]): {
  readonly pairs: readonly Pair[];
  readonly series: ReadonlySet<Known>;
} {
  const entries = new Map<string, Set<string>>();
  for (const { key, entry, day, source, at } of all)
    entries.set(key, (entries.get(key) ?? new Set()).add(`${entry ?? `. ${at}`} ${day} ${source}`));
  const claims = all.flatMap((one) => {
    if (one.day === "" || one.only === "ends") return [];
    const isBelow = one.key !== "" && (entries.get(one.key)?.size ?? 0) > 1;
    return one.read
      .claims(isBelow ? "below its heading" : "everywhere")
      .filter(({ holds }) => isBelow || holds === "everywhere")
      .map(({ key, value, holds }) => ({ one, value, whole: holds === "everywhere" ? key : `${key}\n${one.key}` }));
  });
  const series = new Set<Known>();
  const found = [...Map.groupBy(claims, ({ whole }) => whole).values()].flatMap((group): readonly Pair[] => {
    const changes = group
      .toSorted((a, b) => inTime(a.one, b.one))
      .filter(({ value }, at, sorted) => value !== sorted[at - 1]?.value);
    if (changes.length >= leastOfSeries) for (const { one } of group) series.add(one);
    const pairs = group.flatMap((older) =>
      group.filter((later) => later.value !== older.value).map((later) => [older.one, later.one] as const),
    );
    return pairs.some(([a, b]) => isSameEntry(a, b)) ? [] : pairs.filter(([older, later]) => isLater(later, older));
  });
  return { pairs: found, series };
}

/** Pairs in which the later statement ends or corrects the older one. */
function endings(all: readonly Known[]): readonly Pair[] {
  const later = all.filter(
    ({ day, read }) => day !== "" && (read.corrects || read.again().size > 0 || read.isNew() || read.maySayEnded()),
  );
  if (later.length === 0) return [];
  const below = Map.groupBy(all, ({ key }) => key);
  return later.flatMap((one): readonly Pair[] => {
    const { corrected } = one.read;
    const about = corrected !== "" && below.has(corrected) ? corrected : one.key;
    const same = about === "" ? [] : (below.get(about) ?? []).filter((older) => isLater(one, older));
    const over = endedIn(one.read.body).flatMap((change) => endedBefore(one, change, same, all));
    return [...over, ...correctedBy(one, same), ...otherThan(one, same), ...renewedBy(one, same)].map(
      (older) => [older, one] as const,
    );
  });
}

/** Statements below different headings must share this many words, not counting the words for what is over. */
const leastShared = 2;
/** How many words of what is over are enough to identify a rule: for a proper name, and otherwise. */
const [leastOfName, leastOfRule] = [2, 3];
/** In characters. In texts longer than `longest`, shared words do not prove the same subject; up to `oneThing`, one shared word does. */
const [longest, oneThing] = [400, 120];

function endedBefore(one: Known, change: Ended, same: readonly Known[], all: readonly Known[]): readonly Known[] {
  const gone = wordKeys(change.gone);
  if (gone.size === 0) return [];
  const says = (older: Known): boolean =>
    saysWhatIsOver(older, change, gone) && (change.is !== "put off" || isPutOff(older.read.when(), one.read.when()));
  const shares = (older: Known, least: number): boolean => {
    const isShared = (key: string): boolean => !gone.has(key) && one.read.keys.has(key) && !isVague(key);
    return [...older.read.keys].filter(isShared).length >= least;
  };
  if (change.is === "back") return isName(change.gone) ? leftAgain(same.filter(says), same) : [];
  const near = same.filter(says).filter((older) => {
    if (isVague(change.gone)) return shares(older, 1) && !older.read.isPast();
    if (change.is !== "told") return shares(older, 1);
    return isAbout(older, change.gone, gone) || (gone.size > 1 && shares(older, leastShared));
  });
  if (change.is !== "told") return near;
  const isProper = isProperName(change.gone);
  const far = all.filter((older) => {
    if (older.key === one.key && one.key !== "") return false;
    if (older.text.length > longest || !isLater(one, older) || !says(older)) return false;
    // Between two rules of a person, the words for what is over are enough.
    const isRule = one.type === "feedback" && older.type === "feedback";
    if (isRule && gone.size >= (isProper ? leastOfName : leastOfRule)) return true;
    return isProper && shares(older, older.text.length <= oneThing ? 1 : leastShared);
  });
  return [...near, ...far];
}

/** What a return to an earlier statement replaces: that statement and those that turned away from it. */
function leftAgain(before: readonly Known[], same: readonly Known[]): readonly Known[] {
  const turns = same.filter((one) => one.read.turns() && before.some((first) => isLater(one, first)));
  return turns.length === 0 ? [] : [...before, ...turns];
}

/** Whether what is over makes up a large part of a statement. Words that are not names count only in statements of fact. */
function isAbout({ read }: Known, thing: string, gone: ReadonlySet<string>): boolean {
  return isName(thing) ? gone.size * 8 >= read.keys.size : read.isTold && gone.size * 4 >= read.keys.size;
}

/** Whether a thing is a name, which rarely means two things: `Jenkins`, `node 20`, `eu-west-1`. */
function isName(thing: string): boolean {
  return /(?:^|\s)\p{Lu}|\d|[\p{L}\d][_.-]\p{L}|[\p{Script=Han}\p{Script=Katakana}\p{Script=Hangul}]/u.test(thing);
}

/** Whether a thing is a name that means the same below any heading: not a bare number, amount or duration. */
function isProperName(thing: string): boolean {
  const proper =
    /(?:^|\s)\p{Lu}\p{L}|\p{L}\d|[\p{L}\d][_.-]\p{L}|[\p{Script=Han}\p{Script=Katakana}\p{Script=Hangul}]/u;
  return !isVague(thing) && proper.test(thing);
}

function isPutOff(before: string, now: string): boolean {
  return before !== "" && now !== "" && before !== now;
}

function saysWhatIsOver({ read }: Known, { gone, come }: Ended, keys: ReadonlySet<string>): boolean {
  if (read.isUndecided || read.isEvent || read.isOfItsDay() || !saysAll(read, gone, keys)) return false;
  const now = wordKeys(come);
  if (now.size > 0 && saysAll(read, come, now)) return false;
  return !read.maySayEnded() || !endedIn(read.body).some((one) => one.gone.toLowerCase() === gone.toLowerCase());
}

/** Whether a statement contains all words of a thing, or its name as a whole word, for short names inside URLs. */
function saysAll({ keys: said, body }: ReadStatement, thing: string, keys: ReadonlySet<string>): boolean {
  if (sharedKeys(keys, said) === keys.size) return true;
  const [name, text] = [thing.toLowerCase(), body.toLowerCase()];
  for (let at = name.length < 2 ? -1 : text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (!letter.test(text[at - 1] ?? "") && !letter.test(text[at + name.length] ?? "")) return true;
  return false;
}

const letter = /[\p{L}\p{N}]/u;

/** For a statement with "again" (`notes are in Portuguese again`): older statements that differ in one word. */
function otherThan({ read, type }: Known, same: readonly Known[]): readonly Known[] {
  const keys = read.again();
  if (keys.size < 3 || !isPreserved(type)) return [];
  return same.filter((older) => {
    const shared = sharedKeys(keys, older.read.keys);
    const isOther = shared === keys.size - 1 && shared === older.read.keys.size - 1;
    return isOther && isPreserved(older.type) && !older.read.isUndecided && older.read.again().size === 0;
  });
}

/** The statements that share the most, if that is at least `fewest`. */
function mostAlike(among: readonly Known[], sharedWith: (older: Known) => number, fewest: number): readonly Known[] {
  const alike = among.map((older) => ({ older, shared: sharedWith(older) }));
  const most = alike.reduce((best, { shared }) => Math.max(best, shared), fewest);
  return alike
    .filter(({ shared }) => shared === most)
    .map(({ older }) => older)
    .toSorted(inTime);
}

/** For a statement that calls itself new: the most similar older statement of the topic that has another figure, day, time or address of the same kind. */
function renewedBy(one: Known, same: readonly Known[]): readonly Known[] {
  if (!one.read.isNew()) return [];
  const [subject = ""] = /^.{1,10}?(?=换成|改成|改为)/u.exec(one.read.body) ?? [];
  const isSubject = ({ read }: Known): boolean => subject !== "" && read.body.startsWith(`${subject}是`);
  const best = mostAlike(
    same.filter((older) => older.day < one.day && (hasOther(one.read.slots(), older.read.slots()) || isSubject(older))),
    (older) => wordsShared(older.read, one.read) + (isSubject(older) ? 1 : 0),
    leastShared,
  );
  // Among equally similar statements only the latest counts, and none if several are from its day.
  const last = best.at(-1);
  return best.filter(({ day }) => day === last?.day).length === 1 && last !== undefined ? [last] : [];
}

/** Whether both have one value of a kind, and not the same. With several it is open which one is meant, or whether they are about the same thing. */
function hasOther(later: readonly Slot[], older: readonly Slot[]): boolean {
  return later.some(({ kind, value }) => {
    const [own, others] = [later, older].map(
      (slots) => new Set(slots.filter((one) => one.kind === kind).map((one) => one.value)),
    );
    return own?.size === 1 && others?.size === 1 && !others.has(value);
  });
}

function wordsShared(one: ReadStatement, other: ReadStatement): number {
  return [...one.keys].filter((key) => !/\d/u.test(key) && other.keys.has(key)).length;
}

/** The older statement of the topic that a correction is about: the one with the most words in common, the latest if several. */
function correctedBy(one: Known, same: readonly Known[]): readonly Known[] {
  if (!one.read.corrects) return [];
  const decided = same.filter(({ read }) => !read.isUndecided);
  const shared = ({ read }: Known): number => sharedKeys(read.keys, one.read.keys);
  const alike = decided.filter((older) => {
    if (isSameEntry(older, one) || older.read.label !== one.read.label) return false;
    return shared(older) * 2 >= Math.min(older.read.keys.size, one.read.keys.size);
  });
  const best = mostAlike(alike, shared, 2).at(-1);
  if (best !== undefined) return [best];
  // A correction in a person's own words is about the newest statement of the topic, if that statement is alone in its entry.
  const newest = isPreserved(one.type) ? decided.toSorted(inTime).at(-1) : undefined;
  return newest?.isAlone === true && isPreserved(newest.type) ? [newest] : [];
}
