import { addDays, type Day } from "../../base/calendar.ts";
import { topicKey } from "../../base/memory-type.ts";
import { nameKey } from "../../text/word-keys.ts";
import { dayOfRef, holds, lastDayOf, type Ref } from "../../base/refs.ts";
import { isCorrects, repeats, wordsOnly, type Said } from "../../text/corrected.ts";
import { keywordsOfFound, type RootCandidate, type RootLimits } from "./root-lines.ts";
import { type PlacedPassage, readPassages } from "../model/node-passages.ts";
import { clearedText, readInto, withPieces } from "../compose/secrets.ts";
import { SecretPieces, SecretValues } from "../../text/redact/known-secrets.ts";
import type { Passage, Role } from "../../base/passage.ts";
import { type AnswerMark, builtInRule, contentDigest, type Node, rootRule } from "../model/node-format.ts";
import { daysCovered, nodePath } from "../model/period.ts";
import { printRoot, rootDigest, type RootDocument, type RootSection, rootSections } from "./root-format.ts";
import { withLastMention } from "./root-mentions.ts";
import { RootChoice } from "./root-choice.ts";
import { type Gathered, gatherTopics } from "./root-topics.ts";

/** Everything that ROOT.md depends on. */
export interface RootInputs {
  /** The monthly nodes and their addenda, oldest first. */
  readonly months: readonly RootMonth[];
  /** The day it is rendered for. */
  readonly day: Day;
  readonly limits: RootLimits;
  /** Exact o200k count. */
  readonly count: (text: string) => number;
  /** Front matter of other programs, which counts against the limits. */
  readonly foreign: readonly string[];
  /** The answer named in the front matter, which counts against the limits. */
  readonly answer?: AnswerMark | undefined;
  /** What later entries correct. Default: nothing. */
  readonly corrected?: readonly CorrectedLines[];
  /** Values that must not appear. Default: the secrets found in the composed text. */
  readonly secrets?: SecretValues;
}

/** What ROOT.md needs of a monthly node. */
export interface RootMonth extends Pick<Node, "name"> {
  /** Its `contentDigest`. */
  readonly content: string;
  readonly passages: readonly Passage[];
  /** `lasting`: without the details of an old month. Default: whole. */
  readonly extent?: "whole" | "lasting";
  /** Its text, if secrets of the memory may be in it. */
  readonly said?: Pick<Node, "body" | "topics">;
}

export function monthOf(node: Node): RootMonth {
  return { name: node.name, content: contentDigest(node), passages: readPassages(node), said: node };
}

/** Lines of a log that a later entry corrects. */
export interface CorrectedLines extends Ref {
  /** Where that entry is. */
  readonly by: Pick<Ref, "log" | "from">;
  /** The corrected sentences (`sentencesSaid`). */
  readonly said: readonly Said[];
}

/**
 * The limits for a token cap. Up to the default cap, the loaders' limits of 200 lines and 25,000 bytes apply as well.
 */
export function rootLimits(tokens: number): RootLimits {
  const loaders = tokens <= 3000;
  const none = Number.POSITIVE_INFINITY;
  return { tokens, characters: none, lines: loaders ? 200 : none, bytes: loaders ? 25_000 : none };
}

export interface ComposedRoot {
  readonly root: RootDocument;
  readonly text: string;
  readonly tokens: number;
  /** The lines with their line numbers in the file. */
  readonly lines: readonly PlacedLine[];
  readonly topics: number;
  readonly dropped: readonly DroppedLine[];
}

export interface PlacedLine extends RootCandidate {
  readonly line: number;
}

interface DroppedLine {
  readonly section: RootSection;
  readonly text: string;
  readonly reason: string;
  readonly tokens: number;
}

/** Names and digests of the sources, the limits and the rule: everything that changes ROOT.md except the day. */
export function rootInputsKey(
  sources: readonly { readonly path: string; readonly content: string }[],
  made: Pick<RootInputs, "limits" | "answer"> & { readonly corrected?: readonly Ref[] },
): string {
  return [
    rootRule,
    builtInRule,
    made.limits.tokens,
    ...sources.map((source) => `${source.path} ${source.content}`),
    ...(made.corrected ?? []).map(({ log, from, to }) => `corrects ${log}:${from}-${to}`),
    ...(made.answer === undefined ? [] : [`answer ${made.answer.digest} ${made.answer.model}`]),
  ].join("\n");
}

/**
 * Selects and prints ROOT.md: a knapsack by value per token, constrained by type. `user` and `feedback` topics first,
 * then active topics, patterns, the index by density, and the most detailed history that fits. Greedy by density
 * (Dantzig 1957); the cap is exact.
 */
