import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { isPolar, quoted, sentencesOf, tidy } from "./sentences.ts";

describe("a line of a summary", () => {
  it("begins without list markers, check boxes and numbering", () => {
    for (const mark of ["- ", "* ", "1. ", "12) ", "- [ ] ", "- [x] ", "### ", "> ", "- **Note:** ", "・", "● ", "ー "])
      expect(tidy(`${mark}measure refused requests`)).toBe("measure refused requests");
    expect(tidy("2026 was the year")).toBe("2026 was the year");
    expect(tidy("shell calls sys.__interactivehook__ now")).toBe("shell calls sys.__interactivehook__ now");
    expect(tidy("-5 °C at night")).toBe("-5 °C at night");
  });

  it("is cut after a clause, else after a word", () => {
    const clause = `${"word ".repeat(34)}end of it; ${"more ".repeat(40)}`;
    expect(tidy(clause)).toMatch(/end of it…$/u);
    expect(tidy("abcdefghi ".repeat(40))).toMatch(/ abcdefghi…$/u);
    expect(tidy("設計を見直した。".repeat(60))).toMatch(/。…$/u);
  });

  it("never ends inside a character or joined emoji", () => {
    for (let lead = 190; lead < 225; lead++) {
      const text = tidy(`${"字".repeat(lead)}👩🏽‍💻👩🏽‍💻👩🏽‍💻👩🏽‍💻👩🏽‍💻👩🏽‍💻 𠮷𠮷`);
      expect(text.isWellFormed()).toBe(true);
      expect(text).not.toMatch(/\u200d…$/u);
      expect(Array.from(text).length).toBeLessThanOrEqual(220);
    }
  });
});

describe("the sentences of a text", () => {
  it("do not end after a German ordinal", () => {
    expect(sentencesOf("Ich spiele am 12. Juni vor. Im 3. Stock wird geprobt.")).toEqual([
      "Ich spiele am 12. Juni vor.",
      "Im 3. Stock wird geprobt.",
    ]);
    expect(sentencesOf("It took 12. Then we left.")).toHaveLength(2);
  });

  it("do not end after a title, an initial or `incl.`", () => {
    expect(sentencesOf("Prices always incl. VAT. Preise inkl. MwSt. sind fest.")).toEqual([
      "Prices always incl. VAT.",
      "Preise inkl. MwSt. sind fest.",
    ]);
    expect(sentencesOf("I saw Dr. Okafor. J. Smith came too! Then we left.")).toEqual([
      "I saw Dr. Okafor.",
      "J. Smith came too!",
      "Then we left.",
    ]);
    expect(sentencesOf("移行した。次は設計！終わり。")).toEqual(["移行した。", "次は設計！", "終わり。"]);
  });
});

describe("a shortened text", () => {
  test.each([
    // ends after a sentence
    ["The kiln is on. It reaches 1240 °C by noon on most days.", 30, "The kiln is on.…"],
    // that the next one does not retract
    ["We ship on Friday. But not in December, when the shop is closed.", 30, ""],
    ["Wir liefern freitags. Allerdings nicht im Dezember, da ist zu.", 30, ""],
    [
      "金曜日に出荷する。ただし、十二月は出荷しない。店は休みである。",
      18,
      "金曜日に出荷する。ただし、十二月は出荷しない。…",
    ],
    // ends after a clause
    ["use parquet, partitioned by day, as the rows are wide and many", 36, "use parquet, partitioned by day…"],
    // ends after a word, but keeps a number with the words around it
    ["a box with 128 GB of memory for vectors and more", 22, "a box with 128 GB of…"],
    ["the patient takes 1,5 tablets of it in the morning", 21, "the patient…"],
    // keeps negations, exceptions and conditions whole
    ["never push to main directly, open a request first", 30, "never push to main directly, open a request first"],
    ["Deploys go out daily except on Fridays and holidays", 30, "Deploys go out daily except on Fridays and holidays"],
    [
      "절대로 main 브랜치에 바로 푸시하지 마세요, 먼저 요청을 여세요",
      24,
      "절대로 main 브랜치에 바로 푸시하지 마세요, 먼저 요청을 여세요",
    ],
    ["never push to main directly, open a request first", 20, ""],
  ])("%s in %d characters", (text, most, expected) => expect(quoted(text, most)).toBe(expected));

  /** Plain words, and pieces that must stay whole. */
  const word = fc.stringMatching(/^[a-z]{3,9}$/u).filter((text) => !isPolar(text));
  const whole = fc.oneof(
    fc.constantFrom("1,5", "3.25", "12:30", "2026-03-15", "1.240,00", "10/12"),
    fc.constantFrom("https://example.com/a,b/c.d;e", "http://kiln.test/x?y=1,2"),
    fc
      .tuple(fc.constantFrom('""', "“”", "«»", "()", "[]"), fc.array(word, { minLength: 1, maxLength: 5 }))
      .map(([marks, words]) => `${marks[0]}${words.join(", ")}${marks[1]}`),
    fc.constantFrom('"Stop here. Then go on, slowly"', "(it was late. We left; all of us)"),
  );
  const denial = fc.constantFrom("not", "never", "unless", "without", "nicht", "nunca", "sauf", "только");
  const clause = fc.array(fc.oneof({ weight: 5, arbitrary: word }, { weight: 2, arbitrary: whole }), {
    minLength: 2,
    maxLength: 9,
  });
  const sentence = fc
    .tuple(clause, fc.oneof(fc.constant(""), denial), clause, fc.constantFrom(", ", "; ", " "))
    .map(([before, no, after, sign]) => {
      const pieces = [...before.slice(0, -1), `${before.at(-1)}${sign.trim()}`, ...(no === "" ? [] : [no]), ...after];
      return ["It", ...pieces].join(" ");
    });
  const text = fc.array(sentence, { minLength: 1, maxLength: 4 }).map((all) => ({
    text: all.map((one) => `${one}.`).join(" "),
    sentences: all.map((one) => `${one}.`),
  }));
  const enclosed = /"[^"]*"|“[^”]*”|«[^»]*»|\([^()]*\)|\[[^[\]]*\]|https?:\/\/\S*[a-z0-9]|\d[\d.,:/-]*\d/gu;

  it("is the beginning of the text, never cut inside a number, quotation, bracket, URL or negation", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 12, max: 120 }), ({ text: said, sentences }, most) => {
        const told = quoted(said, most);
        if (told === "" || told === said) return;
        const kept = told.slice(0, -1);
        expect(told.endsWith("…") && said.startsWith(kept)).toBe(true);
        expect(told.length).toBeLessThanOrEqual(most * 2 + 1);
        for (const { 0: piece, index } of said.matchAll(enclosed))
          expect(kept.length <= index || kept.length >= index + piece.length, `${told} | ${piece}`).toBe(true);
        let from = 0;
        for (const one of sentences) {
          const end = from + one.length;
          if (isPolar(one)) expect(kept.length <= from || kept.length >= end, told).toBe(true);
          from = end + 1;
        }
      }),
      { numRuns: 1000, seed: 20_260_315 },
    );
  });
});

it("a sentence does not end inside a quotation", () => {
  expect(sentencesOf('My sister said "It is late. Go home." to me. She likes it.')).toEqual([
    'My sister said "It is late. Go home." to me.',
    "She likes it.",
  ]);
  expect(sentencesOf("店から「四角が消えた。ありがとう。」次は？")).toEqual([
    "店から「四角が消えた。ありがとう。」次は？",
  ]);
});
