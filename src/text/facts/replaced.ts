import { isPreserved, standingOf, type MemoryType, type Origin } from "../../base/memory-type.ts";
import { nameKey, sharedKeys, wordKeys } from "../word-keys.ts";
import { endedIn, type Ended } from "./changes.ts";
import { readStatement, type ReadStatement } from "./claims.ts";

/** A statement with when and where it was made. */
export interface DatedStatement {
  /** One line or sentence as written; a list mark is allowed. */
  readonly text: string;
  /** The heading it stands under; empty if none. */
  readonly topic: string;
  readonly type: MemoryType;
  /** `YYYY-MM-DD` or empty. */
  readonly day: string;
  /** Larger is later within one day and source. */
  readonly order: number;
  readonly source: string;
  readonly origin?: Origin;
  /** Number of its entry: two values in one entry are a list. Without it every statement is an entry of its own. */
  readonly entry?: number;
  /** Of a side of a git conflict that was not resolved, the same for all its sides. */
  readonly conflict?: number;
  /** Whether its entry is known to state nothing else. */
  readonly isAlone?: boolean;
  /** `ends`: its values are not compared, as of one that is known to share none. */
  readonly only?: "ends";
}

/** A statement that later ones replace; all numbers are places in the list that was given. */
export interface Replacement {
  readonly older: number;
  /** The first that replaced it: the older one held until its day. */
  readonly first: number;
  /** The newest that does, itself or by what replaces the first. */
  readonly newest: number;
}

/** For each statement that a later one replaces: the place of the newest that does. */
export function replacedAmong(statements: readonly DatedStatement[]): ReadonlyMap<number, number> {
  return new Map(replacementsAmong(statements).map(({ older, newest }) => [older, newest]));
}

/**
 * Statements that later ones replace, on explicit evidence only: another value of the same label or of the same sentence, its opposite, or a sentence that
 * says what is over. Statements without a day, and of one day in two sources, are never compared. In doubt nothing is replaced.
 */
export function replacementsAmong(statements: readonly DatedStatement[]): readonly Replacement[] {
  const all = statements.map((said, at): Known => {
    return { ...said, at, key: nameKey(said.topic), read: readStatement(said.text, said.type) };
  });
  const newer = new Map<Known, Known[]>();
  for (const [older, later] of [...otherValues(all), ...endings(all)]) {
    if (!mayReplace(later, older)) continue;
    const known = newer.get(older);
    if (known === undefined) newer.set(older, [later]);
    else known.push(later);
  }
  const newestOf = (one: Known): Known => {
    const later = newer.get(one);
    return later === undefined ? one : newestOf(lastOf(later));
  };
  return all.flatMap((older): readonly Replacement[] => {
    const later = newer.get(older);
    if (later === undefined) return [];
    return [{ older: older.at, first: firstOf(later).at, newest: newestOf(lastOf(later)).at }];
  });
}

interface Known extends DatedStatement {
  readonly at: number;
  /** Of its topic. */
  readonly key: string;
  readonly read: ReadStatement;
}

/** An older statement and one that replaces it. */
type Pair = readonly [older: Known, later: Known];

function isLater(one: Known, other: Known): boolean {
  if (one.day === "" || other.day === "") return false;
  if (one.conflict !== undefined && one.conflict === other.conflict && one.source === other.source) return false;
  return one.day === other.day ? one.source === other.source && one.order > other.order : one.day > other.day;
}

/** Of one day by source, so that the order of the list does not matter. */
function inTime(a: Known, b: Known): number {
  if (a.day !== b.day) return a.day < b.day ? -1 : 1;
  if (a.source !== b.source) return a.source < b.source ? -1 : 1;
  if (a.order !== b.order) return a.order - b.order;
  const [one, other] = [a, b].map(({ text, topic, type }) => `${text}\n${topic}\n${type}`);
  return one === other ? 0 : (one ?? "") < (other ?? "") ? -1 : 1;
}

function firstOf(all: readonly Known[]): Known {
  return all.reduce((best, one) => (inTime(one, best) < 0 ? one : best));
}

