import { describe, expect, it } from "vitest";
import { easternMarks, type EasternMark } from "./scripts.ts";

/** The names of the marks of a sentence. */
function marksOf(sentence: string): string {
  const names = Object.keys(easternMarks) as readonly EasternMark[];
  return names.filter((name) => new RegExp(easternMarks[name], "u").test(sentence)).join(" ");
}

describe("the marks of a Korean, Japanese or Chinese sentence", () => {
  it.each([
    ["나는 저녁 시간이 더 중요하다.", "own"],
    ["동생이 부산에 취직했다.", "own happened"],
    ["지난주에 자전거를 십이만 원에 샀다.", "figure time happened"],
    ["창문이 두 개 있다.", "figure"],
    ["참고로 우리 집에는 개가 있다.", "own aside"],
    ["어떤 보험이 좋을까요?", "asks"],
    ["회의록을 정리해 주세요.", "requests"],
    ["母は来月で六十歳になる。", "own figure time"],
    ["昨日、靴を買った。", "time happened"],
    ["大丈夫だと思う。", ""],
    ["ちなみに猫を二匹飼っている。", "figure aside"],
    ["どうすればいいでしょうか。", "asks"],
    ["予定を教えてください。", "requests"],
    ["我上周买了一台相机。", "own figure time happened"],
    ["奶奶的听力又差了。", "own happened"],
    ["这个方案通过评审。", ""],
    ["其实路由器坏了。", "happened aside"],
    ["能不能推荐一本书？", "figure asks requests"],
    ["我国的标准", ""],
  ])("%s: %s", (sentence, marks) => expect(marksOf(sentence)).toBe(marks));
});
