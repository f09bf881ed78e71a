import { sha256 } from "../../base/digest.ts";
import { isPreserved } from "../../base/memory-type.ts";
import { mergeRefs, type Ref } from "../../base/refs.ts";
import { assembleRoot, type ComposedRoot, composeRoot, isWithin, type RootInputs, rootLimits } from "./root-compose.ts";
import { type RootAnswerMark, type RootSection, rootSections } from "./root-format.ts";
import type { RootCandidate } from "./root-lines.ts";
import type { PlacedPassage } from "../model/node-passages.ts";
import { plainLine } from "../../text/shown.ts";

/** The recorded answer that words the first three sections. */
export interface RootAnswer extends RootAnswerMark {
  /** Of the record: 64 digits. */
  readonly basis: string;
  /** `## section` and list items, as `printRootAnswer` writes them. */
  readonly summary: readonly string[];
}

/** For each text the indices of the lines that it fits best; empty where none has a word of it. */
type LineMatcher = (texts: readonly string[], lines: readonly string[]) => readonly (readonly number[])[];

/** A line that a model may word anew. */
export interface RootSourceLine {
  readonly section: RootSection;
  /** Without the mark of its item and without secrets. */
  readonly text: string;
  readonly refs: readonly Ref[];
  readonly from: readonly PlacedPassage[];
}

/** The sections that a model may word. */
export const wordedSections: readonly RootSection[] = rootSections.filter((section) => section !== "Topics Index");

/** How much larger than ROOT.md the choice is that a model reads. */
const wider = 3;

/** Of the cap, what the worded sections may have where it is free: what the built-in choice gives them when not everything fits. */
const shareOfCap = 0.32;

/**
 * What a model may word: the lines of the first three sections as they would be for three times the cap, without those about `user` and `feedback`, which
 * stay as they are. A function of the monthly nodes, the day and the cap.
 */
export function rootSourceLines(inputs: RootInputs, cap: number): readonly RootSourceLine[] {
  const { monthlies, day, summarizer, count } = inputs;
  const secrets = inputs.secrets === undefined ? {} : { secrets: inputs.secrets };
  const limits = rootLimits(cap * wider);
  const wide = composeRoot({ monthlies, day, summarizer, count, limits, foreign: [], ...secrets });
  return wide.lines
    .filter((line) => isWorded(line))
    .map(({ section, text, refs, from }) => ({ section, text: text.slice(2), refs, from }));
}

/** What a summary of these lines is of. */
export function rootBasis(lines: readonly RootSourceLine[]): string {
  return sha256(["heartwood.basis.v1", "root", "ROOT", ...lines.map(({ text }) => text), ""].join("\n"));
}

/** o200k tokens that the lines of an answer may have. */
export function rootAnswerRoom(base: ComposedRoot, inputs: Pick<RootInputs, "limits" | "count">): number {
  const now = base.lines.filter(isWorded).reduce((sum, { text }) => sum + inputs.count(`${text}\n`), 0);
  const free = Math.max(0, inputs.limits.tokens - base.tokens);
  return Math.max(now, Math.min(now + free, Math.floor(inputs.limits.tokens * shareOfCap)));
}

/**
 * ROOT.md with its first three sections from an answer: the index and the lines about `user` and `feedback` are the built-in ones. Where it does not fit,
 * Historical Summary loses its last lines first, then Recent Patterns, then Active Context; when nothing of that is left, or the answer is of another
 * basis, the built-in lines stand. The limits hold exactly.
 */
export function composeAnsweredRoot(
  inputs: RootInputs,
  answered: {
    readonly answer: RootAnswer;
    /** What `rootSourceLines` gives. */
    readonly sources: readonly RootSourceLine[];
    readonly match: LineMatcher;
  },
): ComposedRoot {
  const { answer, sources, match } = answered;
  const made: RootInputs = { ...inputs, answer: { digest: answer.digest, model: answer.model } };
  const base = composeRoot(made);
  if (rootBasis(sources) !== answer.basis) return base;
  const kept = base.lines.filter((line) => !isWorded(line));
  const worded = candidatesOf(readRootAnswer(answer.summary), { sources, match, kept });
  return fitting(made, { base, kept, worded }) ?? base;
}

/** Whether a line of ROOT.md is one of those that a model may word. */
function isWorded({ section, from }: RootCandidate): boolean {
  return section !== "Topics Index" && !from.some(({ type }) => isPreserved(type));
}

