import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { processorTime } from "../../../test/fixtures/processor-time.ts";
import { isDay } from "../../base/calendar.ts";
import { parseQuery, type QueryTerm } from "./parse-query.ts";

/** A Sunday. */
const today = "2026-03-15";

function read(query: string): string {
  const { terms, days } = parseQuery(query, { today });
  const words = terms.map(printed).join(" ");
  if (days === undefined) return words;
  return `${words}${words === "" ? "" : " "}[${days.since ?? ""}..${days.until ?? ""}]`;
}

function printed({ kind, use, text }: QueryTerm): string {
  const sign = use === "not" ? "-" : use === "must" && kind !== "phrase" ? "+" : "";
  return `${sign}${kind === "phrase" ? `"${text}"` : kind === "prefix" ? `${text}*` : text}`;
}

describe("words, phrases and operators", () => {
  test.each([
    ["token bucket", "token bucket"],
    ["“token bucket” now", '"token bucket" now'],
    ["„token bucket“", '"token bucket"'],
    ["「東京タワー」 夜", '"東京タワー" 夜'],
    ["今日の「東京」", '"東京" [2026-03-15..2026-03-15]'],
    ["config*", "config*"],
    ["+must -not", "+must -not"],
    ['-"token bucket" limiter', '-"token bucket" limiter'],
    ["+conf* -beta*", "+conf* -beta*"],
    ["src/a/b.ts snake_case E_CONN_REFUSED ERR-1234", "src/a/b.ts snake_case E_CONN_REFUSED ERR-1234"],
    ["Which limiter, then (the bucket)?", "Which limiter then the bucket"],
    ["C++ .env #12", "C++ .env #12"],
    ["zebra password:[REDACTED:password], +[REDACTED:npm-token] -[REDACTED:jwt]", "zebra password"],
    ["a[REDACTED:jwt]b REDACTED", "a b REDACTED"],
    ['-"key [REDACTED:jwt]" [REDACTED:jwt] "is [REDACTED:jwt]"', '-"key [REDACTED:jwt]" "is [REDACTED:jwt]"'],
    ["café שלום 🎉 +🚀 -🍵", "café שלום"],
  ])("%s is %s", (query, expected) => expect(read(query)).toBe(expected));

  test.each([
    ["-", ""],
    ['+ - * "" “” -""', ""],
    ['"open quote', "open quote"],
    ["well-known a+b e-mail", "well-known a+b e-mail"],
    ["--limit -- -5 +1 -40°", "--limit -5 +1 -40°"],
    ["**bold** foo*bar *", "bold foo*bar"],
    ['5" pipe and 6" pipe', "5 pipe and 6"],
    ["a AND b OR NOT c NEAR(x)", "a AND b OR NOT c NEAR(x"],
    ['foo"bar"', 'foo"bar'],
  ])("an operator in an unexpected place is text: %s", (query, expected) => expect(read(query)).toBe(expected));

  test("a repeated word is searched for once", () => expect(read("Deploy deploy DEPLOY")).toBe("DEPLOY"));

  test("only the first of very many words are searched for, and the result says so", () => {
    const many = Array.from({ length: 150 }, (_, index) => `w${index}`).join(" ");
    const { terms, cut } = parseQuery(many, { today });
    expect([terms.length, cut]).toEqual([100, "cut"]);
  });
});

