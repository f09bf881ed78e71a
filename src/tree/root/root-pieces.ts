import { plainKey } from "../../text/extract/sentences.ts";
import { keywordsOf } from "../../text/extract/keywords.ts";
import { mergeRefs, refsOverlap } from "../../base/refs.ts";
import type { PlacedPassage } from "../model/node-passages.ts";
import type { RootTopic } from "./root-topics.ts";

/** The most refs of a line. */
const mostPlaces = 12;
/** The most keywords of an entry. */
const mostWords = 8;
/** Keywords of a topic whose entries have lines of their own. */
const fewWords = 4;
/** Tokens that an entry costs on a line of its own. */
const tokensOfLine = 24;
/** If entries need this many times the space, the memory is a journal: its headings name events, not topics. */
const journal = 3;

/**
 * The entries of a journal: topics mentioned once, such as commit subjects, and the details of topics with too many
 * refs. They are grouped into lines by shared words. `others`: the topics that keep their own line; all topics if
 * nearly everything fits.
 */
export function journalPieces(
  topics: readonly RootTopic[],
  room: number,
): { readonly pieces: readonly PlacedPassage[]; readonly others: readonly RootTopic[] } {
  const projects = topics.filter(({ type, naming }) => type === "project" && naming === "given");
  const once = projects.filter(({ refs, days, name }) => days.length === 1 && refs.length === 1 && isEvent(name));
  const wide = projects.filter(({ refs }) => refs.length > mostPlaces);
  const told = wide.flatMap(partsOf);
  if ((once.length + told.length) * tokensOfLine < room * journal) return { pieces: [], others: topics };
  const pieces = [
    ...once.map((topic) => pieceOf(topic.entries[0] ?? topic.details[0], `${subjectOf(topic.name)}. ${saidOf(topic)}`)),
    ...told.map((detail) => pieceOf(detail, subjectOf(detail.text))),
  ];
  const others = topics
    .filter((topic) => !once.includes(topic))
    .map((topic) => (wide.includes(topic) ? { ...topic, keywords: topic.keywords.slice(0, fewWords) } : topic));
  return { pieces: pieces.filter((piece) => piece !== undefined), others };
}

/** The details of a topic, merged per entry, events before remarks. */
function partsOf({ details, entries }: RootTopic): readonly PlacedPassage[] {
  const places = entries.flatMap(({ refs }) => refs);
  const said = details.filter(({ role, text }) => role !== "open" && text !== "");
  const parts = Map.groupBy(said, ({ refs }) => places.find((place) => refsOverlap([place], refs)) ?? refs[0]);
  return [...parts.values()].map((group) => {
    const ordered = group.toSorted((a, b) => Number(a.role === "note") - Number(b.role === "note"));
    const refs = mergeRefs(group.flatMap((detail) => detail.refs));
    return { ...(ordered[0] as PlacedPassage), text: joined(ordered, mostRemarks + 1), refs };
  });
}

/** The most remarks used per entry. */
const mostRemarks = 3;

function saidOf({ statements }: RootTopic): string {
  const plainFirst = statements.toSorted((a, b) => Number(plainKey.test(a.text)) - Number(plainKey.test(b.text)));
  return joined(plainFirst, 2);
}

function joined(said: readonly { readonly text: string }[], most: number): string {
  return said
    .slice(0, most)
    .map(({ text }) => text.replace(plainKey, ""))
    .join(". ");
}

/** A heading of several words describes an event; one or two words name a thing. */
function isEvent(name: string): boolean {
  return name.trim().split(/\s+/u).length > 2 || Array.from(name).length > 16;
}

function pieceOf(passage: PlacedPassage | undefined, text: string): PlacedPassage | undefined {
  const [first, ...words] = keywordsOf([{ text, weight: 1 }], "").map(({ shown }) => shown);
  if (passage === undefined || first === undefined) return undefined;
  return {
    ...passage,
    role: "topic",
    naming: "found",
    topic: first,
    text: words.slice(0, mostWords - 1).join(", "),
    lines: [],
  };
}

const kind =
  /^(?:feat|fix|chore|docs?|refactor|tests?|build|ci|perf|style|revert|release|wip|deps?)(?:\(([^)]*)\))?!?:\s*/iu;

/** A commit subject without its type, issue numbers and bots. */
function subjectOf(subject: string): string {
  return subject
    .replace(kind, "$1 ")
    .replaceAll(
      /(?:\b(?:refs?|closes|fixes|resolves|see) )?\(?#\d+\)?|\b(?:dependabot|renovate)(?:\[bot\])?|\[bot\]|^merge (?:pull request|branch|remote-tracking branch)\b.*$/giu,
      " ",
    )
    .trim();
}