export function composeRoot(inputs: RootInputs): ComposedRoot {
  const { passages, found, topics, said } = gatherMonths(inputs);
  const frame = printRoot({
    lastUpdated: inputs.day,
    madeFrom: "0123456789abcdef",
    answer: inputs.answer,
    foreign: inputs.foreign,
    body: bodyOf([]).body,
  });
  const choice = new RootChoice({
    topics,
    said,
    found,
    day: inputs.day,
    limits: inputs.limits,
    count: inputs.count,
    frame,
  });
  choice.run();
  const aged = new Map(withLastMention(choice.space.chosen, passages, inputs.day));
  const named = topics.filter(({ naming }) => naming === "given").length;
  const count = named + new Set(found.map(({ topic }) => topicKey(topic))).size;
  const assembled = (): ComposedRoot =>
    assembleRoot(inputs, {
      lines: choice.space.chosen.map((line) => aged.get(line) ?? line),
      dropped: choice.space.dropped,
      topics: count,
    });
  let composed = assembled();
  while (!isWithin(composed, inputs.limits) && choice.space.dropLast()) composed = assembled();
  return composed;
}

/** What the months say, as ROOT.md uses it. `whole`: the months of which all details count, however old they are. */
export function gatherMonths(
  { months, day, corrected = [] }: Pick<RootInputs, "months" | "day" | "corrected">,
  whole: ReadonlySet<RootMonth> = new Set(),
): GatheredMonths {
  const all = months.flatMap((month): readonly PlacedPassage[] => {
    const path = nodePath(month.name);
    const own = whole.has(month) ? month.passages : passagesFor(month, day);
    return own.map((passage) => ({ ...passage, path }));
  });
  const passages = withoutCorrected(all, corrected);
  const found = passages.filter(({ role, naming }) => role === "topic" && naming === "found");
  return { passages, found, ...gatherTopics(withoutOld(passages, found, day), day) };
}

export interface GatheredMonths extends Gathered {
  readonly passages: readonly PlacedPassage[];
  /** Topics that no heading named; only recent ones are among `topics`. */
  readonly found: readonly PlacedPassage[];
}

/** Details are kept for this many days. Of older days, only topics, the user's own words and lessons remain. */
const longestDetails = 400;

export function isOldMonth({ level, period }: RootMonth["name"], day: Day): boolean {
  return daysCovered(level, period).last < addDays(day, -longestDetails);
}

/** The passages of a monthly node that ROOT.md can use on a day. */
export function passagesFor({ name, passages, extent }: RootMonth, day: Day): readonly Passage[] {
  if (extent === "lasting" || !isOldMonth(name, day)) return passages;
  const named = new Set(passages.filter(({ role }) => role === "topic").map(({ topic }) => topicKey(topic)));
  return passages.filter(({ role, topic }) => lasting.has(role) || !named.has(topicKey(topic)));
}

const lasting: ReadonlySet<Role> = new Set<Role>(["topic", "preserved", "said", "lesson"]);

/** The passages without what later entries correct, at its place and where it is repeated. A keyword of such a sentence stays only if another passage has it. */
function withoutCorrected(
  passages: readonly PlacedPassage[],
  corrected: readonly CorrectedLines[],
): readonly PlacedPassage[] {
  if (corrected.length === 0) return passages;
  const isWrong = (text: string, refs: readonly Ref[]): boolean =>
    corrected.some((one) => {
      const isLater = (ref: Ref): boolean =>
        ref.log === one.by.log ? ref.from >= one.by.from : dayOfRef(ref) > dayOfRef({ ...one, ...one.by });
      if (refs.length > 0 && refs.every((ref) => holds(one, ref))) return true;
      return !refs.some(isLater) && repeats(text, one.said);
    });
  const kept = passages.flatMap((passage): readonly PlacedPassage[] => {
    if (passage.role === "topic") return [passage];
    if (passage.role !== "preserved")
      return isCorrects(`- ${passage.text}`) || isWrong(passage.text, passage.refs) ? [] : [passage];
    const lines = passage.lines.filter(
      ({ text, ref }, at) => at === 0 || !(isCorrects(text) || isWrong(text, ref === undefined ? [] : [ref])),
    );
    return lines.some(({ text }, at) => at > 0 && text.trim() !== "") ? [{ ...passage, lines }] : [];
  });
  const left = wordsOnly(kept.flatMap(textsOf).join("\n"));
  return kept.map((passage) => {
    if (passage.role !== "topic") return passage;
    const words = keywordsOfFound(passage).map(wordsOnly);
    const isTold = ({ words: one }: Said): boolean => words.filter((word) => one.includes(word)).length > 1;
    const said = corrected.flatMap((one) => one.said).filter(isTold);
    const right = keywordsOfFound(passage)
      .slice(1)
      .filter(
        (_, at) => left.includes(words[at + 1] ?? "") || !said.some((one) => one.words.includes(words[at + 1] ?? "")),
      );
    return said.length === 0 ? passage : { ...passage, text: right.join(", "), scores: undefined };
  });
}

