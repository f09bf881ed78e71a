// What a program without a store would do, as a whole process, for bench/growth-threads.mjs. Usage: node growth-bare.mjs insert LINES.jsonl DATABASE | count DATABASE
// `insert`: the rows that heartwood stores for these lines, in one transaction, with the same settings of SQLite. `count`: reads the messages of a store and counts their words.
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

const [, , act, ...paths] = process.argv;
if (act === "insert") insert(...paths);
else count(...paths);

function insert(lines, path) {
  const database = new DatabaseSync(path);
  database.exec(
    "PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 400; PRAGMA cache_size = -16384",
  );
  database.exec(
    "CREATE TABLE frame (at INTEGER PRIMARY KEY, id BLOB NOT NULL, type TEXT, ordinal INTEGER NOT NULL, weight INTEGER NOT NULL, crc INTEGER NOT NULL, line TEXT NOT NULL)",
  );
  database.exec("CREATE TABLE frame_id (id BLOB PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID; BEGIN");
  const frame = database.prepare("INSERT INTO frame VALUES (?, ?, NULL, ?, ?, 0, ?)");
  const place = database.prepare("INSERT INTO frame_id VALUES (?, ?)");
  for (const [at, text] of readFileSync(lines, "utf8").trimEnd().split("\n").entries()) {
    const { content } = JSON.parse(text);
    const uuid = randomUUID();
    const id = Buffer.from(uuid.replaceAll("-", ""), "hex");
    const timestamp_ms = Date.now();
    const envelope = { id: uuid, thread_id: "bench", seq: at, timestamp_ms, type: "continuity_message_appended" };
    const line = JSON.stringify({ ...envelope, actor_id: "user", origin: "bench", content });
    frame.run(at, id, at, content.length, line);
    place.run(id, at);
  }
  database.exec("COMMIT");
  database.close();
}

function count(path) {
  const database = new DatabaseSync(path, { readOnly: true });
  const counts = new Map();
  for (const { line } of database.prepare("SELECT line FROM frame WHERE type IS NULL ORDER BY at").iterate())
    for (const [word] of JSON.parse(line)
      .content.toLowerCase()
      .matchAll(/[\p{L}\p{N}]+/gu))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  console.log(counts.size);
}
