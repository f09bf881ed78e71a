import * as W from "./lexicon.ts";
import type { Role } from "../../base/summary-line.ts";

export class Seen {
  length = 0;
  letters = 0;
  words = 0;
  /** Function words. */
  function = 0;
  /** Capitalized words other than the first. */
  names = 0;
  identifiers = 0;
  numbers = 0;
  digits = 0;
  quantities = 0;
  quotes = 0;
  brackets = 0;
  /** A hash of the function words, talk words and cues in order, and their number. */
  shape = 0;
  shaped = 0;
  symbols = 0;
  /** Runs without a space that are not text. */
  blobs = 0;
  /** Characters of scripts without spaces. */
  glyphs = 0;
  /** One bit per kind of the lexicon: cues, other kinds among the first words, and other kinds after them. */
  cues = 0;
  first = 0;
  later = 0;
  asks = 0;
  /** Words about the speaker, words addressing someone, and words of general advice. */
  own = 0;
  yours = 0;
  generic = 0;
  /** Whether it begins with a word that refers to something said before; whether it begins mid-sentence. */
  refers = 0;
  broken = 0;
  /** Whether it begins with a list marker, a heading or emphasis. */
  listed = 0;
  /** The position of the last money sign. */
  money = -2;
  code = 0;
}

/** The worth of a unit alone; higher means more informative. Most values are between -3 and 5. */
export function worthOf(seen: Seen, speaker: Role): number {
  const says = isRecord(seen, speaker) ? -RECORD : told(seen, speaker);
  const lacks = 0.5 * seen.refers + 0.8 * seen.broken;
  return BY_SPEAKER[speaker] + says - idle(seen) - noise(seen) - general(seen, speaker) - lacks - longWinded(seen);
}

/** Queries are more often about what users said than about what they were told, and least often about tool output. */
const BY_SPEAKER: Readonly<Record<Role, number>> = { user: 1, assistant: 0, system: 0, tool: -0.5 };

/**
 * Fields and values, calls and markup: more quotes, brackets and signs than a sentence of that many words would have. In tool output, also log lines.
 * Their words do not count as cues.
 */
function isRecord({ quotes, brackets, symbols, words, glyphs, digits }: Seen, speaker: Role): boolean {
  if (speaker === "tool" && digits >= LOGGED) return true;
  const marks = quotes + brackets + symbols;
  return marks > 4 && marks * 4 > (words + glyphs) * 3;
}

const RECORD = 2;
/** The number of digits in a date with a time to the second. */
const LOGGED = 10;

/** The penalty for advice and general knowledge. */
function general(seen: Seen, speaker: Role): number {
  const own = speaker === "user" ? 0.35 * Math.min(1, seen.own) : 0;
  const listed = speaker === "assistant" ? 0.5 * seen.listed : 0;
  return 0.35 * Math.min(3, seen.generic) + 0.35 * Math.min(2, seen.yours) + listed - own;
}

/** The penalty for length. */
function longWinded(seen: Seen): number {
  const length = seen.length + seen.glyphs;
  return length <= 100 ? 0 : (length - 100) / 80;
}

function told(seen: Seen, speaker: Role): number {
  const traits =
    0.45 * Math.min(2, seen.names) +
    0.35 * Math.min(2, seen.identifiers) +
    0.7 * Math.min(2, seen.quantities) +
    0.25 * Math.min(2, seen.numbers) +
    (seen.quotes > 1 ? 0.4 : 0);
  return Math.min(speaker === "tool" ? MOST_OF_OUTPUT : MOST_TRAITS, traits) + cueWorth(seen.cues);
}

/** A catalog of names and numbers is worth no more than a sentence with a few of them; tool output is full of them. */
const MOST_TRAITS = 1.2;
const MOST_OF_OUTPUT = 0.6;

function cueWorth(cues: number): number {
  let count = 0;
  for (let bits = cues >>> W.FIRST_CUE; bits !== 0; bits &= bits - 1) count += 1;
  const strong = (cues & STRONG) === 0 ? 0 : 0.6;
  return count === 0 ? 0 : strong + 0.5 + 0.4 * Math.min(3, count);
}

const STRONG = (1 << W.DECISION) | (1 << W.PREFERENCE) | (1 << W.OBLIGATION) | (1 << W.CAUSE) | (1 << W.CHANGE);
const PLEASANT = 1 << W.PLEASANTRY;
const OFFERS = 1 << W.OFFERING;
const ASKS = 1 << W.ASKING;

/** The penalty for greetings, offers of help, questions, and text too short to say anything. */
function idle(seen: Seen): number {
  const either = seen.first | seen.later;
  let idle = 0;
  if ((seen.first & PLEASANT) !== 0) idle += 1.4;
  else if ((seen.later & PLEASANT) !== 0) idle += 0.5;
  if ((either & OFFERS) !== 0) idle += (seen.first & OFFERS) !== 0 ? 1 : 0.5;
  if (seen.asks !== 0) idle += 1.5;
  else if ((seen.first & ASKS) !== 0) idle += 0.3;
  const size = seen.words + seen.glyphs / 2;
  if (size < 5) idle += 0.5 * (5 - size);
  return idle;
}

/** The penalty for code, logs, tables and encoded data. */
function noise(seen: Seen): number {
  let noise = seen.code * 3 + Math.min(2, seen.blobs) * 2;
  const length = Math.max(12, seen.length);
  if (seen.symbols > length * 0.03) noise += 0.6;
  if (seen.symbols > length * 0.06) noise += 0.8;
  if (seen.digits > length * 0.2) noise += 1.2;
  if (seen.function === 0 && seen.glyphs === 0 && seen.words > 5) noise += 0.6;
  if (seen.numbers + seen.identifiers > 6) noise += 0.8;
  return noise;
}
