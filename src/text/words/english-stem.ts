/*
 * The stem of an English word by M. F. Porter, "An algorithm for suffix stripping" (Program 14 no. 3, 1980), whose stems the index has too: a word
 * that the index finds is found in its text by the same rule.
 */

const consonant = "[^aeiou]";
const vowel = "[aeiouy]";
const consonants = `${consonant}[^aeiouy]*`;
const vowels = `${vowel}[aeiou]*`;
const moreThan0 = new RegExp(`^(?:${consonants})?${vowels}${consonants}`, "u");
const exactly1 = new RegExp(`^(?:${consonants})?${vowels}${consonants}(?:${vowels})?$`, "u");
const moreThan1 = new RegExp(`^(?:${consonants})?${vowels}${consonants}${vowels}${consonants}`, "u");
const hasVowel = new RegExp(`^(?:${consonants})?${vowel}`, "u");
const shortEnd = new RegExp(`^${consonants}${vowel}[^aeiouwxy]$`, "u");
const doubled = /([^aeiouylsz])\1$/u;

/** By their last letter, the longest first. */
type Endings = ReadonlyMap<string, readonly (readonly [ending: string, becomes: string])[]>;

const step2: Endings = pairs(
  "ational ate tional tion enci ence anci ance izer ize bli ble alli al entli ent eli e ousli ous ization ize ation ate ator ate alism al " +
    "iveness ive fulness ful ousness ous aliti al iviti ive biliti ble logi log",
);
const step3: Endings = pairs("icate ic ative _ alize al iciti ic ical ic ful _ ness _");
const step4: Endings = pairs(
  "ement _ ment _ ance _ ence _ able _ ible _ ant _ ent _ ism _ ate _ iti _ ous _ ive _ ize _ al _ er _ ic _ ou _",
);

function pairs(list: string): Endings {
  const words = list.split(" ");
  const all = words
    .flatMap((word, index) => (index % 2 === 0 ? [[word, (words[index + 1] ?? "").replace("_", "")] as const] : []))
    .toSorted(([a], [b]) => b.length - a.length);
  return Map.groupBy(all, ([ending]) => ending.slice(-1));
}

/** The stem of a word in lower case; a word with other letters than `a` to `z`, or of less than three or more than 64, is its own. */
export function englishStem(word: string): string {
  if (word.length < 3 || word.length > 64 || !/^[a-z]+$/u.test(word)) return word;
  // A y that begins a word is a consonant.
  const first = word.startsWith("y");
  let stem = withoutPlural(first ? `Y${word.slice(1)}` : word);
  stem = withoutPast(stem);
  if (stem.endsWith("y") && hasVowel.test(stem.slice(0, -1))) stem = `${stem.slice(0, -1)}i`;
  stem = replaced(stem, step2, moreThan0);
  stem = replaced(stem, step3, moreThan0);
  stem = withoutFourth(stem);
  stem = withoutE(stem);
  return first ? `y${stem.slice(1)}` : stem;
}

function withoutPlural(word: string): string {
  if (/(?:sses|ies)$/u.test(word)) return word.slice(0, -2);
  return /[^s]s$/u.test(word) ? word.slice(0, -1) : word;
}

function withoutPast(word: string): string {
  if (word.endsWith("eed")) return moreThan0.test(word.slice(0, -3)) ? word.slice(0, -1) : word;
  const bare = /(?:ed|ing)$/u.test(word) ? word.replace(/(?:ed|ing)$/u, "") : word;
  if (bare === word || !hasVowel.test(bare)) return word;
  if (/(?:at|bl|iz)$/u.test(bare)) return `${bare}e`;
  if (doubled.test(bare)) return bare.slice(0, -1);
  return shortEnd.test(bare) ? `${bare}e` : bare;
}

function replaced(word: string, endings: Endings, when: RegExp): string {
  const found = endings.get(word.slice(-1))?.find(([ending]) => word.endsWith(ending));
  if (found === undefined) return word;
  const bare = word.slice(0, -found[0].length);
  return when.test(bare) ? bare + found[1] : word;
}

function withoutFourth(word: string): string {
  if (/[st]ion$/u.test(word)) return moreThan1.test(word.slice(0, -3)) ? word.slice(0, -3) : word;
  return replaced(word, step4, moreThan1);
}

function withoutE(word: string): string {
  let stem = word;
  if (stem.endsWith("e")) {
    const bare = stem.slice(0, -1);
    if (moreThan1.test(bare) || (exactly1.test(bare) && !shortEnd.test(bare))) stem = bare;
  }
  return stem.endsWith("ll") && moreThan1.test(stem) ? stem.slice(0, -1) : stem;
}
