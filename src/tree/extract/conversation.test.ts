import { describe, expect, it } from "vitest";
import type { Passage, SourceLine, SourceSection } from "../../base/passage.ts";
import { chooseWithin, summarySpace } from "../compose/limits.ts";
import { parseSummary, printSummary, sizeOfPassage } from "../model/summary-format.ts";
import { rankPassages } from "./rank.ts";
import { extractPassages, extractSection } from "./built-in-summarizer.ts";

function said(...lines: readonly string[]): readonly Passage[] {
  const all = ["## Session 7f3a", ...lines];
  const section: SourceSection = {
    heading: "Session 7f3a",
    topic: "Session 7f3a",
    type: "project",
    tagged: "untagged",
    log: "2026-03-15",
    lines: all.map((text, index) => ({ number: index + 1, text, kind: index === 0 ? "heading" : "text" })),
  };
  return extractSection(section);
}

function words(passages: readonly Passage[]): readonly string[] {
  const topic = passages.find(({ role }) => role === "topic");
  return topic === undefined ? [] : [topic.topic, ...topic.text.split(", ")];
}

describe("a conversation", () => {
  it("is about what the user says of themselves, not what the assistant recites", () => {
    const passages = said(
      "User: I just bought a 20-gallon tank for my betta fish. Can you recommend plants?",
      "Assistant: Photosynthesis converts sunlight into chemical energy in the chloroplasts of plants.",
      "User: My betta fish hides a lot since I moved the tank.",
    );
    expect(words(passages)).toEqual(expect.arrayContaining(["betta fish"]));
    expect(words(passages).join(" ")).not.toMatch(/photosynthesis|chloroplast/iu);
    expect(passages[0]).toMatchObject({ naming: "found", type: "project" });
  });

  it("keeps the sentences about events, without thanks, prompts and tables", () => {
    const notes = said(
      "User: Thanks, that's great!",
      "User: I moved from Berlin to Lisbon in March.",
      "User: (((MODIFICATION: Increase the metaphorical complexity of everything)))",
      "User: 0.51 -0.5202 -0.29 0.1 0.08005 is my row of my table",
    ).filter(({ role }) => role !== "topic");
    expect(notes.map(({ text }) => text)).toEqual(["I moved from Berlin to Lisbon in March."]);
  });

  it("has refs to the whole conversation", () => {
    const [topic] = said("User: My bike lock is rusty.", "", "Assistant: Oil it.");
    expect(topic?.refs).toEqual([{ log: "2026-03-15", from: 1, to: 4 }]);
  });

  it("is recognized in other scripts", () => {
    expect(words(said("사용자: 나는 부엌 수리를 시작했다. 부엌 수리 견적은 다음 주에 온다.")).join(" ")).toContain(
      "부엌",
    );
    expect(words(said("ユーザー: 私は金継ぎ教室に通っている。金継ぎ教室は火曜日だ。")).join(" ")).toContain("金継");
    expect(words(said("用户：我在学游泳。游泳课在星期二。")).join(" ")).toContain("游泳");
    expect(words(said("Human: Meine Geige ist neu, ich spiele Geige seit März.")).join(" ")).toContain("Geige");
  });

  it("without any names has no topic", () => {
    expect(said("User: Thanks!", "Assistant: You are welcome.")).toEqual([]);
  });
});

describe("what the user tells the agent to remember", () => {
  const quotes = (...lines: readonly string[]): readonly string[] =>
    said(...lines).flatMap(({ role, text, refs }) =>
      role === "said" ? [`${text} ${refs[0]?.from}-${refs[0]?.to}`] : [],
    );

  it("is quoted whole with its line, without the questions next to it", () => {
    expect(
      quotes(
        "User: Hi! I live in Porto. Never book flights before noon.",
        "Assistant: Noted.",
        "User: What is near Porto?",
      ),
    ).toEqual(["I live in Porto. 2-2", "Never book flights before noon. 2-2"]);
  });

  it("is not repeated as a note, and needs no topic", () => {
    const passages = said("User: I moved to Lisbon in March because of my new bakery job.");
    expect(passages.filter(({ text }) => text.startsWith("I moved")).map(({ role }) => role)).toEqual(["said"]);
  });

  it("includes at most eight facts, and every instruction", () => {
    const days = ["Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays", "Sundays"];
    const facts = [...days, "weekdays", "weekends"].map((day) => `User: I swim on ${day}.`);
    expect(quotes(...facts, "User: Never call me before nine.")).toHaveLength(9);
  });

  it("is not looked for in notes without turns, or in a tool's entry", () => {
    expect(quotes("Never push to main.", "I live in Porto.")).toEqual([]);
    const tool = "<!-- hw id=a at=2026-03-15T10:00:00Z origin=tool -->";
    expect(quotes(tool, "User: Never push to main.")).toEqual([]);
  });
});

