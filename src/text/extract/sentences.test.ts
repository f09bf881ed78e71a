import { describe, expect, it } from "vitest";
import { sentencesOf, tidy } from "./sentences.ts";

describe("a line of a summary", () => {
  it("begins without marks of a list, boxes and numbers", () => {
    for (const mark of ["- ", "* ", "1. ", "12) ", "- [ ] ", "- [x] ", "### ", "> ", "- **Note:** ", "・", "● ", "ー "])
      expect(tidy(`${mark}measure refused requests`)).toBe("measure refused requests");
    expect(tidy("2026 was the year")).toBe("2026 was the year");
    expect(tidy("-5 °C at night")).toBe("-5 °C at night");
  });

  it("is cut at a clause, else at a word", () => {
    const clause = `${"word ".repeat(34)}end of it; ${"more ".repeat(40)}`;
    expect(tidy(clause)).toMatch(/end of it…$/u);
    expect(tidy("abcdefghi ".repeat(40))).toMatch(/ abcdefghi…$/u);
    expect(tidy("設計を見直した。".repeat(60))).toMatch(/。…$/u);
  });

  it("never ends in half of a character or of a joined sign", () => {
    for (let lead = 190; lead < 225; lead++) {
      const text = tidy(`${"字".repeat(lead)}👩🏽‍💻👩🏽‍💻👩🏽‍💻👩🏽‍💻👩🏽‍💻👩🏽‍💻 𠮷𠮷`);
      expect(text.isWellFormed()).toBe(true);
      expect(text).not.toMatch(/\u200d…$/u);
      expect(Array.from(text).length).toBeLessThanOrEqual(220);
    }
  });
});

describe("the sentences of a text", () => {
  it("do not end behind a German ordinal", () => {
    expect(sentencesOf("Ich spiele am 12. Juni vor. Im 3. Stock wird geprobt.")).toEqual([
      "Ich spiele am 12. Juni vor.",
      "Im 3. Stock wird geprobt.",
    ]);
    expect(sentencesOf("It took 12. Then we left.")).toHaveLength(2);
  });

  it("do not end behind a title or an initial", () => {
    expect(sentencesOf("I saw Dr. Okafor. J. Smith came too! Then we left.")).toEqual([
      "I saw Dr. Okafor.",
      "J. Smith came too!",
      "Then we left.",
    ]);
    expect(sentencesOf("移行した。次は設計！終わり。")).toEqual(["移行した。", "次は設計！", "終わり。"]);
  });
});
