import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rowIndex, type GivenRow } from "../../../test/fixtures/row-index.ts";
import { openTestMemory } from "../../../test/fixtures/memory.ts";
import { operation } from "../../operations/table.ts";
import type { SearchResult } from "./inputs-and-results.ts";
import { lawRuns } from "../../../test/fixtures/law-runs.ts";

const search = operation("memory.search");

async function searched(
  rows: readonly GivenRow[],
  query: string,
  options: Readonly<Record<string, unknown>> = {},
): Promise<SearchResult> {
  const { memory } = openTestMemory({ with: { searchIndex: rowIndex(rows) } });
  return await search.run(memory, { query, ...options }, {});
}

async function sources(...asked: Parameters<typeof searched>): Promise<readonly string[]> {
  return (await searched(...asked)).hits.map(({ source }) => source.replace(/:1-9$/u, ""));
}

const limiter: readonly GivenRow[] = [
  { source: "memory/2026-03-10.md", text: "- decision: a token bucket limits payments", heading: "Payments" },
  {
    source: "memory/2026-03-11.md",
    text: "- the bucket of tokens for S3; a token of thanks for the many words in this line",
  },
  { source: "memory/2026-02-02.md", text: "- retryCount is 3, E_CONN_REFUSED comes from src/net/socket.ts (ERR-1234)" },
  { source: "memory/2026-02-03.md", text: "- Das Café in der Straße schließt um 18 Uhr" },
  {
    source: "knowledge/limits.md",
    kind: "knowledge",
    level: "none",
    text: "- payments are limited per user",
    type: "reference",
  },
];