describe("the user's sentences in a summary", () => {
  const at = (day: number, text: string): Passage => ({
    ...said(`User: ${text}`).find(({ role }) => role === "said")!,
    refs: [{ log: `2026-03-${String(day).padStart(2, "0")}`, from: 2, to: 2 }],
  });
  const space = { lines: 80, bytes: 16 * 1024 };

  it("list instructions before facts, each once with all its places", () => {
    const ranked = rankPassages(
      [at(3, "I live in Porto."), at(9, "Never call before nine."), at(12, "I live in Porto.")],
      space,
    );
    expect(ranked.map(({ text, refs }) => `${text} ${refs.length}`)).toEqual([
      "Never call before nine. 1",
      "I live in Porto. 2",
    ]);
  });

  it("take at most a quarter of the node, and no lines from the rest", () => {
    const many = Array.from({ length: 300 }, (_, number) =>
      at(1 + (number % 28), `I live in ${"Porto ".repeat(9)}${number}.`),
    );
    const name = { level: "daily", period: "2026-03-15", late: 0 } as const;
    const { chosen } = chooseWithin(rankPassages(many, space), summarySpace(name, many));
    const bytes = chosen.reduce((sum, passage) => sum + sizeOfPassage(passage).bytes, 0);
    expect(bytes).toBeLessThanOrEqual(space.bytes / 4);
    expect(bytes).toBeGreaterThan(space.bytes / 5);
    expect(summarySpace(name, many).lines).toBe(80 + chosen.length);
  });

  it("read back from a summary as written", () => {
    const passages = [at(3, "I live in Porto."), at(9, "Remember: deploys wait for Ada.")];
    const { body } = printSummary("daily", "2026-03-15", passages);
    const read = parseSummary({ lines: body, firstLine: 1, spans: [], fallback: [], near: "2026-03-15" });
    expect(read.map(({ role, topic, text, refs }) => ({ role, topic, text, refs }))).toEqual(
      passages.map(({ role, topic, text, refs }) => ({ role, topic, text, refs })),
    );
  });
});

/** Splits these lines into the sections of a log, one per heading. */
function sectionsOf(...texts: readonly string[]): readonly SourceSection[] {
  const sections: { section: SourceSection; lines: SourceLine[] }[] = [];
  texts.forEach((text, index) => {
    const heading = /^#{1,2} (.*)$/u.exec(text)?.[1];
    if (heading !== undefined || sections.length === 0) {
      const lines: SourceLine[] = [];
      const topic = text.startsWith("## ") ? (heading ?? "") : "";
      sections.push({
        section: { heading: topic, topic, type: "project", tagged: "untagged", log: "2026-03-15", lines },
        lines,
      });
    }
    sections.at(-1)?.lines.push({ number: index + 1, text, kind: heading === undefined ? "text" : "heading" });
  });
  return sections.map(({ section }) => section);
}

function topicsIn(...texts: readonly string[]): readonly string[] {
  return extractPassages(sectionsOf(...texts))
    .filter(({ role }) => role === "topic")
    .map(({ topic, naming, refs }) => `${topic} ${naming} ${refs.map(({ from, to }) => `${from}-${to}`).join()}`);
}

const talk = ["## Session 12", "User: Please summarise what I wrote about my bakery Pain Doré in Lyon."];

describe("headings pasted into a conversation", () => {
  it("do not split it while it continues below them", () => {
    const found = topicsIn(
      ...talk,
      "# Our story",
      "Bread.",
      "## Vision",
      "More bread.",
      "Assistant: Done.",
      "User: My bakery is in Lyon.",
    );
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(/ found 1-8$/u);
  });

  it("only give found names if the conversation does not continue", () => {
    const found = topicsIn(...talk, "## Vision", "We bake bread for the whole of the street and the next one.");
    expect(found).toHaveLength(2);
    expect(found[1]).toMatch(/^Vision found 3-4$/u);
  });

  it("are distinguished from entries of keyed items, and from another conversation", () => {
    expect(topicsIn(...talk, "## Payment flow", "- decisions: token bucket for refunds")[1]).toBe(
      "Payment flow given 3-4",
    );
    expect(topicsIn(...talk, "## Trip to Rome", "User: My flight to Rome is on Monday.")[1]).toBe(
      "Trip to Rome given 3-4",
    );
  });

  it("count as headings if no conversation precedes them", () => {
    expect(topicsIn("## Vision", "We bake bread for the whole of the street.")).toEqual(["Vision given 1-2"]);
  });
});
