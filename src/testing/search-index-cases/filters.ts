import type { IndexFilter, SearchIndex } from "../../recall/index/search-index.ts";
import type { SearchIndexHarness } from "../search-index-conformance.ts";
import type { Case } from "../test-functions.ts";
import { contentOf, rules, sectionOf } from "./content.ts";

async function passing(index: SearchIndex, filter: IndexFilter): Promise<string> {
  const any = [{ kind: "word", text: "x", weight: 1 }] as const;
  const found = await index.find({ any, limit: 100, ...filter });
  const rows = await index.rows(
    "chunk",
    found.map(({ id }) => id),
  );
  return rows
    .map(({ text }) => text.slice(2))
    .toSorted()
    .join(" ");
}

async function fill(index: SearchIndex): Promise<void> {
  const day = (at: string, until = at) => ({ from: at, to: at === "" ? "" : until });
  await index.write(rules, [
    { key: "r1", put: contentOf([sectionOf(["x r1"], { day: "2026-03-01" })], day("2026-03-01")) },
    {
      key: "r2",
      put: contentOf(
        [sectionOf(["x r2u"], { day: "2026-03-02", type: "user" }), sectionOf(["x r2p"], { day: "2026-03-02" })],
        day("2026-03-02"),
      ),
    },
    {
      key: "w",
      put: contentOf([sectionOf(["x w"], { day: "2026-03-08" })], {
        ...day("2026-03-02", "2026-03-08"),
        kind: "node",
        level: "weekly",
      }),
    },
    { key: "m", put: contentOf([sectionOf(["x m"], { type: "user" })], { kind: "memory", level: "none" }) },
    {
      key: "t",
      put: contentOf([sectionOf(["x t1"], { day: "2026-03-01" }), sectionOf(["x t9"], { day: "2026-03-09" })], {
        ...day("2026-03-01", "2026-03-09"),
        kind: "thread",
        level: "none",
      }),
    },
  ]);
}

const cases: readonly (readonly [IndexFilter, string])[] = [
  [{}, "m r1 r2p r2u t1 t9 w"],
  [{ kinds: ["raw"] }, "r1 r2p r2u"],
  [{ kinds: ["memory", "node"] }, "m w"],
  [{ kinds: [] }, ""],
  [{ levels: ["weekly"] }, "w"],
  [{ types: ["user"] }, "m r2u"],
  [{ types: ["user"], kinds: ["raw"] }, "r2u"],
  [{ since: "2026-03-02" }, "r2p r2u t9 w"],
  [{ until: "2026-03-01" }, "r1 t1"],
  [{ since: "2026-03-05", until: "2026-03-06" }, ""],
  [{ since: "2026-03-02", until: "2026-03-08" }, "r2p r2u w"],
  [{ since: "2026-03-03", until: "2026-03-08" }, ""],
  [{ since: "2026-03-09", until: "2026-03-09" }, "t9"],
  [{ since: "2027-01-01" }, ""],
];

export const filterCases: readonly Case<SearchIndexHarness>[] = [
  {
    says: "filters by kind, level, type and days hold together; a node passes when all of its days do",
    proves: async ({ index }, expect) => {
      await fill(index);
      for (const [filter, wanted] of cases)
        expect([JSON.stringify(filter), await passing(index, filter)]).toEqual([JSON.stringify(filter), wanted]);
    },
  },
  {
    says: "a limit counts what passes the filter",
    proves: async ({ index }, expect) => {
      await fill(index);
      const any = [{ kind: "word", text: "x", weight: 1 }] as const;
      const found = await index.find({ any, limit: 1, kinds: ["memory"] });
      expect(found.length).toBe(1);
    },
  },
];
