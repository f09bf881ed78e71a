import { formWords, stopWords, talkWords } from "../../text/extract/stop-words.ts";
import { FOLDED } from "./codes.ts";
import { commonWords } from "./common-words.ts";
import { COMMON, FUNCTION_WORD, GENERAL, lexicon } from "./lexicon.ts";

const BITS = 14;
const MASK = 2 ** BITS - 1;
/** The kind in the lowest five bits, and the rest of the hash: one look for each word of a thread. */
const KIND_BITS = 31;
const ENTRIES = new Int32Array(2 ** BITS);

/** The hash of a word begins with its first unit and goes on with `hash * PRIME ^ unit`, all folded. */
export const PRIME = 0x01_00_01_93;

/** The hash of two characters of a script without spaces. */
export function hashOfPair(one: number, other: number): number {
  return (Math.imul(one, PRIME) ^ other) | 0;
}

/** What is said of the word with this hash in the lists; 0 when it is in none. */
export function kindOfWord(hash: number): number {
  const mixed = mix(hash);
  let at = mixed & MASK;
  for (let entry = ENTRIES[at] as number; entry !== 0; entry = ENTRIES[at] as number) {
    if (((entry ^ mixed) & ~KIND_BITS) === 0) return entry & KIND_BITS;
    at = (at + 1) & MASK;
  }
  return 0;
}

/** Words that differ in their last letter alone differ in few bits of the hash: here in all. */
function mix(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c_1b_3c_6d);
  return mixed ^ (mixed >>> 13);
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
  if (kindOfWord(hash) !== 0) return;
  const mixed = mix(hash);
  let at = mixed & MASK;
  while (ENTRIES[at] !== 0) at = (at + 1) & MASK;
  ENTRIES[at] = (mixed & ~KIND_BITS) | kind;
}

for (const [kind, words] of lexicon) for (const word of words.split(/\s+/u)) if (word !== "") learn(word, kind);
for (const word of stopWords) learn(word, FUNCTION_WORD);
for (const word of [...talkWords, ...formWords]) learn(word, GENERAL);
for (const word of commonWords.split(/\s+/u)) if (word !== "") learn(word, COMMON);
