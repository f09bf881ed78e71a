import type { Session } from "./session.ts";

/** What ranking needs of the chunks, held while nothing is written. */
export interface Corpus {
  readonly rows: number;
  /** Ids are less than this. */
  readonly past: number;
  /** Their ids in an order that does not tell in which order sources were written: of newer days first, what has no day before all. */
  readonly inOrder: Int32Array;
  /** Letters of a chunk, in the mean. */
  readonly usual: number;
  /** Lists that were read, by expression. */
  readonly lists: Map<string, List>;
  /** How many rows hold a word, as far as it was asked, by expression. */
  readonly counts: Map<string, number>;
  /** Rows in them. */
  held: number;
  sections: Sections | undefined;
}

/** The ids of the rows that hold a term, ascending. `cut`: only the first of them. */
export interface List {
  readonly rows: Int32Array;
  readonly is: "whole" | "cut";
}

/** Of each section its id and its chunks `[from, to)`, by id; and the section of each chunk. */
export interface Sections {
  readonly ids: readonly number[];
  readonly from: readonly number[];
  readonly to: readonly number[];
  readonly of: Int32Array;
  /** By the first chunk of a section: how many it has. */
  readonly sizes: Int32Array;
}

export function loadCorpus(session: Session): Corpus {
  const found = session
    .statement("SELECT sum(chunk_to - chunk_from) AS rows, max(chunk_to) AS past, sum(letters) AS letters FROM source")
    .get() as { readonly rows: number | null; readonly past: number | null; readonly letters: number | null };
  const rows = found.rows ?? 0;
  const usual = Math.max(1, (found.letters ?? 0) / Math.max(1, rows));
  const inOrder = loadOrder(session, rows);
  return {
    rows,
    past: found.past ?? 0,
    inOrder,
    usual,
    lists: new Map(),
    counts: new Map(),
    held: 0,
    sections: undefined,
  };
}

function loadOrder(session: Session, rows: number): Int32Array {
  const { from, to } = session
    .statement(
      `SELECT json_group_array(chunk_from) AS "from", json_group_array(chunk_to) AS "to"
      FROM (SELECT chunk_from, chunk_to FROM source ORDER BY until = '' DESC, until DESC, key)`,
    )
    .get() as { readonly from: string; readonly to: string };
  const past = numbersIn(to);
  const inOrder = new Int32Array(rows);
  let at = 0;
  numbersIn(from).forEach((first, source) => {
    for (let row = first; row < (past[source] ?? 0); row++) inOrder[at++] = row;
  });
  return inOrder;
}

export function sectionsOf(session: Session, corpus: Corpus): Sections {
  return (corpus.sections ??= loadSections(session, corpus.past));
}

/** As JSON: a row of numbers as an object takes several times as long. */
function loadSections(session: Session, past: number): Sections {
  const found = session
    .statement(
      `SELECT json_group_array(id) AS ids, json_group_array(chunk_from) AS "from", json_group_array(chunk_to) AS "to"
      FROM (SELECT id, chunk_from, chunk_to FROM section ORDER BY id)`,
    )
    .get() as { readonly ids: string; readonly from: string; readonly to: string };
  const [ids, from, to] = [numbersIn(found.ids), numbersIn(found.from), numbersIn(found.to)];
  const [of, sizes] = [new Int32Array(past), new Int32Array(past)];
  ids.forEach((id, at) => {
    const [first = 0, behind = 0] = [from[at], to[at]];
    if (behind <= first) return;
    of.fill(id, first, behind);
    sizes[first] = behind - first;
  });
  return { ids, from, to, of, sizes };
}

export function numbersIn(json: string): readonly number[] {
  return JSON.parse(json) as readonly number[];
}
