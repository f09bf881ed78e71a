/**
 * Whether a value looks random, so that the same text elsewhere can hardly be anything else. Words with numbers, versions, and names of hosts, branches,
 * products, tables or code do not.
 */
export function looksRandom(value: string): boolean {
  if (value.length < 10 || value.endsWith("=") || /\s|[(){}<>[\]"'`]|:\/\/|-----|=./u.test(value)) return false;
  if (hasSignWithin(value)) return true;
  const hex = value.replaceAll("-", "");
  if (/^[0-9a-f]+$/iu.test(hex)) return hex.length >= 32;
  return value.split(/[^\p{L}\p{N}]+/u).some(isRandomRun) || isBase64(value);
}

/** Capitals, small letters and digits around a sign that names do not have there. */
function hasSignWithin(value: string): boolean {
  if (!/[\p{L}\p{N}][!%&*^$#?~]+\S*[\p{L}\p{N}]/u.test(value) || !isMixed(value) || hasLongNumber(value)) return false;
  if (wordShare(value) < fewWords && changes(value) >= 0.4) return true;
  return value.length >= 12 && /[!%&*]/u.test(value) && numbersIn(value) >= 2;
}

/** Letters and digits in one run that change as they do in random text. */
function isRandomRun(run: string): boolean {
  if (/^\d+$/u.test(run)) return run.length >= 16;
  if (run.length < 10 || /^[0-9a-f]+$/iu.test(run)) return false;
  if (run.length >= 16 && numbersIn(run) >= 3 && changes(run) >= 0.4 && wordShare(run) < 0.65) return true;
  if (run.length >= 16 && wordShare(run) < 0.5)
    return numbersIn(run) >= 2 || (isBothCases(run) && changes(run) >= (isMixed(run) ? 0.3 : 0.42));
  const least = numbersIn(run) >= 2 ? 0.45 : 0.55;
  return isMixed(run) && !hasLongNumber(run) && changes(run) >= least && wordShare(run) < fewWords;
}

function isBase64(value: string): boolean {
  return /^[A-Za-z0-9+/]{24,}$/u.test(value) && isMixed(value) && wordShare(value) < fewWords;
}

function isMixed(text: string): boolean {
  return isBothCases(text) && /\d/u.test(text);
}

function isBothCases(text: string): boolean {
  return /\p{Lu}/u.test(text) && /\p{Ll}/u.test(text);
}

/** A year or the number of a model. */
function hasLongNumber(text: string): boolean {
  return /\d{4}/u.test(text);
}

function numbersIn(text: string): number {
  return text.match(/\d+/gu)?.length ?? 0;
}

/** How often letters of either case and digits take turns. */
function changes(text: string): number {
  return (text.match(fragment)?.length ?? 0) / text.replaceAll(/[^\p{L}\p{N}]/gu, "").length;
}

/** The part of the letters that are in fragments like words. */
function wordShare(text: string): number {
  const fragments = text.match(fragment)?.filter((one) => !/^\d/u.test(one)) ?? [];
  const letters = fragments.join("").length;
  const inWords = fragments.filter(isWordLike).join("").length;
  return letters === 0 ? 0 : inWords / letters;
}

const fewWords = 0.4;
const fragment = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[^\P{L}\p{Lu}]+|\d+/gu;

/** A short word of code, or at least three letters, a vowel among them, and no two that words hardly have side by side. */
function isWordLike(one: string): boolean {
  if (/[^\p{ASCII}]/u.test(one)) return one.length >= 3;
  const letters = one.toLowerCase();
  if (/^(?:by|id|in|of|on|or|to)$/u.test(letters)) return true;
  if (letters.length < 3 || !/[aeiouy]/u.test(letters)) return false;
  return [...letters].every((letter, at) => at === 0 || pairs[letters.charAt(at - 1)]?.includes(letter) === true);
}

/** The letters that are common after each letter in words. */
const pairs: Readonly<Record<string, string>> = {
  a: "bcdfgiklmnprstuvwyx",
  b: "aeilorsuyj",
  c: "aehikloqrtucsy",
  d: "aeiorsudyg",
  e: "abcdefgilmnoprstuvwxyekh",
  f: "aefiklorstu",
  g: "aeghilnorusr",
  h: "aeiortyun",
  i: "abcdefglmnoprstvzkxe",
  j: "aeous",
  k: "aeilnsyubo",
  l: "adefiklmostuvycp",
  m: "abeimopsuy",
  n: "acdefghiklmnorstuvyx",
  o: "abcdfgiklmnoprstuvwoex",
  p: "aehiloprstuy",
  q: "ul",
  r: "acdegiklmnorstuvybpfv",
  s: "aceiklmopstuhywnqr",
  t: "aehiorstuwylcmgf",
  u: "abcdegilmnprstxf",
  v: "aeio",
  w: "aehinorsl",
  x: "aptiecy",
  y: "esoptlmnab",
  z: "aeioz",
};
