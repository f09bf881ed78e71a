import { formWords, stopWords } from "../stop-words.ts";
import { talkWords } from "../talk-words.ts";
import { FOLDED } from "./codes.ts";
import { commonWords } from "./common-words.ts";
import { COMMON, FUNCTION_WORD, GENERAL, lexicon } from "./lexicon.ts";

const BITS = 15;
const MASK = 2 ** BITS - 1;
const HASHES = new Int32Array(2 ** BITS);
const KINDS = new Uint8Array(2 ** BITS);

/** The hash of a word begins with its first unit and goes on with `hash * PRIME ^ unit`, all folded. */
export const PRIME = 0x01_00_01_93;

/** The hash of two characters of a script without spaces. */
export function hashOfPair(one: number, other: number): number {
  return (Math.imul(one, PRIME) ^ other) | 0;
}

/** What is said of the word with this hash in the lists; 0 when it is in none. */
export function kindOfWord(hash: number): number {
  let at = (hash ^ (hash >>> BITS)) & MASK;
  for (let kind = KINDS[at] as number; kind !== 0; kind = KINDS[at] as number) {
    if (HASHES[at] === hash) return kind;
    at = (at + 1) & MASK;
  }
  return 0;
}

/** The hash of a whole word, as the pass over a text makes it. */
export function hashOfWord(word: string): number {
  let hash = 0;
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at);
    hash = (Math.imul(hash, PRIME) ^ ((FOLDED[code] as number) || code)) | 0;
  }
  return hash;
}

function learn(word: string, kind: number): void {
  const hash = hashOfWord(word);
  let at = (hash ^ (hash >>> BITS)) & MASK;
  while (KINDS[at] !== 0) {
    if (HASHES[at] === hash) return;
    at = (at + 1) & MASK;
  }
  HASHES[at] = hash;
  KINDS[at] = kind;
}

for (const [kind, words] of lexicon) for (const word of words.split(/\s+/u)) if (word !== "") learn(word, kind);
for (const word of stopWords) learn(word, FUNCTION_WORD);
for (const word of [...talkWords, ...formWords]) learn(word, GENERAL);
for (const word of commonWords.split(/\s+/u)) if (word !== "") learn(word, COMMON);
