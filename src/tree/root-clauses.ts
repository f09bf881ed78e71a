import { topicKey } from "../base/memory-type.ts";
import { wordKeys } from "../base/word-keys.ts";

/** Characters of one keyword of an index line. */
const longestClause = 40;

/** A statement as short clauses that can stand as keywords: whole words, no commas, without what every sentence has. */
export function clausesOf(statement: string, topic: string): readonly string[] {
  const flat = statement
    .replaceAll(/\[REDACTED:[a-z0-9-]+\]/gu, ";")
    .replaceAll(/(?<=\d),(?=\d{3}(?!\d))/gu, " ")
    .replaceAll(/["“”«»[\]]/gu, "");
  return flat
    .split(clauseBreak)
    .flatMap((clause) => piecesOf(bareClause(clause, topic)))
    .map((piece) => piece.trim())
    .filter((piece) => /[\p{L}\p{N}]/u.test(piece) && topicKey(piece) !== topicKey(topic));
}

const clauseBreak =
  /[;,()（）、，；。！？「」]|[.!?](?=\s|$)|(?<=[^\s\d]):(?=\s)|\s(?:–|—|-|→)\s|\s+(?:because|so that|since (?:it|he|she|they|we|I))\s/u;

const lead =
  /^(?:(?:and|but|so|also|because|that|which|who|the user|user|I|I'm|I’m|I am|I've|we|we're|my|our|he|she|they|his|her|their|it|is|are|am|a|an|the|사용자는|사용자가|저는|나는|제|私は|僕は|我|我的)\s+|(?:私は|僕は|我是|我的))+/u;

/** A clause without pronouns and articles at its beginning, and without the topic's name where that is what it is about. */
function bareClause(clause: string, topic: string): string {
  const text = stripLead(clause.trim());
  const name = topicKey(topic);
  if (name === "" || !topicKey(text).startsWith(name)) return text;
  const rest = /^\s*(?:is now|are now|is|are|now|=|:|：|는|은|이|가|は|が|是)\s*(?=\S)(.*)$/su.exec(
    text.slice(topic.trim().length),
  );
  return rest === null ? text : stripLead((rest[1] ?? "").trim());
}

function stripLead(text: string): string {
  const lower = /^(?:I\b|[A-Z](?!\p{L}*[A-Z]))/u.test(text) ? `${text[0]?.toLowerCase() ?? ""}${text.slice(1)}` : text;
  const match = lead.exec(lower) ?? lead.exec(text);
  return match === null ? text : text.slice(match[0].length);
}

const connectives: ReadonlySet<string> = new Set(
  "with without on at in for from by about as and but or while when if unless until before after so than into over via to".split(
    " ",
  ),
);
const dangling: ReadonlySet<string> = new Set([
  ...connectives,
  "a",
  "an",
  "the",
  "of",
  "that",
  "which",
  "is",
  "are",
  "not",
]);

/** Pieces of at most forty characters: a longer clause is parted before words that join, else between words. */
function piecesOf(clause: string): readonly string[] {
  if (Array.from(clause).length <= longestClause) return [clause];
  const words = clause.split(/\s+/u).flatMap(unspacedPieces);
  const pieces: string[][] = [[]];
  let length = 0;
  for (const word of words) {
    const size = Array.from(word).length + 1;
    const parts = connectives.has(word.toLowerCase()) && length >= 14;
    if (length > 0 && (parts || length + size > longestClause)) {
      pieces.push([]);
      length = 0;
    }
    pieces.at(-1)?.push(word);
    length += size;
  }
  return pieces.map((piece) => withoutDangling(piece).join(" ")).filter((piece) => wordKeys(piece).size > 0);
}

function withoutDangling(words: readonly string[]): readonly string[] {
  let [from, to] = [0, words.length];
  const isDangling = (at: number): boolean => dangling.has((words[at] ?? "").toLowerCase());
  while (from < to && isDangling(from)) from += 1;
  while (to > from && isDangling(to - 1)) to -= 1;
  return words.slice(from, to);
}

/** A long run without spaces is parted behind its endings in Hiragana, and at the latest at forty characters. */
function unspacedPieces(word: string): readonly string[] {
  if (Array.from(word).length <= longestClause) return [word];
  if (!/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(word)) return [];
  const parts = word.split(/(?<=\p{Script=Hiragana})(?=[\p{Script=Han}\p{Script=Katakana}])/u);
  const pieces: string[] = [""];
  for (const part of parts.flatMap((one) => one.match(/.{1,40}/gsu) ?? [])) {
    const joined = `${pieces.at(-1) ?? ""}${part}`;
    if (Array.from(joined).length <= longestClause / 2) pieces[pieces.length - 1] = joined;
    else pieces.push(part);
  }
  return pieces.filter((piece) => piece !== "");
}
