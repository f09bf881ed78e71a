import { greatest } from "../../base/lists.ts";
import type { Passage, SourceSection } from "../../base/passage.ts";
import { cutByRecurrence } from "./east-asian-words.ts";
import type { KeptLine } from "./noise.ts";
import {
  PhraseCounts,
  readLine,
  termOfPhrase,
  wordsOf,
  type CountedPhrase,
  type CountedWord,
  type Mentions,
} from "./phrases.ts";
import type { KeywordTerm } from "./traits.ts";
import { contentWords, isEastAsianText, sameWord } from "./words.ts";
import { mostKeywords } from "../word-keys.ts";

/** What a text is looked up by, and how much it says. */
export interface Keyword {
  readonly shown: string;
  readonly score: number;
}

/** A line that keywords are taken from; what was decided, done and learned weighs more than the rest. */
export interface SaidLine {
  readonly text: string;
  readonly weight: number;
}

/** Lines whose general words are kept for a text that names nothing. */
const mostFirst = 20;
/** A word or a phrase that may be a keyword. */
interface Candidate extends Mentions {
  readonly term: KeywordTerm;
}

type Rarity = (key: string) => number;
const alike: Rarity = () => 1;

/**
 * The terms of a text, counted: a word says more when it comes again (damped), early, in lines that weigh more, and when it is specific; two words are a
 * phrase when they are written as a name, come together more than once and seldom apart (the association ratio of Church and Hanks 1990, as a
 * share), or stand alone between breaks (RAKE; Rose and others 2010).
 */
export class TermCounts {
  readonly #words = new Map<string, CountedWord>();
  #terms = 0;
  readonly #phrases = new PhraseCounts(() => this.#terms++);
  readonly #first: string[] = [];
  #lines = 0;

