import { wordKeys } from "../../text/word-keys.ts";
import type { Said } from "./root-said.ts";
import type { RootTopic } from "./root-topics.ts";

/**
 * The statements of a topic that can stand for its state. Of a topic that nobody named, which was found in a conversation, these are what the
 * person said of themselves, then other statements; greetings and bare questions are no state of anything.
 */
export function factsFirst(topic: RootTopic, said: readonly Said[]): readonly Said[] {
  if (!isFound(topic)) return said;
  const facts = said.map(asFact).filter((one) => one !== undefined);
  const own = facts.filter(({ text }) => isOwn(text));
  return (own.length > 0 ? own : facts).toSorted((a, b) => tellingOf(b.text) - tellingOf(a.text));
}

/** Whether nobody named the topic, so that its name is no more than the words it was found by. */
export function isFound(topic: RootTopic): boolean {
  const named = topic.entries.length > 0 ? topic.entries : topic.details;
  return named.length > 0 && named.every(({ naming }) => naming === "found");
}

/** What is stated in a sentence: without its lead-in and without a question at its end. Undefined for a greeting or a bare question. */
function asFact(said: Said): Said | undefined {
  const text = said.text.replace(leadIn, "").replace(questionAtEnd, "").trim();
  if (/[?？]$/u.test(text) || asks.test(text) || wordKeys(text).size < 2) return undefined;
  const shown =
    /^\p{Ll}/u.test(text) && /^\p{Lu}/u.test(said.text) ? `${text[0]?.toUpperCase() ?? ""}${text.slice(1)}` : text;
  return { ...said, text: shown, keys: wordKeys(shown) };
}

const leadIn =
  /^(?:(?:hi|hello|hey|thanks(?: a lot| so much)?|thank you(?: so much)?|great|ok(?:ay)?|sure|wow|well|oh|안녕하세요|감사합니다|こんにちは|ありがとう(?:ございます)?|你好|谢谢)(?: there)?[,!.:—–。！，、]\s*|(?:so(?! far\b)|and|but|by the way|btw|also|anyway|actually)[,\s]\s*)+/iu;
const questionAtEnd =
  /[,;—–]\s*(?:(?:and|so|but)\s+)?(?:can|could|would|will|do|does|did|what|which|how|why|where|when|is|are|any|should)\b[^,;]*[?？]$/iu;
const asks =
  /^(?:can|could|would you|do you|does|did|what|which|how|why|where|when|is (?:it|there|this|that)|are there|any|should|please|tell me|help me|give me|suggest|recommend|I(?:'d like| want| need) you to|act (?:as|like)|(?:re)?write|explain|create|generate|translate|summari[sz]e|continue)\b/iu;
const ownWords = /\b(?:I|I'm|I've|my|mine|me|we|our)\b/iu;
const ownElsewhere = /나는|내가|제가|저는|나의|우리|私|僕|俺|我|우린|난\s/u;

const happened =
  /\b(?:bought|got|moved|started|adopted|attended|visited|joined|finished|booked|live|work|study|grew up|was born|married|allergic|diagnosed|decided|switched|planning|scheduled|signed up|own|my (?:wife|husband|partner|mother|mom|father|dad|sister|brother|son|daughter|friend|boss|doctor|vet|job|company|team|car|dog|cat|house|birthday))\b|이사|샀|키우|키워|일하|다니|결혼|예약|引っ越|買っ|飼っ|働い|住ん|始め|結婚|予約|搬|买了|养|工作|住在|结婚/iu;
const meant =
  /\b(?:I think|I guess|I see|I(?:'d| would) (?:like|love)|I(?:'m| am) (?:glad|not sure|worried|curious|interested|wondering|trying to)|I was wondering|I want you|I need you|I(?:'ll| will)|let me|thanks|like that|sounds)\b/iu;

/** How much a sentence says of the person: what happened and what they have tells more than what they think or wish; names and numbers tell more. */
function tellingOf(text: string): number {
  const names = text.match(/(?<=[\p{L},]\s)\p{Lu}[\p{L}]+/gu)?.length ?? 0;
  return (
    (happened.test(text) ? 2 : 0) +
    (/\d/u.test(text) ? 1 : 0) +
    Math.min(2, names) / 2 +
    Math.min(8, wordKeys(text).size) / 8 -
    (meant.test(text) ? 1.5 : 0)
  );
}

function isOwn(text: string): boolean {
  return ownWords.test(text) || ownElsewhere.test(text);
}
