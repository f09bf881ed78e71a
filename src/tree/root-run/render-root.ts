import { isInTheWay } from "../../base/errors.ts";
import type { SecretValues } from "../../text/redact/known-secrets.ts";
import type { Node } from "../model/node-format.ts";
import type { RootAnswerMark } from "../root/root-format.ts";
import { composeRoot, type RootInputs } from "../root/root-compose.ts";
import type { RootLimits } from "../root/root-lines.ts";
import type { NodeFacts, TreeState } from "../model/tree-state.ts";
import { builtInSummarizer } from "../extract/built-in-summarizer.ts";
import type { NodeShelf } from "../run/compose-node.ts";
import { readSecrets } from "../run/known-secrets.ts";
import type { TreeMemory } from "../memory.ts";
import type { RenderedRoot } from "./root-answered.ts";

/** Lines of monthlies from which on a choice among them takes much memory. */
const muchToRender = 4000;

/** What ROOT.md is rendered for. */
export interface MadeRoot {
  readonly shelf: NodeShelf;
  readonly day: string;
  readonly limits: RootLimits;
  readonly foreign: readonly string[];
  /** The cap of the file, where `limits` are smaller. Default: that of `limits`. */
  readonly cap?: number;
  /** The recorded answer that it is made from; `accepted`: the one that is accepted for what it says. Default: none. */
  readonly answer?: RootAnswerMark | "accepted" | undefined;
  /** Of the whole memory. Default: they are read. */
  readonly secrets?: SecretValues;
}

/** ROOT.md composed for a day from the monthlies as they stand. An answer that cannot be read counts as none. */
export async function renderRoot(memory: TreeMemory, state: TreeState, made: MadeRoot): Promise<RenderedRoot> {
  const inputs = await rootInputs(memory, state, made);
  const { answer } = made;
  if (answer === undefined || (answer === "accepted" && !(await hasRootRecords(memory)))) return composeRoot(inputs);
  const { renderAnswered } = await import("./root-answered.ts");
  return renderAnswered(memory, inputs, { answer, cap: made.cap ?? made.limits.tokens });
}

/** What ROOT.md is composed from: the monthlies as they stand, and what it is rendered for. */
export async function rootInputs(memory: TreeMemory, state: TreeState, made: MadeRoot): Promise<RootInputs> {
  const monthlies: Node[] = [];
  let lines = 0;
  for (const facts of monthlyFacts(state)) {
    const node = await made.shelf.get(facts.name);
    monthlies.push(node);
    lines += node.body.length;
  }
  if (lines > muchToRender) memory.onWork?.();
  return {
    monthlies,
    day: made.day,
    limits: made.limits,
    foreign: made.foreign,
    summarizer: builtInSummarizer,
    count: (text) => memory.tokens.count(text),
    secrets: made.secrets ?? (await readSecrets(memory.files, state)).values,
  };
}

/** The monthly nodes and their addenda, oldest first. */
export function monthlyFacts(state: TreeState): readonly NodeFacts[] {
  return state.nodes.all().filter((node) => node.name.level === "monthly" && node.reading !== "broken");
}

/** Whether anything is on record for ROOT.md, in a folder of ours; looking does not load what reads records. */
export async function hasRootRecords(memory: TreeMemory): Promise<boolean> {
  try {
    return (await memory.files.list(rootRecordsFolder)).length > 0;
  } catch (error) {
    if (isInTheWay(error)) return false;
    throw error;
  }
}

const rootRecordsFolder = ".heartwood/artifacts/answers/root";
