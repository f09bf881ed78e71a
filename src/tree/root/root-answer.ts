import { sha256 } from "../../base/digest.ts";
import { isPreserved } from "../../base/memory-type.ts";
import type { AnswerMark } from "../model/node-format.ts";
import { mergeRefs, type Ref } from "../../base/refs.ts";
import { assembleRoot, type ComposedRoot, composeRoot, isWithin, type RootInputs, rootLimits } from "./root-compose.ts";
import { type RootSection, rootSections } from "./root-format.ts";
import type { RootCandidate } from "./root-lines.ts";
import type { PlacedPassage } from "../model/node-passages.ts";
import { plainLine } from "../../text/shown.ts";

/** A recorded answer for the first three sections. */
export interface RootAnswer extends AnswerMark {
  /** From the record: 64 hex digits. */
  readonly basis: string;
  /** `## section` headings and list items, as `printRootAnswer` writes them. */
  readonly summary: readonly string[];
}

/** For each text, the indices of the lines it fits best; empty if it shares no word with any. */
type LineMatcher = (texts: readonly string[], lines: readonly string[]) => readonly (readonly number[])[];

/** A line that a model may reword. */
export interface RootSourceLine {
  readonly section: RootSection;
  /** Without list marker or secrets. */
  readonly text: string;
  readonly refs: readonly Ref[];
  readonly from: readonly PlacedPassage[];
}

/** The sections that a model may reword. */
export const wordedSections: readonly RootSection[] = rootSections.filter((section) => section !== "Topics Index");

/** The model reads a selection made for this many times the cap. */
const wider = 3;

/**
 * Share of the cap that the reworded sections get if it is free: as much as the built-in selection gives them when
 * space is short.
 */
const shareOfCap = 0.32;

/**
 * The lines that a model may reword: the first three sections as selected for three times the cap, without lines about
 * `user` and `feedback`. Depends only on the monthly nodes, the day and the cap.
 */
export function rootSourceLines(inputs: RootInputs, cap: number): readonly RootSourceLine[] {
  const wide = composeRoot({ ...inputs, limits: rootLimits(cap * wider), foreign: [], answer: undefined });
  return wide.lines
    .filter((line) => isWorded(line))
    .map(({ section, text, refs, from }) => ({ section, text: text.slice(2), refs, from }));
}

/** Digest of the lines that an answer summarizes. */
export function rootBasis(lines: readonly RootSourceLine[]): string {
  return sha256(["heartwood.basis.v1", "root", "ROOT", ...lines.map(({ text }) => text), ""].join("\n"));
}

/** The most o200k tokens for the lines in an answer. */
export function rootAnswerRoom(base: ComposedRoot, inputs: Pick<RootInputs, "limits" | "count">): number {
  const now = base.lines.filter(isWorded).reduce((sum, { text }) => sum + inputs.count(`${text}\n`), 0);
  const free = Math.max(0, inputs.limits.tokens - base.tokens);
  return Math.max(now, Math.min(now + free, Math.floor(inputs.limits.tokens * shareOfCap)));
}

/**
 * ROOT.md with its first three sections from an answer. The index and lines about `user` and `feedback` stay built-in.
 * If it does not fit, it loses the last lines of Historical Summary first, then of Recent Patterns, then of Active
 * Context. If no line of Active Context is left, or the answer has a different basis, the built-in lines are used. The
 * limits are exact.
 */
export function composeAnsweredRoot(
  inputs: RootInputs,
  answered: {
    readonly answer: RootAnswer;
    /** The result of `rootSourceLines`. */
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

/** Whether a model may reword this line of ROOT.md. */
function isWorded({ section, from }: RootCandidate): boolean {
  return section !== "Topics Index" && !from.some(({ type }) => isPreserved(type));
}

/** The items in an answer with their sources, without items that have no source or repeat a kept line. */
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

/** As much of the answer as fits; `undefined` if its Active Context does not. */
function fitting(made: RootInputs, { base, kept, worded }: Parts): ComposedRoot | undefined {
  const room = rootAnswerRoom(base, made);
  const chosen = [...wordedSections].map((section) => worded.filter((line) => line.section === section));
  const [active = []] = chosen;
  // Index lines that were left out before are still reported as left out.
  const others = base.dropped.filter(({ section }) => section === "Topics Index");
  const dropped = new Map<Pick<RootCandidate, "section" | "text">, string>(others.map((line) => [line, line.reason]));
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
  const assembled = (): ComposedRoot => {
    const lines = [...kept, ...chosen.flat()];
    return assembleRoot(made, { lines, dropped, topics: base.topics });
  };
  let composed = assembled();
  while (!isWithin(composed, made.limits) && dropLast("the exact size exceeded the cap")) composed = assembled();
  return active.length === 0 || !isWithin(composed, made.limits) ? undefined : composed;
}

/** One line of an answer for ROOT.md. */
export interface RootAnswerItem {
  readonly section: RootSection;
  /** One line of plain text, without list marker. */
  readonly text: string;
}

/** The most lines in an answer, and the most characters (UTF-16 units) per line. */
export const mostRootItems = 120;
export const longestRootItem = 240;

/** The list items below the headings of the first three sections, in section order. Everything else is ignored. */
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

/** Prints what `readRootAnswer` reads, as stored in the record. */
export function printRootAnswer(items: readonly RootAnswerItem[]): readonly string[] {
  return rootSections.flatMap((section) => {
    const own = items.filter((item) => item.section === section);
    return own.length === 0 ? [] : [`## ${section}`, ...own.map(({ text }) => `- ${text}`)];
  });
}

/** The section that a heading names, ignoring a suffix in brackets; never the index. */
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