/** The items of an answer with where they come from; without those that come from nowhere, and those that stand there already. */
function candidatesOf(
  items: readonly RootAnswerItem[],
  on: {
    readonly sources: readonly RootSourceLine[];
    readonly match: LineMatcher;
    readonly kept: readonly RootCandidate[];
  },
): readonly RootCandidate[] {
  const told = new Set(on.kept.map(({ section, text }) => `${section}\n${text}`));
  const found = on.match(
    items.map(({ text }) => text),
    on.sources.map(({ text }) => text),
  );
  return items.flatMap(({ section, text }, at): readonly RootCandidate[] => {
    const origin = (found[at] ?? []).flatMap((index) => on.sources[index] ?? []);
    const refs = mergeRefs(origin.flatMap((line) => line.refs.map((ref): Ref => ({ ...ref, found: "by_match" }))));
    const line = `- ${text}`;
    if (refs.length === 0 || told.has(`${section}\n${line}`)) return [];
    told.add(`${section}\n${line}`);
    const from = [...new Set(origin.flatMap((one) => one.from))];
    return [{ section, text: line, topic: "", refs, from, value: 1 }];
  });
}

interface Parts {
  readonly base: ComposedRoot;
  readonly kept: readonly RootCandidate[];
  readonly worded: readonly RootCandidate[];
}

/** As much of the answer as fits; `undefined` when its Active Context does not. */
function fitting(made: RootInputs, { base, kept, worded }: Parts): ComposedRoot | undefined {
  const room = rootAnswerRoom(base, made);
  const chosen = [...wordedSections].map((section) => worded.filter((line) => line.section === section));
  const [active = []] = chosen;
  const dropped = new Map<RootCandidate, string>();
  const costs = new Map(worded.map((line) => [line, made.count(`${line.text}\n`)]));
  let cost = [...costs.values()].reduce((sum, one) => sum + one, 0);
  const dropLast = (reason: string): boolean => {
    const line = chosen.findLast((section) => section.length > 0)?.pop();
    if (line === undefined) return false;
    cost -= costs.get(line) ?? 0;
    dropped.set(line, reason);
    return true;
  };
  while (cost > room && dropLast("the answer has no more space")) continue;
  // What ROOT.md told before and the index leave out stays told as left out.
  const others = droppedOf(base);
  const assembled = (): ComposedRoot => {
    const lines = [...kept, ...chosen.flat()];
    return assembleRoot(made, { lines, dropped: new Map([...others, ...dropped]), topics: base.topics });
  };
  let composed = assembled();
  while (!isWithin(composed, made.limits) && dropLast("the exact count was over the cap")) composed = assembled();
  return active.length === 0 || !isWithin(composed, made.limits) ? undefined : composed;
}

/** What the built-in choice left out of what is not worded. */
function droppedOf(base: ComposedRoot): ReadonlyMap<RootCandidate, string> {
  return new Map(
    base.dropped
      .filter(({ section }) => section === "Topics Index")
      .map(({ section, text, reason }) => [{ section, text, topic: "", refs: [], from: [], value: 0 }, reason]),
  );
}

/** One line of an answer about ROOT.md. */
export interface RootAnswerItem {
  readonly section: RootSection;
  /** Plain text on one line, without the mark of the item. */
  readonly text: string;
}

/** Lines of an answer that count, and characters (UTF-16 units) of one. */
export const mostRootItems = 120;
export const longestRootItem = 240;

/** The list items of an answer below the headings of the first three sections, in the order of the sections. What is anything else counts as nothing. */
export function readRootAnswer(lines: readonly string[]): readonly RootAnswerItem[] {
  const items: RootAnswerItem[] = [];
  let section: RootSection | undefined;
  for (const line of lines) {
    const heading = /^#{1,6}\s+(.*)$/u.exec(line)?.[1];
    if (heading !== undefined) section = sectionOf(heading);
    const item = /^\s*(?:[-*+]|\d{1,3}[.)])\s+(.*)$/u.exec(line)?.[1];
    if (item === undefined || section === undefined) continue;
    const text = plainLine(item, longestRootItem);
    if (text !== "" && items.length < mostRootItems) items.push({ section, text });
  }
  return rootSections.flatMap((one) => items.filter((item) => item.section === one));
}

/** What `readRootAnswer` reads, as it is kept in a record. */
export function printRootAnswer(items: readonly RootAnswerItem[]): readonly string[] {
  return rootSections.flatMap((section) => {
    const own = items.filter((item) => item.section === section);
    return own.length === 0 ? [] : [`## ${section}`, ...own.map(({ text }) => `- ${text}`)];
  });
}

/** The section that a heading names, also without what stands behind its name in brackets; never the index. */
function sectionOf(heading: string): RootSection | undefined {
  const name = nameOf(heading);
  return rootSections.find((section) => section !== "Topics Index" && nameOf(section) === name);
}

function nameOf(heading: string): string {
  return heading
    .replace(/\s*[([].*$/u, "")
    .replace(/[\s:#*]+$/u, "")
    .toLowerCase();
}
