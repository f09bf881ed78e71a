import { plainText } from "../snippets/plain-text.ts";
import { redact } from "../../text/redact/redact.ts";
import type { Candidate } from "./rank.ts";
import type { ScorePart } from "./results.ts";
import type { Finding } from "./search.ts";

/** Words whose part is told; each costs a query. */
const mostWords = 24;
const mostRows = 10_000;

/** What each word of the query adds to each of the hits, by row: the index tells only their sum, so it is asked for each alone. */
export async function wordScores(
  { index, wanted, terms, call }: Finding,
  candidates: readonly Candidate[],
): Promise<ReadonlyMap<number, readonly ScorePart[]>> {
  const parts = new Map<number, ScorePart[]>(candidates.map(({ row }) => [row.id, []]));
  for (const { word, terms: alternatives } of terms.any.slice(0, mostWords)) {
    const found = await index.find({ ...wanted.filter, any: alternatives, limit: mostRows }, call);
    const part = `word ${plainText(redact(word).text)}`;
    for (const { id, score } of found) parts.get(id)?.push({ part, score });
  }
  return parts;
}
