import { addDays, daysBetween, type Day } from "../../base/calendar.ts";
import { sha256 } from "../../base/digest.ts";
import { joinLines } from "../../base/lines.ts";
import { nodeLabel, nodePath, type NodeName } from "../model/period.ts";
import { answerRule } from "../model/rules.ts";
import { printSourceAlone, type Source } from "../model/source-format.ts";
import type { NodeFacts, TreeState } from "../model/state.ts";

/** An answer of a model that is on record for a basis, as far as its file's name tells. */
export interface KnownAnswer {
  /** The first 16 digits of the basis and of the request digest. */
  readonly basis: string;
  readonly digest: string;
  readonly state: "accepted" | "refused" | "dropped";
}

/** What is known of answers and of waiting for them: an input of planning, like the day. */
export interface AnswersState {
  /** By the path of the node that they are for. */
  readonly known: ReadonlyMap<string, readonly KnownAnswer[]>;
  /** Whether a summarizer is configured, so that nodes wait for it. */
  readonly summarizer: "none" | "configured";
  /** By the path of a node: how many runs found it waiting, and the day of the first. */
  readonly waited: ReadonlyMap<string, { readonly runs: number; readonly since: Day }>;
}

/** Runs and days that a node waits for an answer before it is fixed with the built-in summary. */
export const mostWaits = { runs: 3, days: 3 } as const;

/** The day from which nothing waits any more that began to wait on `since`; the last day of the calendar at most. */
export function waitEnds(since: Day): Day {
  return since > lastToCount ? lastDay : addDays(since, mostWaits.days);
}

const lastDay = "9999-12-31";
const lastToCount = addDays(lastDay, -mostWaits.days);

/** The recorded answer that a node is made from. */
export interface NodeAnswer {
  /** The request digest, 64 digits. */
  readonly digest: string;
  /** Who answered. */
  readonly model: string;
  /** The lines of a summary, with refs. */
  readonly summary: readonly string[];
}

/** Gives the accepted answer for the sources of a node, if there is one. */
export interface AnswerSource {
  find(name: NodeName, sources: readonly Source[]): Promise<NodeAnswer | undefined>;
}

/** What a summary of a node is of, as a digest of 64 digits: the node's name and its sources. */
export function basisOf(name: NodeName, sources: readonly Source[]): string {
  return sha256(joinLines(["heartwood.basis.v1", name.level, nodeLabel(name), ...sources.map(printSourceAlone)]));
}

/** Digits of a digest in the name of a record. */
export const digitsOfName = 16;

/** The accepted answer for these sources; of several, which only a merge of two folders can give, the one with the lowest digest. */
export function acceptedFor(
  answers: AnswersState | undefined,
  name: NodeName,
  sources: readonly Source[],
): KnownAnswer | undefined {
  const accepted = knownFor(answers, name, sources).filter(({ state }) => state === "accepted");
  return accepted.toSorted((a, b) => (a.digest < b.digest ? -1 : 1))[0];
}

function knownFor(
  answers: AnswersState | undefined,
  name: NodeName,
  sources: readonly Source[],
): readonly KnownAnswer[] {
  const known = answers?.known.get(nodePath(name)) ?? [];
  if (known.length === 0) return known;
  const basis = basisOf(name, sources).slice(0, digitsOfName);
  return known.filter((answer) => answer.basis === basis);
}

/** Whether an answer, accepted or refused, is on record for a node's sources. */
export function isAnswered(answers: AnswersState | undefined, node: Pick<NodeFacts, "name" | "sources">): boolean {
  return knownFor(answers, node.name, node.sources).some(({ state }) => state !== "dropped");
}

/** Whether a node's body is a summary that the present rules made, as it stands there. */
export function isSummary(state: Pick<TreeState, "summarizer">, node: NodeFacts): boolean {
  const isMade = node.madeBy === state.summarizer || node.madeBy === answerRule(state.summarizer);
  return isMade && node.reading === "ours" && node.recorded === node.content;
}

/**
 * The one place that says whether a node waits for an answer instead of becoming fixed. When it could become fixed, `status.ts` knows. What was made from an
 * answer does not wait for another one.
 */
export function waitsForAnswer(state: TreeState, node: NodeFacts): boolean {
  const { answers } = state;
  if (answers?.summarizer !== "configured" || node.madeBy !== state.summarizer || !isSummary(state, node)) return false;
  // One that a person dropped was enough of waiting.
  if (knownFor(answers, node.name, node.sources).length > 0) return false;
  const waited = answers.waited.get(nodePath(node.name));
  if (waited === undefined) return true;
  return waited.runs < mostWaits.runs && daysBetween(waited.since, state.today) < mostWaits.days;
}

/**
 * Whether the answers on record ask for another body: one was accepted that the node was not made from, or the one that it was made from was dropped. That a
 * record is not there says nothing.
 */
export function isOutdatedByAnswer(state: TreeState, node: NodeFacts): boolean {
  if (!isSummary(state, node)) return false;
  const own = node.answer?.digest.slice(0, digitsOfName);
  const accepted = acceptedFor(state.answers, node.name, node.sources);
  if (accepted !== undefined) return accepted.digest !== own;
  const known = knownFor(state.answers, node.name, node.sources);
  return known.some((answer) => answer.digest === own && answer.state === "dropped");
}

/** The state after a run that found these nodes waiting. */
export function withWaits(state: TreeState, waiting: readonly NodeName[]): TreeState {
  if (state.answers === undefined || waiting.length === 0) return state;
  const waited = new Map(state.answers.waited);
  for (const path of waiting.map(nodePath)) {
    const before = waited.get(path);
    waited.set(path, { runs: (before?.runs ?? 0) + 1, since: before?.since ?? state.today });
  }
  return { ...state, answers: { ...state.answers, waited } };
}

/** The answers without those accepted for these sources whose records cannot be used: all that come before the one that can. */
export function withoutUnusable(
  answers: AnswersState,
  { name, sources }: Pick<NodeFacts, "name" | "sources">,
  usable: NodeAnswer | undefined,
): AnswersState {
  const path = nodePath(name);
  const first = usable?.digest.slice(0, digitsOfName) ?? "g";
  const own = new Set(
    knownFor(answers, name, sources).filter(({ state, digest }) => state === "accepted" && digest < first),
  );
  if (own.size === 0) return answers;
  const left = (answers.known.get(path) ?? []).filter((answer) => !own.has(answer));
  return { ...answers, known: new Map([...answers.known, [path, left]]) };
}
