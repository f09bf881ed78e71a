import { matchLines, type SourceText } from "../../tree/answers/match.ts";
import { type AnswerFinding, refusal } from "../../tree/answers/record.ts";
import { withLogicalLogs } from "../../tree/memory.ts";
import { askableNodes } from "../../tree/plan/status.ts";
import { planTree } from "../../tree/plan/plan.ts";
import { rootDue, rootInputs } from "../../tree/root-run/root-run.ts";
import {
  longestRootItem,
  mostRootItems,
  printRootAnswer,
  readRootAnswer,
  rootAnswerRoom,
  rootBasis,
  rootSourceLines,
  type RootSourceLine,
  wordedSections,
} from "../../tree/root/root-answer.ts";
import { composeRoot, rootLimits } from "../../tree/root/root-compose.ts";
import { NodeShelf } from "../../tree/run/compose-node.ts";
import type { LoadedTree } from "../../tree/run/load.ts";
import type { Configuration } from "../../tree/setup/configuration.ts";
import type { SummaryMemory } from "../memory.ts";
import { buildRequest } from "../request/build-request.ts";
import { readWith, type Subject } from "./subject.ts";

export interface RootLook {
  readonly configuration: Configuration;
  /** Includes the raw logs as the tree reads them. */
  readonly loaded: LoadedTree;
}

/** With fewer tokens, an answer would say less than the built-in lines. */
const leastRoom = 100;
const tokensOfHeadings = 24;
/** Placeholder for computing the room left when the front matter names an answer. */
const anyAnswer = { digest: "0123456789abcdef".repeat(4), model: "m".repeat(32) };
const active = wordedSections[0];

/**
 * ROOT.md as a subject of a summary request. Returns at most one subject; none if there is no ROOT.md of ours, nothing to reword or no room. It is
 * `due` if no node is due or waiting for an answer and ROOT.md matches today's monthly nodes, else `open`. Renders ROOT.md twice.
 */
export async function rootSubjects(
  opened: SummaryMemory,
  { configuration, loaded }: RootLook,
): Promise<readonly Subject[]> {
  const memory = await withLogicalLogs(opened);
  const { state, root } = loaded;
  const document = root?.document;
  if (document === undefined) return [];
  const steps = planTree(state);
  const reason = await rootDue(memory, loaded, { configuration, steps });
  const cap = configuration.rootMaxTokens;
  const day = document.lastUpdated > state.today ? document.lastUpdated : state.today;
  const made = { shelf: new NodeShelf(memory.files), day, limits: rootLimits(cap), foreign: document.foreign };
  const inputs = await rootInputs(memory, state, made);
  const lines = rootSourceLines(inputs, cap);
  const budgetTokens = rootAnswerRoom(composeRoot({ ...inputs, answer: anyAnswer }), inputs) + tokensOfHeadings;
  if (lines.length === 0 || budgetTokens < leastRoom) return [];
  // A pending answer for a node may change the content of ROOT.md.
  const isNodeAsked = askableNodes(state).some((node) => node.state === "due");
  const isDue = steps.length === 0 && !isNodeAsked && (reason === undefined || reason === "answer");
  const basis = rootBasis(lines);
  const space = { lines: mostRootItems + wordedSections.length * 2, bytes: mostRootItems * longestRootItem };
  const subject = { kind: "root", label: "ROOT", basis } as const;
  const facts = { ...subject, sources: sourcesOf(lines), mustKeep: [], space, budgetTokens };
  return [
    {
      ...subject,
      state: isDue ? "due" : "open",
      request: async (asked) => buildRequest({ ...facts, ...asked }, (text) => memory.tokens.count(text)),
      read: (request, given) =>
        readWith(memory, [request, given], (answered) => {
          const items = readRootAnswer(answered.map((line) => line.text));
          const isActive = items.some(({ section }) => section === active);
          const [many, led] = ledTo(items, lines);
          return { summary: printRootAnswer(items), findings: isActive ? thinRoot(many, led) : [nothingActive] };
        }),
      next: "heartwood compact",
    },
  ];
}

/** The number of lines in Active Context, and which of them the items link to. */
function ledTo(
  items: readonly { readonly text: string }[],
  lines: readonly RootSourceLine[],
): [lines: number, led: ReadonlySet<number>] {
  const own = lines.flatMap(({ section }, at) => (section === active ? [at] : []));
  const textOf = ({ text }: { readonly text: string }): string => text;
  const found = matchLines(items.map(textOf), lines.map(textOf)).flat();
  return [own.length, new Set(found.filter((at) => own.includes(at)))];
}

/** With at least this many lines in Active Context, an answer has to link to one in four, because each has a different topic. */
const minActiveLines = 6;
const oneIn = 4;

/** Refuses an answer that is worse than the built-in summary. `led`: the indices of the Active Context lines that an item of the answer links to. */
export function thinRoot(lines: number, led: ReadonlySet<number>): readonly AnswerFinding[] {
  if (lines < minActiveLines || led.size * oneIn >= lines) return [];
  const message = `The answer includes ${led.size} of the ${lines} lines of Active Context in the sources; include at least one in ${oneIn}, choosing the most important.`;
  return [refusal("too_thin", message)];
}

const nothingActive = refusal(
  "missing_section",
  "## Active Context has no list item with words from the sources; it needs at least one.",
);

/** One source text per section; lines that the built-in summary puts first weigh most. */
function sourcesOf(lines: readonly RootSourceLine[]): readonly SourceText[] {
  return wordedSections.flatMap((section): readonly SourceText[] => {
    const own = lines.filter((line) => line.section === section);
    const texts = own.map(({ text, refs }, at) => ({ text, refs, weight: own.length - at }));
    return own.length === 0 ? [] : [{ name: section, lines: texts }];
  });
}