  add(line: SaidLine): void {
    this.#lines += 1;
    if (this.#first.length < mostFirst) this.#first.push(line.text);
    const mass = line.weight;
    const firstMass = mass * (1 + 0.6 / this.#lines);
    const { text, segments } = readLine(line.text);
    for (const segment of segments) {
      const only = segment.length === 1 ? segment[0] : undefined;
      if (only !== undefined) {
        this.#countWord(only.term, mass, firstMass);
        continue;
      }
      const words = segment.map(({ term }) => this.#countWord(term, mass, firstMass));
      this.#phrases.add({ segment, words, text, mass, firstMass });
    }
  }

  #countWord(term: KeywordTerm, mass: number, firstMass: number): CountedWord {
    const known = this.#words.get(term.key);
    if (known !== undefined) {
      mention(known, mass);
      return known;
    }
    const word: CountedWord = { term, id: this.#words.size, order: this.#terms++, count: 1, mass: firstMass };
    this.#words.set(term.key, word);
    return word;
  }

  /** The keys of its words. */
  keys(): readonly string[] {
    return [...this.#words.keys()];
  }

  /** `rarity`: how much less or more a word says for standing in many or few of the neighbouring texts; 1 by default. */
  top(most: number, not: { readonly without: string; readonly rarity?: Rarity }): readonly Keyword[] {
    const own = new Set(contentWords(not.without).map((word) => sameWord(word.key)));
    const taken = chosen(this.#scored(not.rarity ?? alike), most, own);
    if (taken.length === 0) return this.#general(most, own);
    return taken
      .map(({ term, score }) => ({ shown: cleaned(term.shown), score: Math.round(score * 100) / 100 }))
      .filter(({ shown }) => shown !== "");
  }

  /** Of a text that names nothing: the general words of its first lines. */
  #general(most: number, own: ReadonlySet<string>): readonly Keyword[] {
    const words = new Map<string, Keyword>();
    for (const word of this.#first.flatMap((text) => contentWords(text))) {
      const key = sameWord(word.key);
      if (own.has(key) || words.has(key) || /^[\d._-]+$/u.test(word.shown)) continue;
      words.set(key, { shown: cleaned(word.shown), score: 0.1 });
    }
    return [...words.values()].filter(({ shown }) => shown !== "").slice(0, most);
  }

  /** What a text would be called by: what comes again and early in it, rather a phrase than a word; file names are no names. */
  names(rarity: Rarity = alike): readonly string[] {
    const candidates: Candidate[] = [...this.#words.values()];
    for (const found of this.#phrases.found)
      if (belongsTogether(found))
        candidates.push({ term: termOfPhrase(found), order: found.order, count: found.count, mass: found.mass });
    return candidates
      .filter(({ term }) => isName(term))
      .map(({ term, mass, count, order }) => {
        const phrase = term.parts.length > 1 ? 1.5 : /^[A-Za-z][a-z]+(?:ing|ed)$/u.test(term.shown) ? 0.5 : 1;
        const specific = Math.min(term.salience, 2.2);
        const score = (mass + (count > 1 ? 0.5 : 0)) * specific * phrase * greatest(term.parts.map(rarity));
        return { term, order, score };
      })
      .toSorted((a, b) => b.score - a.score || a.order - b.order)
      .slice(0, 4)
      .map(({ term }) => cleaned(term.shown));
  }

  /** Best first. */
  #scored(rarity: Rarity): readonly Scored[] {
    const scored: Scored[] = [];
    for (const one of this.#words.values())
      scored.push({ term: one.term, order: one.order, score: scoreOf(one, one.term, rarity) });
    for (const found of this.#phrases.found) {
      if (!belongsTogether(found)) continue;
      const term = termOfPhrase(found);
      let score = scoreOf(found, term, rarity);
      for (const part of wordsOf(found))
        if (part.count <= 2 * found.count) score = Math.max(score, scoreOf(part, part.term, rarity) * 1.05);
      scored.push({ term, order: found.order, score });
    }
    return scored.toSorted((a, b) => b.score - a.score || a.order - b.order);
  }
}

function mention(known: Mentions, mass: number): void {
  known.count += 1;
  known.mass += mass;
}

interface Scored {
  readonly term: KeywordTerm;
  readonly order: number;
  readonly score: number;
}

function scoreOf({ mass, count }: Mentions, term: KeywordTerm, rarity: Rarity): number {
  const rare = term.parts.length === 1 ? rarity(term.key) : greatest(term.parts.map(rarity));
  const often = count === 1 ? 1 : Math.log2(1 + count);
  return (mass / count) * often * term.salience * rare;
}

/** Two words that stand side by side belong together when they do so again, and seldom stand apart. */
function belongsTogether(phrase: CountedPhrase): boolean {
  const { kind, count } = phrase;
  if (kind !== "pair") return true;
  if (count < 2) return false;
  let apart = Infinity;
  for (const word of wordsOf(phrase)) apart = Math.min(apart, word.count);
  return count / apart >= 0.5;
}

/** The best of them that say something of their own. */
function chosen(scored: readonly Scored[], most: number, own: ReadonlySet<string>): readonly Scored[] {
  const taken: Scored[] = [];
  const used = new Set<string>(own);
  const inPhrases = new Set<string>();
  for (const one of scored) {
    const { key, parts } = one.term;
    if (taken.length >= most) break;
    if (used.has(key) || shareIn(used, parts) > 0 || shareIn(inPhrases, parts) > 0.5) continue;
    if (isOfOneRun(key) && taken.some((other) => other.term.key.includes(key))) continue;
    taken.push(one);
    const names = parts.length > 1 ? inPhrases : used;
    names.add(key);
    for (const part of parts) names.add(part);
  }
  return taken;
}

function shareIn(names: ReadonlySet<string>, parts: readonly string[]): number {
  let found = 0;
  for (const part of parts) if (names.has(part)) found += 1;
  return found / parts.length;
}

/** The keywords of lines: what a good index of them would name. None holds a word of the topic's name. */
export function keywordsOf(lines: readonly SaidLine[], topic: string): readonly Keyword[] {
  return countTerms(lines).top(mostKeywords, { without: topic });
}

/** The terms of lines; long runs of Chinese are cut by what comes again in them. */
export function countTerms(lines: readonly SaidLine[]): TermCounts {
  const counts = new TermCounts();
  if (!lines.some(({ text }) => isEastAsianText(text))) {
    for (const line of lines) counts.add(line);
    return counts;
  }
  const cut = cutByRecurrence(lines.map((line) => line.text));
  for (const line of lines) counts.add({ ...line, text: cut(line.text) });
  return counts;
}

/** Of words without spaces between them, one that stands in another says nothing more. */
function isOfOneRun(key: string): boolean {
  return key.charCodeAt(0) >= firstHan && /^[\p{Script=Han}\p{Script=Katakana}ー]+$/u.test(key);
}

const firstHan = 0x2e_80;
const listSign = /[\s,:;()[\]{}"“”`*|\\]/u;

/** A keyword stands in a list: it holds no sign that would end it. */
function cleaned(shown: string): string {
  if (!listSign.test(shown)) return shown;
  return shown
    .replaceAll(/[,:;()[\]{}"“”`*|\\]/gu, " ")
    .replaceAll(/\s+/gu, " ")
    .trim();
}

function isName({ shown }: KeywordTerm): boolean {
  return /^\p{L}/u.test(shown) && Array.from(shown).length <= 40 && !/[./_]\w|\d{3}/u.test(shown);
}

const people = String.raw`^\s*(?:[-*]\s+)?(?:users?|people|attendees|participants|assignees?|owners?|reviewers?):\s`;

const kinds: readonly (readonly [string, RegExp])[] = [
  // A mention, but no package scope (`@types/node`), address, bot, or tag of a code comment (`@param`); the names after a label.
  [
    "users",
    new RegExp(
      String.raw`(?<![\w/.@+-])@(?!(?:param|returns?|throws|deprecated|example|see|ts-[a-z]+|media|import|override|todo|everyone|here|channel|all)\b)[A-Za-z][\w-]{1,38}(?![\w-])(?<![-_]bot)(?![\w-]*[/.(@]\w|\[bot\])|(?<=${people}(?:[^,]*,)*\s*)\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)*(?=\s*(?:[,.]|$))`,
      "gu",
    ),
  ],
  ["services", /(?<=https?:\/\/)[\w.-]+\.[a-z]{2,}/gu],
  [
    "files",
    /(?<![\w/.-])(?:[\w.-]+\/)+[\w-]+\.[A-Za-z]{1,5}\b|(?<![\w/.-])[\w-]+\.(?:ts|tsx|js|mjs|py|go|rs|java|rb|sql|md|json|ya?ml|toml|sh|css|html)\b/gu,
  ],
  ["errors", /\b(?:[A-Z]\w*(?:Error|Exception)|E[A-Z]{4,})\b/gu],
];

/** Lines without any of these name nothing of the kind. */
const hint = new RegExp(String.raw`\.[A-Za-z]|:\/\/|Error|Exception|E[A-Z]{4}|@\w|${people}`, "u");

/** Users, services, files and errors named in a section, one passage a kind. */
export function entitiesOf(section: SourceSection, lines: readonly KeptLine[]): readonly Passage[] {
  const hinted = lines.filter((line) => hint.test(line.text));
  if (hinted.length === 0) return [];
  return kinds.flatMap(([kind, pattern]): readonly Passage[] => {
    const found = new Map<string, number>();
    for (const line of hinted)
      for (const match of line.text.matchAll(pattern)) if (!found.has(match[0])) found.set(match[0], line.number);
    if (found.size === 0) return [];
    const shown = [...found].slice(0, 8);
    const refs = shown.map(([, number]) => ({ log: section.log, from: number, to: number }));
    return [
      {
        role: "entity",
        topic: kind,
        type: "project",
        text: shown.map(([name]) => name).join(", "),
        lines: [],
        refs,
        progress: "active",
        at: [0, 0],
        weight: 0.8,
        naming: "given",
      },
    ];
  });
}