describe("days in English", () => {
  test.each([
    ["deploy yesterday", "deploy [2026-03-14..2026-03-14]"],
    ["yesterday's deploy", "deploy [2026-03-14..2026-03-14]"],
    ["the day before yesterday", "[2026-03-13..2026-03-13]"],
    ["today", "[2026-03-15..2026-03-15]"],
    ["deploys last week?", "deploys [2026-03-02..2026-03-08]"],
    ["this week", "[2026-03-09..2026-03-15]"],
    ["in the last week", "[2026-03-02..2026-03-08]"],
    ["the past week", "the [2026-03-08..2026-03-15]"],
    ["over the past two weeks", "[2026-03-01..2026-03-15]"],
    ["last 3 days", "[2026-03-12..2026-03-15]"],
    ["last month", "[2026-02-01..2026-02-28]"],
    ["last year", "[2025-01-01..2025-12-31]"],
    ["last quarter", "[2025-10-01..2025-12-31]"],
    ["limiter in March", "limiter [2026-03-01..2026-03-31]"],
    ["limiter in may", "limiter [2025-05-01..2025-05-31]"],
    ["March 2026", "[2026-03-01..2026-03-31]"],
    ["last March", "[2025-03-01..2025-03-31]"],
    ["March last year", "[2025-03-01..2025-03-31]"],
    ["on 15 March", "[2026-03-15..2026-03-15]"],
    ["on March 16th", "[2025-03-16..2025-03-16]"],
    ["15 April 2025", "[2025-04-15..2025-04-15]"],
    ["29 February", "[2024-02-29..2024-02-29]"],
    ["2026-03", "[2026-03-01..2026-03-31]"],
    ["2026-03-15", "[2026-03-15..2026-03-15]"],
    ["2026/3/5", "[2026-03-05..2026-03-05]"],
    ["5.3.2026", "[2026-03-05..2026-03-05]"],
    ["2026-W11", "[2026-03-09..2026-03-15]"],
    ["2025-Q4", "[2025-10-01..2025-12-31]"],
    ["Q4 2025", "[2025-10-01..2025-12-31]"],
    ["in 2025", "[2025-01-01..2025-12-31]"],
    ["since 2026-03-02", "[2026-03-02..]"],
    ["since March", "[2026-03-01..]"],
    ["from 2026-03-02 on", "[2026-03-02..]"],
    ["until yesterday", "[..2026-03-14]"],
    ["before 2026-03-02", "[..2026-03-01]"],
    ["after last week", "[2026-03-09..]"],
    ["between 2026-03-02 and 2026-03-05", "[2026-03-02..2026-03-05]"],
    ["from November to February", "[2025-11-01..2026-02-28]"],
    ["2026-03-02 to 2026-03-05", "[2026-03-02..2026-03-05]"],
    ["2026-03-02..2026-03-05", "[2026-03-02..2026-03-05]"],
    ["since 2026-03-02 until 2026-03-05", "[2026-03-02..2026-03-05]"],
    ["3 days ago", "[2026-03-12..2026-03-12]"],
    ["two weeks ago", "[2026-02-23..2026-03-01]"],
    ["a month ago", "[2026-02-01..2026-02-28]"],
    ["on Monday", "[2026-03-09..2026-03-09]"],
    ["on Sunday", "[2026-03-15..2026-03-15]"],
    ["last Sunday", "[2026-03-08..2026-03-08]"],
    ["last weekend", "[2026-03-07..2026-03-08]"],
  ])("%s", (query, expected) => expect(read(query)).toBe(expected));

  test.each([
    "march on",
    "may we deploy",
    "you may 5 times",
    "comments on march madness",
    "the last week of the project",
    "2000 rows",
    "in 2000 rows",
    "memory/2026-03-15.md",
    "memory/2026-03-15.md:12-18",
    "v2026-03",
    "2026-03-45",
    "2026-02-30",
    "2026-W54",
    "2026-03-15T10:00",
    "Monday",
    "since we moved",
    "next week",
    "yesterdays",
    "10.0.2026.1",
  ])("%s names no days", (query) => expect(parseQuery(query, { today }).days).toBeUndefined());

  test("a time in quotes is text, and no time spans a quote", () => {
    expect(read('"last week" deploy')).toBe('"last week" deploy');
    expect(read('last "foo" week')).toBe('last "foo" week');
    expect(read("-yesterday +yesterday yesterday*")).toBe("-yesterday +yesterday yesterday*");
  });

  test("days in the words are plain words if days are given separately", () => {
    const { terms, days } = parseQuery("deploy last week", "words");
    expect([terms.map(({ text }) => text), days]).toEqual([["deploy", "last", "week"], undefined]);
  });

  test("the result contains the words read as days", () => {
    expect(parseQuery("deploys from last week", { today }).days?.text).toBe("from last week");
  });
});

