import { describe, expect, it } from "vitest";
import { entryOf, passage, preserved, topicsOf } from "../../../test/fixtures/passages.ts";
import type { PlacedPassage } from "../model/node-passages.ts";
import { densities, historyRuns } from "./root-history.ts";
import { gatherTopics } from "./root-topics.ts";

const today = "2026-03-15";

describe("a reference", () => {
  const wiki = (day: string): readonly PlacedPassage[] => [
    entryOf("Kiln manual [reference]", day),
    passage("note", "Kiln manual [reference]", day, "firing curves, https://kiln.example.com/manual"),
  ];
  const ageWith = (...others: readonly PlacedPassage[]): number | undefined =>
    topicsOf(today, ...wiki("2026-01-10"), ...others).find(({ name }) => name === "Kiln manual")?.age;

  it("is as old as its last mention by name or address, in any topic", () => {
    expect(ageWith()).toBe(64);
    expect(ageWith(passage("note", "Glaze", "2026-03-12", "the curve is in the kiln manual"))).toBe(3);
    expect(ageWith(passage("decision", "Glaze", "2026-03-13", "as https://kiln.example.com/manual says"))).toBe(2);
    expect(ageWith(preserved("Style [feedback]", "2026-03-14", "- rule: cite the Kiln manual"))).toBe(1);
    expect(ageWith(passage("note", "Glaze", "2026-03-12", "the kiln is hot"))).toBe(64);
  });

  it("is the only topic refreshed by a mention elsewhere", () => {
    const [topic] = topicsOf(
      today,
      entryOf("Kiln", "2026-01-10"),
      passage("note", "Glaze", "2026-03-12", "Kiln is hot"),
    ).filter(({ name }) => name === "Kiln");
    expect(topic?.age).toBe(64);
  });
});

describe("a statement that no longer holds", () => {
  it("is not shown next to a later one about the same subject", () => {
    const [topic] = topicsOf(
      today,
      preserved("Report [feedback]", "2026-01-10", "- rule: summaries have at most 300 words"),
      preserved("Report [feedback]", "2026-02-10", "- rule: summaries have at most 80 words"),
    );
    expect(topic?.statements.map(({ text }) => text)).toEqual(["summaries have at most 80 words"]);
  });

  it("is shown again if a still later one returns to it, even in the user's words from conversations", () => {
    const said = (day: string, text: string): PlacedPassage => ({ ...passage("said", "", day, text), topic: "" });
    const texts = gatherTopics(
      [
        said("2026-01-10", "My favourite editor is Helix."),
        said("2026-02-10", "My favourite editor is Emacs."),
        said("2026-03-10", "My favourite editor is Helix."),
      ],
      today,
    ).said.map(({ text }) => text);
    expect(texts).toEqual(["My favourite editor is Helix."]);
  });
});

describe("Historical Summary", () => {
  const history = (...passages: readonly PlacedPassage[]): readonly string[] => {
    const topics = topicsOf(today, ...passages);
    const density = { ...densities[0]!, before: "2026-03-09", leftOut: new Set<string>() };
    return historyRuns(topics, density).map(({ text }) => text);
  };

  it("shows the outcome of each topic with its day, and lists topics without one", () => {
    expect(
      history(
        entryOf("clawy.pro", "2026-01-12"),
        passage("note", "clawy.pro", "2026-01-12", "a landing page"),
        passage("done", "clawy.pro", "2026-01-28", "launched with Stripe"),
        entryOf("Retro", "2026-01-14"),
        passage("note", "Retro", "2026-01-14", "pagers"),
        passage("decision", "Ledger", "2026-02-03", "parquet, partitioned by day."),
      ),
    ).toEqual([
      "- 2026-01: clawy.pro: launched with Stripe, 01-28; Retro",
      "- 2026-02: Ledger: parquet, partitioned by day, 02-03",
    ]);
  });

  it("does not show done if a later state contradicts it", () => {
    const at = (line: number, of: PlacedPassage): PlacedPassage => ({
      ...of,
      refs: of.refs.map(({ log }) => ({ log, from: line, to: line })),
    });
    const done = at(2, passage("done", "Billing", "2026-01-05", "done"));
    const status = at(6, passage("outcome", "Billing", "2026-01-05", "status: reopened, refunds are wrong"));
    const blocked = passage("blocked", "Billing", "2026-01-09", "blocked by legal");
    expect(history(done)).toEqual(["- 2026-01: Billing: done, 01-05"]);
    expect(history(done, status)).toEqual(["- 2026-01: Billing: status: reopened, refunds are wrong, 01-05"]);
    expect(history(done, blocked)).toEqual(["- 2026-01: Billing"]);
    expect(history({ ...done, refs: [{ log: "2026-01-20", from: 2, to: 2 }] }, blocked)).toEqual([
      "- 2026-01: Billing: done, 01-20",
    ]);
  });

  it("does not cut an event where that would change its meaning", () => {
    const long = `never deploy on Fridays${", as the shop is full then".repeat(12)}`;
    expect(history(passage("decision", "Deploys", "2026-01-05", long))).toEqual(["- 2026-01: Deploys"]);
  });
});
