import type { IndexTerm } from "../search-index.ts";

/** A term as an expression of FTS5. All text of others stands in quotes, where only a quote means something. */
export function matchOf(term: IndexTerm): string {
  const quoted = `"${term.text.replaceAll('"', '""').replaceAll("\0", " ")}"`;
  if (term.kind === "part") return `parts : ${quoted}`;
  return term.kind === "prefix" ? `${quoted} *` : quoted;
}