describe("ranking and matching", () => {
  test("adjacent words rank before words that are apart", async () => {
    expect(await sources(limiter, "token bucket")).toEqual(["memory/2026-03-10.md", "memory/2026-03-11.md"]);
  });

  test("a phrase is required", async () => {
    expect(await sources(limiter, '"token bucket"')).toEqual(["memory/2026-03-10.md"]);
    expect(await sources(limiter, "“bucket of tokens”")).toEqual(["memory/2026-03-11.md"]);
  });

  test("+word is required, -word is excluded, and begin* matches a prefix", async () => {
    expect(await sources(limiter, "bucket +thanks")).toEqual(["memory/2026-03-11.md"]);
    expect(await sources(limiter, "bucket -thanks")).toEqual(["memory/2026-03-10.md"]);
    expect((await sources(limiter, "pay*")).toSorted()).toEqual(["knowledge/limits.md", "memory/2026-03-10.md"]);
  });

  test.each(["pay*", "+pay*"])("%s matches as a prefix, although its stem differs", async (query) => {
    const rows = [...limiter, { source: "memory/2026-03-12.md", text: "- part of the page about pacts" }];
    expect(await sources(rows, query)).toHaveLength(2);
  });

  test("such a prefix can be required together with other words, and may occur only in the heading", async () => {
    const other = { source: "memory/2026-03-12.md", text: "- the bucket has a part of the pages" };
    expect(await sources([...limiter, other], "+pay* bucket")).toEqual(["memory/2026-03-10.md", "knowledge/limits.md"]);
    expect(await sources([{ ...other, heading: "Payments" }], "pay*")).toEqual(["memory/2026-03-12.md"]);
  });

  test.each([
    "retryCount",
    "retry",
    "+retry",
    "E_CONN_REFUSED",
    "conn_refused",
    "socket.ts",
    "src/net/socket.ts",
    "ERR-1234",
    "1234",
  ])("the identifier %s is found and marked", async (query) => {
    const { hits } = await searched(limiter, query);
    expect(hits.map(({ source }) => source)).toEqual(["memory/2026-02-02.md:1-9"]);
    expect(hits[0]?.snippet).toContain("«");
  });

  test.each([
    ["cafe", "«Café»"],
    ["CAFÉ", "«Café»"],
    ["strasse", "«Straße»"],
    ["cafe\u0301", "«Café»"],
  ])("%s finds %s", async (query, marked) => {
    expect((await searched(limiter, query)).hits[0]?.snippet).toContain(marked);
  });

  test.each([
    ["東京タワー", "明日は«東京タワー»へ行く"],
    ["タワー", "明日は東京«タワー»へ行く"],
    ["배포", "«배포»했다"],
    ["שלום", "«שלום» עולם"],
    ["限流", "支付«限流»用令牌桶"],
  ])("%s is found in its script", async (query, marked) => {
    const rows = ["明日は東京タワーへ行く", "어제 서버를 배포했다", "שלום עולם 🎉", "支付限流用令牌桶"].map(
      (text, index) => ({
        source: `memory/2026-03-0${index + 1}.md`,
        text,
      }),
    );
    const { hits } = await searched(rows, query);
    expect(hits[0]?.snippet.replace("배포했다", "배포했다")).toContain(marked.split("»")[0]);
    expect(hits).toHaveLength(1);
  });

  test("words in a heading count more", async () => {
    const rows = [
      { source: "memory/2026-03-01.md", text: "- the limiter is slow today", heading: "Notes" },
      { source: "memory/2026-03-02.md", text: "- the limiter is slow today", heading: "Limiter" },
    ];
    expect(await sources(rows, "limiter")).toEqual(["memory/2026-03-02.md", "memory/2026-03-01.md"]);
  });

  test("a heading without text ranks after the lines below it", async () => {
    const rows = [
      { source: "knowledge/limits.md", text: "# Limits", heading: "Limits" },
      { source: "memory/2026-03-02.md", text: "- the limits of the other bank are told to nobody" },
      { source: "memory/2026-03-03.md", text: "- lunch" },
    ];
    expect((await sources(rows, "limits"))[0]).toBe("memory/2026-03-02.md");
  });

  test("a heading with one of two words, however often, counts half as much as one with both", async () => {
    const headings = ["Token token", "Token bucket", "Bucket"];
    const said = (text: string) => (heading: string, at: number) => ({ source: `memory/${at}.md`, text, heading });
    const others = Array.from({ length: 9 }, () => "Others").map(said("- the zebra ate"));
    const rows = [...headings.map(said("- token bucket")), ...others];
    const { hits } = await searched(rows, "token bucket", { explain: true });
    const parts = hits.map(({ heading, why = [] }) => [
      heading,
      why.find(({ part }) => part === "heading")?.score ?? 0,
    ]);
    const scores = Object.fromEntries(parts) as Readonly<Record<string, number>>;
    expect(hits[0]?.heading).toBe("Token bucket");
    expect(scores["Token token"]).toBe(scores["Bucket"]);
    expect((scores["Token bucket"] ?? 0) / (scores["Bucket"] ?? 0)).toBeCloseTo(2, 2);
  });

  test("a node loses a quarter of its word score, because it repeats logs", async () => {
    const texts = ["- the quota of the bank", "- what the zebra ate", "- nothing"];
    const rows = texts.map(
      (text, at) => ({ source: `memory/daily/2026-03-0${at + 1}.md`, text, kind: "node", level: "daily" }) as const,
    );
    const { hits } = await searched(rows, "zebra", { explain: true });
    const [word, node] = hits[0]?.why ?? [];
    expect([word?.part, node?.part]).toEqual(["words", "node"]);
    expect((node?.score ?? 0) / (word?.score ?? 1)).toBeCloseTo(-0.25, 2);
  });

  test("equal scores and days are ordered by place, and a single line is printed as one number", async () => {
    const at = (source: string, first: number, last: number) =>
      ({ source, text: "- same words here", lines: [first, last], day: "2026-03-01" }) as const;
    const { hits } = await searched(
      [at("memory/b.md", 1, 1), at("memory/a.md", 7, 9), at("memory/a.md", 3, 3)],
      "words",
    );
    expect(hits.map(({ source }) => source)).toEqual(["memory/a.md:3", "memory/a.md:7-9", "memory/b.md:1"]);
  });

  test("equal scores are ordered newest first", async () => {
    const rows = [1, 3, 2].map((day) => ({ source: `memory/2026-03-0${day}.md`, text: "- same words here" }));
    expect(await sources(rows, "words")).toEqual([3, 2, 1].map((day) => `memory/2026-03-0${day}.md`));
  });
});

describe("days", () => {
  test("in the query narrow the search, and are reported", async () => {
    const { hits, understood } = await searched(limiter, "bucket since 2026-03-11");
    expect(hits.map(({ date }) => date)).toEqual(["2026-03-11"]);
    expect(understood).toMatchObject({
      words: ["bucket"],
      since: "2026-03-11",
      until: null,
      days_from: "since 2026-03-11",
    });
  });

  test("alone list the newest entries of these days", async () => {
    expect(await sources(limiter, "in March")).toEqual(["memory/2026-03-11.md", "memory/2026-03-10.md"]);
  });

  test("without a hit stay: nothing else is returned instead", async () => {
    expect(await sources(limiter, "bucket last month")).toEqual([]);
  });

  test("given as options win, and those in the query are plain words", async () => {
    const { hits, understood } = await searched(limiter, "bucket last month", { since: "2026-03-11" });
    expect(hits.map(({ date }) => date)).toEqual(["2026-03-11"]);
    expect(understood).toMatchObject({ words: ["bucket", "last", "month"], since: "2026-03-11", days_from: null });
  });

  test("may be given as a month, a week or a word", async () => {
    const { understood } = await searched(limiter, "bucket", { since: "2026-02", until: "yesterday" });
    expect(understood).toMatchObject({ since: "2026-02-01", until: "2026-03-14" });
    const one = await searched(limiter, "bucket", { since: "2026-03-11", until: "2026-03-11" });
    expect(one.hits.map(({ date }) => date)).toEqual(["2026-03-11"]);
  });
});

