import { describe, expect, it } from "vitest";
import { passage, preserved } from "../../../test/fixtures/passages.ts";
import type { PlacedPassage } from "../model/node-passages.ts";
import { statementsOf } from "./root-statements.ts";
import { isRepeat, openItems } from "../extract/pending.ts";

function texts(of: PlacedPassage): readonly string[] {
  return statementsOf(of).map(({ text }) => text);
}

describe("the statements of a passage", () => {
  it("are the items of a user or feedback entry, the rule before how to apply it and why", () => {
    const lines = [
      "- why: reads on a phone",
      "- **Rule:** three sentences",
      "- how-to-apply: in chat,",
      "  not in mail",
    ];
    const said = statementsOf(preserved("Short answers [feedback]", "2026-03-15", ...lines));
    expect(said.map(({ text, part }) => `${part}: ${text}`)).toEqual([
      "itself: three sentences",
      "how: how-to-apply: in chat, not in mail",
      "why: why: reads on a phone",
    ]);
  });

  it("have no list markers, check boxes, markup or struck-out text", () => {
    const lines = ["- [x] `main` is **green**;", "3. ~~use Lucene~~ use SQLite", "> said so in __public__"];
    expect(texts(preserved("Search [user]", "2026-03-15", ...lines))).toEqual([
      "main is green",
      "use SQLite",
      "said so in public",
    ]);
  });

  it("leave out code, and text that only repeats the name", () => {
    expect(texts(passage("note", "Auth", "2026-03-15", "auth."))).toEqual([]);
    expect(texts(preserved("Deploy [user]", "2026-03-15", "```", "kubectl apply", "```"))).toEqual([]);
  });

  it("are repeats only with the same words, numbers and polarity", () => {
    const one = (text: string) => statementsOf(passage("lesson", "CI", "2026-03-15", text))[0]!;
    const isAgain = (a: string, b: string) => isRepeat(one(a), one(b));
    expect(isAgain("pin the browser version", "pin browser versions")).toBe(true);
    expect(isAgain("push to main directly", "never push to main directly")).toBe(false);
    expect(isAgain("keep images for 30 days", "keep images for 90 days")).toBe(false);
  });
});

describe("an open item", () => {
  const open = (day: string, text: string) => passage("open", "Payment flow", day, text);
  const items = (...newestFirst: readonly PlacedPassage[]) =>
    openItems(newestFirst.flatMap(statementsOf)).map(({ last }) => `${last.day} ${last.text}`);

  it("is in the newest list: items only in older lists are closed", () => {
    expect(
      items(
        open("2026-03-14", "tell the shop"),
        open("2026-03-14", "order labels"),
        open("2026-03-10", "measure refused requests"),
        open("2026-03-10", "tell the shop"),
      ),
    ).toEqual(["2026-03-14 tell the shop", "2026-03-14 order labels"]);
  });

  it("is closed by a later entry that says it is done, in its words or as a whole", () => {
    const done = passage("done", "Payment flow", "2026-03-14", "the limits are printed");
    expect(items(done, open("2026-03-10", "tell the shop"))).toEqual(["2026-03-10 tell the shop"]);
    expect(items({ ...done, text: "the labels are ordered" }, open("2026-03-10", "order labels"))).toEqual([]);
    expect(items({ ...done, progress: "done" }, open("2026-03-10", "tell the shop"))).toEqual([]);
    const given = passage("abandoned", "Payment flow", "2026-03-14", "cancelled by the shop");
    expect(items(given, open("2026-03-10", "order labels"))).toEqual([]);
    const blocked = passage("blocked", "Payment flow", "2026-03-14", "blocked by legal, labels are ordered");
    expect(items(blocked, open("2026-03-10", "tell the shop"))).toEqual(["2026-03-10 tell the shop"]);
  });

  it("is closed when a later day mentions it", () => {
    const note = passage("note", "Oven", "2026-03-14", "fitted the new thermocouple");
    expect(items(note, { ...open("2026-03-10", "replace the thermocouple"), topic: "Oven" })).toEqual([]);
  });
});
