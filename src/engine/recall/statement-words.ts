import { partKey, rawWords, termOf } from "../../recall/words/stored-words.ts";
import { isFunctionWord, partsOf } from "../../recall/words/index.ts";
import type { IndexTerm } from "../../ports/search-index.ts";

/** Statements are read again and again in a process that is asked again and again; forgetting their words changes no result. */
const knownStatements = new Map<string, readonly string[]>();
const mostStatements = 20_000;

/** The words of a statement as the index knows them, function words aside, and its parts of words. */
export function statementWords(text: string): readonly string[] {
  const found = knownStatements.get(text);
  if (found !== undefined) return found;
  if (knownStatements.size >= mostStatements) knownStatements.clear();
  const words = wordsOf(text);
  knownStatements.set(text, words);
  return words;
}

function wordsOf(text: string): readonly string[] {
  const words: string[] = [];
  for (const word of rawWords(text)) {
    const term = knownTerm(word);
    if (term !== "") words.push(term);
  }
  const parts = partsOf(text);
  return parts === "" ? words : [...words, ...parts.split(" ").map(partKey)];
}

/** The same of a term of a query. */
export function keyOfTerm({ kind, text }: IndexTerm): string {
  return kind === "part" ? partKey(text) : termOf(text);
}

/** Words come again and again; forgetting them changes no result. Empty for a function word. */
const known = new Map<string, string>();
const mostKnown = 50_000;

function knownTerm(word: string): string {
  const found = known.get(word);
  if (found !== undefined) return found;
  const term = isFunctionWord(word) ? "" : termOf(word);
  if (known.size >= mostKnown) known.clear();
  known.set(word, term);
  return term;
}
