import { nameKey, wordKeys, wordKeysInOrder } from "../../text/word-keys.ts";
import { changesIn, tellsChange, type Change } from "./change-words.ts";
import { isPreserved, standingOf } from "../../base/memory-type.ts";
import type { Remembered } from "./remembered.ts";

/** Two passages of which the newer says otherwise. The numbers are places in the list that was given. */
export interface Contradiction {
  readonly older: number;
  readonly newer: number;
  readonly was: string;
  /** Empty when it is only over. */
  readonly now: string;
}

/**
 * What newer passages say otherwise than older ones: the same thing with another value, or a change away from what the older one says. Rather none
 * than a wrong one. Of one day the later lines of a source are the newer; passages without a day, and of one day in two sources, are never compared. One for each
 * older passage: the newest.
 */
export function contradictionsAmong(passages: readonly Remembered[]): readonly Contradiction[] {
  const found = [...byClaims(passages), ...byChanges(passages)].filter(({ older, newer }) => {
    return mayReplace(passages[newer], passages[older]);
  });
  const newest = new Map<number, Contradiction>();
  for (const one of found) {
    const known = newest.get(one.older);
    if (known === undefined || isOlder(passages[known.newer], passages[one.newer])) newest.set(one.older, one);
  }
  return [...newest.values()].toSorted((a, b) => a.older - b.older);
}

/** What only claims to be a person's word replaces none that is. */
function mayReplace(newer: Remembered | undefined, older: Remembered | undefined): boolean {
  const isWord = (one: Remembered | undefined): boolean =>
    one !== undefined && isPreserved(standingOf(one.type, one.origin || undefined).type);
  return isWord(newer) || !isWord(older) || !isPreserved(newer?.type ?? "project");
}

function isOlder(one: Remembered | undefined, other: Remembered | undefined): boolean {
  if (one === undefined || other === undefined || one.day === "") return false;
  if (one.day !== other.day) return one.day < other.day;
  return one.source === other.source && one.lines[1] < other.lines[0];
}

interface Placed {
  readonly index: number;
  readonly passage: Remembered;
  readonly claim: Claim;
}

function byClaims(passages: readonly Remembered[]): readonly Contradiction[] {
  const groups = new Map<string, Placed[]>();
  for (const [index, passage] of passages.entries()) {
    const { day, heading, text } = passage;
    if (day === "") continue;
    for (const claim of claimsOf(text)) {
      const below = claim.holds === "everywhere" ? "" : nameKey(heading);
      if (claim.holds !== "everywhere" && below === "") continue;
      const key = `${claim.kind}\n${claim.key}\n${below}`;
      groups.set(key, [...(groups.get(key) ?? []), { index, passage, claim }]);
    }
  }
  return [...groups.values()].flatMap(changedIn);
}

/** A passage is compared several times, and comes again with the next message; forgetting its claims changes no result. */
const knownClaims = new Map<string, readonly Claim[]>();
const mostKnown = 5000;

function claimsOf(text: string): readonly Claim[] {
  const known = knownClaims.get(text);
  if (known !== undefined) return known;
  const claims = text.split("\n").flatMap(claimsIn);
  // A text that says two values of the same thing lists them.
  const single = claims.filter(({ key }) => claims.filter((other) => other.key === key).length === 1);
  if (knownClaims.size >= mostKnown) knownClaims.clear();
  knownClaims.set(text, single);
  return single;
}

/** Of one thing: what was said last, against what was said otherwise before. Nothing where two values may stand side by side. */
function changedIn(group: readonly Placed[]): readonly Contradiction[] {
  const last = group.reduce((newest, one) => (isOlder(newest.passage, one.passage) ? one : newest));
  const otherwise = group.filter(({ claim }) => claim.value !== last.claim.value);
  if (!otherwise.every((one) => isLeftBehind(one, last))) return [];
  return otherwise.map(({ index, claim }) => ({
    older: index,
    newer: last.index,
    was: claim.said,
    now: last.claim.said,
  }));
}

/** One entry may list two values of a key; what one says twice in a talk is a correction. */
function isLeftBehind({ passage, claim }: Placed, last: Placed): boolean {
  if (!isOlder(passage, last.passage)) return false;
  return passage.day < last.passage.day || claim.holds === "everywhere" || passage.section !== last.passage.section;
}

function byChanges(passages: readonly Remembered[]): readonly Contradiction[] {
  return passages.flatMap((newer, at) => {
    const changes = newer.day === "" ? [] : changesIn(newer.text);
    return changes.flatMap((change) =>
      passages.flatMap((older, index): readonly Contradiction[] => {
        if (!isOlder(older, newer) || !isLeft(older, newer, change)) return [];
        return [{ older: index, newer: at, was: change.from, now: change.to }];
      }),
    );
  });
}

/** Letters of a word by which a text is looked over quickly. */
const beginning = 4;

