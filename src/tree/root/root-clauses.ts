import { topicKey } from "../../base/memory-type.ts";
import { withoutMarks } from "../../text/redact/span.ts";
import { wordKeys } from "../../text/word-keys.ts";

/** Characters of one keyword of an index line. */
const longestClause = 42;

/** A statement as short clauses that can stand as keywords: whole words, no commas, without what every sentence has. */
export function clausesOf(statement: string, topic: string): readonly string[] {
  const flat = withoutMarks(statement, () => ";")
    .replaceAll(/(?<=\d),(?=\d{3}(?!\d))/gu, " ")
    .replaceAll(/["“”«»[\]]/gu, "")
    .replaceAll(/\s?[(,]\s?(\d{1,2})\)?(?=\s*(?:[,;.]|$))/gu, " $1");
  return flat
    .split(clauseBreak)
    .flatMap((clause) => piecesOf(bareClause(clause, topic)))
    .map((piece) => piece.trim())
    .filter((piece) => /[\p{L}\p{N}]/u.test(piece) && topicKey(piece) !== topicKey(topic));
}

const clauseBreak =
  /[;,()（）、，；。！？]|[.!?](?=\s|$)|(?<=[^\s\d]):(?=\s)|\s(?:–|—|-|→)\s|\s+(?:because|so that|since (?:it|he|she|they|we|I))\s/u;

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

const conjunctions: ReadonlySet<string> = new Set(
  "and but or while when where if unless until before after so than as that which who".split(" "),
);
const connectives: ReadonlySet<string> = new Set(
  "with without on at in for from by about over via into since to".split(" "),
);
const leading: ReadonlySet<string> = new Set("and but or so as that which who".split(" "));
const trailing: ReadonlySet<string> = new Set([
  ...conjunctions,
  ...connectives,
  "a",
  "an",
  "the",
  "of",
  "is",
  "are",
  "not",
]);

/** Pieces of at most 42 characters: a longer clause is parted in two near its middle, rather before a word that joins, and so on. */
function piecesOf(clause: string): readonly string[] {
  if (Array.from(clause).length <= longestClause) return [clause];
  const words = clause
    .split(/\s+/u)
    .filter((word) => !/^(?:a|an|the)$/iu.test(word))
    .flatMap(unspacedPieces);
  return parted(words)
    .map((piece) => withoutDangling(piece).join(" "))
    .filter((piece) => wordKeys(piece).size > 0);
}

function parted(words: readonly string[]): readonly (readonly string[])[] {
  if (sizeOf(words) <= longestClause || words.length < 2) return [words];
  const cuts = words.slice(1).map((word, index) => {
    const [before, after] = [sizeOf(words.slice(0, index + 1)), sizeOf(words.slice(index + 1))];
    return { at: index + 1, cost: Math.max(before, after) - joinedBy(word) };
  });
  const { at } = cuts.reduce((best, cut) => (cut.cost < best.cost ? cut : best));
  return [...parted(words.slice(0, at)), ...parted(words.slice(at))];
}

function sizeOf(words: readonly string[]): number {
  return Array.from(words.join(" ")).length;
}

/** How good a place before this word is to part a clause, in characters. */
function joinedBy(word: string): number {
  const lower = word.toLowerCase();
  if (/^(?:i|we|he|she|they)$/u.test(lower)) return 14;
  return conjunctions.has(lower) ? 16 : connectives.has(lower) ? 10 : 0;
}

function withoutDangling(words: readonly string[]): readonly string[] {
  let [from, to] = [0, words.length];
  while (from < to && leading.has((words[from] ?? "").toLowerCase())) from += 1;
  while (to > from && trailing.has((words[to - 1] ?? "").toLowerCase())) to -= 1;
  return words.slice(from, to);
}

/** A long run without spaces is parted behind its endings in Hiragana, and at the latest at forty. */
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
