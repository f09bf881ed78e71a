import { isDay, type Day } from "../../base/calendar.ts";
import { MemoryError, type ErrorCode } from "../../base/errors.ts";
import { shown } from "../../text/shown.ts";
import { findDays } from "../query/days/find-days.ts";
import { parseQuery, type ParsedQuery, type QueryTerm } from "../query/parse-query.ts";
import type { IndexFilter, SourceKind, IndexTerm, WeightedTerm } from "../index/search-index.ts";
import type { SearchInput } from "./inputs-and-results.ts";
import { englishStem } from "../../text/words/index-terms.ts";
import { termsOfBeginning, termsOfPhrase, termsOfQuery, type QueryWord } from "../../text/words/query.ts";

export type ParsedSearch = ReturnType<typeof parseSearch>;

const defaultLimit = 10;
const places: Readonly<Record<string, SourceKind>> = {
  raw: "raw",
  nodes: "node",
  knowledge: "knowledge",
  memory: "memory",
  threads: "thread",
};

/** Parses the input of a search. Errors: `invalid_query`, `invalid_date`, `usage`. */
export function parseSearch(input: SearchInput, today: Day) {
  const given = {
    since: input.since === undefined ? undefined : dayGiven("since", input.since, today),
    until: input.until === undefined ? undefined : dayGiven("until", input.until, today),
  };
  // If days are given as options, words in the query are not read as days.
  const isGiven = given.since !== undefined || given.until !== undefined;
  const query = parseQuery(input.query, isGiven ? "words" : { today });
  const [since, until] = [given.since ?? query.days?.since, given.until ?? query.days?.until];
  if (since !== undefined && until !== undefined && since > until)
    throw refusal(
      "invalid_date",
      "since",
      `since is ${since} and until is ${until}; since must not be later than until.`,
    );
  refuseEmpty(input.query, query);
  const kinds = input.in === undefined ? undefined : kindsGiven(input.in);
  if (kinds !== undefined) refuseApart(input, kinds);
  const by = input.by ?? "passage";
  // Of sessions, days in the query filter nothing, unless there is nothing else to search for.
  const isFiltered = by === "passage" || isGiven || !query.terms.some(({ use }) => use !== "not");
  const filter: IndexFilter = {
    ...(kinds === undefined ? {} : { kinds }),
    ...(input.level === undefined ? {} : { levels: [input.level] }),
    ...(input.type === undefined ? {} : { types: [input.type] }),
    ...(since === undefined || !isFiltered ? {} : { since }),
    ...(until === undefined || !isFiltered ? {} : { until }),
  };
  return { query, filter, days: query.days, limit: input.limit ?? defaultLimit, by };
}

function refusal(code: ErrorCode, field: string, message: string): MemoryError {
  return new MemoryError(code, message, { field });
}

function refuseEmpty(given: string, { terms, days }: ParsedQuery): void {
  if (terms.some(({ use }) => use !== "not") || days !== undefined) return;
  const fault = terms.length === 0 ? "contains no word to search for" : "only excludes words";
  const seen = given.trim() === "" ? "The query is empty" : `The query ${JSON.stringify(shown(given, 60))} ${fault}`;
  const help = 'pass a word, "a phrase", a prefix* or days such as last week.';
  throw refusal("invalid_query", "query", `${seen}; ${help}`);
}

/** Parses a day, or a time written as in a query: `2026-03`, `last week`, `yesterday`. */
function dayGiven(field: "since" | "until", text: string, today: Day): Day {
  const given = text.trim();
  if (isDay(given)) return given;
  const [found, ...others] = findDays(given, today);
  const day = found?.[field];
  const isWhole = found?.start === 0 && found.end === given.length && others.length === 0;
  if (isWhole && day !== undefined) return day;
  const seen = `${field} is ${JSON.stringify(shown(text, 40))}`;
  throw refusal("invalid_date", field, `${seen}; use a day such as 2026-03-15, or 2026-03, 2026-W11 or yesterday.`);
}

function kindsGiven(list: string): readonly SourceKind[] {
  const names = list.split(",").map((name) => name.trim().toLowerCase());
  const known = Object.keys(places);
  if (names.every((name) => known.includes(name))) return [...new Set(names)].flatMap((name) => places[name] ?? []);
  const seen = `in is ${JSON.stringify(shown(list, 60))}`;
  throw refusal("usage", "in", `${seen}; it must be one or more of ${known.join(", ")}, separated by commas.`);
}

