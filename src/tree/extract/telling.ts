import type { Passage, Role, SourceSection } from "../../base/passage.ts";
import { roleTold, type Item } from "./items.ts";
import type { SaidLine } from "../../text/extract/keywords.ts";
import { passageOf, refOf } from "./passage-of.ts";
import { longestText, sentencesOf, tidy } from "../../text/extract/sentences.ts";
import { contentWords } from "../../text/extract/words.ts";

/** A line of a summary in the making: a text within its length, and the lines it comes from. */
interface Told {
  readonly role: Role;
  readonly text: string;
  readonly weight: number;
  readonly number: number;
  readonly to: number;
}

/** The line that an item's keywords are taken from: what was decided, done and learned weighs more. */
export function saidIn(item: Item): SaidLine {
  const weight = item.role === "note" ? 1 : item.role === "open" ? 1.2 : 1.6;
  return { text: item.text, weight };
}

const unnamed: Pick<Passage, "topic" | "progress"> = { topic: "", progress: "active" };

/** What is told of the items, under a topic when it is known. */
export function detailsOf(
  section: SourceSection,
  items: readonly Item[],
  { topic, progress } = unnamed,
): readonly Passage[] {
  const uses = items.some((item) => item.text.length > longestText) ? usesOf(items) : new Map<string, number>();
  const details: Passage[] = [];
  for (const item of items)
    for (const told of toldOf(item, uses))
      details.push({
        ...passageOf(section, told.role, topic),
        text: told.text,
        refs: [refOf(section, told)],
        progress,
        weight: told.weight,
      });
  return details;
}

/** How often each word stands in a section, in a form for looking up. */
type WordUse = ReadonlyMap<string, number>;

/** The words of all items. */
function usesOf(items: readonly Item[]): WordUse {
  const uses = new Map<string, number>();
  for (const item of items) for (const { key } of contentWords(item.text)) uses.set(key, (uses.get(key) ?? 0) + 1);
  return uses;
}

/** What says the role of a sentence in front of it. */
const label = /^(?:todo|to do|lessons?(?: learned)?|learned|TIL|next steps?|open questions?)\s*[:：]\s*/iu;

/** Characters of a paragraph for each of its sentences that is told. */
const charactersForSentence = 220;

/** What is told of an item: the whole, when it is short; of a long paragraph its best sentences, each with its own lines. */
function toldOf(item: Item, uses: WordUse): readonly Told[] {
  const { role, number, to } = item;
  const whole = tidy(item.text);
  const value = item.weight + (/\d/u.test(whole) ? 0.3 : 0) + (/https?:\/\//u.test(whole) ? 0.5 : 0);
  const texts = sentencesOf(item.text);
  if (texts.length < 2) return [{ role, text: whole, weight: value, number, to }];
  const roles = texts.map((text) => (item.keyed === "free" ? roleTold(text) : undefined));
  if (item.text.length <= longestText && roles.every((own) => own === roles[0]))
    return [{ role, text: whole, weight: value, number, to }];
  const sentences = placed(texts, item);
  const free = sentences.filter((_, index) => roles[index] === undefined);
  const told = sentences.flatMap((sentence, index): readonly Told[] => {
    const own = roles[index];
    return own === undefined
      ? []
      : [
          {
            ...sentence,
            role: own,
            text: tidy(sentence.text.replace(label, "")),
            weight: own === "decision" ? 2.5 : 2,
          },
        ];
  });
  const rest = item.keyed === "free" && roles.some((own) => own !== undefined) ? "note" : role;
  return [...told, ...bestOf(free, { uses, role: rest, weight: rest === role ? item.weight : 1 })].toSorted(
    (a, b) => a.number - b.number,
  );
}

/** The best sentences, as many as their length allows, in their order. */
function bestOf(
  sentences: readonly Placed[],
  as: { readonly uses: WordUse; readonly role: Role; readonly weight: number },
): readonly Told[] {
  const length = sentences.reduce((sum, { text }) => sum + text.length, 0);
  return sentences
    .map((sentence) => ({ ...sentence, worth: worthOf(sentence.text, as.uses) }))
    .toSorted((a, b) => b.worth - a.worth || a.order - b.order)
    .slice(0, Math.ceil(length / charactersForSentence))
    .toSorted((a, b) => a.order - b.order)
    .map(({ text, worth, number, to }) => ({
      role: as.role,
      text: tidy(text),
      weight: as.weight + Math.min(1.2, worth / 5),
      number,
      to,
    }));
}

interface Placed {
  readonly text: string;
  readonly order: number;
  readonly number: number;
  readonly to: number;
}

/** The sentences of an item, each with the lines in which it stands. */
function placed(texts: readonly string[], item: Item): readonly Placed[] {
  const starts: number[] = [];
  let length = -Math.max(
    0,
    item.parts.map((part, index) => (index === 0 ? part.text : part.text.trim())).join(" ").length - item.text.length,
  );
  for (const [index, part] of item.parts.entries()) {
    starts.push(length);
    length += (index === 0 ? part.text : part.text.trim()).length + 1;
  }
  const partAt = (at: number): number =>
    Math.max(
      0,
      starts.findLastIndex((start) => start <= at),
    );
  let from = 0;
  return texts.map((text, order) => {
    const at = Math.max(from, item.text.indexOf(text, from));
    from = at + text.length;
    const [first, last] = [item.parts[partAt(at)], item.parts[partAt(from - 1)]];
    return { text, order, number: first?.number ?? item.number, to: last?.to ?? item.to };
  });
}

const deciding =
  /\b(?:decided|agreed|chose|moved|switched|bought|started|stopped|changed|cancel\w*|prefer\w*|because|instead|no longer|deadline|must|never|always|paid|signed|broke|failed|fixed|shipped)\b|결정|하기로|때문|마감|변경|決|ことに|締切|変更|理由|决定|改为|因为|截止/iu;
const firstPerson = /\b(?:I|my|we|our)\b|나는|내가|제가|저는|우리|私|僕|我/u;

/**
 * What a sentence is worth: facts (numbers, names, what was decided and why), what people say of themselves, and how much its words are those of the
 * whole section (the first step of TextRank, Mihalcea and Tarau 2004: the degree of a sentence in the graph of shared words).
 */
function worthOf(sentence: string, uses: WordUse): number {
  const words = contentWords(sentence);
  if (words.length < 2) return 0;
  const shared = words.reduce((sum, { key }) => sum + Math.min(4, (uses.get(key) ?? 1) - 1), 0);
  let value = Math.min(6, words.length) / 3 + Math.min(2, (2 * shared) / (words.length + 2));
  if (/\d/u.test(sentence)) value += 1;
  value += Math.min(1.5, words.filter(({ shown }, at) => at > 0 && /^\p{Lu}|[a-z][A-Z]|_/u.test(shown)).length * 0.5);
  if (deciding.test(sentence)) value += 1.5;
  if (firstPerson.test(sentence)) value += 0.5;
  if (/[?？]$/u.test(sentence)) value -= 1;
  return sentence.length > longestText ? value - 1 : value;
}
