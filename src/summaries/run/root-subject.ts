import { buildRequest } from "../request/build-request.ts";
import type { AnswerFinding } from "../../tree/answers/record.ts";
import type { SourceText } from "../../tree/answers/match.ts";
import { askableNodes } from "../../tree/plan/status.ts";
import { planTree } from "../../tree/plan/plan.ts";
import {
  rootAnswerRoom,
  rootBasis,
  rootSourceLines,
  wordedSections,
  type RootSourceLine,
  longestRootItem,
  mostRootItems,
  printRootAnswer,
  readRootAnswer,
  type RootAnswerItem,
} from "../../tree/root/root-answer.ts";
import { composeRoot, rootLimits, type RootInputs } from "../../tree/root/root-compose.ts";
import { NodeShelf } from "../../tree/run/compose-node.ts";
import type { Configuration } from "../../tree/setup/configuration.ts";
import type { LoadedTree } from "../../tree/run/load.ts";
import { withLogicalLogs } from "../../tree/logs/logical-logs.ts";
import type { SummaryMemory } from "../memory.ts";
import { rootInputs, rootDue } from "../../tree/root-run/root-run.ts";
import { matchLines } from "../../tree/answers/match.ts";
import { readWith, type Subject } from "./subject.ts";

export interface RootLook {
  readonly configuration: Configuration;
  /** With the raw logs as the tree reads them. */
  readonly loaded: LoadedTree;
}

/** An answer that may have fewer tokens says less than the built-in lines. */
const leastRoom = 100;

/**
 * ROOT.md as something that a summary can be asked for: at most one subject, none while there is no ROOT.md of ours, while it has nothing to word, or no
 * room for it. `due` when no node is due or asked for, and ROOT.md is as its monthly nodes give it today, else `open`. Renders ROOT.md twice.
 */
export async function rootSubjects(
  opened: SummaryMemory,
  { configuration, loaded }: RootLook,
): Promise<readonly Subject[]> {
  const memory = await withLogicalLogs(opened);
  const document = loaded.root?.document;
  if (document === undefined) return [];
  const steps = planTree(loaded.state);
  const { reason } = await rootDue(memory, loaded, { configuration, steps });
  const cap = configuration.rootMaxTokens;
  const day = document.lastUpdated > loaded.state.today ? document.lastUpdated : loaded.state.today;
  const made = { shelf: new NodeShelf(memory.files), day, limits: rootLimits(cap), foreign: document.foreign };
  const inputs = await rootInputs(memory, loaded.state, made);
  const lines = rootSourceLines(inputs, cap);
  const budgetTokens = budgetOf(inputs);
  if (lines.length === 0 || budgetTokens < leastRoom) return [];
  // What a model may still say of a node may change what ROOT.md is about.
  const isNodeAsked = askableNodes(loaded.state).some((node) => node.state === "due");
  const isDue = steps.length === 0 && !isNodeAsked && (reason === undefined || reason === "answer");
  return [rootSubject(memory, { lines, budgetTokens, state: isDue ? "due" : "open" })];
}

/** The room of the answer's lines beside front matter that names an answer, and its headings. */
function budgetOf(inputs: RootInputs): number {
  const answer = { digest: "0123456789abcdef".repeat(4), model: "m".repeat(32) };
  return rootAnswerRoom(composeRoot({ ...inputs, answer }), inputs) + tokensOfHeadings;
}

const tokensOfHeadings = 24;

interface RootFacts {
  readonly lines: readonly RootSourceLine[];
  readonly budgetTokens: number;
  readonly state: "open" | "due";
}

function rootSubject(memory: SummaryMemory, { lines, budgetTokens, state }: RootFacts): Subject {
  const facts = {
    kind: "root",
    label: "ROOT",
    basis: rootBasis(lines),
    sources: sourcesOf(lines),
    mustKeep: [],
    space: { lines: mostRootItems + wordedSections.length * 2, bytes: mostRootItems * longestRootItem },
    budgetTokens,
  } as const;
  return {
    kind: facts.kind,
    label: facts.label,
    basis: facts.basis,
    state,
    request: async (space) => buildRequest({ ...facts, ...space }, (text) => memory.tokens.count(text)),
    read: (request, given) =>
      readWith({ request, given, memory }, (told) => {
        const items = readRootAnswer(told.map((line) => line.text));
        const isActive = items.some(({ section }) => section === wordedSections[0]);
        const [many, led] = ledTo(items, lines);
        return { summary: printRootAnswer(items), refusals: isActive ? thinRoot(many, led) : [nothingActive] };
      }),
    next: "heartwood compact",
  };
}

/** How many lines of Active Context there are, and which of them the items lead to. */
function ledTo(items: readonly RootAnswerItem[], lines: readonly RootSourceLine[]): [number, ReadonlySet<number>] {
  const active = lines.flatMap(({ section }, at) => (section === wordedSections[0] ? [at] : []));
  const found = matchLines(
    items.map(({ text }) => text),
    lines.map(({ text }) => text),
  ).flat();
  return [active.length, new Set(found.filter((at) => active.includes(at)))];
}

/** From so many lines of Active Context on, an answer has to lead to one in four of them: each is of another topic. */
const minActiveLines = 6;
const oneIn = 4;

/**
 * Refuses an answer that says so little that the built-in summary would be the better one. `led`: the indices of the lines of Active Context that an
 * item of the answer leads to.
 */
export function thinRoot(lines: number, led: ReadonlySet<number>): readonly AnswerFinding[] {
  if (lines < minActiveLines || led.size * oneIn >= lines) return [];
  const message = `Of the ${lines} lines of Active Context in the sources the answer tells ${led.size}; tell at least one in ${oneIn}, the most important ones.`;
  return [{ code: "too_thin", severity: "error", message, line: null }];
}

const nothingActive: AnswerFinding = {
  code: "missing_section",
  severity: "error",
  message: "## Active Context has no list item with words of its own; it needs at least one.",
  line: null,
};

/** A part for each section; what the built-in choice puts first counts most. */
function sourcesOf(lines: readonly RootSourceLine[]): readonly SourceText[] {
  return wordedSections.flatMap((section): readonly SourceText[] => {
    const own = lines.filter((line) => line.section === section);
    const texts = own.map(({ text, refs }, at) => ({ text, refs, weight: own.length - at }));
    return own.length === 0 ? [] : [{ name: section, lines: texts }];
  });
}
