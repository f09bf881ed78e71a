import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { processorTime } from "../../../test/fixtures/processor-time.ts";
import { numbersIn, partsOf } from "./names-and-numbers.ts";
import { termsOfBeginning, termsOfPhrase, termsOfQuery } from "./query.ts";
import { folded, segmentsOf } from "./scripts.ts";

const letters = Array.from("aZ9_-./#+,:@' \n éßıЁΣกำ한국굳ㅋ日本々ー猫カｶﾞひ的了𠮷가\u0301😀\ud83d");
const anyText = fc.oneof(
  fc.string({ unit: fc.constantFrom(...letters), maxLength: 80 }),
  fc.string({ unit: "binary", maxLength: 80 }),
);

describe("the parts of a text", () => {
  it("are letters and digits in lower case, separated by single spaces", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const parts = partsOf(text);
        expect(parts).toMatch(/^(?:[\p{L}\p{N}]+(?: [\p{L}\p{N}]+)*)?$/u);
        expect(parts).toBe(parts.toLowerCase());
      }),
    );
  });

  it("are the parts of its lines", () => {
    fc.assert(
      fc.property(anyText, anyText, (first, second) => {
        fc.pre(first.isWellFormed() && second.isWellFormed());
        const both = [partsOf(first), partsOf(second)].filter((parts) => parts !== "").join(" ");
        expect(partsOf(`${first}\n${second}`)).toBe(both);
      }),
    );
  });

  it("are empty for plain English", () => {
    expect(partsOf("We met at 10 in the café's garden, and it was OK – “really” good.")).toBe("");
    expect(partsOf("The APIs of NASA and the PDFs: 12 of 30, 3.5% more, e.g. U.S. data.")).toBe("");
  });

  it.each([
    ["parsePlain(HTTPServer2)", "parse plain http server server2"],
    ["iPhone and YouTube", "phone you tube"],
    ["TS2345 in v1.2.3", "2345 1 2 3"],
    ["1,250,000 of C++ and c#", "1250000 cplusplus csharp"],
    ["東京タワー", "東京 京タ タワ ワー"],
    ["猫", "猫"],
    ["三十五分", "35 三十 十五 五分 分"],
    ["七千二百円", "7200 七千 千二 二百 百円 円"],
    ["二〇二五年", "2025 二〇 〇二 二五 五年 年"],
    ["11万円", "110000 11 万円 円"],
    ["육십오만 원", "650000 육십 십오 오만 육시 오마 원 워"],
    ["黒い猫", "黒い い猫 猫"],
    ["Pythonで書いた", "python で書 書い いた"],
    ["SQLite를 골랐다", "sq lite sqlite 골랐 랐다 골라"],
    ["배웠다", "배웠 웠다 배우"],
    ["집에서", "집에 에서 집"],
    ["Straße Müller", "strasse mueller"],
    ["ＡＢＣｶﾞｯｺｳ", "abc ガッ ッコ コウ"],
    ["𠮷野家", "𠮷野 野家 家"],
  ])("%s: %s", (text, parts) => expect(partsOf(text)).toBe(parts));

  it("are found in less than two seconds in long repetitive texts", () => {
    for (const piece of ["aB", "Aaa", "1,", "v1.", "日", "한", "é", "A1", "C+", "ｶ", "a日", "1.1"]) {
      expect(
        processorTime(2000, () => partsOf(piece.repeat(40_000))),
        piece,
      ).toBeLessThan(2000);
    }
  });
});

/** The words of a query that carry little meaning. */
function little(query: string): string {
  const words = termsOfQuery(query).filter(({ carries }) => carries === "little");
  return words.map(({ word }) => word).join(" ");
}

describe("the terms of a query", () => {
  it("exist for every word, have weights from 1 to 8 and contain a letter or digit", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const { any, all } of termsOfQuery(text)) {
          expect(any.length).toBeGreaterThan(0);
          expect(all.length).toBeGreaterThan(0);
          for (const { weight } of any) expect([1, 2, 3, 4, 5, 6, 7, 8]).toContain(weight);
          for (const term of [...any, ...all]) expect(term.text).toMatch(/[\p{L}\p{N}]/u);
        }
        for (const term of [...termsOfPhrase(text), ...termsOfBeginning(text)])
          expect(term.text).toMatch(/[\p{L}\p{N}]/u);
      }),
      { examples: [["a/'/a"]] },
    );
  });

  it("distinguish function words from others", () => {
    expect(little("What did we decide about the limiter?")).toBe("What did we about the");
    expect(little("does the IT of the US")).toBe("does the of the");
    expect(little("우리 회의 언제 했지")).toBe("우리 언제 했지");
    expect(little("什么 会议")).toBe("什么");
    expect(little("何ですか 会議")).toBe("何ですか");
  });
});

describe("numerals as digits", () => {
  it.each([
    ["十", ""],
    ["十二", "12"],
    ["百万", "1000000"],
    ["一億二千万", "120000000"],
    ["3千5百", "3500"],
    ["1.5万", ""],
    ["천이백 건", "1200"],
    ["사십일만 원", "410000"],
    ["65만 원", "650000"],
    ["이사", ""],
    ["二十一と三十", "21 30"],
    ["一".repeat(40), ""],
  ])("%s: %s", (text, numbers) => expect(numbersIn(text).join(" ")).toBe(numbers));
});

describe("the index words of a text", () => {
  it("are its folded words and its parts", () => {
    const text = "Café parsePlain 日本語";
    const words = segmentsOf(text.normalize("NFKC")).filter(({ is }) => is === "spaced");
    expect(words.map((word) => folded(word.text))).toEqual(["cafe", "parseplain"]);
    expect(partsOf(text).split(" ")).toEqual(["parse", "plain", "日本", "本語", "語"]);
  });
});