/** Refuses a `level` that none of the places in `in` has, because nothing could ever be found. */
function refuseApart({ level, in: list = "" }: SearchInput, kinds: readonly SourceKind[]): void {
  const place = level === "raw" ? "raw" : "nodes";
  if (level === undefined || kinds.includes(places[place] ?? "node")) return;
  const seen = `level is ${level}, but in is ${JSON.stringify(shown(list, 60))}, which has nothing at that level of the tree`;
  throw refusal("usage", "level", `${seen}; omit level, or add ${place} to in.`);
}

/** More alternatives would cost more than they find. */
const mostTerms = 160;
/** Weights of a prefix and a phrase; a word has 2. */
const weightOfBeginning = 2;
const weightOfPhrase = 3;

/**
 * The terms of an index query. Words of little meaning are left out if there are others, except required ones. `widened`: prefixes that are searched as a
 * shorter prefix, so their hits must be checked.
 */
export function indexTermsOf(terms: readonly QueryTerm[]) {
  const wanted = terms.filter(({ use }) => use !== "not").map((term) => ({ term, words: wordsOf(term) }));
  return {
    any: lightest(
      distinct(telling(wanted.flatMap(({ words }) => words)).flatMap(({ any }) => any)).slice(0, mostTerms),
    ),
    all: distinct(wanted.flatMap(({ term, words }) => (term.use === "must" ? words.flatMap(({ all }) => all) : []))),
    none: distinct(terms.filter(({ use }) => use === "not").flatMap(excludedBy)),
    widened: wanted.flatMap(({ term }) => (term.kind === "prefix" && widened(term.text) !== term.text ? [term] : [])),
  };
}

/**
 * The index also stems prefixes, and the stem of `pay` is `pai`, which `payment` does not start with. In that case, the letters that prefix and stem have in
 * common (`pa`) are searched for.
 */
function widened(beginning: string): string {
  const stem = englishStem(beginning.toLowerCase());
  if (beginning.toLowerCase().startsWith(stem)) return beginning;
  let shared = 0;
  while (stem.charAt(shared) === beginning.charAt(shared).toLowerCase()) shared += 1;
  return beginning.slice(0, shared);
}

type Word = Omit<QueryWord, "word">;

function wordsOf({ kind, text }: QueryTerm): readonly Word[] {
  if (kind === "word") return termsOfQuery(text);
  const all = kind === "phrase" ? termsOfPhrase(text) : termsOfBeginning(widened(text));
  const weight = kind === "phrase" ? weightOfPhrase : weightOfBeginning;
  return all.length === 0 ? [] : [{ carries: "much", any: all.map((term) => ({ ...term, weight })), all }];
}

function telling(words: readonly Word[]): readonly Word[] {
  const much = words.filter(({ carries }) => carries === "much");
  return much.length > 0 ? much : words;
}

/** Divides all weights by a common factor. */
function lightest(terms: readonly WeightedTerm[]): readonly WeightedTerm[] {
  const by = [6, 5, 4, 3, 2].find((divisor) => terms.every(({ weight }) => weight % divisor === 0)) ?? 1;
  return terms.map((term) => ({ ...term, weight: term.weight / by }));
}

/** If a word needs several terms together, only the longest is used: the index only supports "none of these". */
function excludedBy(term: QueryTerm): readonly IndexTerm[] {
  if (term.kind === "prefix") return termsOfBeginning(term.text);
  return telling(wordsOf(term)).flatMap(({ all }) => {
    const longest = all.toSorted((a, b) => b.text.length - a.text.length)[0];
    return longest === undefined ? [] : [longest];
  });
}

/** Keeps the first of equal terms. */
function distinct<T extends IndexTerm>(terms: readonly T[]): readonly T[] {
  const first = new Map<string, T>();
  for (const term of terms) if (!first.has(keyOf(term))) first.set(keyOf(term), term);
  return [...first.values()];
}

function keyOf({ kind, text }: IndexTerm): string {
  return `${kind} ${text}`;
}
