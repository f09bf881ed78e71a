// A rival's work as a whole process, for bench/growth-rivals.mjs. Usage: node growth-rival.mjs fts5|minisearch build|change|query LOGS INDEX LOG|QUERY [MODULE]
// Both index the sections of logs. `change` is told which log changed. MODULE: the file of minisearch.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [, , which, act, logs, index, given, module] = process.argv;
const rivals = {
  fts5: async () => {
    const { DatabaseSync } = await import("node:sqlite");
    const database = new DatabaseSync(index);
    database.exec("PRAGMA journal_mode = WAL");
    const insert = (name) => {
      const row = database.prepare("INSERT INTO section (text, log) VALUES (?, ?)");
      for (const text of sectionsOf(name)) row.run(text, name);
    };
    return {
      build: () => {
        database.exec(
          "BEGIN; CREATE VIRTUAL TABLE section USING fts5 (text, log UNINDEXED, tokenize = 'porter unicode61')",
        );
        database.exec("CREATE TABLE place (log TEXT, first INTEGER, last INTEGER)");
        for (const name of names()) {
          const first = lastRow(database) + 1;
          insert(name);
          database.prepare("INSERT INTO place VALUES (?, ?, ?)").run(name, first, lastRow(database));
        }
        database.exec("COMMIT");
      },
      change: () => {
        database.exec("BEGIN");
        const { first, last } = database.prepare("SELECT first, last FROM place WHERE log = ?").get(given);
        database.prepare("DELETE FROM section WHERE rowid BETWEEN ? AND ?").run(first, last);
        const from = lastRow(database) + 1;
        insert(given);
        database.prepare("UPDATE place SET first = ?, last = ? WHERE log = ?").run(from, lastRow(database), given);
        database.exec("COMMIT");
      },
      query: () => {
        const words = (given.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => `"${word}"`).join(" OR ");
        const sql =
          "SELECT log, snippet(section, 0, '', '', '…', 20) AS text FROM section WHERE section MATCH ? ORDER BY rank LIMIT 10";
        return database.prepare(sql).all(words);
      },
    };
  },
  minisearch: async () => {
    const { default: MiniSearch } = await import(module);
    const options = { fields: ["text"], storeFields: ["log"] };
    const load = () => MiniSearch.loadJSON(readFileSync(index, "utf8"), options);
    const save = (search) => writeFileSync(index, JSON.stringify(search));
    const sections = (name) => sectionsOf(name).map((text, at) => ({ id: `${name}:${at}`, text, log: name }));
    return {
      build: () => {
        const search = new MiniSearch(options);
        for (const name of names()) search.addAll(sections(name));
        save(search);
      },
      change: () => {
        const search = load();
        for (const section of sections(given))
          if (search.has(section.id)) search.replace(section);
          else search.add(section);
        save(search);
      },
      query: () => load().search(given).slice(0, 10),
    };
  },
};

const rival = await rivals[which]();
console.log(JSON.stringify(rival[act]() ?? "done"));

function names() {
  return readdirSync(logs)
    .filter((name) => /^\d{4}-\d\d-\d\d\.md$/u.test(name))
    .sort();
}

function sectionsOf(name) {
  return readFileSync(join(logs, name), "utf8").split(/^(?=## )/mu);
}

function lastRow(database) {
  return database.prepare("SELECT max(rowid) AS last FROM section").get().last ?? 0;
}