describe("filters", () => {
  test("select kind, level and type", async () => {
    expect(await sources(limiter, "payments", { in: "knowledge, threads" })).toEqual(["knowledge/limits.md"]);
    expect(await sources(limiter, "payments", { level: "raw" })).toEqual(["memory/2026-03-10.md"]);
    expect(await sources(limiter, "payments", { level: "raw", in: "threads,raw" })).toEqual(["memory/2026-03-10.md"]);
    expect(await sources(limiter, "payments", { level: "daily", in: "nodes" })).toEqual([]);
    expect(await sources(limiter, "payments", { type: "reference" })).toEqual(["knowledge/limits.md"]);
  });

  test.each([
    [{ query: "" }, "invalid_query"],
    [{ query: ' - * "" ' }, "invalid_query"],
    [{ query: "-foo" }, "invalid_query"],
    [{ query: "🍵 +🚀" }, "invalid_query"],
    [{ query: "a", since: "2026-02-30" }, "invalid_date"],
    [{ query: "a", since: "soon" }, "invalid_date"],
    [{ query: "a", since: "last week in the rain" }, "invalid_date"],
    [{ query: "a", since: "yesterday 2026-03-01" }, "invalid_date"],
    [{ query: "a", until: "since 2026-03-01" }, "invalid_date"],
    [{ query: "a", in: "raw,constructor" }, "usage"],
    [{ query: "a", since: "2026-03-02", until: "2026-03-01" }, "invalid_date"],
    [{ query: "a", in: "raw,everything" }, "usage"],
    [{ query: "a", level: "hourly" }, "usage"],
    [{ query: "a", level: "raw", in: "threads" }, "usage"],
    [{ query: "a", level: "raw", in: "nodes,knowledge" }, "usage"],
    [{ query: "a", level: "root", in: "raw,threads,memory" }, "usage"],
    [{ query: "a", type: "secret" }, "invalid_type"],
    [{ query: "a", limit: 0 }, "invalid_number"],
  ])("%j is refused as %s, in one sentence", async ({ query, ...options }, code) => {
    const error = await searched(limiter, query, options).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code, message: expect.stringMatching(/^[^\n]+\.$/u) });
  });

  test("a secret in refused input is not in the message", async () => {
    const secret = "sk-ant-api03-" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7dE9fG".repeat(2);
    const error = await searched(limiter, "a", { since: secret }).catch((caught: unknown) => caught);
    expect(String(error)).not.toContain(secret.slice(13, 40));
  });
});

