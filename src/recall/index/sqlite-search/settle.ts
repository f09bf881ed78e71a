import type { Session } from "./session.ts";

/**
 * FTS5 keeps what each write leaves as a segment on the lowest level, and joins four of a level to one of the next. All that there is becomes one segment on a level
 * that small writes reach after hundreds of them. It rises only when it is joined with another, so it gets one of a single word, which is gone again.
 */
export function settle(session: Session): void {
  const command = (name: string): void =>
    void session.statement("INSERT INTO chunk_words (chunk_words) VALUES (?)").run(name);
  const { past } = session.statement("SELECT max(chunk_to) AS past FROM source").get() as {
    readonly past: number | null;
  };
  const word = [past ?? 1, "settled", ""] as const;
  for (let times = 0; times < rises; times++) {
    session.statement("INSERT INTO chunk_words (rowid, text, parts) VALUES (?, ?, ?)").run(...word);
    command("flush");
    session
      .statement("INSERT INTO chunk_words (chunk_words, rowid, text, parts) VALUES ('delete', ?, ?, ?)")
      .run(...word);
    command("optimize");
  }
}

/** To the first level, and from there to the third. */
const rises = 2;
