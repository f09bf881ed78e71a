import { once, remembering } from "../../base/lines.ts";
import { greatest } from "../../base/lists.ts";
import { partKey, termOf } from "../../text/words/index-terms.ts";
import { otherWritings } from "../../text/words/letter-pairs.ts";
import type { QueryWord } from "../../text/words/query.ts";
import { segmentsOf } from "../../text/words/scripts.ts";
import { isFunctionWord } from "../../text/words/stop-words.ts";
import { countChunks, messageRarity, noSections, sum, type SectionCounts, type TermHits } from "./scores.ts";

/** A message, as the floor sees it. */
export interface FloorQuery {
  readonly text: string;
  /** Its words, without the verb of a request. */
  readonly words: readonly QueryWord[];
  /** Where their index terms occur. */
  readonly terms: readonly TermHits[];
  /** Number of chunks of every section. */
  readonly chunks: SectionCounts;
  /** Tokens of a text. */
  readonly tokens: (text: string) => number;
}

/** A text has it if it has all its `terms`; the index knows it by its `key`. */
interface Spelling {
  readonly key: string;
  readonly terms: readonly string[];
}

/** A word of the message, or a pair of letters in writing without spaces and in Korean. */
interface Unit {
  readonly spellings: readonly Spelling[];
  /** Place of a pair in its word. */
  readonly pair?: { readonly word: string; readonly at: number };
  /** Number of sections and of chunks that contain it. */
  readonly sections: number;
  readonly chunks: number;
  readonly rarity: number;
  readonly isName: boolean;
}

/** How many statements, at most, chance may give the words of a message with a name that the memory does not know. Otherwise: one. */
const mostOfUnknown = 1 / 20;
/** Only this many of the rarest words make up a message, because no statement has all of a long one. */
const mostUnits = 8;
/** A statement with this share of a message has nearly all of it. */
const wholeShare = 2 / 3;
/** A word that makes up this share of a message is its subject, if the memory has it in at most `fewSections`: three entries, each also in its thread. */
const subjectShare = 1 / 2;
const fewSections = 6;
/** The same in a memory of at most `fewChunks`, the first days: it has so few words that chance seldom finds one. */
const subjectShareOfFew = 1 / 3;
const fewChunks = 40;
/** At least one chunk of this many has a name. */
const chunksOfName = 500;
/** A number of four or more digits that is not a year is a name. */
const longNumber = /^(?!(?:19|20)\d\d$)\d{4,}$/u;
/** So many words show whether a tokenizer splits most words of a language. */
const mostSpoken = 60;

/**
 * Whether a message has to do with what is remembered. `statements`: the index terms of each statement of the best sections, with those of its heading. One statement
 * must have
 *
 * - two or more words of the message that chance would not bring together. Chance gives so many statements these words: the size of the memory, times the share of it
 *   that has each word, times the number of ways to choose as many words of the message that are as rare, for each number of words. So two rare words of a short message
 *   are enough, and two common words of a long one are not. A message about its speaker's own things is more likely about the memory: the root of its size counts. One
 *   with a name that the memory does not know is more likely about something else;
 * - or a name: a word that a tokenizer trained on all kinds of text has to split, or a long number, is rare everywhere, but not in this memory;
 * - or the subject of the message: one word that makes up half of it, which the memory has in a few places;
 * - or nearly all of a message of two or more words.
 */
export function isRelated(query: FloorQuery, statements: readonly (readonly string[])[]): boolean {
  const units = unitsOf(query);
  const all = countChunks(query.chunks);
  const size = messageRarity(1, all);
  const known = raritiesOf(units.filter(({ sections }) => sections > 0));
  const isUnknown = units.some(({ isName, sections }) => isName && sections === 0);
  const chance = Math.log(Math.max(1, known.length)) - (isUnknown ? Math.log(mostOfUnknown) : 0);
  const least = speaksOfOwn(query.text) ? size / 2 : size + chance;
  const heaviest = units.map(({ rarity }) => rarity).toSorted((a, b) => b - a);
  const whole = sum(heaviest.slice(0, mostUnits));
  const subject = (all <= fewChunks ? subjectShareOfFew : subjectShare) * whole;
  const wanted = new Set(units.flatMap(({ spellings }) => spellings.flatMap(({ terms }) => terms)));
  // Most statements have none of the words, or the same as another.
  const seen = new Set([""]);
  return statements.some((terms) => {
    const has = new Set(terms.filter((term) => wanted.has(term)));
    const key = [...has].join(" ");
    if (seen.has(key)) return false;
    seen.add(key);
    const found = units.filter(({ spellings }) => spellings.some((one) => one.terms.every((term) => has.has(term))));
    const rarities = raritiesOf(found);
    return (
      found.some(
        ({ isName, chunks, sections, rarity }) =>
          (isName && chunks * chunksOfName >= all) || (sections <= fewSections && rarity >= subject),
      ) ||
      (found.length > 1 && sum(found.map(({ rarity }) => rarity)) >= wholeShare * whole) ||
      isNoChance(rarities, known, least)
    );
  });
}

