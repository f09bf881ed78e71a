import { describe, expect, it } from "vitest";
import { groupByName, nameKey } from "./topic-names.ts";

describe("names of topics", () => {
  it("are one in another inflection, order or case", () => {
    expect(nameKey("Payment flows")).toBe(nameKey("payment flow"));
    expect(nameKey("OAuth login")).toBe(nameKey("login with OAuth"));
    expect(nameKey("결제 흐름")).toBe(nameKey("결제 흐름은"));
  });

  it("stay apart with another number or another word", () => {
    expect(nameKey("Sprint 12")).not.toBe(nameKey("Sprint 13"));
    expect(nameKey("Atlas billing")).not.toBe(nameKey("Atlas migration"));
    expect(nameKey("calls")).not.toBe(nameKey("on call"));
    expect(nameKey("請求書")).not.toBe(nameKey("請求先"));
  });

  it("stand for themselves where what a person said of himself has the name", () => {
    const things = [
      { topic: "Editor", type: "user" },
      { topic: "editors", type: "project" },
      { topic: "editor", type: "project" },
    ];
    const groups = groupByName(things, ({ type }) => type === "user");
    expect(groups.map((group) => group.map(({ topic }) => topic))).toEqual([["Editor", "editor"], ["editors"]]);
  });
});
