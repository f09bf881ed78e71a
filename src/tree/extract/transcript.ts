import type { KeptLine } from "../../text/extract/noise.ts";
import { sentencesOf } from "../../text/extract/sentences.ts";
import { contentWords } from "../../text/extract/words.ts";

const turn =
  /^(?:\*\*)?(User|Human|You|Assistant|AI|Agent|System|Tool|사용자|어시스턴트|ユーザー|アシスタント|用户|助手)(?:\*\*)?\s*[:：](?:\*\*)?\s*/iu;
const userTurn = /^(?:\*\*)?(?:User|Human|You|사용자|ユーザー|用户)/iu;

/** Characters up to the colon behind a speaker's name. */
const longestSpeaker = 16;

export function isTurn(text: string): boolean {
  const first = text.charCodeAt(0);
  const colon = text.slice(0, longestSpeaker + 1).search(/[:：]/u);
  return first !== 32 && first !== 45 && colon > 0 && turn.test(text);
}

/** What a person said in a transcript, sentence by sentence, with the line it stands in. */
export interface Said {
  readonly number: number;
  readonly text: string;
  /** Larger says more about the person and the matter. */
  readonly value: number;
  /** How much its words count: those of facts that a person tells of himself more than those of a question. */
  readonly weight: number;
}

/** The person's sentences of a transcript; what an assistant recites is left to the raw log. */
export function saidByPerson(lines: readonly KeptLine[]): readonly Said[] {
  const said: Said[] = [];
  let speaker: "person" | "other" = "other";
  for (const line of lines) {
    const opens = isTurn(line.text);
    if (opens) speaker = userTurn.test(line.text) ? "person" : "other";
    if (speaker === "other") continue;
    const text = opens ? line.text.replace(turn, "") : line.text;
    for (const sentence of sentencesOf(text))
      said.push({ number: line.number, text: sentence, value: valueOf(sentence), weight: weightOf(sentence) });
  }
  return said;
}

const ownWords = /\b(?:I|my|mine|me|we|our)\b/i;
const ownWordsElsewhere = /나는|내가|제가|저는|우리|私|僕|我/;
const turnWords =
  /\b(?:bought|started|moved|decided|prefer|love|hate|allergic|live|work|study|married|born|changed|switched|cancel\w*|instead|no longer|actually|remember|birthday|appointment|deadline|deploy\w*)\b/iu;
const smallTalk = /^(?:thanks|thank you|that's|great|sounds|ok|okay|sure|hi|hello|wow|yes|no)\b/iu;
const asks = /^(?:can|could|would|do|does|did|what|which|how|why|where|when|is|are|any|should|please)\b/iu;

/** What was, more than what may be. */
const happened =
  /\b(?:I|we)(?:['’]ve| have| had)?(?: just| recently| finally| already| also)? (?:bought|got|started|finished|went|attended|visited|moved|made|took|found|met|sold|bought|joined|signed|planted|adopted|booked|ordered|read|watched|ran|won|lost|switched|tried|been)\b/iu;
const intends =
  /^(?:(?:oh|well|actually|yeah|okay|ok|also|and|so),? )*(?:I(?:['’]d| would) (?:like|love) (?:to|you)|I think I(?:['’]ll| will)|I(?:['’]ll| will)|I(?:['’]m| am) (?:thinking|wondering|looking)|I want you|let me|act as|please)\b/iu;

function valueOf(sentence: string): number {
  const words = contentWords(sentence);
  let value = Math.min(6, words.length) / 2;
  if (ownWords.test(sentence) || ownWordsElsewhere.test(sentence)) value += 2;
  if (turnWords.test(sentence)) value += 1.5;
  if (happened.test(sentence)) value += 1.5;
  if (intends.test(sentence)) value -= 1.5;
  if (/\d/u.test(sentence)) value += 1;
  value += Math.min(2, words.filter((word) => /^\p{Lu}/u.test(word.shown)).length * 0.5);
  if (asks.test(sentence) || /[?？]$/u.test(sentence)) value -= 1.5;
  if (smallTalk.test(sentence)) value -= 1;
  return words.length < 2 || !isProse(sentence) ? 0 : value;
}

/** Tables, formulas and templates that somebody pasted in are not said. */
function isProse(sentence: string): boolean {
  const letters = sentence.match(/[\p{L}\p{M}\s]/gu)?.length ?? 0;
  return letters >= sentence.length * leastLetters && !sentence.includes("(((") && !/\p{Lu}{6,}/u.test(sentence);
}

const leastLetters = 0.8;

const facts =
  /\bmy\b|\bI(?:['’](?:ve|d been|m)| have| had| was| am| got| went| bought| started| finished| just| recently| finally| live| work| own| use| used to| prefer| love| hate| moved| decided| need to)\b|나는|내가|제가|저는|私は|私の|僕は|我的|我在/;
const asked = /[?？]\s*$/u;

/** Words of a sentence longer than this are pasted in, not said. */
const longestSaid = 60;

function weightOf(sentence: string): number {
  let weight = 1;
  if (facts.test(sentence)) weight = 3;
  else if (ownWords.test(sentence) || ownWordsElsewhere.test(sentence)) weight = 1.5;
  if (asked.test(sentence)) weight *= 0.7;
  return sentence.split(" ", longestSaid + 1).length > longestSaid ? weight * 0.3 : weight;
}
