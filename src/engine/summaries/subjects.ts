import { builtInSummarizer } from "../../summarize/built-in.ts";
import { basisOf, isSummary } from "../../tree/answers.ts";
import { askableNodes, type AskableNode } from "../../tree/askable.ts";
import { nodePath, parseNodeLabel, type NodeLevel } from "../../tree/period.ts";
import { statusOf } from "../../tree/status.ts";
import type { TreeState } from "../../tree/state.ts";
import { loadTree } from "../load.ts";
import { withLogicalLogs } from "../logical-logs.ts";
import type { Memory } from "../memory.ts";
import { nodeSubject } from "./node-subject.ts";
import { rootSubjects } from "./root-subject.ts";
import type { SubjectSource } from "./subject-source.ts";
import type { Subject } from "./subject.ts";
import { mostThreadSubjects, threadSubjects } from "./thread-subject.ts";

/** The subjects of a memory. Nodes whose answer was refused are not listed, and are found. */
export function openSubjects(opened: Memory): SubjectSource {
  const tree = async (): Promise<{ readonly memory: Memory; readonly state: TreeState }> => {
    const memory = await withLogicalLogs(opened);
    return { memory, state: (await loadTree(memory, builtInSummarizer.id, { cache: "used" })).state };
  };
  return {
    list: async (kind) => {
      if (kind === "root") return rootSubjects(opened);
      if (kind === "thread") return threadSubjects(opened, { limit: mostThreadSubjects });
      const { memory, state } = await tree();
      return askableNodes(state)
        .filter((node) => node.facts.name.level === kind && node.state !== "fixed")
        .map((node) => nodeSubject(memory, node));
    },
    find: async (kind, label) => {
      const isIt = (subject: Subject): boolean => subject.label === label;
      if (kind === "root") return (await rootSubjects(opened)).find(isIt);
      if (kind === "thread")
        return (await threadSubjects(opened, { limit: mostThreadSubjects, thread_id: threadOf(label) })).find(isIt);
      const { memory, state } = await tree();
      const node = nodeAt(state, kind, label);
      return node === undefined ? undefined : nodeSubject(memory, node);
    },
  };
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