/** Whether a text may say otherwise than one of these passages: quickly told, and rather yes. */
export function mayContradict(passages: readonly Remembered[]): (text: string) => boolean {
  const keys = passages.flatMap(({ text }) => claimsOf(text)).map(({ key }) => key.slice(2).split(" "));
  const beginnings = keys
    .map((words) => words.filter((word) => word !== "").map((word) => word.slice(0, beginning).replace(/[iy]$/u, "")))
    .filter((words) => words.length > 0)
    .map((words) => words.toSorted((a, b) => b.length - a.length));
  const longest = new Set(beginnings.map(([word = ""]) => escaped(word)));
  const any = longest.size === 0 ? /(?!)/ : new RegExp([...longest].join("|"), "i");
  const said = passages.map(({ text }) => text.toLowerCase()).join("\n");
  const holdsKey = (text: string): boolean => {
    const lower = text.toLowerCase();
    return beginnings.some((words) => words.every((word) => lower.includes(word)));
  };
  return (text) => {
    const plain = ascii.test(text) ? text : text.normalize("NFKC");
    if (any.test(plain) && holdsKey(plain)) return true;
    return tellsChange(text) && changesIn(text).some(({ from }) => said.includes(from.toLowerCase()));
  };
}

const ascii = /^[ -~]*$/;

