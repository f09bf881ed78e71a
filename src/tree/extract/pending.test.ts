import { expect, test } from "vitest";
import { passage } from "../../../test/fixtures/passages.ts";
import { statementsOf } from "../root/root-statements.ts";
import { Elsewhere, openItems } from "./pending.ts";

const item = passage("open", "Shopping", "2026-03-12", "printer cartridges");
const openWith = (...others: readonly ReturnType<typeof passage>[]): number =>
  openItems(statementsOf(item), { elsewhere: new Elsewhere(others), entries: [] }).length;

test("an item is open until a later text below any heading says it is done", () => {
  expect(openWith()).toBe(1);
  expect(openWith(passage("note", "Saturday", "2026-03-27", "printer cartridges bought"))).toBe(0);
  expect(openWith(passage("done", "Errands", "2026-03-13", "printer cartridges"))).toBe(0);
});

test("an earlier text, one that leaves something open, or one about something else does not close it", () => {
  expect(openWith(passage("note", "Saturday", "2026-03-10", "printer cartridges bought"))).toBe(1);
  expect(openWith(passage("note", "Saturday", "2026-03-27", "printer cartridges not bought yet"))).toBe(1);
  expect(openWith(passage("note", "Saturday", "2026-03-27", "the office moved to the second floor"))).toBe(1);
});

test("when in doubt it is closed: a later text has half of its words", () => {
  expect(openWith(passage("note", "Saturday", "2026-03-27", "the shop has no cartridges of this kind"))).toBe(0);
  expect(openWith(passage("note", "Saturday", "2026-03-27", "the printer has paper again"))).toBe(0);
});

test("a later entry whose heading the item names continues its story", () => {
  expect(openWith(passage("topic", "Printer cartridges", "2026-03-14", ""))).toBe(0);
  expect(openWith(passage("topic", "Printer", "2026-03-14", ""))).toBe(1);
  expect(openWith(passage("topic", "Printer cartridges", "2026-03-11", ""))).toBe(1);
});
