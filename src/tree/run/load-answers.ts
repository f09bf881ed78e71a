import { MemoryError, type Warning, isInTheWay } from "../../base/errors.ts";
import type { FileStamp } from "../../platform/files.ts";
import { isOutdatedByAnswer, withoutUnusable } from "../plan/status.ts";
import type { AnswersState, TreeState } from "../model/tree-state.ts";
import { nodePath } from "../model/period.ts";
import { answersFolder, listAnswerFolders } from "./idle.ts";
import type { TreeMemory } from "../memory.ts";
import { answersOf, readAnswers } from "../../summaries/run/answer-store.ts";

/** What the tree is told of recorded answers; `undefined` when that cannot be read: then no node waits, and what was made from one stays. */
export interface LoadedAnswers {
  readonly answers: AnswersState | undefined;
  /** The folders with their stamps before they were read. */
  readonly folders: ReadonlyMap<string, FileStamp>;
  readonly warnings: readonly Warning[];
}

export async function loadAnswers(memory: TreeMemory): Promise<LoadedAnswers> {
  const entries = await listAnswerFolders(memory.files);
  const folders = new Map(entries.map(({ name, stamp }) => [`${answersFolder}/${name}`, stamp]));
  try {
    return { answers: await readAnswers(memory), folders, warnings: [] };
  } catch (error) {
    const isTolerated = isInTheWay(error) || (error instanceof MemoryError && error.code === "invalid_config");
    if (!isTolerated) throw error;
    const message = `answers of a model are not used, because what is known of them cannot be read: ${error.message}`;
    return { answers: undefined, folders, warnings: [{ code: error.code, message }] };
  }
}

/** The state without accepted answers whose records are damaged: a node would be due for one again and again. Reads a record only where a node is due for it. */
export async function withUsableAnswers(
  memory: TreeMemory,
  state: TreeState,
): Promise<{ readonly state: TreeState; readonly warnings: readonly Warning[] }> {
  if (state.answers === undefined || state.answers.known.size === 0) return { state, warnings: [] };
  const source = answersOf(memory);
  const warnings: Warning[] = [];
  let { answers } = state;
  for (const facts of state.nodes.all()) {
    const path = nodePath(facts.name);
    if (facts.status === "fixed" || !answers.known.has(path) || !isOutdatedByAnswer(state, facts)) continue;
    const usable = withoutUnusable(answers, facts, await source.find(facts.name, facts.sources));
    if (usable === answers) continue;
    answers = usable;
    const message = `the answer of a model that is recorded for ${path} is damaged and is not used`;
    warnings.push({ code: "answer_damaged", path, message });
  }
  return { state: { ...state, answers }, warnings };
}
