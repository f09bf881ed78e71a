import type { SearchIndex } from "../../ports/search-index.ts";
import type { Memory } from "../memory.ts";
import type { StepTold } from "./one.ts";
import type { Pointed } from "./pointed.ts";
import type { RecallQuery } from "./query.ts";

export async function lookInRoot(
  _memory: Memory,
  _index: SearchIndex,
  _query: RecallQuery,
): Promise<{ readonly pointed: readonly Pointed[]; readonly told: StepTold }> {
  return { pointed: [], told: { candidates: 0, kept: 0, notes: [] } };
}
