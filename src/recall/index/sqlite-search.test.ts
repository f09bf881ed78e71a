import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeSearchIndex } from "../../testing/index.ts";
import { nodeSqlite } from "../../platform/sqlite.ts";
import { createSqliteSearch } from "./sqlite-search.ts";

describeSearchIndex(
  {
    name: "sqlite-search",
    create: async () => {
      const dir = mkdtempSync(join(tmpdir(), "heartwood-search-"));
      const options = { folder: join(dir, ".heartwood", "search"), driver: nodeSqlite };
      const [index, other] = [createSqliteSearch(options), createSqliteSearch(options)];
      return {
        index,
        other,
        close: async () => {
          await index.close();
          await other.close();
          rmSync(dir, { recursive: true, force: true });
        },
      };
    },
  },
  { describe, it, expect },
);
