// BM25 as SQLite's FTS5 computes it: k1 1.2, b 0.75, Porter stems, no diacritics, no stop words, any word of the question.
// The weight of a word is ln((N - n + 0.5) / (n + 0.5)), and 0.000001 if that is not positive: a word in half of the documents counts for nothing.
import { DatabaseSync } from "node:sqlite";
import { tokensOf, wordsOf } from "../recall-conversation-score.mjs";

/** Returns `rank(question, limit)`, which gives the ids of documents, best first. `documents`: `{ id, text }`. */
export function bm25(documents) {
  const database = new DatabaseSync(":memory:");
  database.exec(
    "create virtual table document using fts5(text, content = '', tokenize = 'porter unicode61 remove_diacritics 2')",
  );
  const insert = database.prepare("insert into document (rowid, text) values (?, ?)");
  const ids = [];
  database.exec("begin");
  for (const { id, text } of documents) {
    insert.run(ids.length, text);
    ids.push(id);
  }
  database.exec("commit");
  const find = database.prepare("select rowid as id from document where document match ? order by rank limit ?");
  return (question, limit = 200) => {
    const words = wordsOf(question).map((word) => `"${word}"`);
    return words.length === 0 ? [] : find.all(words.join(" OR "), limit).map((row) => ids[row.id]);
  };
}

/** The best rows of `logs` (Map from file to text) for each question, as contexts `[{ text, source }]`. Scoring cuts them at the budget. */
export function bm25Contexts(logs, questions, rowsOf = chunkRows) {
  const rows = [...logs].flatMap(([file, text]) => rowsOf(file, text.split("\n")));
  const rank = bm25(rows.map(({ text }, id) => ({ id, text })));
  return new Map(questions.map(({ id, text }) => [id, rank(text).map((row) => rows[row])]));
}

/** One row per line, without headings. */
export function turnRows(file, lines) {
  return lines.flatMap((text, index) =>
    /^(?:#|$)/u.test(text) ? [] : { text, source: `${file}:${index + 1}-${index + 1}` },
  );
}

/** Chunks of consecutive lines of one paragraph, up to 200 tokens. */
export function chunkRows(file, lines) {
  const rows = [];
  let open;
  lines.forEach((text, index) => {
    if (/^(?:#|$)/u.test(text)) {
      open = undefined;
      return;
    }
    const tokens = tokensOf(text).length;
    if (open === undefined || open.tokens + tokens > 200) rows.push((open = { from: index + 1, tokens: 0, texts: [] }));
    open.texts.push(text);
    open.tokens += tokens;
    open.to = index + 1;
  });
  return rows.map(({ texts, from, to }) => ({ text: texts.join("\n"), source: `${file}:${from}-${to}` }));
}