function textsOf({ role, text, lines }: PlacedPassage): readonly string[] {
  return role === "topic" ? [] : [text, ...lines.map((line) => line.text)];
}

/** After this many days (plus a margin of a week) a found topic is neither active nor a pattern. */
const longestRecent = 100;

/** Drops old found topics: they get index lines of their own. */
function withoutOld(
  passages: readonly PlacedPassage[],
  found: readonly PlacedPassage[],
  day: Day,
): readonly PlacedPassage[] {
  const newest = lastDayOf(found.flatMap(({ refs }) => refs));
  const since = addDays(newest === "" || newest > day ? day : newest, -longestRecent);
  const places = Map.groupBy(found, ({ topic }) => nameKey(topic));
  const isOld = (name: string): boolean => lastDayOf(places.get(name)?.flatMap(({ refs }) => refs) ?? []) < since;
  const old = new Set([...places.keys()].filter(isOld));
  for (const { topic, role, naming } of passages)
    if (role === "topic" && naming === "given") old.delete(nameKey(topic));
  return passages.filter(
    ({ topic, role, naming }) => !((role === "note" || naming === "found") && old.has(nameKey(topic))),
  );
}

/** Whether the composed text is within the limits, counted exactly. */
export function isWithin(composed: ComposedRoot, limits: RootLimits): boolean {
  return (
    composed.tokens <= limits.tokens &&
    composed.text.length <= limits.characters &&
    composed.text.split("\n").length - 1 <= limits.lines &&
    Buffer.byteLength(composed.text) <= limits.bytes
  );
}

function bodyOf(chosen: readonly RootCandidate[]): {
  readonly body: readonly string[];
  readonly places: ReadonlyMap<RootCandidate, number>;
} {
  const body: string[] = [];
  const places = new Map<RootCandidate, number>();
  for (const section of rootSections) {
    body.push("", `## ${section}`);
    for (const line of chosen.filter((candidate) => candidate.section === section)) {
      body.push(line.text);
      places.set(line, body.length);
    }
  }
  return { body, places };
}

/** Prints the selected lines in their sections. */
export function assembleRoot(
  inputs: RootInputs,
  chosen: {
    readonly lines: readonly RootCandidate[];
    /** Lines left out, with the reason. */
    readonly dropped: ReadonlyMap<Pick<RootCandidate, "section" | "text">, string>;
    readonly topics: number;
  },
): ComposedRoot {
  const { body: printed, places } = bodyOf(chosen.lines);
  // Dropped lines can be shown on request, so they are redacted too.
  const left = [...chosen.dropped];
  const texts = [...printed, ...left.map(([line]) => line.text)];
  const pieces = new SecretPieces(inputs.secrets ?? new SecretValues());
  for (const { said } of inputs.months) if (said !== undefined) readInto(pieces, said);
  const clean = clearedText(texts.join("\n"), withPieces({ body: texts, topics: [] }, pieces)).split("\n");
  const body = clean.slice(0, printed.length);
  const sources = inputs.months.map(({ name, content }) => ({ path: nodePath(name), content }));
  const key = rootInputsKey(sources, inputs);
  const root: RootDocument = {
    lastUpdated: inputs.day,
    madeFrom: rootDigest(key, body),
    answer: inputs.answer,
    foreign: inputs.foreign,
    body,
  };
  const text = printRoot(root);
  const front = text.split("\n").length - 1 - body.length;
  return {
    root,
    text,
    tokens: inputs.count(text),
    lines: chosen.lines
      .map((line): PlacedLine => {
        const place = places.get(line) ?? 0;
        return { ...line, text: body[place - 1] ?? line.text, line: front + place };
      })
      .toSorted((a, b) => a.line - b.line),
    topics: chosen.topics,
    dropped: left.map(([{ section }, reason], index) => {
      const dropped = clean[printed.length + index] ?? "";
      return {
        section,
        text: dropped,
        reason,
        // Counted on demand: there are thousands of lines, and the counts are rarely needed.
        get tokens() {
          return inputs.count(`${dropped}\n`);
        },
      };
    }),
  };
}