/** Whether the rarities of the words found are too great for chance. `known`: those of all words of the message that the memory has. */
function isNoChance(found: readonly number[], known: readonly number[], least: number): boolean {
  let rarity = 0;
  return found
    .toSorted((a, b) => b - a)
    .some((own, at) => {
      rarity += own;
      const asRare = known.filter((other) => other >= own).length;
      return at > 0 && rarity - logOfChoices(Math.max(at + 1, asRare), at + 1) >= least;
    });
}

/** The logarithm of the number of ways to choose `some` of `all`. */
function logOfChoices(all: number, some: number): number {
  let log = 0;
  for (let at = 0; at < some; at++) log += Math.log((all - at) / (at + 1));
  return log;
}

/** The rarity of each word found. Pairs in a row are one word; each after the first adds half of its rarity. */
function raritiesOf(found: readonly Unit[]): readonly number[] {
  const rarities: number[] = [];
  let last: Unit["pair"];
  for (const { rarity, pair } of found) {
    const isNext = pair !== undefined && last?.word === pair.word && pair.at === last.at + 1;
    if (isNext) rarities.push((rarities.pop() ?? 0) + rarity / 2);
    else rarities.push(rarity);
    last = pair;
  }
  return rarities;
}

function unitsOf({ text, words, terms, chunks, tokens }: FloorQuery): readonly Unit[] {
  const hits = new Map(terms.map(({ term, sections }) => [term, sections]));
  const all = countChunks(chunks);
  const units = new Map<string, Unit>();
  const isSplit = remembering(
    (word) => longNumber.test(word) || (/\p{L}/u.test(word) && writingsOf(word).every((one) => tokens(` ${one}`) > 1)),
    1000,
  );
  const spoken = segmentsOf(text).slice(0, mostSpoken);
  // In some languages most words are split, which then says nothing.
  const mayName = spoken.filter(({ is, text: word }) => is === "spaced" && isSplit(word)).length * 2 <= spoken.length;
  for (const word of words)
    for (const { pair, spellings } of spellingsOf(word)) {
      const found = spellings.map((one) => hits.get(one.key) ?? noSections);
      const most = greatest([0, ...found.map((sections) => sum(sections.counts))]);
      const isName = mayName && pair === undefined && isSplit(word.word);
      const sections = greatest([0, ...found.map(({ ids }) => ids.length)]);
      const unit = { spellings, sections, chunks: most, rarity: messageRarity(Math.max(1, most), all), isName };
      const id = spellings[0]?.key ?? "";
      if (!units.has(id)) units.set(id, pair === undefined ? unit : { ...unit, pair });
    }
  return [...units.values()];
}

function writingsOf(word: string): readonly string[] {
  const lower = word.toLowerCase();
  return [word, lower, lower.charAt(0).toUpperCase() + lower.slice(1)];
}

/** The units of a word: its pairs of letters, if it has any that carry meaning, or itself. */
function spellingsOf({ word, any }: QueryWord): readonly Pick<Unit, "spellings" | "pair">[] {
  const pairs = any.filter(({ kind, text, weight }) => kind === "part" && weight > 1 && word.includes(text));
  if (pairs.length > 0)
    return pairs.map(({ text }) => {
      const keys = [text, ...otherWritings(text)].map(partKey);
      const spellings = keys.map((key) => ({ key, terms: [key] }));
      return { spellings, pair: { word, at: word.indexOf(text) } };
    });
  const wholes = any.filter(({ kind, weight }) => kind !== "part" && weight > 1);
  const terms = wholes.length === 0 ? any.filter(({ kind }) => kind === "word") : wholes;
  const spellings = terms
    .map(({ text }) => ({ key: termOf(text), terms: text.split(" ").filter(isTelling).map(termOf) }))
    .filter((one) => one.terms.length > 0);
  return spellings.length === 0 ? [] : [{ spellings }];
}

function isTelling(word: string): boolean {
  return !isFunctionWord(word);
}

/**
 * Words for what belongs to the speaker. `I` is not among them: "how do I boil an egg" speaks of no egg of the speaker's, "when is our
 * review" does.
 */
const own = `my mine our ours mein meine meinem meinen meiner meines unser unsere unserem unseren unserer unseres mon mes notre nos mi mis mío mía míos mías nuestro nuestra nuestros nuestras
mio mia miei mie nostro nostra nostri nostre meu meus minha minhas nosso nossa nossos nossas mijn ons onze mój moja moje mojego mojej nasz nasza nasze
мой моя моё мое мои моего моей моих моему моим мою наш наша наше наши нашего нашей наших нашу 내 제 우리 저희`;

/** The same in writing without spaces. */
const ownUnspaced = "私|僕|俺|うちの|我的|我们|我們|我家|咱";

/** What the speaker did or was: `what did I say about…`, `was habe ich…`. */
const done =
  "(?:did|have|had|was|were) (?:i|we)|(?:are|do) we|am i|(?:habe|hatte|war|bin) ich|(?:haben|hatten|waren|sind) wir|ai-je|avons-nous";

const pattern = once(
  () =>
    new RegExp(`(?<![\\p{L}\\p{M}])(?:${own.split(/\s+/u).join("|")}|${done})(?![\\p{L}\\p{M}])|${ownUnspaced}`, "iu"),
);

/** Whether a message speaks of its speaker's own things, by a possessive or by asking what the speaker did. */
export function speaksOfOwn(message: string): boolean {
  return pattern().test(message);
}
