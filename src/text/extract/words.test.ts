import { describe, expect, it } from "vitest";
import { contentWords, runsOf, stem } from "./words.ts";

const shown = (text: string): readonly string[] => contentWords(text).map((word) => word.shown);

describe("the words of a text", () => {
  it("are nouns without particles and endings in Korean", () => {
    expect(shown("결제 흐름에서는 토큰 버킷을 도입하기로 했다")).toEqual(["결제", "흐름", "토큰", "버킷", "도입"]);
    expect(shown("Redis를 캐시로 사용합니다. 접근권한을 줄였다")).toEqual(["Redis", "캐시", "접근권한"]);
    expect(shown("회의에서 고양이의 높이와 속도를 쟀다")).toEqual(["회의", "고양이", "높이", "속도"]);
    expect(shown("씨에게 3회")).toEqual([]);
  });

  it("are compounds of Han, Katakana and letters in Japanese, without Hiragana", () => {
    expect(shown("請求書発行のAPI設計を見直し、切り替えと支払いはトークンバケットで")).toEqual([
      "請求書発行",
      "API設計",
      "切り替え",
      "支払い",
      "トークンバケット",
    ]);
    expect(shown("2026年3月15日の会議室")).toEqual(["会議室"]);
    expect(shown("機能設計")).toEqual(["機能設計"]);
  });

  it("are split at function characters in Chinese, but not inside a word that contains one", () => {
    expect(shown("我们的用户反馈了首页加载速度和功能")).toEqual(["用户反馈", "首页加载速度", "功能"]);
    expect(shown("用Redis做缓存，从20改为50")).toEqual(["Redis", "缓存"]);
    for (const word of shown("昨天讨论过的数据库连接池监控报警阈值设置页面"))
      expect(Array.from(word).length).toBeLessThan(8);
  });

  it("include quoted names as a whole", () => {
    expect(shown("《我的世界》和《三体》都很好看").slice(0, 2)).toEqual(["我的世界", "三体"]);
    expect(shown("「東京都千代田区立図書館」に行った")).toEqual(["東京都千代田区立図書館"]);
  });

  it("have keys that ignore width and case", () => {
    const [wide, narrow] = [contentWords("ＡＰＩ ｶﾀｶﾅ"), contentWords("api カタカナ")];
    expect(wide.map((word) => word.key)).toEqual(narrow.map((word) => word.key));
  });

  it("include right-to-left scripts, but not emoji", () => {
    expect(shown("פגישה עם דנה על חוזה 🏠")).toEqual(["פגישה", "דנה", "חוזה"]);
    expect(shown("توقيع العقد مع الشركة 🚀")).toEqual(["توقيع", "العقد", "الشركة"]);
  });

  it("are found in long repetitive texts", () => {
    for (const text of ["切り替".repeat(20_000), "a.".repeat(30_000), "我的".repeat(30_000), "a漢".repeat(30_000)])
      expect(contentWords(text).length).toBeGreaterThan(-1);
  });

  it("have the same stem in all inflections", () => {
    expect(["deploys", "deployed", "deploying"].map(stem)).toEqual(["deploy", "deploy", "deploy"]);
  });
});

describe("Japanese and Korean verbs", () => {
  const shown = (text: string): readonly string[] => contentWords(text).map((word) => word.shown);

  it("are not part of the words before them", () => {
    expect(shown("写真を45枚撮った。療法食を三種類試した。来週見てもらう。")).toEqual(["写真", "療法食"]);
    expect(shown("明日もう一度考える。設計を検討した。書類を提出した。")).toEqual([
      "考え",
      "設計",
      "検討",
      "書類",
      "提出",
    ]);
    expect(shown("창문을 닫고 우산을 찾으러 갔다. 창고와 광고")).toEqual(["창문", "우산", "창고", "광고"]);
  });
});

it("Spanish, German and Chinese function words and greetings are not content words", () => {
  const shown = (text: string): readonly string[] => contentWords(text).map((word) => word.shown);
  expect(shown("Hola, ¿qué flores hay en la boda de mi hermana?")).toEqual(["flores", "boda", "hermana"]);
  expect(shown("Hallo, unsere Nachbarin möchte einen Hund")).toEqual(["Nachbarin", "Hund"]);
  expect(shown("你好，谢谢你的帮助")).toEqual([]);
});

const pattern = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’._-]*/gu;

it.each([
  "",
  "  Plain words, it's a_b v1.2 -x- 'quoted' end.",
  "naïve café Straße Москва’s мир e\u0301te\u0301 ½ ²",
  "𝒜bc 𐐷x 😀 a😀b \ud83d lone \udc00 end\ud835",
  "العربية हिन्दी עברית ไทย",
])("finds the same runs of letters as the pattern: %j", (text) => {
  expect(runsOf(text).map(({ raw }) => raw)).toEqual(text.match(pattern) ?? []);
});
