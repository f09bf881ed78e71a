import { describe, expect, it } from "vitest";
import { scanLines } from "../../base/markdown.ts";
import type { Passage, SourceSection } from "../../base/passage.ts";
import type { Ref } from "../../base/refs.ts";
import { extractSection } from "./built-in-summarizer.ts";

function noteOf(heading: string, body: readonly string[]): SourceSection {
  const texts = heading === "" ? body : [`## ${heading}`, ...body];
  const { lines } = scanLines(texts);
  return {
    heading,
    topic: heading,
    type: "project",
    tagged: "untagged",
    log: "2026-03-15",
    lines: texts.map((text, index) => ({ number: index + 1, text, kind: lines[index]?.kind ?? "text" })),
  };
}

const topicsIn = (passages: readonly Passage[]): readonly Passage[] => passages.filter(({ role }) => role === "topic");

const at = (from: number, to: number): Ref => ({ log: "2026-03-15", from, to });

const day = [
  "The search cluster was slow again. The Elasticsearch heap was at 91 % and garbage collection took 4 s.",
  "We doubled the Elasticsearch heap to 16 GB.",
  "",
  "Kitchen renovation: the carpenter sent his offer for the oak worktop, 8400 EUR.",
  "I prefer the matte black tap over the brass one.",
  "",
  "- the worktop of the kitchen must be ordered before Friday",
  "- called the bank about the renovation loan for the kitchen",
  "",
  "### Lisbon",
  "Flights with TAP are 189 EUR each. Maria is allergic to shellfish.",
  "",
  "TODO: restart the search cluster with the new Elasticsearch heap and look at its garbage collection",
];

describe("a note without a topic", () => {
  const passages = extractSection(noteOf("", day));

  it("gets topics found in it, with exactly their lines", () => {
    const found = topicsIn(passages).map(({ topic, refs, naming }) => ({ topic, refs, naming }));
    expect(found).toEqual([
      { topic: "Elasticsearch heap", refs: [at(1, 2)], naming: "found" },
      { topic: "Kitchen renovation", refs: [at(4, 8)], naming: "found" },
      { topic: "Lisbon", refs: [at(11, 13)], naming: "found" },
    ]);
  });

  it("assigns each detail to the topic of its paragraph", () => {
    const told = passages
      .filter(({ role }) => role !== "topic")
      .map(({ topic, role, text }) => `${topic} ${role}: ${text}`);
    expect(told).toContain("Kitchen renovation note: called the bank about the renovation loan for the kitchen");
    expect(told.some((line) => line.startsWith("Lisbon note: Flights with TAP"))).toBe(true);
    expect(told.some((line) => line.includes("Kitchen renovation: Kitchen renovation"))).toBe(false);
  });

  it("has a score for each keyword", () => {
    for (const { text, scores } of topicsIn(passages)) expect(scores).toHaveLength(text.split(", ").length);
  });

  it("is one topic if it is short", () => {
    const short = extractSection(
      noteOf("", ["the token bucket refills once a second", "", "the token bucket is per key"]),
    );
    expect(topicsIn(short).map(({ topic, naming }) => [topic, naming])).toEqual([["token bucket", "found"]]);
  });

  it("with one heading that names a topic keeps it, in whatever form", () => {
    expect(topicsIn(extractSection(noteOf("Search cluster", day))).map(({ topic }) => topic)).toEqual([
      "Search cluster",
    ]);
  });

  it("is also split in Korean, Japanese and Chinese", () => {
    const found = topicsIn(
      extractSection(
        noteOf("", [
          "결제 흐름에서 토큰 버킷을 도입하기로 했다. 결제 흐름 문서는 김민수 팀장이 쓴다. 실패율이 줄었다.",
          "",
          "전세 보증금과 이사 날짜를 아내와 이야기했다. 이사 업체와 부동산에 연락해야 한다. 이사 비용.",
          "",
          "請求書発行のAPI設計を見直した。田中さんが請求書発行の画面を担当する。",
          "",
          "保育園の入園説明会と卵アレルギーの申請書。保育園の持ち物は上履き。",
          "",
          "数据库连接池的大小改为50，高峰期数据库连接池超时。李明看监控。",
          "",
          "女儿去看牙医，女儿的牙齿矫正费用很高，王医生说四月复诊。",
          "",
          "끝",
        ]),
      ),
    );
    expect(found.map(({ topic }) => topic).slice(0, 4)).toEqual(["결제 흐름", "이사", "請求書発行", "保育園"]);
    expect(found.map(({ topic }) => topic)).toEqual(expect.arrayContaining(["数据库连接池"]));
  });
});

describe("the summary of a long paragraph", () => {
  it("has its facts and decisions, with their own lines, not its beginning", () => {
    const paragraph = [
      "It was one of those long and slow mornings on which nothing much wants to happen at all.",
      "People came in late, the coffee machine was out of order, and somebody told old stories.",
      "In the end we decided to move the invoices to Stripe Tax because of the audit on April 2.",
      "The weather stayed grey and there was little else that would be worth a line in a diary.",
    ];
    const told = extractSection(noteOf("Office", paragraph)).filter(({ role }) => role === "decision");
    expect(told.map(({ text, refs }) => [text, refs[0]?.from])).toEqual([
      ["In the end we decided to move the invoices to Stripe Tax because of the audit on April 2.", 4],
    ]);
  });

  it("has an outcome only if one is stated", () => {
    const roles = extractSection(
      noteOf("Export", ["- outcome: will be shipped next week", "- outcome: shipped", "Lesson: stream the rows"]),
    );
    expect(roles.filter(({ role }) => role !== "topic").map(({ role, text }) => `${role} ${text}`)).toEqual([
      "outcome will be shipped next week",
      "done shipped",
      "lesson stream the rows",
    ]);
  });
});
