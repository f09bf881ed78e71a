import { MemoryError } from "../../base/errors.ts";
import { buildRequest } from "../../summarize/answers/build-request.ts";
import { isRefused, readAnswer } from "../../summarize/answers/read-answer.ts";
import { summarySpace } from "../../tree/compose.ts";
import { daysCovered, nodeLabel, nodePath } from "../../tree/period.ts";
import type { NodeFacts } from "../../tree/state.ts";
import { withLogicalLogs } from "../logical-logs.ts";
import type { Memory } from "../memory.ts";
import { summaryOfAnswer } from "./node-answer.ts";
import { readNodeSources, type NodeSources } from "./node-sources.ts";
import type { Subject } from "./subject.ts";
import { thinNode } from "./too-thin.ts";

export interface NodeToAsk {
  /** The node as it stands. */
  readonly facts: NodeFacts;
  readonly basis: string;
  readonly state: "open" | "due" | "fixed";
}

/** Text that is held for a request, for each token that it may have; and the least and the most of it. Bytes. */
const held = { perToken: 8, least: 512 * 1024, most: 16 * 1024 * 1024 };

/**
 * A node as something that a summary can be asked for. `memory`: with the raw logs as the tree reads them, or as it was opened. `request` has `not_found` when nothing in
 * the sources may be told.
 */
export function nodeSubject(opened: Memory, { facts, basis, state }: NodeToAsk): Subject {
  const { name } = facts;
  const label = nodeLabel(name);
  let last: NodeSources | undefined;
  const sources: Subject["request"] = async ({ contextTokens, notes }, call) => {
    const memory = await withLogicalLogs(opened);
    const mostBytes = Math.min(held.most, Math.max(held.least, contextTokens * held.perToken));
    const read = await readNodeSources(memory.files, { facts, basis, mostBytes, call });
    last = read;
    if (!read.texts.some(({ lines }) => lines.some(({ text }) => !text.startsWith("#")))) throw nothingToTell(facts);
    const told = { sources: read.texts, leftOut: read.leftOut, mustKeep: read.mustKeep };
    const space = summarySpace(name, []);
    const count = (text: string): number => memory.tokens.count(text);
    return buildRequest({ kind: name.level, label, basis, space, contextTokens, notes, ...told }, count);
  };
  return {
    kind: name.level,
    label,
    basis,
    state,
    request: sources,
    read: async (request, given) => {
      const checked = readAnswer(request, given, (text) => opened.tokens.count(text));
      const { findings, text, tokens } = checked;
      if (isRefused(findings)) return { findings, summary: [], text, tokens };
      const ranked = (
        last ??
        (await readNodeSources((await withLogicalLogs(opened)).files, {
          facts,
          basis,
          mostBytes: held.least,
          call: {},
        }))
      ).ranked;
      const summary = summaryOfAnswer(checked.lines, { name, sources: request.sources, ranked });
      const thin = thinNode(summary, { ranked, near: daysCovered(name.level, name.period).first });
      return { findings: [...findings, ...thin], summary: thin.length === 0 ? summary : [], text, tokens };
    },
    next: state === "fixed" ? `heartwood compact --reopen ${name.period}` : "heartwood compact",
  };
}

function nothingToTell(facts: NodeFacts): MemoryError {
  const path = nodePath(facts.name);
  return new MemoryError(
    "not_found",
    `Nothing that ${path} was made from can be told to a model: it has only code, output or passing notes.`,
    { path },
  );
}
