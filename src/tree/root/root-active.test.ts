import { describe, expect, it } from "vitest";
import { entryOf, passage, preserved, topicsOf } from "../../../test/fixtures/passages.ts";
import { activeDays, activeLines } from "./root-active.ts";
import type { PlacedPassage } from "../model/node-passages.ts";

const today = "2026-03-15";

function lines(...passages: readonly PlacedPassage[]): readonly string[] {
  const topics = topicsOf(today, ...passages);
  return activeLines(topics, activeDays(topics, today), today).map(({ text }) => text);
}

function found(text: string, topic: string): PlacedPassage {
  return { ...passage("note", topic, "2026-03-14", text), naming: "found" };
}

describe("Active Context", () => {
  it("shows a topic's newest state first, then open items, then older statements, with their days", () => {
    expect(
      lines(
        entryOf("Payment flow", "2026-03-14", "limits, bursts"),
        passage("decision", "Payment flow", "2026-03-10", "token bucket, since bursts must pass"),
        passage("done", "Payment flow", "2026-03-14", "in progress, shadow mode runs"),
        passage("open", "Payment flow", "2026-03-12", "tell the shop before the limit is on"),
      ),
    ).toEqual([
      "- Payment flow: in progress, shadow mode runs; open 03-12: tell the shop before the limit is on; token bucket, since bursts must pass (03-10)",
    ]);
  });

  it("carries over an open item from before the window, with the first and last day it was mentioned", () => {
    expect(
      lines(
        passage("decision", "Other", "2026-03-14", "keep the old format"),
        passage("open", "Payment flow", "2026-03-02", "measure refused requests"),
        passage("open", "Payment flow", "2026-03-04", "measure refused requests"),
      ),
    ).toContain("- Payment flow: open 03-02, 03-04: measure refused requests");
  });

  it("does not carry over items closed by a newer outcome, of a completed topic, or silent for months", () => {
    const done = { ...entryOf("Shipped", "2026-03-02"), progress: "done" as const };
    expect(
      lines(
        passage("note", "Other", "2026-03-14", "the meeting moved to Friday"),
        passage("open", "Closed", "2026-03-01", "write the runbook"),
        passage("done", "Closed", "2026-03-03", "the runbook stands in the wiki"),
        done,
        passage("open", "Shipped", "2026-03-02", "look at the logs"),
        passage("open", "Old", "2025-10-02", "ask for a quote"),
      ),
    ).toEqual(["- Other: the meeting moved to Friday"]);
  });

  it("does not treat a status as an outcome, and shows the first day of an item that came up again", () => {
    expect(
      lines(
        passage("note", "Other", "2026-03-14", "the meeting moved to Friday"),
        passage("open", "Ledger", "2025-11-01", "agree on rounding"),
        passage("open", "Ledger", "2026-02-20", "agree on rounding"),
        passage("done", "Ledger", "2026-02-24", "in review with Rui"),
        passage("open", "Ledger", "2026-03-02", "agree on rounding"),
      ),
    ).toContain("- Ledger: open 02-20, 03-02: agree on rounding");
  });

  it("shows the year of open items from another year", () => {
    const topics = topicsOf(
      "2026-01-20",
      passage("note", "A", "2026-01-19", "all is well here"),
      passage("open", "B", "2025-12-20", "ask Jonas"),
    );
    const texts = activeLines(topics, activeDays(topics, "2026-01-20"), "2026-01-20").map(({ text }) => text);
    expect(texts).toContain("- B: open 2025-12-20: ask Jonas");
  });

  it("shows what the last day of completed work left open, and its outcome", () => {
    const done = { ...entryOf("Export", "2026-03-14"), progress: "done" as const };
    expect(
      lines(
        done,
        passage("open", "Export", "2026-03-10", "agree on rounding"),
        passage("open", "Export", "2026-03-14", "measure refused requests"),
        passage("done", "Export", "2026-03-14", "shipped behind a flag"),
      ),
    ).toEqual(["- Export: open 03-14: measure refused requests; shipped behind a flag"]);
  });

  it("has no list markers or check boxes, and otherwise the words of the source", () => {
    expect(
      lines(
        passage("note", "A", "2026-03-14", "- [ ] request: **nightly** export of the `ledger`"),
        passage("decision", "B", "2026-03-14", "결정: 토큰 버킷을 쓴다"),
      ).toSorted(),
    ).toEqual(["- A: request: nightly export of the ledger", "- B: 결정: 토큰 버킷을 쓴다"]);
  });

  it("ends with a clause or a sentence at about 150 characters, even without spaces", () => {
    const long = "the vendor delivers the new box on Thursday, ".repeat(6);
    const japanese = "来週から在宅勤務になります。".repeat(15);
    for (const text of [long, japanese]) {
      const [line = ""] = lines(passage("note", "Box", "2026-03-14", text));
      expect(Array.from(line).length).toBeLessThan(165);
      const said = line.replace("- Box: ", "").replace(/…$/u, "");
      expect(text.startsWith(said)).toBe(true);
      expect(said + text.slice(said.length, said.length + 1)).toMatch(/[,。来]$/u);
    }
  });

  it("shows a sentence if one is known, otherwise keywords", () => {
    expect(
      lines(
        entryOf("A", "2026-03-14", "kubectl, cluster"),
        passage("note", "A", "2026-03-14", "the cluster is moved with kubectl"),
        entryOf("B", "2026-03-14", "valve, gasket"),
        passage("note", "B", "2026-03-14", "B."),
      ).toSorted(),
    ).toEqual(["- A: the cluster is moved with kubectl", "- B: valve, gasket"]);
  });

  it("shows a statement shared by two topics once", () => {
    const told = lines(
      passage("decision", "A", "2026-03-14", "deploy on Monday"),
      passage("decision", "A", "2026-03-13", "keep the flag"),
      passage("decision", "B", "2026-03-14", "Deploy on Monday"),
    );
    expect(told.join("\n").match(/deploy on Monday/giu)).toHaveLength(1);
  });

  it("puts open work first, then heavier, then fresher topics, and completed work last", () => {
    const done = { ...entryOf("Done", "2026-03-15"), progress: "done" as const };
    const names = lines(
      done,
      passage("done", "Done", "2026-03-15", "done, shipped to everyone"),
      passage("note", "Stale", "2026-03-10", "waiting for the vendor"),
      passage("note", "Fresh", "2026-03-15", "the box has arrived today"),
      passage("open", "Open", "2026-03-14", "ask finance about rounding"),
    ).map((line) => line.slice(2, line.indexOf(":")));
    expect(names).toEqual(["Open", "Fresh", "Stale", "Done"]);
  });

  it("includes a user or feedback topic only if something new was said about it", () => {
    expect(
      lines(
        preserved("Diet [user]", "2026-01-10", "- vegetarian, no peanuts"),
        preserved("Diet [user]", "2026-03-14", "- vegetarian, no peanuts"),
        preserved("Short answers [feedback]", "2026-03-14", "- why: reads on a phone", "- rule: three sentences"),
      ),
    ).toEqual(["- Short answers: three sentences"]);
  });

  it("quotes whole sentences from conversations, but no questions", () => {
    expect(
      lines(
        found("Hi there! What food would you recommend?", "biscuit porto"),
        found("By the way, I've just adopted a greyhound called Biscuit, what food is good?", "biscuit porto"),
        found("What is the capital of Mongolia?", "mongolia capital"),
        found("안녕하세요, 저는 다음 달에 부산으로 이사해요.", "부산 이사"),
        found("私は大阪の製薬会社で働いています。", "製薬会社 大阪"),
      ).toSorted(),
    ).toEqual([
      "- 製薬会社 大阪: 私は大阪の製薬会社で働いています。",
      "- 부산 이사: 안녕하세요, 저는 다음 달에 부산으로 이사해요.",
    ]);
  });

  it("gives the day of statements that are not from the newest day or refer to another day", () => {
    expect(
      lines(
        passage("decision", "Payment flow", "2026-03-12", "token bucket, since bursts must pass"),
        passage("decision", "Payment flow", "2026-03-14", "the shop is told tomorrow"),
      ),
    ).toEqual(["- Payment flow: the shop is told tomorrow (03-14); token bucket, since bursts must pass (03-12)"]);
  });

  it("lets a later list of open items replace all open items of the topic", () => {
    expect(
      lines(
        passage("open", "Payment flow", "2026-03-10", "measure refused requests"),
        passage("open", "Payment flow", "2026-03-10", "tell the shop"),
        passage("open", "Payment flow", "2026-03-14", "tell the shop"),
      ),
    ).toEqual(["- Payment flow: open 03-10, 03-14: tell the shop"]);
  });

  it("has refs from every line to its passages", () => {
    const topics = topicsOf(
      today,
      passage("open", "Payment flow", "2026-03-02", "measure refused requests"),
      passage("note", "A", "2026-03-14", "a remark on gutters"),
    );
    for (const { from, refs, text } of activeLines(topics, activeDays(topics, today), today)) {
      expect(from.some((one) => text.endsWith(one.text))).toBe(true);
      expect(refs).toEqual(from.flatMap((one) => one.refs));
    }
  });
});
