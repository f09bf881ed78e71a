import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseQuery } from "../query/parse-query.ts";
import { englishStem } from "../../text/words/index-terms.ts";
import { marksIn, nearness, queryWords } from "./marks.ts";
import { plainNote, plainText, snippetOf } from "./snippet.ts";

function shown(query: string, text: string, width?: number): string {
  const wanted = queryWords(parseQuery(query, "words").terms);
  const plain = plainText(text);
  return snippetOf(plain, marksIn(plain, wanted), width);
}

describe("what is marked", () => {
  test.each([
    ["limit", "We limited; limits limiting.", "We «limited»; «limits» «limiting»."],
    ['"token bucket"', "A token bucket, a token, a bucket.", "A «token bucket», a token, a bucket."],
    ["config*", "configure the Config", "«configure» the «Config»"],
    ["retry", "retryCount and maxRetry", "«retryCount» and «maxRetry»"],
    ["E_CONN_REFUSED", "got E_CONN_REFUSED again", "got «E_CONN_REFUSED» again"],
    ["src/a/b.ts", "in src/a/b.ts:12", "in «src/a/b.ts»:12"],
    ["cafe", "Das Cafe\u0301 ist zu", "Das «Cafe\u0301» ist zu"],
    ["what is the limiter", "what the limiter is", "what the «limiter» is"],
    ["to be", "to be or not", "«to» «be» or not"],
    ["東京タワー", "東京の東京タワー", "«東京»の«東京タワー»"],
    ["がく", "か\u3099くせい と がく", "«か\u3099く»せい と «がく»"],
    ["배포", "어제 배포했다", "어제 «배포»했다"],
    ["бакет", "этот Бакет", "этот «Бакет»"],
    ["-bucket token", "token bucket", "«token» bucket"],
  ])("%s in %s", (query, text, expected) => expect(shown(query, text)).toBe(expected));

  test("« and » in the text are not mistaken for hits", () => {
    expect(shown("mot", "le « mot » juste")).toBe("le ‹ «mot» › juste");
  });

  test("control characters, invisible characters and those that reverse text are removed; joiners in emoji stay", () => {
    expect(shown("text", "a\u001b[31m text\u202e\r\n\tend \u200b 👩\u200d💻")).toBe("a[31m «text» end 👩\u200d💻");
  });
});

test("a note becomes one line without headings and comments, with its items separated", () => {
  const note = "## Payments [project]\n<!-- hw id=1 -->\n- first\n  - [ ] second\r\n1. third\n\nlast\n";
  expect(plainNote(note)).toBe("first · second · third last");
  expect(plainNote("## Payments [project]\n")).toBe("## Payments [project]");
});

describe("where it is cut", () => {
  const filler = "some words that say nothing of it, ".repeat(20);

  test("around the densest hits, at word borders, with …", () => {
    const snippet = shown("token bucket", `token ${filler} the token bucket stands here ${filler}`, 80);
    expect(snippet).toContain("the «token» «bucket» stands here");
    expect(snippet).toMatch(/^…(?:some|words|that|say|nothing|of|it,) .* (?:some|words|that|say|nothing|of|it,)…$/u);
    expect(snippet.length).toBeLessThanOrEqual(90);
  });

  test("after the beginning if there is no hit", () => {
    expect(shown("absent", filler, 40)).toBe("some words that say nothing of it, some…");
  });

  test("after a letter in text without spaces, at half as many letters", () => {
    const snippet = shown("東京", `${"日本語の文".repeat(40)}東京${"日本語の文".repeat(40)}`, 40);
    expect(snippet).toContain("«東京»");
    expect(snippet.length).toBeLessThanOrEqual(26);
  });

  test("inside a single endless word", () => {
    expect(shown("x", "a".repeat(500), 40)).toBe(`${"a".repeat(40)}…`);
  });

  test("never inside a letter, and without its marks the snippet is part of the text", () => {
    const letter = fc.constantFrom(
      "a",
      "b ",
      "東",
      "👩\u200d💻",
      "🇩🇪",
      "e\u0301",
      "한",
      "👍🏽",
      " token ",
      "𝒳",
      "か\u3099",
      ". ",
    );
    const text = fc.array(letter, { minLength: 1, maxLength: 120 }).map((letters) => plainText(letters.join("")));
    const letters = new Intl.Segmenter("en", { granularity: "grapheme" });
    fc.assert(
      fc.property(text, fc.integer({ min: 10, max: 60 }), (plain, width) => {
        const marks = marksIn(plain, queryWords(parseQuery("token 東 한", "words").terms));
        const bare = snippetOf(plain, marks, width).replaceAll(/[«»]|^…|…$/gu, "");
        expect(bare.isWellFormed()).toBe(true);
        const at = plain.indexOf(bare);
        expect(at).toBeGreaterThanOrEqual(0);
        const borders = new Set(Array.from(letters.segment(plain), ({ index }) => index)).add(plain.length);
        const places = allPlaces(plain, bare);
        expect(places.some((place) => borders.has(place) && borders.has(place + bare.length))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

function allPlaces(text: string, part: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(part); at >= 0 && at < text.length; at = text.indexOf(part, at + 1)) places.push(at);
  return places;
}

describe("nearness", () => {
  const of = (query: string, text: string): number => {
    const wanted = queryWords(parseQuery(query, "words").terms);
    return nearness(marksIn(text, wanted), wanted.count);
  };

  test("is 1 side by side, less if apart, and 0 for one word", () => {
    expect(of("token bucket", "a token bucket")).toBe(1);
    expect(of("token bucket", "a token for each bucket")).toBeLessThan(1);
    expect(of("token bucket", "a token for each bucket")).toBeGreaterThan(
      of("token bucket", `a token ${"x ".repeat(99)} bucket`),
    );
    expect(of("token", "a token")).toBe(0);
    expect(of("token bucket limiter", "token bucket")).toBe(0.5);
  });
});

describe("stems", () => {
  test.each([
    ["caresses", "caress"],
    ["ponies", "poni"],
    ["agreed", "agre"],
    ["hopping", "hop"],
    ["relational", "relat"],
    ["vietnamization", "vietnam"],
    ["adjustment", "adjust"],
    ["controlling", "control"],
    ["happy", "happi"],
    ["yes", "ye"],
    ["straße", "straße"],
  ])("%s is %s", (word, stem) => expect(englishStem(word)).toBe(stem));
});
