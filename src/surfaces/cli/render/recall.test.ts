import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import type { SearchHit, SearchResult } from "../../../recall/search/inputs-and-results.ts";
import { widthOf, screenOf } from "./layout.ts";
import { renderSearch } from "./recall.ts";

const hit: SearchHit = {
  source: "memory/2026-03-15.md:12-18",
  kind: "raw",
  level: "raw",
  type: "project",
  origin: null,
  date: "2026-03-15",
  age_days: 3,
  heading: "Payment flow",
  snippet: "…we took the «token bucket» for payments, since bursts must pass…",
  score: 7.213,
};

const result: SearchResult = {
  query: "token bucket",
  understood: {
    words: ["token", "bucket"],
    phrases: [],
    must: [],
    must_not: [],
    since: null,
    until: null,
    days_from: null,
  },
  hits: [hit],
  more: false,
  took_ms: 12,
  not_indexed: 0,
  warnings: [],
};

const pipe = screenOf({ kind: "pipe", columns: 80, colours: "off" });

describe("heartwood search as text", () => {
  test("shows a block per hit and a summary line", () => {
    expect(renderSearch(result, pipe)).toBe(
      [
        "memory/2026-03-15.md:12-18  2026-03-15, 3 days ago · project · Payment flow",
        "  …we took the «token bucket» for payments, since bursts must pass…",
        "",
        "1 hit, 12 ms",
      ].join("\n"),
    );
  });

  test("shows when a replaced hit stopped being valid", () => {
    const old = { ...hit, warning: { is: "superseded", says: "until 2026-03-16" } as const };
    expect(renderSearch({ ...result, hits: [old] }, pipe)).toContain("must pass…\n  until 2026-03-16\n");
  });

  test("on a terminal, matches are bold and no line is too wide", () => {
    const narrow = screenOf({ kind: "terminal", columns: 40, colours: "on" });
    const shown = renderSearch(result, narrow);
    expect(shown).toContain("\u001b[1mtoken bucket\u001b[22m");
    expect(stripVTControlCharacters(shown)).not.toMatch(/[«»]/u);
    for (const line of shown.split("\n").slice(1)) expect(widthOf(line)).toBeLessThanOrEqual(40);
  });

  test("a match that spans two lines is marked in both", () => {
    const narrow = screenOf({ kind: "terminal", columns: 26, colours: "off" });
    expect(renderSearch(result, narrow)).toContain("«token»\n  «bucket»");
  });

  test("shows how dates were understood, that there are more hits, and what is not indexed", () => {
    const understood = { ...result.understood, since: "2026-03-02", until: "2026-03-08", days_from: "last week" };
    const shown = renderSearch({ ...result, understood, more: true, not_indexed: 2 }, pipe).split("\n");
    expect(shown[0]).toBe("Days: 2026-03-02 to 2026-03-08, from “last week”; quote it to search for it as text.");
    expect(shown.at(-1)).toBe(
      "The best 1 hit (more with --limit), 12 ms; 2 sources are not in the index yet (heartwood index)",
    );
  });

  test("explains a score", () => {
    const why = [
      { part: "word token", score: 3.1 },
      { part: "nearness", score: 4.113 },
    ];
    expect(renderSearch({ ...result, hits: [{ ...hit, why }] }, pipe)).toContain(
      "  score 7.21 = word token 3.10 + nearness 4.11",
    );
  });

  test("without hits, shows what was searched, where, and what might help", () => {
    const understood = { ...result.understood, phrases: ["token bucket"], words: [], since: "2026-03-02", until: null };
    const screen = screenOf({ kind: "pipe", columns: 80, colours: "off", input: { in: "nodes" } });
    expect(
      renderSearch(
        { ...result, query: '"token bucket" since 2026-03-02', understood, hits: [], not_indexed: 1 },
        screen,
      ),
    ).toBe(
      [
        'Nothing found for "token bucket" since 2026-03-02 (since 2026-03-02, --in nodes).',
        "Try: words without quotes; other days; without --in nodes.",
        "The search was incomplete: 1 source is not in the index yet (heartwood index).",
      ].join("\n"),
    );
  });

  test.each([
    [0, "today"],
    [1, "yesterday"],
    [13, "13 days ago"],
    [30, "4 weeks ago"],
    [90, "2 months ago"],
    [800, "2 years ago"],
    [-1, "in 1 day"],
  ])("an age of %i days is %s", (age_days, text) => {
    expect(renderSearch({ ...result, hits: [{ ...hit, age_days }] }, pipe)).toContain(`2026-03-15, ${text} ·`);
  });
});
