import { expect, test } from "vitest";
import type { StoredRow } from "../index/search-index.ts";
import { withoutThreadCopies } from "./search-step.ts";

const row = (id: number, kind: "raw" | "thread", text: string) => ({
  row: { id, kind, text } as StoredRow,
  words: 1,
});
const turn = "User: Which port does staging have?\nAssistant: Staging listens on port 5433.";

test("a turn that is in a log and, with other turns, in a thread is returned once", () => {
  const chunks = [
    row(1, "thread", `${turn}\nUser: Rename the importer\nAssistant: Renamed it in twelve files.`),
    row(2, "raw", `## Session 5f0c [project]\n${turn}`),
    row(3, "thread", "User: Which port does production have?\nAssistant: It listens on port 5434."),
    row(4, "thread", "User: ok\nAssistant: yes"),
  ];
  expect(withoutThreadCopies(chunks).map(({ row: { id } }) => id)).toEqual([2, 3, 4]);
});

test("a turn that is only in a thread is returned", () => {
  const chunks = [row(1, "thread", turn), row(2, "thread", turn)];
  expect(withoutThreadCopies(chunks)).toEqual(chunks);
});
