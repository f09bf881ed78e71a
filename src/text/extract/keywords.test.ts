import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keywordsOf } from "./keywords.ts";

const of = (topic: string, ...lines: readonly string[]): readonly string[] =>
  keywordsOf(
    lines.map((text) => ({ text, weight: 1 })),
    topic,
  ).map((keyword) => keyword.shown);

describe("the keywords of an entry", () => {
  it("are phrases if words belong together", () => {
    const found = of(
      "Trip",
      "flights to San Francisco, hotel near Golden Gate Park",
      "the refresh tokens rotate; a stolen refresh token is refused",
      "token bucket — bursts must pass",
    );
    expect(found).toEqual(
      expect.arrayContaining(["San Francisco", "Golden Gate Park", "refresh tokens", "token bucket"]),
    );
    expect(found).not.toContain("Francisco");
  });

  it("are phrases in Korean, and recurring words in Chinese", () => {
    expect(of("회의", "토큰 버킷을 도입하기로 했다", "로그 수집 서버를 교체했다")).toEqual(
      expect.arrayContaining(["토큰 버킷", "로그 수집 서버"]),
    );
    const chinese = of("会议", "数据库连接池的大小", "监控数据库连接池报警", "首页图片加载太慢，首页图片要压缩");
    expect(chinese).toEqual(expect.arrayContaining(["数据库连接池", "首页图片"]));
  });

  it("exclude words of the log format, words of the topic's name, and repeats in another form", () => {
    const found = of(
      "Cookie consent",
      "- request: added the deploy, deploys, deployed again quickly",
      "- outcome: using cookies was decided; the log and the logs use caching and a cache",
    );
    expect(found.map((word) => word.toLowerCase())).toEqual(["deploy", "caching"]);
  });

  it("include identifiers, versions and file names, but no amounts, dates, folders, hosts or URLs", () => {
    const found = of(
      "Export",
      "2026-03-15 10:30 src/io/writeRows.ts fails above 32 GB since v2.4.1, see https://www.example.com/a/b",
    );
    expect(found).toEqual(expect.arrayContaining(["writeRows.ts", "v2.4.1"]));
    expect(found.join(" ")).not.toMatch(/2026|10:30|32|src|https|www|example/u);
  });

  it("are at most twelve", () => {
    expect(of("Run", "5 km, 7 km, 9 km with Ada and Bob")).toEqual(["Ada", "Bob"]);
    expect(of("Run", "Ada, Bob, Cleo, Dora, Emil, Fritz, Gina, Hugo, Ines, Jana, Karl, Lena, Mona")).toHaveLength(12);
  });

  it("from lines with more weight come first", () => {
    const lines = [
      { text: "looked at gardening", weight: 1 },
      { text: "oak worktop", weight: 1.6 },
    ];
    expect(keywordsOf(lines, "Kitchen")[0]?.shown).toBe("oak worktop");
  });

  it("never contain list separators or lone surrogates", () => {
    const text = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 120 }),
      fc
        .array(
          fc.constantFrom(
            "Redis ",
            "결제 ",
            "設計",
            "バケット",
            "的",
            "数据",
            "don't ",
            "**b** ",
            "[x] ",
            "a, ",
            "(c) ",
            "😀",
            "30 ms ",
            "עברית ",
          ),
        )
        .map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(fc.array(text, { maxLength: 5 }), (lines) => {
        const found = keywordsOf(
          lines.map((line) => ({ text: line, weight: 1 })),
          "Topic",
        );
        expect(found.length).toBeLessThanOrEqual(12);
        for (const { shown, score } of found) {
          expect(shown).not.toMatch(/[,:()[\]]|^['’.-]|['’-]$|\s\s/u);
          expect(shown.isWellFormed()).toBe(true);
          expect(score).toBeGreaterThanOrEqual(0);
        }
      }),
      { numRuns: 300, seed: 7 },
    );
  });
});
