import { buildRequest } from "../../summarize/answers/build-request.ts";
import { isRefused, readAnswer } from "../../summarize/answers/read-answer.ts";
import type { AnswerFinding, SourceText, SummaryRequest } from "../../summarize/answers/request.ts";
import { builtInSummarizer } from "../../summarize/built-in.ts";
import { askableNodes } from "../../tree/askable.ts";
import { planTree } from "../../tree/plan.ts";
import {
  rootAnswerRoom,
  rootBasis,
  rootSourceLines,
  wordedSections,
  type RootSourceLine,
} from "../../tree/root-answer.ts";
import {
  longestRootItem,
  mostRootItems,
  printRootAnswer,
  readRootAnswer,
  type RootAnswerItem,
} from "../../tree/root-answer-format.ts";
import { composeRoot, rootLimits, type RootInputs } from "../../tree/root-compose.ts";
import { NodeShelf } from "../compose-node.ts";
import { readConfiguration, type Configuration } from "../configuration.ts";
import { loadTree, type LoadedTree } from "../load.ts";
import { withLogicalLogs } from "../logical-logs.ts";
import type { Memory } from "../memory.ts";
import { rootInputs } from "../render-root.ts";
import { rootDue } from "../root-run.ts";
import { matchLines } from "./match-lines.ts";
import type { GivenAnswer, ReadAnswer, RequestSpace, Subject } from "./subject.ts";
import { thinRoot } from "./too-thin.ts";

/** What looking around told already; read anew where it is missing. */
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
export async function rootSubjects(opened: Memory, look?: RootLook): Promise<readonly Subject[]> {
  const memory = await withLogicalLogs(opened);
  const { configuration, loaded } = look ?? (await lookAt(memory));
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

async function lookAt(memory: Memory): Promise<RootLook> {
  const { configuration } = await readConfiguration(memory);
  return { configuration, loaded: await loadTree(memory, builtInSummarizer.id, { cache: "used" }) };
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

function rootSubject(memory: Memory, { lines, budgetTokens, state }: RootFacts): Subject {
  const basis = rootBasis(lines);
  const count = (text: string): number => memory.tokens.count(text);
  const request = async ({ contextTokens, notes }: RequestSpace): Promise<SummaryRequest> =>
    buildRequest(
      {
        kind: "root",
        label: "ROOT",
        basis,
        sources: sourcesOf(lines),
        mustKeep: [],
        space: { lines: mostRootItems + wordedSections.length * 2, bytes: mostRootItems * longestRootItem },
        budgetTokens,
        contextTokens,
        notes,
      },
      count,
    );
  const read = async (asked: SummaryRequest, answer: GivenAnswer): Promise<ReadAnswer> => {
    const { findings, lines: told, text, tokens } = readAnswer(asked, answer, count);
    if (isRefused(findings)) return { findings, summary: [], text, tokens };
    const items = readRootAnswer(told.map((line) => line.text));
    const isActive = items.some(({ section }) => section === wordedSections[0]);
    const [many, led] = ledTo(items, lines);
    const thin = isActive ? thinRoot(many, led) : [];
    if (isActive && thin.length === 0) return { findings, summary: printRootAnswer(items), text, tokens };
    if (isActive) return { findings: [...findings, ...thin], summary: [], text, tokens };
    return { findings: [...findings, nothingActive], summary: [], text, tokens };
  };
  return { kind: "root", label: "ROOT", basis, state, request, read, next: "heartwood compact" };
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