describe("days in Chinese, Japanese and Korean", () => {
  test.each([
    ["昨日の会議", "会議 [2026-03-14..2026-03-14]"],
    ["先週", "[2026-03-02..2026-03-08]"],
    ["先週の月曜日", "[2026-03-02..2026-03-02]"],
    ["先月のデプロイ", "デプロイ [2026-02-01..2026-02-28]"],
    ["去年", "[2025-01-01..2025-12-31]"],
    ["去年の3月", "[2025-03-01..2025-03-31]"],
    ["一昨日", "[2026-03-13..2026-03-13]"],
    ["3月15日", "[2026-03-15..2026-03-15]"],
    ["３月１５日に", "[2026-03-15..2026-03-15]"],
    ["2026年3月", "[2026-03-01..2026-03-31]"],
    ["3月から", "[2026-03-01..]"],
    ["1月から3月まで", "[2026-01-01..2026-03-31]"],
    ["3日前", "[2026-03-12..2026-03-12]"],
    ["2週間前", "[2026-02-23..2026-03-01]"],
    ["2ヶ月前", "[2026-01-01..2026-01-31]"],
    ["昨天的会议", "会议 [2026-03-14..2026-03-14]"],
    ["上周", "[2026-03-02..2026-03-08]"],
    ["上周一", "[2026-03-02..2026-03-02]"],
    ["上个月", "[2026-02-01..2026-02-28]"],
    ["三月十五日", "[2026-03-15..2026-03-15]"],
    ["两周前", "[2026-02-23..2026-03-01]"],
    ["最近7天", "[2026-03-08..2026-03-15]"],
    ["从1月到3月", "[2026-01-01..2026-03-31]"],
    ["3月以来", "[2026-03-01..]"],
    ["어제 회의", "회의 [2026-03-14..2026-03-14]"],
    ["지난주에", "[2026-03-02..2026-03-08]"],
    ["지난 주 배포", "배포 [2026-03-02..2026-03-08]"],
    ["이번 달", "[2026-03-01..2026-03-31]"],
    ["3월", "[2026-03-01..2026-03-31]"],
    ["3월 15일", "[2026-03-15..2026-03-15]"],
    ["2026년 3월", "[2026-03-01..2026-03-31]"],
    ["3월부터", "[2026-03-01..]"],
    ["1월부터 3월까지", "[2026-01-01..2026-03-31]"],
    ["3일 전", "[2026-03-12..2026-03-12]"],
    ["두 달 전", "[2026-01-01..2026-01-31]"],
    ["일주일 전에", "[2026-03-02..2026-03-08]"],
    ["작년", "[2025-01-01..2025-12-31]"],
  ])("%s", (query, expected) => expect(read(query)).toBe(expected));

  test.each(["以前天气", "晚上周杰伦", "3个月", "13月", "第3月", "오늘날", "전어제", "べんきょう", "「昨日」"])(
    "%s names no days",
    (query) => expect(parseQuery(query, { today }).days).toBeUndefined(),
  );
});

describe("laws", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '"',
      "“",
      "”",
      "「",
      "」",
      "-",
      "+",
      "*",
      " ",
      "(",
      "last week",
      "in",
      "March",
      "since",
      "between",
      "and",
    ),
    fc.constantFrom(
      "2026-03-15",
      "2026-03",
      "昨日",
      "から",
      "3月",
      "어제",
      "부터",
      "상",
      "上周",
      "ago",
      "999",
      "9999 years ago",
      "\u0000",
    ),
    fc.string({ unit: "binary", maxLength: 6 }),
  );
  const query = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(""));
  const day = fc.constantFrom("2026-03-15", "0001-01-01", "9999-12-31", "2024-02-29");

  test("any text is a query whose terms have letters or digits and whose days are valid and in order", () => {
    fc.assert(
      fc.property(query, day, (text, now) => {
        const { terms, days } = parseQuery(text, { today: now });
        for (const { text: word } of terms) expect(word).toMatch(/[\p{L}\p{N}\p{Extended_Pictographic}]/u);
        for (const bound of [days?.since, days?.until]) if (bound !== undefined) expect(isDay(bound)).toBe(true);
        if (days?.since !== undefined && days.until !== undefined) expect(days.since <= days.until).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test("text in quotes is one phrase", () => {
    const plain = fc
      .string({ unit: "grapheme", minLength: 1 })
      .filter((text) => /\p{L}/u.test(text) && !/["“”]/u.test(text));
    fc.assert(
      fc.property(plain, (text) => {
        expect(parseQuery(`"${text}"`, { today }).terms).toEqual([{ kind: "phrase", use: "must", text: text.trim() }]);
      }),
    );
  });

  test.each([
    "in march and 3 days or 昨 last 2026- ",
    "„",
    "「",
    '"',
    "„ “a",
    "a„",
    "[REDACTED:",
    "한국어",
    "上周",
    "+-*",
  ])("a long text of %j is parsed quickly", (unit) => {
    const long = unit.repeat(Math.ceil(30_000 / unit.length));
    expect(processorTime(3000, () => parseQuery(long, { today }))).toBeLessThan(3000);
  });
});
