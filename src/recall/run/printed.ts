import { printContext } from "../context/print.ts";
import type { RecallResult } from "../search/results.ts";

/** A result of recall as it goes into a prompt: fenced as data, best first; one line when nothing was found. */
export function printRecall(result: Pick<RecallResult, "context" | "mark" | "not_indexed">): string {
  const { context, mark, not_indexed } = result;
  const missing = not_indexed === 0 ? "" : ` ${sourcesNotIndexed(not_indexed)}`;
  if (context.length === 0) return `Nothing that is remembered bears on this.${missing}`;
  return [...printContext(context, mark), ...(missing === "" ? [] : [missing.trim()])].join("\n");
}

function sourcesNotIndexed(count: number): string {
  const what = count === 1 ? "1 source is" : `${count} sources are`;
  return `${what} not in the index yet: heartwood index brings everything in.`;
}
