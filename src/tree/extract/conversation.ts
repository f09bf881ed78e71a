import type { Passage, SourceSection } from "../../base/passage.ts";
import { isEphemeral, type KeptLine } from "../../text/extract/noise.ts";
import { isIdLike, isNamed, passageOf, refOf, wholeSection } from "./passages.ts";
import { isTurn, type SaidKind, speakerOf, toldByUser, withoutSpeaker } from "../../text/extract/said.ts";
import { sentencesOf, tidy } from "../../text/extract/sentences.ts";
import { contentWords, type Word } from "../../text/extract/words.ts";
import { talkWords } from "../../text/words/stop-words.ts";
import { least } from "../../base/lists.ts";
import { parseEntryComment } from "../../base/memory-type.ts";

/** The most sentences in one conversation that compete for space. */
const mostSaid = 8;
/** The most keywords from one conversation that compete for space. */
const mostTerms = 20;

/** What a person said in a conversation, as a topic with keywords and the most informative sentences. */
export function transcript(section: SourceSection, kept: readonly KeptLine[]): readonly Passage[] {
  const said = saidByPerson(kept).filter((sentence) => !isEphemeral(sentence.text));
  const scores = new TermScores();
  for (const sentence of said) scores.add(sentence);
  const terms = scores.top(mostTerms);
  const given = isNamed(section);
  const topic = given ? section.topic : (terms[0]?.shown ?? "");
  const quotes = quotesOf(section, kept);
  const quoted = quotes.map(({ text }) => tidy(text));
  if (topic === "") return quotes;
  const notes = said
    .filter((sentence) => sentence.value > 2.5)
    .toSorted((a, b) => b.value - a.value || a.number - b.number)
    .slice(0, mostSaid)
    .map((sentence): Passage => ({
      ...passageOf(section, "note", topic),
      text: tidy(sentence.text),
      refs: [refOf(section, sentence)],
      weight: sentence.value / 3,
    }))
    .filter(({ text }) => !quoted.some((quote) => quote.includes(text)));
  const head = topicOf(section, topic, given ? terms : terms.slice(1));
  return [{ ...head, naming: given ? "given" : "found" }, ...notes, ...quotes];
}

/** The most facts from one conversation to quote from the user. Instructions and preferences are always kept. */
const mostFacts = 8;
const weightOfKind: Readonly<Record<SaidKind, number>> = { instruction: 6, preference: 5, fact: 4 };

/** The user's instructions, preferences and facts, sentence by sentence, verbatim. */
function quotesOf(section: SourceSection, kept: readonly KeptLine[]): readonly Passage[] {
  const origin = parseEntryComment(section.lines[1]?.text ?? "")?.origin;
  if (origin === "tool" || origin === "file") return [];
  const all = toldByUser(kept).filter(({ text }) => !isEphemeral(text));
  const facts = all.filter(({ kind }) => kind === "fact").slice(0, mostFacts);
  return all
    .filter((told) => told.kind !== "fact" || facts.includes(told))
    .map((told): Passage => ({
      ...passageOf(section, "said", isNamed(section) ? section.topic : ""),
      text: told.text,
      refs: [refOf(section, told)],
      weight: weightOfKind[told.kind],
    }));
}

function topicOf(section: SourceSection, topic: string, terms: readonly Term[]): Passage {
  return {
    ...wholeSection(section, topic),
    text: terms.map(({ shown }) => shown.replaceAll(/[,:()[\]]/gu, " ").trim()).join(", "),
    scores: terms.map(({ score }) => score),
    weight: 1,
  };
}

/** A sentence that a person said, with its line. */
interface Utterance {
  readonly number: number;
  readonly text: string;
  readonly words: readonly Word[];
  /** How much it says about the person and the subject. */
  readonly value: number;
}

/** The person's sentences in a transcript. The assistant's stay in the raw log only. */
function saidByPerson(lines: readonly KeptLine[]): readonly Utterance[] {
  const said: Utterance[] = [];
  let speaker: "person" | "other" = "other";
  for (const line of lines) {
    speaker = speakerOf(line.text) ?? speaker;
    if (speaker === "other") continue;
    const text = withoutSpeaker(line.text);
    for (const sentence of sentencesOf(text)) {
      const words = contentWords(sentence);
      said.push({ number: line.number, text: sentence, words, value: valueOf(sentence, words) });
    }
  }
  return said;
}

