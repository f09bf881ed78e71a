import { ruleSetId } from "../../base/redact/index.ts";
import type { Memory } from "../memory.ts";

/** Changes whenever sources are cut into other sections, chunks, statements, words or parts than before. */
const cutting = "cut-1";

/** What the index was made by: an index of other rules is made anew. */
export function rulesOf(_memory: Memory): string {
  return [cutting, ruleSetId, "none"].join(" ");
}
