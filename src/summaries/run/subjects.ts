import type { SummaryKind } from "../../tree/answers/record.ts";
import { withLogicalLogs } from "../../tree/memory.ts";
import { nodePath, parseNodeLabel } from "../../tree/model/period.ts";
import { askableNodes, basisOf, isSummary, statusOfSources } from "../../tree/plan/status.ts";
import { loadTree } from "../../tree/run/load.ts";
import { readConfiguration } from "../../tree/setup/configuration.ts";
import type { SummaryMemory } from "../memory.ts";
import { nodeSubject } from "./node-subject.ts";
import { type RootLook, rootSubjects } from "./root-subject.ts";
import type { Subject, SubjectSource } from "./subject.ts";
import { mostThreadSubjects, threadSubjects } from "./thread-subject.ts";

/** The subjects of a memory. `list` omits nodes with an accepted or refused answer; `find` includes them. */
export function openSubjects(memory: SummaryMemory, look?: RootLook): SubjectSource {
  let loaded = look === undefined ? undefined : Promise.resolve(look.loaded);
  const tree = (): Promise<RootLook["loaded"]> =>
    (loaded ??= withLogicalLogs(memory).then((logs) => loadTree(logs, { cache: "used" })));
  const list = async (kind: SummaryKind, thread_id?: string): Promise<readonly Subject[]> => {
    if (kind === "thread") return threadSubjects(memory, { limit: mostThreadSubjects, thread_id });
    if (kind === "root") return rootSubjects(memory, { ...(await readConfiguration(memory)), loaded: await tree() });
    return askableNodes((await tree()).state)
      .filter((node) => node.facts.name.level === kind && node.state !== "fixed")
      .map((node) => nodeSubject(memory, node));
  };
  return {
    list,
    find: async (kind, label) => {
      // `notes.120` belongs to the thread `notes`.
      if (kind === "root" || kind === "thread")
        return (await list(kind, label.replace(/\.?[^.]*$/u, ""))).find((subject) => subject.label === label);
      const { state } = await tree();
      const name = parseNodeLabel(kind, label);
      const facts = name === undefined ? undefined : state.nodes.get(nodePath(name));
      if (facts === undefined || !isSummary(facts)) return undefined;
      const isDue = statusOfSources(state, facts) === "fixed";
      const basis = basisOf(facts.name, facts.sources);
      return nodeSubject(memory, { facts, basis, state: facts.status === "fixed" ? "fixed" : isDue ? "due" : "open" });
    },
    forget: () => (loaded = undefined),
  };
}
