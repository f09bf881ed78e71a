import { plainKey } from "../../text/extract/sentences.ts";
import { keywordsOf } from "../../text/extract/keywords.ts";
import { mergeRefs, refsOverlap } from "../../base/refs.ts";
import type { PlacedPassage } from "../model/node-passages.ts";
import type { RootTopic } from "./root-topics.ts";

/** A line that leads to more places points nowhere. */
const mostPlaces = 12;
/** Keywords of a piece. */
const mostWords = 8;
/** Keywords that are left to a topic whose parts have lines of their own. */
const fewWords = 4;
/** Tokens that a line of its own would take for a piece. */
const tokensOfLine = 24;
/** From so many times the space on, headings name events rather than topics. */
const journal = 3;

/**
 * The parts of a journal: topics that came up once, such as the subject of a commit, and what is told of a topic that leads to too many places. They are put
 * into lines by the words that they share. `others`: the topics that
 * keep a line of their own; all of them where there is room for every part, or nearly.
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

/** What is told of a topic, entry by entry: what happened before remarks. */
function partsOf({ details, entries }: RootTopic): readonly PlacedPassage[] {
  const places = entries.flatMap(({ refs }) => refs);
  const said = details.filter(({ role, text }) => role !== "open" && text !== "");
  const parts = Map.groupBy(said, ({ refs }) => places.find((place) => refsOverlap([place], refs)) ?? refs[0]);
  return [...parts.values()].flatMap((group) => {
    const [first, ...others] = group.toSorted((a, b) => Number(a.role === "note") - Number(b.role === "note"));
    const text = [first, ...others.slice(0, mostRemarks)]
      .map((one) => one?.text.replace(plainKey, "") ?? "")
      .join(". ");
    return first === undefined ? [] : [{ ...first, text, refs: mergeRefs(group.flatMap(({ refs }) => refs)) }];
  });
}

/** Remarks of one entry that are looked at. */
const mostRemarks = 3;

function saidOf({ statements }: RootTopic): string {
  return statements.find(({ text }) => !plainKey.test(text))?.text ?? statements[0]?.text.replace(plainKey, "") ?? "";
}

/** A heading of several words tells what happened; one word or two name a thing. */
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

/** The subject of a commit without its kind, numbers, and who or what made it. */
function subjectOf(subject: string): string {
  return subject
    .replace(kind, "$1 ")
    .replaceAll(
      /(?:\b(?:refs?|closes|fixes|resolves|see) )?\(?#\d+\)?|\b(?:dependabot|renovate)(?:\[bot\])?|\[bot\]|^merge (?:pull request|branch|remote-tracking branch)\b.*$/giu,
      " ",
    )
    .trim();
}
