import { isDay, type Day } from "../../base/calendar.ts";
import { MemoryError } from "../../base/errors.ts";
import { isMemoryType, type MemoryType } from "../../base/memory-type.ts";
import { shown } from "../../text/shown.ts";
import { findDays } from "../query/days/find-days.ts";
import { parseQuery, type ParsedQuery } from "../query/parse-query.ts";
import type { IndexFilter, SourceKind, SourceLevel } from "../index/search-index.ts";
import type { SearchInput } from "./inputs.ts";

/** What is to be found, checked. */
export interface Wanted {
  readonly query: ParsedQuery;
  readonly filter: IndexFilter;
  readonly limit: number;
}

const defaultLimit = 10;
const places: Readonly<Record<string, SourceKind>> = {
  raw: "raw",
  nodes: "node",
  knowledge: "knowledge",
  memory: "memory",
  threads: "thread",
};

/** Where the levels of the tree stand. */
const placeOfLevel: Readonly<Record<string, string>> = {
  raw: "raw",
  daily: "nodes",
  weekly: "nodes",
  monthly: "nodes",
  root: "nodes",
};

/** Reads what was asked. Errors: `invalid_query`, `invalid_date`, `usage`. */
export function wantedOf(input: SearchInput, today: Day): Wanted {
  const since = input.since === undefined ? undefined : dayGiven("since", input.since, today);
  const until = input.until === undefined ? undefined : dayGiven("until", input.until, today);
  // Whoever gives the days apart from the words means the words as words.
  const isGiven = since !== undefined || until !== undefined;
  const query = parseQuery(input.query, isGiven ? "words" : { today });
  const days = { since: since ?? query.days?.since, until: until ?? query.days?.until };
  refuseTurned(days.since, days.until);
  refuseEmpty(input.query, query);
  const kinds = input.in === undefined ? undefined : kindsGiven(input.in);
  if (kinds !== undefined) refuseApart(input, kinds);
  const filter: IndexFilter = {
    ...(kinds === undefined ? {} : { kinds }),
    ...(input.level === undefined ? {} : { levels: [input.level as SourceLevel] }),
    ...(input.type === undefined ? {} : { types: typesGiven(input.type) }),
    ...(days.since === undefined ? {} : { since: days.since }),
    ...(days.until === undefined ? {} : { until: days.until }),
  };
  return { query, filter, limit: input.limit ?? defaultLimit };
}

function refuseEmpty(given: string, { terms, days }: ParsedQuery): void {
  if (terms.some(({ use }) => use !== "not") || days !== undefined) return;
  const seen = given.trim() === "" ? "The query is empty" : `The query is ${JSON.stringify(shown(given, 60))}`;
  const what = terms.length === 0 ? `${seen} and has no word to find` : `${seen} and says only what must not be there`;
  throw new MemoryError("invalid_query", `${what}; give a word, "a phrase", a begin* or days such as last week.`, {
    field: "query",
  });
}

function refuseTurned(since: Day | undefined, until: Day | undefined): void {
  if (since === undefined || until === undefined || since <= until) return;
  throw new MemoryError(
    "invalid_date",
    `since is ${since} and until is ${until}; since must not be later than until.`,
    { field: "since" },
  );
}

/** A day, or what the query language reads as days: `2026-03`, `last week`, `yesterday`. */
function dayGiven(field: "since" | "until", text: string, today: Day): Day {
  const given = text.trim();
  if (isDay(given)) return given;
  const [found, ...others] = findDays(given, today);
  const day = field === "since" ? found?.since : found?.until;
  if (
    found !== undefined &&
    others.length === 0 &&
    found.start === 0 &&
    found.end === given.length &&
    day !== undefined
  )
    return day;
  throw new MemoryError(
    "invalid_date",
    `${field} is ${JSON.stringify(shown(text, 40))}; give a day such as 2026-03-15, or 2026-03, 2026-W11, yesterday.`,
    { field },
  );
}

function kindsGiven(list: string): readonly SourceKind[] {
  const names = list.split(",").map((name) => name.trim().toLowerCase());
  const unknown = names.find((name) => !Object.hasOwn(places, name));
  if (unknown !== undefined)
    throw new MemoryError(
      "usage",
      `in is ${JSON.stringify(shown(list, 60))}; give one or more of ${Object.keys(places).join(", ")}, with commas between.`,
      { field: "in" },
    );
  return [...new Set(names)].flatMap((name) => places[name] ?? []);
}

/** What is at no level of the tree, or at another one, would never be found. */
function refuseApart({ level, in: list = "" }: SearchInput, kinds: readonly SourceKind[]): void {
  const place = placeOfLevel[level ?? ""] ?? "";
  const kind = places[place];
  if (kind === undefined || kinds.includes(kind)) return;
  const seen = `level is ${level} and in is ${JSON.stringify(shown(list, 60))}, where nothing is of that level of the tree`;
  throw new MemoryError("usage", `${seen}; leave out level, or let in name ${place}.`, { field: "level" });
}

function typesGiven(type: string): readonly MemoryType[] {
  return isMemoryType(type) ? [type] : [];
}
