import { greatest, least } from "../../base/lists.ts";
import { plainPassage, type Passage, type SourceSection } from "../../base/passage.ts";
import { cutByRecurrence } from "./east-asian-words.ts";
import type { KeptLine } from "./noise.ts";
import { phrasesIn, readLine, termOfPhrase, type KeywordTerm } from "./phrases.ts";
import { contentWords, sameWord } from "./words.ts";
import { mostKeywords } from "../word-keys.ts";

/** A word or phrase to find a text by, and its score. */
export interface Keyword {
  readonly shown: string;
  readonly score: number;
}

/** A line to extract keywords from; decisions, results and lessons weigh more. */
export interface SaidLine {
  readonly text: string;
  readonly weight: number;
}

/** How many of the first lines to keep in case a text has no keywords. */
const mostFirst = 20;

/** A word or phrase, its number of mentions, and their total weight. */
interface Counted {
  readonly term: KeywordTerm;
  /** Order of first mention. */
  readonly order: number;
  /** The words in a phrase; empty for a word. */
  readonly words: readonly Counted[];
  count: number;
  mass: number;
}

type Rarity = (key: string) => number;
const alike: Rarity = () => 1;

/**
 * Counts the terms of a text. A word scores higher if it recurs (damped), comes early, is in lines with more weight, and is
 * specific. Words form a phrase if they are written as a name, occur side by side repeatedly and rarely apart (association
 * ratio of Church and Hanks 1990, as a share), or are alone between breaks (RAKE; Rose et al. 2010).
 */
export class TermCounts {
  readonly #terms = new Map<string, Counted>();
  readonly #first: string[] = [];
  #lines = 0;

  add(line: SaidLine): void {
    this.#lines += 1;
    if (this.#first.length < mostFirst) this.#first.push(line.text);
    const { text, segments } = readLine(line.text);
    for (const segment of segments) {
      const words = segment.map(({ term }) => this.#count(term.key, line.weight, () => ({ term, words: [] })));
      for (const { kind, from, to } of phrasesIn(segment)) {
        const own = words.slice(from, to);
        this.#count(`${kind} ${own.map(({ order }) => order).join(" ")}`, line.weight, () => {
          return { term: termOfPhrase(kind, segment.slice(from, to), text), words: own };
        });
      }
    }
  }

  #count(key: string, weight: number, make: () => Pick<Counted, "term" | "words">): Counted {
    const known = this.#terms.get(key);
    if (known !== undefined) {
      known.count += 1;
      known.mass += weight;
      return known;
    }
    const counted = { ...make(), order: this.#terms.size, count: 1, mass: weight * (1 + 0.6 / this.#lines) };
    this.#terms.set(key, counted);
    return counted;
  }

  /** The keys of all words. */
  keys(): readonly string[] {
    return [...this.#terms.values()].filter(({ words }) => words.length === 0).map(({ term }) => term.key);
  }

  /** The best keywords, excluding words in `without`. `rarity`: weight of a word by how many neighboring texts contain it; 1 by default. */
  top(most: number, not: { readonly without: string; readonly rarity?: Rarity }): readonly Keyword[] {
    const own = new Set(contentWords(not.without).map((word) => sameWord(word.key)));
    const rarity = not.rarity ?? alike;
    const taken = chosen(
      this.#ranked((one) => scoreOf(one, rarity)),
      most,
      own,
    );
    if (taken.length === 0) return this.#general(most, own);
    return taken
      .map(({ term, score }) => ({ shown: cleaned(term.shown), score: Math.round(score * 100) / 100 }))
      .filter(({ shown }) => shown !== "");
  }

  /** For a text without keywords: the general words in its first lines. */
  #general(most: number, own: ReadonlySet<string>): readonly Keyword[] {
    const words = new Map<string, Keyword>();
    for (const word of this.#first.flatMap((text) => contentWords(text))) {
      const key = sameWord(word.key);
      if (own.has(key) || words.has(key) || /^[\d._-]+$/u.test(word.shown)) continue;
      words.set(key, { shown: cleaned(word.shown), score: 0.1 });
    }
    return [...words.values()].filter(({ shown }) => shown !== "").slice(0, most);
  }