const ownWords = /\b(?:I|my|mine|me|we|our)\b/i;
const ownWordsElsewhere = /나는|내가|제가|저는|우리|私|僕|我/;
const turnWords =
  /\b(?:bought|started|moved|decided|prefer|love|hate|allergic|live|work|study|married|born|changed|switched|cancel\w*|instead|no longer|actually|remember|birthday|appointment|deadline|deploy\w*)\b/iu;
const smallTalk = /^(?:thanks|thank you|that's|great|sounds|ok|okay|sure|hi|hello|wow|yes|no)\b/iu;
const asks = /^(?:can|could|would|do|does|did|what|which|how|why|where|when|is|are|any|should|please)\b/iu;

/** Past events are worth more than plans. */
const happened =
  /\b(?:I|we)(?:['’]ve| have| had)?(?: just| recently| finally| already| also)? (?:bought|got|started|finished|went|attended|visited|moved|made|took|found|met|sold|bought|joined|signed|planted|adopted|booked|ordered|read|watched|ran|won|lost|switched|tried|been)\b/iu;
const intends =
  /^(?:(?:oh|well|actually|yeah|okay|ok|also|and|so),? )*(?:I(?:['’]d| would) (?:like|love) (?:to|you)|I think I(?:['’]ll| will)|I(?:['’]ll| will)|I(?:['’]m| am) (?:thinking|wondering|looking)|I want you|let me|act as|please)\b/iu;

function valueOf(sentence: string, words: readonly Word[]): number {
  if (words.length < 2 || !isProse(sentence)) return 0;
  let value = Math.min(6, words.length) / 2;
  if (ownWords.test(sentence) || ownWordsElsewhere.test(sentence)) value += 2;
  if (turnWords.test(sentence)) value += 1.5;
  if (happened.test(sentence)) value += 1.5;
  if (intends.test(sentence)) value -= 1.5;
  if (/\d/u.test(sentence)) value += 1;
  value += Math.min(2, words.filter((word) => /^\p{Lu}/u.test(word.shown)).length * 0.5);
  if (asks.test(sentence) || /[?？]$/u.test(sentence)) value -= 1.5;
  if (smallTalk.test(sentence)) value -= 1;
  return value;
}

/** Rejects pasted tables, formulas and templates. */
function isProse(sentence: string): boolean {
  const others = sentence.replaceAll(/[\p{L}\p{M}\s]+/gu, "").length;
  return others <= sentence.length * mostOthers && !sentence.includes("(((") && !/\p{Lu}{6,}/u.test(sentence);
}

const mostOthers = 0.2;

/** A candidate keyword: a word or a collocation, with its score. */
interface Term {
  readonly shown: string;
  readonly score: number;
}

interface Counted {
  shown: string;
  /** Its uses, where small talk counts less. */
  mass: number;
  uses: number;
  readonly order: number;
}

/**
 * Scores the words in a text: damped term frequency (Salton and Buckley 1988). Words that nearly always occur side by
 * side form one keyword (collocations; Church and Hanks 1990).
 */
class TermScores {
  readonly #words = new Map<string, Counted>();
  readonly #pairs = new Map<string, Counted>();

  add({ text, words }: Utterance): void {
    let before: { readonly word: Word; readonly end: number } | undefined;
    let from = 0;
    for (const word of words) {
      const at = text.indexOf(word.shown, from);
      const start = at < 0 ? from : at;
      this.#count(this.#words, word.key, word.shown, talkWords.has(word.shown.toLowerCase()) ? talkFactor : 1);
      if (before !== undefined && at >= 0 && text.slice(before.end, start) === " ")
        this.#count(this.#pairs, `${before.word.key} ${word.key}`, `${before.word.shown} ${word.shown}`, 1);
      from = start + word.shown.length;
      before = at < 0 ? undefined : { word, end: from };
    }
  }

  /** The best terms first. */
  top(most: number): readonly Term[] {
    const ranked = [...this.#words]
      .map(([key, { shown, mass, order }]) => ({ key, shown, order, score: Math.log1p(mass) }))
      .toSorted((a, b) => b.score - a.score || a.order - b.order)
      .slice(0, most * 2);
    const partners = this.#partners(new Map(ranked.map((word, index) => [word.key, index])));
    const taken = new Set<string>();
    const terms: Term[] = [];
    for (const { key, shown, score } of ranked) {
      if (taken.has(key) || terms.length >= most) continue;
      const pair = partners.get(key);
      const together = pair === undefined || pair.keys.some((one) => taken.has(one)) ? undefined : pair;
      for (const one of together?.keys ?? [key]) taken.add(one);
      terms.push({ shown: together?.shown ?? shown, score });
    }
    return terms;
  }

  /** The collocation each word belongs to, if any. */
  #partners(
    ranks: ReadonlyMap<string, number>,
  ): ReadonlyMap<string, { readonly shown: string; readonly keys: readonly string[] }> {
    const found = new Map<string, { readonly shown: string; readonly keys: readonly string[] }>();
    const pairs = [...this.#pairs]
      .filter(([key]) => ranks.has(key.slice(0, key.indexOf(" "))))
      .map(([key, counted]) => ({ ...counted, keys: key.split(" ") }))
      .filter(({ keys }) => keys.every((one) => ranks.has(one)) && keys[0] !== keys[1])
      .toSorted((a, b) => b.uses - a.uses || a.order - b.order);
    for (const { keys, shown, uses } of pairs) {
      if (keys.some((one) => found.has(one))) continue;
      const fewest = least(keys.map((one) => this.#words.get(one)?.uses ?? 0));
      const named = /^\p{Lu}\S* \p{Lu}/u.test(shown);
      if (uses < (named ? 1 : 2) || uses < fewest * (named ? 0.5 : 0.7)) continue;
      for (const one of keys) found.set(one, { shown, keys });
    }
    return found;
  }

  #count(counts: Map<string, Counted>, key: string, shown: string, weight: number): void {
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { shown, mass: weight, uses: 1, order: counts.size });
    else {
      known.mass += weight;
      known.uses += 1;
      // A word that also occurs in lower case is not a name.
      if (known.shown !== shown && shown === shown.toLowerCase()) known.shown = shown;
    }
  }
}

/** Small talk counts less. */
const talkFactor = 0.4;

/** A section, and whether its heading names a topic or was pasted into a conversation. */
export interface ReadSection {
  readonly section: SourceSection;
  readonly heading: "given" | "pasted";
}

/**
 * Rejoins conversations that were split by headings pasted into them. An untyped section that follows a conversation in
 * the same log belongs to it if turns continue below its heading; otherwise it stays separate, but its heading does not
 * count as a topic name. An entry with keyed items is always its own section.
 */
export function withoutPasted(sections: readonly SourceSection[]): readonly ReadSection[] {
  const read: ReadSection[] = [];
  for (let index = 0; index < sections.length; index++) {
    const section = sections[index] as SourceSection;
    if (!isConversation(section)) {
      read.push({ section, heading: "given" });
      continue;
    }
    let behind = index + 1;
    while (behind < sections.length && mayBePasted(section, sections[behind] as SourceSection)) behind += 1;
    const pasted = sections.slice(index + 1, behind);
    const last = pasted.findLastIndex(goesOn);
    const joined = pasted.slice(0, last + 1);
    const lines = [section, ...joined].flatMap((one) => one.lines);
    read.push({ section: joined.length === 0 ? section : { ...section, lines }, heading: "given" });
    for (const one of pasted.slice(last + 1)) read.push({ section: one, heading: "pasted" });
    index = behind - 1;
  }
  return read;
}

function isConversation(section: SourceSection): boolean {
  return (section.topic === "" || isIdLike(section.topic)) && section.lines.some(({ text }) => isTurn(text));
}

function mayBePasted(conversation: SourceSection, section: SourceSection): boolean {
  return (
    section.log === conversation.log &&
    section.tagged === "untagged" &&
    hasOwnHeading(section) &&
    parseEntryComment(section.lines[1]?.text ?? "") === undefined &&
    !isTurn(section.lines.slice(1).find(({ text }) => text.trim() !== "")?.text ?? "") &&
    !section.lines.some(({ text }) => keyedItem.test(text))
  );
}

/** Whether the heading is neither that of a conversation nor the date of the log. */
function hasOwnHeading(section: SourceSection): boolean {
  const first = section.lines[0];
  if (section.topic !== "") return !isIdLike(section.topic);
  return first?.kind === "heading" && !/^#\s+\d{4}-\d\d-\d\d\s*$/u.test(first.text);
}

/** The form of entries: `- decisions: …`, `1. status: …`. */
const keyedItem =
  /^\s*(?:[-*+]|\d{1,9}[.)])\s+\**(?:request|decisions?|outcome|status|open|lessons?|result|todo|rule|why|how-to-apply)\**\s*:/iu;

function goesOn(section: SourceSection): boolean {
  return section.lines.some(({ text }) => isTurn(text));
}
