import { wordKeys } from "../base/word-keys.ts";
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
  return own.length > 0 ? own : facts;
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
  /^(?:(?:hi|hello|hey|thanks(?: a lot| so much)?|thank you(?: so much)?|great|ok(?:ay)?|sure|wow|well|oh|안녕하세요|감사합니다|こんにちは|ありがとう(?:ございます)?|你好|谢谢)(?: there)?[,!.:—–。！，、]\s*|(?:so(?! far\b)|by the way|btw|also|anyway|actually)[,\s]\s*)+/iu;
const questionAtEnd =
  /[,;—–]\s*(?:(?:and|so|but)\s+)?(?:can|could|would|will|do|does|did|what|which|how|why|where|when|is|are|any|should)\b[^,;]*[?？]$/iu;
const asks =
  /^(?:can|could|would you|do you|does|did|what|which|how|why|where|when|is (?:it|there|this|that)|are there|any|should|please|tell me|help me|give me|suggest|recommend)\b/iu;
const ownWords = /\b(?:I|I'm|I've|my|mine|me|we|our)\b/iu;
const ownElsewhere = /나는|내가|제가|저는|나의|우리|私|僕|俺|我|우린|난\s/u;

function isOwn(text: string): boolean {
  return ownWords.test(text) || ownElsewhere.test(text);
}
