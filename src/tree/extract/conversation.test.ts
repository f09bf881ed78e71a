import { describe, expect, it } from "vitest";
import type { Passage, SourceSection } from "../../base/passage.ts";
import { extractSection } from "./extract.ts";

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
  it("is about what the person tells of himself, not about what the assistant recites", () => {
    const passages = said(
      "User: I just bought a 20-gallon tank for my betta fish. Can you recommend plants?",
      "Assistant: Photosynthesis converts sunlight into chemical energy in the chloroplasts of plants.",
      "User: My betta fish hides a lot since I moved the tank.",
    );
    expect(words(passages)).toEqual(expect.arrayContaining(["betta fish"]));
    expect(words(passages).join(" ")).not.toMatch(/photosynthesis|chloroplast/iu);
    expect(passages[0]).toMatchObject({ naming: "found", type: "project" });
  });

  it("counts facts more than questions", () => {
    const passages = said(
      "User: What is the best mortgage rate, and what is a mortgage point?",
      "User: My clarinet lesson is on Thursday, and I have a new clarinet.",
    );
    const found = words(passages);
    expect(found.indexOf("clarinet")).toBeLessThan(found.findIndex((word) => word.startsWith("mortgage")));
  });

  it("keeps the sentences that say what happened, and leaves out thanks, prompts and tables", () => {
    const notes = said(
      "User: Thanks, that's great!",
      "User: I moved from Berlin to Lisbon in March.",
      "User: (((MODIFICATION: Increase the metaphorical complexity of everything)))",
      "User: 0.51 -0.5202 -0.29 0.1 0.08005 is my row of my table",
    ).filter(({ role }) => role === "note");
    expect(notes.map(({ text }) => text)).toEqual(["I moved from Berlin to Lisbon in March."]);
  });

  it("leads to the whole conversation", () => {
    const [topic] = said("User: My bike lock is rusty.", "", "Assistant: Oil it.");
    expect(topic?.refs).toEqual([{ log: "2026-03-15", from: 1, to: 4 }]);
  });

  it("is found in other scripts", () => {
    expect(words(said("사용자: 나는 부엌 수리를 시작했다. 부엌 수리 견적은 다음 주에 온다.")).join(" ")).toContain(
      "부엌",
    );
    expect(words(said("ユーザー: 私は金継ぎ教室に通っている。金継ぎ教室は火曜日だ。")).join(" ")).toContain("金継");
    expect(words(said("用户：我在学游泳。游泳课在星期二。")).join(" ")).toContain("游泳");
    expect(words(said("Human: Meine Geige ist neu, ich spiele Geige seit März.")).join(" ")).toContain("Geige");
  });

  it("that names nothing has no topic", () => {
    expect(said("User: Thanks!", "Assistant: You are welcome.")).toEqual([]);
  });
});