function lastOf(all: readonly Known[]): Known {
  return all.reduce((best, one) => (inTime(one, best) > 0 ? one : best));
}

/** What only claims to be a person's word replaces none that is. */
function mayReplace(later: Known, older: Known): boolean {
  const isWord = ({ type, origin }: Known): boolean => isPreserved(standingOf(type, origin).type);
  return isWord(later) || !isWord(older) || !isPreserved(later.type);
}

function isSameEntry(a: Known, b: Known): boolean {
  return a.entry !== undefined && a.entry === b.entry && a.day === b.day && a.source === b.source;
}

/** Statements with another value of what a later one states. Where one entry states two values they are a list, and nothing is replaced. */
function otherValues(all: readonly Known[]): readonly Pair[] {
  const groups = new Map<string, { readonly one: Known; readonly value: string }[]>();
  const entries = new Map<string, Set<string>>();
  for (const { key, entry, day, source, at } of all)
    entries.set(key, (entries.get(key) ?? new Set()).add(`${entry ?? `. ${at}`} ${day} ${source}`));
  for (const one of all) {
    if (one.day === "" || one.only === "ends") continue;
    const isBelow = one.key !== "" && (entries.get(one.key)?.size ?? 0) > 1;
    for (const { key, value, holds } of one.read.claims(isBelow ? "below its heading" : "everywhere")) {
      if (holds === "below its heading" && !isBelow) continue;
      const whole = holds === "everywhere" ? key : `${key}\n${one.key}`;
      const group = groups.get(whole);
      if (group === undefined) groups.set(whole, [{ one, value }]);
      else group.push({ one, value });
    }
  }
  return [...groups.values()].flatMap((group): readonly Pair[] => {
    if (group.length < 2) return [];
    const pairs = group.flatMap((older) =>
      group.filter((later) => later.value !== older.value).map((later) => [older.one, later.one] as const),
    );
    return pairs.some(([a, b]) => isSameEntry(a, b)) ? [] : pairs.filter(([older, later]) => isLater(later, older));
  });
}

/** Statements of which a later one says that they are over, or that it corrects them. */
function endings(all: readonly Known[]): readonly Pair[] {
  const later = all.filter(
    ({ day, read }) => day !== "" && (read.corrects || read.again().size > 0 || read.maySayEnded()),
  );
  if (later.length === 0) return [];
  const below = Map.groupBy(all, ({ key }) => key);
  return later.flatMap((one): readonly Pair[] => {
    const about = below.has(one.read.corrected) ? one.read.corrected : one.key;
    const same = about === "" ? [] : (below.get(about) ?? []).filter((older) => isLater(one, older));
    const ended = endedIn(one.read.body);
    const over = ended.length === 0 ? [] : endedBefore(one, ended, same, all);
    return [...over, ...correctedBy(one, same), ...otherThan(one, same)].map((older) => [older, one] as const);
  });
}

/** Words that two statements share besides what is over, when they stand below different headings. */
const leastShared = 2;
/** Characters. A long text says many things; only of a short one do shared words show that it is about the same. */
const [longest, oneThing] = [400, 120];

function endedBefore(
  one: Known,
  ended: readonly Ended[],
  same: readonly Known[],
  all: readonly Known[],
): readonly Known[] {
  return ended.flatMap((change) => {
    const gone = wordKeys(change.gone);
    const says = (older: Known): boolean =>
      saysWhatIsOver(older, change, gone) && (change.is !== "put off" || isPutOff(older.read.when(), one.read.when()));
    const shares = (older: Known, least: number): boolean => {
      return [...older.read.keys].filter((key) => !gone.has(key) && one.read.keys.has(key)).length >= least;
    };
    if (gone.size === 0) return [];
    if (change.is === "back") return isName(change.gone) ? leftAgain(same, says) : [];
    const near = same.filter((older) => {
      if (!says(older)) return false;
      if (change.is !== "told") return shares(older, 1);
      return isAbout(older, change.gone, gone) || (gone.size > 1 && shares(older, leastShared));
    });
    if (change.is !== "told" || !isName(change.gone)) return near;
    const far = all.filter((older) => {
      if (older.key === one.key && one.key !== "") return false;
      if (older.text.length > longest || !isLater(one, older) || !says(older)) return false;
      return shares(older, older.text.length <= oneThing ? 1 : leastShared);
    });
    return [...near, ...far];
  });
}