function escaped(word: string): string {
  return word.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

/** Words that two texts share besides what changed, when they stand below different headings. */
const leastShared = 2;

/** Whether the older text says what the change leads away from, of the same thing. */
function isLeft(older: Remembered, newer: Remembered, { from, to }: Change): boolean {
  if (!older.text.toLowerCase().includes(from.toLowerCase())) return false;
  const [gone, come] = [wordKeys(from), wordKeys(to)];
  const said = wordKeys(older.text);
  if (gone.size === 0 || ![...gone].every((key) => said.has(key))) return false;
  if (come.size > 0 && [...come].every((key) => said.has(key))) return false;
  if (changesIn(older.text).some((change) => change.from.toLowerCase() === from.toLowerCase())) return false;
  const heading = nameKey(older.heading);
  if (heading !== "" && heading === nameKey(newer.heading)) return true;
  const shared = [...wordKeys(newer.text)].filter((key) => said.has(key) && !gone.has(key) && !come.has(key));
  const least = older.text.length <= oneThing && isName(from) ? 1 : leastShared;
  return shared.length >= least && older.text.length <= longestOlder;
}

/** Characters. A long text says many things; only of a short one do shared words tell that it speaks of the same. */
const longestOlder = 400;
const oneThing = 120;

/** A name is seldom said of two things: `Jenkins`, `node 20`, `eu-west-1`. */
function isName(thing: string): boolean {
  return /^\p{Lu}|[\d_.-]/u.test(thing);
}

/** What a line says of a thing, in a form in which two lines can be compared. */
interface Claim {
  /** Lines of the same key speak of the same thing. */
  readonly key: string;
  /** Lines of the same kind have values that can stand for one another. */
  readonly kind: string;
  /** Compared. */
  readonly value: string;
  /** Shown. */
  readonly said: string;
  /** Whether the key means the same everywhere, or only below the same heading. */
  readonly holds: "everywhere" | "below its heading";
}

/** Labels under which entry after entry says something else. */
const labels = new Set(
  `decision decisions note notes rule why how how-to-apply next todo todos done open outcome result results summary lesson lessons question questions answer example
examples source see link links url urls date time when where who what reason because problem cause fix fixed bug error errors idea ideas keywords topics topic tags user assistant human ai system
agent me you action actions item items step steps update updates progress plan goal today tomorrow yesterday ps tip tips warning important info detail details comment quote title
결정 이유 메모 다음 할일 결과 요약 질문 답변 예 참고 決定 理由 メモ 次 結果 質問 回答 例 参考 决定 原因 笔记 备注 下一步 结果 总结 问题 回答 例子`
    .split(/\s+/u)
    .filter((word) => word !== ""),
);

/** Nouns that have one value at a time. */
const attribute =
  /\b(?:name|e-?mail|address|phone|number|job|role|title|employer|company|boss|manager|time ?zone|birthday|deadline|budget|goal|target|limit|version|branch|port|host|region|database|editor|language|framework|salary|rent|price|rate|weight|height|size|age|score|record|personal best|favou?rite [^\s.,;:!?()]+|preferred [^\s.,;:!?()]+|default [^\s.,;:!?()]+)$/i;
const copula = /^(.{3,60}?) (?:is|are) (?:now |currently |still |set to )?(.{1,60})$/i;
/** A state that has one figure at a time; an event has as many as there were events. */
const state =
  /\b(?:is|are|has|have|costs?|takes?|uses?|allows?|expects?|needs?|requires?|weighs?|holds?|supports?|serves?|limits?|lasts?|own|owns|earns?|pays?|runs on)\b|(?:입니다|이다|です|である|是|有)/i;
const eventWord =
  /\b(?:today|yesterday|tonight|tomorrow|this (?:morning|week|month|evening|afternoon)|last|just|ago|next|another|more)\b|오늘|어제|今日|昨日|今天|昨天/i;
/** A figure behind one of these names a thing; it is no value. */
const nameBefore =
  /(?:#|\b(?:no\.?|number|issue|pr|ticket|chapter|step|episode|day|week|phase|part|item|section|lines?|room|pages?|page|season|volume|vol|level|lesson|sprint|q|v|version|task|test|case|table|figure|fig|question|option|plan|round|stage|team|group|act|scene|highway|route|exit|gate|apartment|apt|unit|suite))\s*$/i;
const figure = /[-+]?[$€£¥₩]?\d+(?:[.,:/]\d+)*(?:%|k|m|gb|mb|ms|s|h|km|kg|lbs?)?(?![\p{L}\p{N}])/giu;

/** What a line has that claims anything, quickly told. */
const mayClaim = /[:：=\d]|\b(?:my|our|the) .+ (?:is|are) /i;

/** What one line claims; a list mark and the mark of a speaker at its beginning are left away. */
function claimsIn(line: string): readonly Claim[] {
  if (!mayClaim.test(line)) return [];
  const text = line
    .replace(/^\s*(?:[-*+•]\s+|\d{1,3}[.)]\s+)?(?:\[[ x]\]\s+)?/u, "")
    .replaceAll("**", "")
    .trim();
  if (text.length < 4 || text.length > 300 || /[?？]\s*$/u.test(text)) return [];
  return [...keyedClaim(text), ...saidClaim(text), ...figureClaim(text)];
}

/** `key: value`. */
function keyedClaim(text: string): readonly Claim[] {
  if (!/[:：=]/.test(text)) return [];
  const match = /^([^:：=]{2,48}?)\s*(?:[:：]\s+|：|\s=\s)(\S.{0,79})$/u.exec(text);
  const [, name = "", said = ""] = match ?? [];
  const words = [...wordKeys(name)];
  if (match === null || words.length === 0 || words.length > 5 || /[.!?。,]/u.test(name)) return [];
  if (labels.has(name.toLowerCase().trim()) || said.split(/\s+/u).length > 9) return [];
  const value = valueOf(said);
  return [
    { key: `: ${words.toSorted().join(" ")}`, kind: "keyed", value, said: trimmed(said), holds: "below its heading" },
  ];
}

/** `my favourite colour is green`. */
function saidClaim(text: string): readonly Claim[] {
  if (!/\b(?:my|our|the) .+ (?:is|are) /i.test(text)) return [];
  const sentence = text.replace(/^(?:oh,? |well,? |by the way,? |and |so |also,? )+/i, "").replace(/[.!]$/u, "");
  const [, subject = "", said = ""] = copula.exec(sentence) ?? [];
  const [, whose = "", noun = ""] = /^(my|our|the) (.+)$/i.exec(subject) ?? [];
  if (!attribute.test(noun) || noun.split(" ").length > 5 || /[,;]/u.test(said) || said.split(/\s+/u).length > 6)
    return [];
  if (/^(?:not|a|an|to|in|very|too|so|quite|really|important|due|on|one of|also|something|\w+ing\b)/i.test(said))
    return [];
  const own = whose.toLowerCase() === "the" ? "below its heading" : "everywhere";
  return [
    {
      key: `is ${[...wordKeys(noun)].toSorted().join(" ")}`,
      kind: "said",
      value: valueOf(said),
      said: trimmed(said),
      holds: own,
    },
  ];
}

/** The same sentence with another figure. */
function figureClaim(text: string): readonly Claim[] {
  if (!/\d/u.test(text)) return [];
  const begin = state.exec(text);
  if (begin === null || eventWord.test(text)) return [];
  const figures = [...text.matchAll(figure)].filter(({ index }) => !nameBefore.test(text.slice(0, index)));
  const last = figures[0];
  if (last === undefined || figures.length !== 1 || last.index < begin.index) return [];
  const bare = `${text.slice(0, last.index)} ${text.slice(last.index + last[0].length)}`;
  const words = wordKeysInOrder(bare);
  if (words.length < 3 || words.length > 16) return [];
  return [
    { key: `# ${words.join(" ")}`, kind: "figure", value: last[0].toLowerCase(), said: last[0], holds: "everywhere" },
  ];
}

function valueOf(said: string): string {
  const words = [...wordKeys(said)];
  return words.length === 0 ? said.toLowerCase().trim() : words.toSorted().join(" ");
}

/** A value without the reason behind it. */
function trimmed(said: string): string {
  const head =
    /^.+?(?=\s*(?:,|;|。|，|、| — | – | - | \(|\s(?:because|since|as|so that|which|after|for)\s))/i.exec(said)?.[0] ??
    said;
  return head.replace(/[.;,。]+$/u, "").trim();
}
