import { describe, expect, it } from "vitest";
import { saysTheSame, wordKeys, wordKeysInOrder } from "./word-keys.ts";

function isAlike(a: string, b: string): boolean {
  return saysTheSame(wordKeys(a), wordKeys(b));
}

describe("whether two texts say nearly the same", () => {
  it("does not look at inflection, case, order and function words", () => {
    expect(isAlike("Always pin the browser version", "pinning browser versions")).toBe(true);
    expect(isAlike("measure refused requests", "Refused requests measured")).toBe(true);
  });

  it("takes a text for the same as a longer one that contains it, unless it is a word or two", () => {
    expect(
      isAlike("never force-push to shared branches", "never force-push to shared branches, open a revert of it"),
    ).toBe(true);
    expect(isAlike("short answers", "short answers are hard to write about the ledger")).toBe(false);
  });

  it("tells other numbers and other matters apart", () => {
    expect(isAlike("answer in three short sentences", "answer in two short sentences")).toBe(false);
    expect(isAlike("at most 250 lines changed", "at most 400 lines changed")).toBe(false);
    expect(isAlike("deploy from main only", "ask before a new package is added")).toBe(false);
  });

  it("knows Korean words without their particles, and Chinese and Japanese by pairs of characters", () => {
    expect(isAlike("회의록은 한국어로 쓴다", "회의록을 한국어로 쓴다")).toBe(true);
    expect(isAlike("引用には必ず出典を付ける", "引用に出典を必ず付ける")).toBe(true);
    expect(isAlike("会议记录用中文写", "会议记录用英语写三行")).toBe(false);
  });
});

describe("the words of a text in their order", () => {
  it("are as many as it has, and those of the set", () => {
    const text = "Webhooks and webhooks, the webhook of 결제 서버는 再試行 v1.2";
    const keys = wordKeysInOrder(text);
    expect(keys.filter((key) => key === "webhook")).toHaveLength(3);
    expect(new Set(keys)).toEqual(wordKeys(text));
  });
});
