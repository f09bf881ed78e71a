import type { SummaryKind } from "../../tree/answers/record.ts";
import { builtInSummarizer } from "../../tree/extract/built-in-summarizer.ts";
import { basisOf, isSummary, askableNodes, type AskableNode, statusOf } from "../../tree/plan/status.ts";
import { nodePath, parseNodeLabel, type NodeLevel } from "../../tree/model/period.ts";
import type { TreeState } from "../../tree/model/tree-state.ts";
import { readConfiguration } from "../../tree/setup/configuration.ts";
import { type LoadedTree, loadTree } from "../../tree/run/load.ts";
import { withLogicalLogs } from "../../tree/logs/logical-logs.ts";
import type { SummaryMemory } from "../memory.ts";
import { nodeSubject } from "./node-subject.ts";
import { rootSubjects } from "./root-subject.ts";
import type { Subject, SubjectSource } from "./subject.ts";
import { mostThreadSubjects, threadSubjects } from "./thread-subject.ts";

/** The subjects of a memory. Nodes whose answer was refused are not listed, and are found. */
export function openSubjects(opened: SummaryMemory): SubjectSource {
  let look: Promise<Look> | undefined;
  const lookOnce = (): Promise<Look> => (look ??= lookAt(opened));
  const list = async (kind: SummaryKind, thread_id?: string): Promise<readonly Subject[]> => {
    if (kind === "thread") return threadSubjects(opened, { limit: mostThreadSubjects, thread_id });
    const { memory, loaded } = await lookOnce();
    if (kind === "root") return rootSubjects(memory, { ...(await readConfiguration(memory)), loaded });
    return askableNodes(loaded.state)
      .filter((node) => node.facts.name.level === kind && node.state !== "fixed")
      .map((node) => nodeSubject(memory, node));
  };
  return {
    list,
    find: async (kind, label) => {
      if (kind === "root" || kind === "thread")
        return (await list(kind, threadOf(label))).find((subject) => subject.label === label);
      const { memory, loaded } = await lookOnce();
      const node = nodeAt(loaded.state, kind, label);
      return node === undefined ? undefined : nodeSubject(memory, node);
    },
    forget: () => (look = undefined),
  };
}

interface Look {
  /** With the raw logs as the tree reads them. */
  readonly memory: SummaryMemory;
  readonly loaded: LoadedTree;
}

async function lookAt(opened: SummaryMemory): Promise<Look> {
  const memory = await withLogicalLogs(opened);
  return { memory, loaded: await loadTree(memory, builtInSummarizer.id, { cache: "used" }) };
}

/** `notes.120` is of the thread `notes`. */
function threadOf(label: string): string {
  return label.slice(0, Math.max(0, label.lastIndexOf(".")));
}

function nodeAt(state: TreeState, level: NodeLevel, label: string): AskableNode | undefined {
  const name = parseNodeLabel(level, label);
  const facts = name === undefined ? undefined : state.nodes.get(nodePath(name));
  if (facts === undefined || !isSummary(state, facts)) return undefined;
  const isDue = statusOf(state, facts.name, facts) === "fixed";
  const node = { facts, basis: basisOf(facts.name, facts.sources) };
  return { ...node, state: facts.status === "fixed" ? "fixed" : isDue ? "due" : "open" };
}