  /** Candidate names for a text: terms that recur and come early, phrases before words, no file names. */
  names(rarity: Rarity = alike): readonly string[] {
    const scoreOfName = ({ term, mass, count }: Counted): number => {
      const phrase = term.parts.length > 1 ? 1.5 : /^[A-Za-z][a-z]+(?:ing|ed)$/u.test(term.shown) ? 0.5 : 1;
      const specific = Math.min(term.salience, 2.2);
      return (mass + (count > 1 ? 0.5 : 0)) * specific * phrase * greatest(term.parts.map(rarity));
    };
    const names = this.#ranked(scoreOfName).filter(({ term }) => isName(term));
    return names.slice(0, 4).map(({ term }) => cleaned(term.shown));
  }

  /** The words, and phrases whose words belong together, best first. */
  #ranked(score: (one: Counted) => number): readonly Scored[] {
    return [...this.#terms.values()]
      .filter(belongsTogether)
      .map((one) => ({ term: one.term, order: one.order, score: score(one) }))
      .toSorted((a, b) => b.score - a.score || a.order - b.order);
  }
}

interface Scored {
  readonly term: KeywordTerm;
  readonly order: number;
  readonly score: number;
}

/** A phrase scores at least slightly more than any of its words that rarely occurs without it. */
function scoreOf({ term, mass, count, words }: Counted, rarity: Rarity): number {
  const often = count === 1 ? 1 : Math.log2(1 + count);
  const own = (mass / count) * often * term.salience * greatest(term.parts.map(rarity));
  const together = words.filter((word) => word.count <= 2 * count);
  return greatest([own, ...together.map((word) => scoreOf(word, rarity) * 1.05)]);
}

/** Adjacent words form a phrase only if they recur together and are rarely apart. */
function belongsTogether({ term, count, words }: Counted): boolean {
  return term.kind !== "pair" || (count > 1 && count / least(words.map((word) => word.count)) >= 0.5);
}

/** The best terms that do not overlap. */
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

/** The keywords of lines, excluding words in the topic's name. */
export function keywordsOf(lines: readonly SaidLine[], topic: string): readonly Keyword[] {
  return countTerms(lines).top(mostKeywords, { without: topic });
}

/** Counts the terms of lines, after splitting long runs of Chinese by recurrence. */
export function countTerms(lines: readonly SaidLine[]): TermCounts {
  const counts = new TermCounts();
  const cut = cutByRecurrence(lines.map((line) => line.text));
  for (const line of lines) counts.add({ ...line, text: cut(line.text) });
  return counts;
}

/** Whether a key is in a script without spaces, where a word contained in another adds nothing. */
function isOfOneRun(key: string): boolean {
  return key.charCodeAt(0) >= firstHan && /^[\p{Script=Han}\p{Script=Katakana}ー]+$/u.test(key);
}

const firstHan = 0x2e_80;
const listSign = /[\s,:;()[\]{}"“”`*|\\]/u;

/** A keyword without list separators: keywords are shown in a list. */
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
  // Mentions and names after a label, but no package scopes (`@types/node`), e-mail addresses, bots and tags in code comments (`@param`).
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

/** A quick test: lines without any of these contain no entity. */
const hint = new RegExp(String.raw`\.[A-Za-z]|:\/\/|Error|Exception|E[A-Z]{4}|@\w|${people}`, "u");

/** The users, services, files and errors of a section, one passage per kind. */
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
    const text = shown.map(([name]) => name).join(", ");
    return [{ ...plainPassage, role: "entity", topic: kind, text, refs, weight: 0.8 }];
  });
}