/** Back to what was said before: that is said anew, and what turned away from it is over. */
function leftAgain(same: readonly Known[], says: (older: Known) => boolean): readonly Known[] {
  const before = same.filter(says);
  const turns = same.filter((one) => one.read.turns() && before.some((first) => isLater(one, first)));
  return turns.length === 0 ? [] : [...before, ...turns];
}

/** Whether a good part of what a statement says is what is over. A word that is no name counts only where something is stated to hold. */
function isAbout({ read }: Known, thing: string, gone: ReadonlySet<string>): boolean {
  if (isName(thing)) return gone.size * 8 >= read.keys.size;
  return read.isTold && gone.size * 4 >= read.keys.size;
}

/** A name is seldom said of two things: `Jenkins`, `node 20`, `eu-west-1`. */
function isName(thing: string): boolean {
  return /(?:^|\s)\p{Lu}|\d|[\p{L}\d][_.-]\p{L}|[\p{Script=Han}\p{Script=Katakana}\p{Script=Hangul}]/u.test(thing);
}

function isPutOff(before: string, now: string): boolean {
  return before !== "" && now !== "" && before !== now;
}

function saysWhatIsOver({ read }: Known, { gone, come }: Ended, keys: ReadonlySet<string>): boolean {
  if (read.isUndecided || read.isEvent || sharedIn(read, gone, keys) < keys.size) return false;
  const now = wordKeys(come);
  if (now.size > 0 && sharedIn(read, come, now) === now.size) return false;
  return !read.maySayEnded() || !endedIn(read.body).some((one) => one.gone.toLowerCase() === gone.toLowerCase());
}

/** How many of the words a statement says; a short name may stand within an address. */
function sharedIn({ keys: said, body }: ReadStatement, thing: string, keys: ReadonlySet<string>): number {
  const shared = sharedKeys(keys, said);
  if (shared === keys.size || thing.length < 2) return shared;
  return isWithin(thing.toLowerCase(), body.toLowerCase()) ? keys.size : shared;
}

const letter = /[\p{L}\p{N}]/u;

/** Whether a text has a name with no letter before or after it. */
function isWithin(name: string, text: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (!letter.test(text[at - 1] ?? "") && !letter.test(text[at + name.length] ?? "")) return true;
  return false;
}

/** Of what is so again (`notes are in Portuguese again`), the same sentence of a person with another word. */
function otherThan({ read, type }: Known, same: readonly Known[]): readonly Known[] {
  const keys = read.again();
  if (keys.size < 3 || !isPreserved(type)) return [];
  return same.filter((older) => {
    const shared = sharedKeys(keys, older.read.keys);
    const isOther = shared === keys.size - 1 && shared === older.read.keys.size - 1;
    return isOther && isPreserved(older.type) && !older.read.isUndecided && older.read.again().size === 0;
  });
}

/** The one older statement of the topic that a correction is about: of the entry before, with most of its words. */
function correctedBy(one: Known, same: readonly Known[]): readonly Known[] {
  if (!one.read.corrects) return [];
  const alike = same
    .filter(({ read }) => read.label === one.read.label && !read.isUndecided)
    .map((older) => ({ older, shared: sharedKeys(older.read.keys, one.read.keys) }))
    .filter(({ older, shared }) => shared >= 2 && shared * 2 >= Math.min(older.read.keys.size, one.read.keys.size));
  const most = alike.reduce((best, { shared }) => Math.max(best, shared), 0);
  const best = alike.filter(({ shared }) => shared === most).map(({ older }) => older);
  if (best.length > 0) return [lastOf(best)];
  // Below a heading of a person's own words a correction is of the one thing that was said there before.
  const before = same.filter(({ read }) => !read.isUndecided);
  const newest = isPreserved(one.type) && before.length > 0 ? lastOf(before) : undefined;
  return newest?.isAlone === true && isPreserved(newest.type) ? [newest] : [];
}
