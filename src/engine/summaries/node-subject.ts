import { MemoryError } from "../../base/errors.ts";
import { nodeLabel } from "../../tree/period.ts";
import type { NodeFacts } from "../../tree/state.ts";
import type { Memory } from "../memory.ts";
import type { Subject } from "./subject.ts";

export interface NodeToAsk {
  /** The node as it stands. */
  readonly facts: NodeFacts;
  readonly basis: string;
  readonly state: "open" | "due" | "fixed";
}

/** A node as something that a summary can be asked for. `memory`: with the raw logs as the tree reads them, or as it was opened. */
export function nodeSubject(_memory: Memory, { facts, basis, state }: NodeToAsk): Subject {
  const notThere = async (): Promise<never> => {
    throw new MemoryError("internal", "This is not there yet.");
  };
  const label = nodeLabel(facts.name);
  return { kind: facts.name.level, label, basis, state, request: notThere, read: notThere, next: "heartwood compact" };
}
