import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { describeSearchIndex } from "../../../testing/index.ts";
import type { SourceChange } from "../search-index.ts";
import { nodeSqlite } from "../../../platform/sqlite.ts";
import { createSqliteSearch } from "../sqlite-search.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "heartwood-settle-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describeSearchIndex(
  {
    name: "sqlite-search",
    create: async () => {
      const options = { folder: join(dir, ".heartwood", "search"), driver: nodeSqlite };
      const [index, other] = [createSqliteSearch(options), createSqliteSearch(options)];
      return {
        index,
        other,
        close: async () => {
          await index.close();
          await other.close();
        },
      };
    },
  },
  { describe, it, expect },
);

function note(number: number): SourceChange {
  const text = Array.from({ length: 60 }, (_, at) => `word${number * 7 + at}`).join(" ");
  const row = { lines: [1, 1] as const, text, parts: "", weight: 0 };
  const section = {
    heading: "",
    type: "project",
    origin: "" as const,
    day: "2026-03-15",
    lines: row.lines,
    chunks: [row],
    statements: [],
    digest: "",
  };
  const put = {
    kind: "raw",
    level: "raw",
    from: "2026-03-15",
    to: "2026-03-15",
    stamp: "",
    digest: `${number}`,
  } as const;
  return { key: `memory/${number}.md`, put: { ...put, sections: [{ ...section, type: "project" }] } };
}

/** FTS5 segments, largest first. */
function segments(folder: string): readonly { readonly id: number; readonly pages: number }[] {
  const database = nodeSqlite.open(join(folder, "index.sqlite"));
  try {
    const rows = database.prepare(
      "SELECT id >> 37 AS id, count(*) AS pages FROM chunk_words_data WHERE id >> 37 > 0 GROUP BY 1 ORDER BY 2 DESC, 1",
    );
    return rows.all() as readonly { readonly id: number; readonly pages: number }[];
  } finally {
    database.close();
  }
}

describe("after a large write", () => {
  test("small writes leave the large segment alone, their own segments stay few, and everything is found", async () => {
    const folder = join(dir, ".heartwood", "search");
    const index = createSqliteSearch({ folder, driver: nodeSqlite });
    const many = Array.from({ length: 2000 }, (_, number) => note(number));
    await index.write("rules", many, { after: "settle" });
    const [large] = segments(folder);
    expect(segments(folder)).toHaveLength(1);
    for (let number = 0; number < 40; number++) await index.write("rules", [note(20_000 + number)]);
    expect(segments(folder)[0]).toEqual(large);
    expect(segments(folder).length).toBeLessThan(10);
    const found = async (word: string): Promise<number> =>
      (await index.find({ any: [{ kind: "word", text: word, weight: 1 }], limit: 100 })).length;
    expect(await found("word700")).toBe(9);
    expect(await found(`word${20_039 * 7}`)).toBe(9);
    expect(await found("settled")).toBe(0);
    await index.close();
  });
});
