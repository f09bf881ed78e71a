import { once } from "../../base/lines.ts";
import { greatest } from "../../base/lists.ts";
import type { TokenTest } from "./token-shapes.ts";

/** How strongly a name suggests a secret: after `password` almost any value counts, after `token` only random text does. */
export type Vouch = "password" | "secret" | "token";

/** How a value is written: in quotes, alone up to the end of its line, or within other text. */
export type Setting = "quoted" | "alone" | "amid";

const FILLER = /([xX*.#0_-])\1{5}/;
const STAND_IN =
  /example|placeholder|contrase[nñ]a|mot_de_passe|^(?:tu|su|ton|votre|deine?|sua|seu)_|change[-_]?(?:me|it)|your[-_]|redacted|dummy|sample|insert[-_]|replace[-_]|fixme|masked|hidden|-here|_here|\*{3}|\.{3}|…/i;
const STAND_IN_WORD =
  /^(?:my|your|the|a|db|user|test|new|old|some)?[-_ ]?(?:pass(?:word|wd|phrase)?|pwd|secret|token|(?:api|access|secret)[-_ ]?key|key|foo|bar|test|todo|1password|keepassxc?|lastpass|bitwarden|vault)[-_ ]?\d?$/i;
const REFERENCE =
  /^(?:\$[A-Za-z_][A-Za-z0-9_]*$|\$[({]|%[A-Za-z_]\w*%$|[{<[]|!?(?:Ref|Sub|secret|vault)\b|@\w+$)|\$\{|\{\{/;
const DEMAND = /^(?:min|max)[-_]?\d{1,3}[-_]?(?:char(?:acter)?s?|digits?|zeichen)$/i;
const CAPITALS = /^[A-Z]+(?:_[A-Z0-9]+)*$/;
const ALGORITHM =
  /^(?:argon2(?:id?|d)?|bcrypt|scrypt|pbkdf2|sha-?\d+|md5|base(?:32|58|64)|utf-?8|hs(?:256|512)|rs256|es256)/i;
const DIGEST = /^(?:sha(?:1|256|384|512)[-:]|md5[-:])/i;
const DATE = /^\d{4}-\d{2}-\d{2}(?:$|[T ])/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const CALL = /^[A-Za-z_$][\w$]*(?:(?:\.|::|->)[A-Za-z_$][\w$]*){0,8}[([]/;
const MEMBER = /^[A-Za-z_$][\w$]*(?:(?:\.|::|->)[A-Za-z_$][\w$]*){1,8}$/;
const WORD_PART = /^(?:[A-Za-z]{0,24}\d{0,4}|\d{1,14}|[A-Za-z]?\d{1,6}[A-Za-z]?)$/;

const VENDOR_TOKEN =
  /^(?:sk-(?:ant|proj|svcacct|admin)-|gh[pousr]_|github_pat_|glpat-|xox[abpr]-|npm_|hf_|AIza|[rs]k_live_|SG\.)[\w.-]{16}/;
const VERSION = /^[a-z]{2,8}\d{2}-/;
const MADE_UP = /fake|x{4}|abcd?e?f?[-_]?123|(?:^|[-_])test|test$/i;
const JOINED_WORD = /^(?:[A-Z]?[a-z]{1,20}\d{0,2}|[A-Z]{1,20}|\d{0,4})$/;
const WORD_WITH_NUMBER = /^(?:[A-Za-z]{3,24}|[A-Z][a-z]{2,24}(?:[-_.][A-Za-z]{2,24}){0,3}[-_.])\d{2,8}[!?$#*%&+]?$/;
const WORDY = /^(?=.{1,40}$)(?:.*[-_.])?[A-Za-z]?[a-z]{3,}(?:$|[-_.])/;
const PIECE = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g;
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ abcdefghijklmnopqrstuvwxyz";
const SENTENCE_WORD =
  /\b(?:a|an|and|are|at|be|by|enter|for|from|if|in|is|it|least|must|more|no|not|of|on|only|or|please|see|should|than|that|the|this|to|use|was|when|will|with|without|you|your|character|char|digit|letter|number|symbol|password|passphrase|passwort|zeichen|mindestens|caract[eè]re|minimum|maximum|min|max|length|required|valid|invalid|pass|passed|fail|failed|skipped|test|attempt|second|minute|hour|day|week|month|year|ago|step|version)s?\b/gi;

/** Whether the value is a placeholder: a filler, a variable, or a word that says so. */
export function isStandIn(value: string): boolean {
  return (
    FILLER.test(value) ||
    STAND_IN.test(value) ||
    STAND_IN_WORD.test(value) ||
    REFERENCE.test(value) ||
    CAPITALS.test(value) ||
    DEMAND.test(value) ||
    // Even a value with an alphabetical run can be a token if it starts like a vendor's token and mixes cases and digits.
    (hasAlphabetRun(value) && !(VENDOR_TOKEN.test(value) && /\d/.test(value.slice(12)) && isBothCases(value))) ||
    new Set(value).size <= 2
  );
}

/** Whether a value with such a name is a secret. */
export function isSecretValue(value: string, vouch: Vouch, setting: Setting): boolean {
  if (vouch !== "password" && !hasDigitOrIsMixed(value)) return false;
  if (isStandIn(value) || value.includes("://") || DIGEST.test(value) || DATE.test(value)) return false;
  // A call, an index or a member access: code that gets the value from elsewhere.
  const isCode = CALL.test(value) || (MEMBER.test(value) && isIdentifier(value));
  if (isCode && setting !== "quoted") return false;
  if (vouch === "password") return isPasswordLike(value, setting);
  if (UUID.test(value)) return true;
  return isRandomLike(value, vouch === "secret" && setting === "quoted" ? 8 : 12);
}

/** Whether a cookie's value identifies a session; it may be a UUID. */
export function isSessionId(value: string): boolean {
  return !isStandIn(value) && (UUID.test(value) || isRandomLike(value, 16));
}

/** Whether a value is random enough to be a secret on its own: no identifier, digest, UUID or ULID. */
export function isLoneRandom(value: string): boolean {
  return !isId(value) && !isStandIn(value) && !value.includes("://") && isRandomLike(value, 16);
}

/** Whether a value is a word with a number, such as `Winter2031` or `Winter-Sonne-31`: a password if a sentence announces one and ends with it. */
export function isWordWithNumber(value: string): boolean {
  return value.length >= 8 && WORD_WITH_NUMBER.test(value) && !ALGORITHM.test(value);
}

function isId(value: string): boolean {
  return UUID.test(value) || ULID.test(value) || DIGEST.test(value) || /^[0-9a-f]+$/i.test(value);
}

/** Whether a run can be the second part of a broken token: as random as a token, without a known form. */
export function isRestOfToken(run: string): boolean {
  if (run.length < 8 || isId(run)) return false;
  return run.length >= 40 ? changesOften(run) : isPayload(run) && !WORDY.test(run);
}

/** Whether quoted text after the name of a password is a passphrase: at least two words, with a digit, and not a sentence. */
export function isPassphrase(value: string): boolean {
  const words = value.split(/[ \t]+/).filter((word) => /[A-Za-z]/.test(word));
  if (words.length < 2 || value.length > 96 || !/\d/.test(value) || !/^\S.*\S$/.test(value)) return false;
  const plain = value.match(SENTENCE_WORD)?.length ?? 0;
  return plain < 2 && /^[ -~]+$/.test(value) && !isStandIn(value) && !value.includes("://");
}

/** Whether a token of a known form passes the test of its form. */
export function passes(token: string, tail: string, test: TokenTest): boolean {
  if (test === "any") return true;
  if (FILLER.test(tail)) return false;
  if (test === "unmasked") return true;
  if (test === "payload") return isPayload(tail);
  if (!/\d/.test(tail)) return false;
  return test === "digit" || (entropyOf(tail) >= 3 && !hasAlphabetRun(token));
}

/** Whether a token tail has two kinds of characters that alternate often: not words, and not made up for an example. */
function isPayload(whole: string): boolean {
  const tail = whole.replace(VERSION, "");
  const kinds = Number(/[a-z]/.test(tail)) + Number(/[A-Z]/.test(tail)) + Number(/\d/.test(tail));
  const parts = tail.split(/[-_.]/);
  if (parts.length > 1 && parts.every((part) => JOINED_WORD.test(part))) return false;
  return kinds >= 2 && !isStandIn(tail) && !MADE_UP.test(tail) && changesOften(tail);
}

/** Whether upper case, lower case and digits alternate as in random text. */
function changesOften(tail: string): boolean {
  const pieces = tail.match(PIECE) ?? [];
  const letters = pieces.join("").length;
  return pieces.length * (/\d/.test(tail) ? 4 : 3) >= letters && entropyOf(tail) >= 2.5;
}

function isPasswordLike(value: string, setting: Setting): boolean {
  if (value.length < 6 || ALGORITHM.test(value)) return false;
  if (/^\d+$/.test(value)) return setting !== "amid";
  const mixed = /[A-Za-z]/.test(value) && (/[^A-Za-z._\-/:,]/.test(value) || isMixedUp(value));
  return mixed && (setting !== "amid" || (hasDigitOrIsMixed(value) && !isIdentifier(value)));
}

function isRandomLike(value: string, least: number): boolean {
  if (/^\d+$/.test(value)) return value.length >= 15;
  const payload = greatest(value.split("_").map((part) => part.length));
  if (payload < least || value.length < least || isIdentifier(value)) return false;
  return hasDigitOrIsMixed(value) && /[A-Za-z]/.test(value) && entropyOf(value) >= 2.5;
}

/** Whether a value is words, numbers and short codes joined by separators: a name, not random text. */
function isIdentifier(value: string): boolean {
  const plain = value.normalize("NFD").replaceAll(/\p{M}/gu, "");
  return plain.split(/[-_./:\\@,+ ]/).every((part) => WORD_PART.test(part) && !isMixedUp(part));
}

function hasDigitOrIsMixed(value: string): boolean {
  return /\d/.test(value) || (value.length >= 16 && /^[A-Za-z+/=_-]+$/.test(value) && isMixedUp(value));
}

/** Whether letters and digits change too often for words: `ShaTDJbHoBPZ199`. */
function isMixedUp(part: string): boolean {
  return part.length >= 12 && (part.match(PIECE)?.length ?? 0) * 2.6 >= part.length;
}

function hasAlphabetRun(value: string): boolean {
  for (let at = 0; at + 10 <= value.length; at++) if (ALPHABET.includes(value.slice(at, at + 10))) return true;
  return false;
}

/** Shannon entropy in bits per character; all characters outside ASCII count as one. */
function entropyOf(value: string): number {
  let bits = 0;
  for (const { length } of Map.groupBy(value.replaceAll(/[^\0-\x7f]/g, "\x80"), (char) => char).values())
    bits -= (length / value.length) * Math.log2(length / value.length);
  return bits;
}

/**
 * Whether a value looks so random that the same text elsewhere is almost surely the same secret. Words with numbers,
 * versions, and names of hosts, branches, products, tables or code do not.
 */
export function looksRandom(value: string): boolean {
  if (value.length < 10 || value.endsWith("=") || /\s|[(){}<>[\]"'`]|:\/\/|-----|=./u.test(value)) return false;
  if (hasSignWithin(value)) return true;
  const hex = value.replaceAll("-", "");
  if (/^[0-9a-f]+$/iu.test(hex)) return hex.length >= 32;
  const isBase64 = /^[A-Za-z0-9+/]{24,}$/u.test(value) && isMixed(value) && wordShare(value) < fewWords;
  return value.split(/[^\p{L}\p{N}]+/u).some(isRandomRun) || isBase64;
}

/** Whether a value has upper case, lower case and digits around a sign that is unusual in names. */
function hasSignWithin(value: string): boolean {
  if (!/[\p{L}\p{N}][!%&*^$#?~]+\S*[\p{L}\p{N}]/u.test(value) || !isMixed(value) || yearOrModel.test(value))
    return false;
  if (wordShare(value) < fewWords && changes(value) >= 0.4) return true;
  return value.length >= 12 && /[!%&*]/u.test(value) && numbersIn(value) >= 2;
}

/** Whether letters and digits alternate in a run as in random text. */
function isRandomRun(run: string): boolean {
  if (/^\d+$/u.test(run)) return run.length >= 16;
  if (run.length < 10 || /^[0-9a-f]+$/iu.test(run)) return false;
  if (run.length >= 16 && numbersIn(run) >= 3 && changes(run) >= 0.4 && wordShare(run) < 0.65) return true;
  if (run.length >= 16 && wordShare(run) < 0.5)
    return numbersIn(run) >= 2 || (isBothCases(run) && changes(run) >= (isMixed(run) ? 0.3 : 0.42));
  const least = numbersIn(run) >= 2 ? 0.45 : 0.55;
  return isMixed(run) && !yearOrModel.test(run) && changes(run) >= least && wordShare(run) < fewWords;
}

function isMixed(text: string): boolean {
  return isBothCases(text) && /\d/u.test(text);
}

function isBothCases(text: string): boolean {
  return /\p{Lu}/u.test(text) && /\p{Ll}/u.test(text);
}

function numbersIn(text: string): number {
  return text.match(/\d+/gu)?.length ?? 0;
}

/** How often upper case, lower case and digits alternate, per character. */
function changes(text: string): number {
  return (text.match(fragment())?.length ?? 0) / text.replaceAll(/[^\p{L}\p{N}]/gu, "").length;
}

/** The share of letters in word-like fragments. */
function wordShare(text: string): number {
  const fragments = text.match(fragment())?.filter((one) => !/^\d/u.test(one)) ?? [];
  const letters = fragments.join("").length;
  const inWords = fragments.filter(isWordLike).join("").length;
  return letters === 0 ? 0 : inWords / letters;
}

const fewWords = 0.4;
const yearOrModel = /\d{4}/u;
const fragment = once(() => /\p{Lu}+(?!\p{Ll})|\p{Lu}?[^\P{L}\p{Lu}]+|\d+/gu);

/** Whether a fragment is a common short word, or at least three letters with a vowel and only common letter pairs. */
function isWordLike(one: string): boolean {
  if (/[^\p{ASCII}]/u.test(one)) return one.length >= 3;
  const letters = one.toLowerCase();
  if (/^(?:by|id|in|of|on|or|to)$/u.test(letters)) return true;
  if (letters.length < 3 || !/[aeiouy]/u.test(letters)) return false;
  return Array.from(letters.slice(1)).every((letter, at) => pairs().has(letters.charAt(at) + letter));
}

/** Groups of a letter and the letters that commonly follow it in words. */
const common =
  "abcdfgiklmnprstuvwyx baeilorsuyj caehikloqrtucsy daeiorsudyg eabcdefgilmnoprstuvwxyekh faefiklorstu " +
  "gaeghilnorusr haeiortyun iabcdefglmnoprstvzkxe jaeous kaeilnsyubo ladefiklmostuvycp mabeimopsuy " +
  "nacdefghiklmnorstuvyx oabcdfgiklmnoprstuvwoex paehiloprstuy qul racdegiklmnorstuvybpfv " +
  "saceiklmopstuhywnqr taehiorstuwylcmgf uabcdegilmnprstxf vaeio waehinorsl xaptiecy yesoptlmnab zaeioz";
const pairs = once(
  () => new Set(common.split(" ").flatMap(([first = "", ...next]) => next.map((letter) => first + letter))),
);
