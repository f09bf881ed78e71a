import { ruleSetId } from "../../text/redact/redact.ts";
import type { NamedEmbedder } from "../memory.ts";

/** Changes whenever sources are cut into other sections, chunks, statements, words or parts than before. */
const cutting = "cut-3";

/** What the index is made by: an index of other rules is made anew. */
export function rulesOf(embedder: NamedEmbedder | undefined): string {
  return [cutting, ruleSetId, embedder?.id ?? "none"].join(" ");
}
