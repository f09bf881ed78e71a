import { describe, expect, it } from "vitest";
import { groupByName, mergeKeywords, nameKey, saysTheSame, wordKeys, wordKeysInOrder } from "./word-keys.ts";

function isAlike(a: string, b: string): boolean {
  return saysTheSame(wordKeys(a), wordKeys(b));
}

describe("saying nearly the same", () => {
  it("ignores inflection, case, order and function words", () => {
    expect(isAlike("Always pin the browser version", "pinning browser versions")).toBe(true);
    expect(isAlike("measure refused requests", "Refused requests measured")).toBe(true);
  });

  it("includes a text contained in a longer one, unless it is only a word or two", () => {
    expect(
      isAlike("never force-push to shared branches", "never force-push to shared branches, open a revert of it"),
    ).toBe(true);
    expect(isAlike("short answers", "short answers are hard to write about the ledger")).toBe(false);
  });

  it("excludes texts with different numbers or subjects", () => {
    expect(isAlike("answer in three short sentences", "answer in two short sentences")).toBe(false);
    expect(isAlike("at most 250 lines changed", "at most 400 lines changed")).toBe(false);
    expect(isAlike("deploy from main only", "ask before a new package is added")).toBe(false);
  });

  it("ignores Korean particles, and compares Chinese and Japanese by character pairs", () => {
    expect(isAlike("회의록은 한국어로 쓴다", "회의록을 한국어로 쓴다")).toBe(true);
    expect(isAlike("引用には必ず出典を付ける", "引用に出典を必ず付ける")).toBe(true);
    expect(isAlike("会议记录用中文写", "会议记录用英语写三行")).toBe(false);
  });
});

describe("word keys in order", () => {
  it("include repeats, and are otherwise those of the set", () => {
    const text = "Webhooks and webhooks, the webhook of 결제 서버는 再試行 v1.2";
    const keys = wordKeysInOrder(text);
    expect(keys.filter((key) => key === "webhook")).toHaveLength(3);
    expect(new Set(keys)).toEqual(wordKeys(text));
  });
});

describe("names of topics", () => {
  it("are equal regardless of inflection, order and case", () => {
    expect(nameKey("Payment flows")).toBe(nameKey("payment flow"));
    expect(nameKey("OAuth login")).toBe(nameKey("login with OAuth"));
    expect(nameKey("결제 흐름")).toBe(nameKey("결제 흐름은"));
  });

  it("differ if a number or word differs", () => {
    expect(nameKey("Sprint 12")).not.toBe(nameKey("Sprint 13"));
    expect(nameKey("Atlas billing")).not.toBe(nameKey("Atlas migration"));
    expect(nameKey("calls")).not.toBe(nameKey("on call"));
    expect(nameKey("請求書")).not.toBe(nameKey("請求先"));
  });

  it("are matched exactly if a thing of type user has the name", () => {
    const things = [
      { topic: "Editor", type: "user" },
      { topic: "editors", type: "project" },
      { topic: "editor", type: "project" },
    ];
    const groups = groupByName(things, ({ type }) => type === "user");
    expect(groups.map((group) => group.map(({ topic }) => topic))).toEqual([["Editor", "editor"], ["editors"]]);
  });
});

describe("merged keyword lists", () => {
  it("alternate between the lists, each word once", () => {
    expect(
      mergeKeywords(
        [
          ["token", "cookie"],
          ["bucket", "Token", "burst"],
        ],
        12,
      ),
    ).toEqual(["token", "bucket", "cookie", "burst"]);
  });

  it("have no word contained in a longer one, and at most the given number", () => {
    expect(mergeKeywords([["Figma", "Figma plugin", "fig", "爪切", "爪切り"]], 12)).toEqual([
      "Figma plugin",
      "fig",
      "爪切り",
    ]);
    expect(mergeKeywords([["a1", "b1", "c1"]], 2)).toEqual(["a1", "b1"]);
  });
});