describe("one text, one hit", () => {
  const line = "- decision: payments use a token bucket so that bursts pass";
  const rows: readonly GivenRow[] = [
    {
      source: "memory/weekly/2026-W11.md",
      kind: "node",
      level: "weekly",
      day: "2026-03-15",
      text: `${line} (03-10:4)`,
    },
    { source: "memory/daily/2026-03-10.md", kind: "node", level: "daily", text: line },
    {
      source: "memory/2026-03-10.md",
      text: `${line}\n- and much more was said about other things that day, at length`,
    },
    { source: "memory/2026-03-12.md", text: line },
  ];

  test("is shown at its log, and --explain names the nodes above it", async () => {
    const { hits, more } = await searched(rows, "token bucket", { explain: true });
    expect(hits.map(({ date }) => date).toSorted()).toEqual(["2026-03-10", "2026-03-12"]);
    const also = hits.flatMap(({ why = [] }) => why.map(({ part }) => part)).filter((part) => part.startsWith("also"));
    expect(also).toEqual(["also in memory/daily/2026-03-10.md", "also in memory/weekly/2026-W11.md"]);
    expect(more).toBe(false);
  });

  test("a line of a node that refers to these log lines counts as a copy, even in other words", async () => {
    const monthly = { source: "memory/monthly/2026-03.md", kind: "node", level: "monthly", day: "2026-03-31" } as const;
    const told = { ...monthly, text: "## Decisions\n- Rate limiting: token bucket, since bursts must pass (03-10:4)" };
    expect(await sources([...rows, told], "token bucket")).not.toContain(told.source);
    const other = { ...monthly, text: "- Rate limiting: token bucket, since bursts must pass (03-09:4)" };
    expect(await sources([...rows, other], "token bucket")).toContain(told.source);
  });

  test("two logs with the same text are two hits, and `more` does not count copies", async () => {
    expect(await searched(rows, "token bucket", { limit: 2 })).toMatchObject({ more: false });
    expect(await searched(rows, "token bucket", { limit: 1 })).toMatchObject({ more: true });
  });

  test("if there are only nodes, the lowest is shown", async () => {
    expect(await sources(rows, "token bucket", { in: "nodes" })).toEqual(["memory/daily/2026-03-10.md"]);
  });

  test("a node with other text is a separate hit", async () => {
    const summary = {
      source: "memory/monthly/2026-03.md",
      kind: "node",
      level: "monthly",
      day: "2026-03-31",
      text: "- bucket sizes were argued about",
    } as const;
    expect(await sources([...rows, summary], "bucket")).toContain("memory/monthly/2026-03.md");
  });

  test("copies do not use up the rows that are read", async () => {
    const many = Array.from(
      { length: 150 },
      (_, index) => ({ source: `memory/weekly/${index}.md`, kind: "node", level: "weekly", text: line }) as const,
    );
    const { hits } = await searched(
      [
        ...rows.slice(2),
        ...many,
        {
          source: "memory/2026-01-01.md",
          text: "- a bucket, once, in a long line that says very little else about it",
        },
      ],
      "token bucket",
    );
    expect(hits.map(({ source }) => source)).toContain("memory/2026-01-01.md:1-9");
  });
});

describe("--explain", () => {
  test("the parts of a score add up to it", async () => {
    const { hits } = await searched(limiter, "token bucket payments", { explain: true });
    for (const { why = [], score } of hits)
      expect(why.reduce((sum, part) => sum + part.score, 0)).toBeCloseTo(score, 2);
    expect(hits[0]?.why?.map(({ part }) => part)).toEqual(["words", "nearness", "heading"]);
  });

  test("without it no parts are returned", async () => {
    expect((await searched(limiter, "bucket")).hits[0]).not.toHaveProperty("why");
  });
});

test("any query, level, place and days give an answer, or an error with a code and one sentence", async () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '"',
      "„",
      "“",
      "「",
      "*",
      "+",
      "-",
      " ",
      "bucket",
      "pay*",
      "in March",
      "last week",
      "東京",
      "[REDACTED:jwt]",
      "\0",
      "NEAR(",
    ),
    fc.string({ unit: "binary", maxLength: 5 }),
  );
  const texts = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
  const maybe = (of: fc.Arbitrary<string>) => fc.option(of, { nil: undefined });
  const given = {
    query: texts,
    since: maybe(fc.oneof(texts, fc.constantFrom("2026-03", "yesterday"))),
    until: maybe(fc.oneof(texts, fc.constantFrom("2026-03-12", "today"))),
    in: maybe(fc.oneof(texts, fc.constantFrom("raw", "nodes,threads", "memory"))),
    level: maybe(fc.constantFrom("raw", "daily", "root")),
  };
  await fc.assert(
    fc.asyncProperty(fc.record(given), async ({ query, ...options }) => {
      const set = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
      const ending = await searched(limiter, query, set).catch((error: unknown) => error);
      if (ending instanceof Error)
        expect(ending).toMatchObject({
          code: expect.stringMatching(/^(?:invalid_query|invalid_date|usage)$/u),
          message: expect.stringMatching(/^[^\n]+\.$/u),
        });
      else expect(Array.isArray((ending as SearchResult).hits)).toBe(true);
    }),
    { numRuns: lawRuns(300) },
  );
});

describe("the returned query", () => {
  test("has no secrets and no control characters", async () => {
    const secret = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5";
    const result = await searched(limiter, `bucket\u001b[31m \u202e ${secret}`);
    expect(JSON.stringify(result)).not.toContain(secret);
    expect(JSON.stringify(result)).not.toMatch(/\\u001b|\u202e/u);
  });

  test("a very long query is cut, with a warning", async () => {
    const { warnings } = await searched(limiter, Array.from({ length: 300 }, (_, index) => `word${index}`).join(" "));
    expect(warnings.map(({ code }) => code)).toEqual(["query_cut"]);
  });
});
