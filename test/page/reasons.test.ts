import { describe, expect, it } from "vitest";
import { reasonsOf, type Passage } from "../../web/src/reasons.ts";

const steps = [
  { step: "search", took_ms: 1, candidates: 9, kept: 2, notes: ["limiter", "payments", "+bucket", "+10"] },
] as const;

function passage(more: Partial<Passage>): Passage {
  const source = "memory/2026-03-20.md:7-7";
  const plain = { text: "", source, date: "2026-03-20", type: "project", origin: null, age_days: 3, heading: "" };
  return { ...plain, speaker: null, score: 1, warning: null, ...more } as Passage;
}

describe("the reasons of a passage, in words", () => {
  it("name the words of the message that it has, how old it is, and what it shares a topic with", () => {
    const first = passage({
      text: "The Limiter of payments",
      heading: "Rate limiting",
      why: [
        { part: "step root", score: 1 },
        { part: "section", score: 1 },
        { part: "words", score: 8.1 },
      ],
    });
    const second = passage({
      source: "memory/2026-03-03.md:3-12",
      text: "a token bucket with 10 tokens",
      heading: "Rate limiting",
      age_days: 1,
      why: [
        { part: "section", score: 0.713 },
        { part: "meaning", score: 0.4 },
      ],
    });
    const context = [first, second];
    expect(reasonsOf(first, { context, steps })).toBe(
      "Found by the words limiter, payments; a line of ROOT.md leads to it; its section fits best; 3 days old.",
    );
    expect(reasonsOf(second, { context, steps })).toBe(
      "Has bucket, like the passages found first; close in meaning; its section fits well; 1 day old; same topic as memory/2026-03-20.md:7.",
    );
  });

  it("name whole words where only their beginnings were searched for, also beside Japanese", () => {
    const notes = ["workspac", "請求書", "limit"];
    const own = passage({ text: "Each workspace has limits. 請求書の様式", age_days: null });
    const [step] = steps;
    expect(reasonsOf(own, { context: [own], steps: [{ ...step, notes }] })).toBe(
      "Found by the words workspace, 請求書, limits.",
    );
  });

  it("say that it is pinned, or newer than what it replaces, and nothing that is not known", () => {
    const pinned = passage({ pinned: true, age_days: 0, why: [] });
    const newer = passage({ age_days: null, why: [{ part: "supersedes", score: 2 }] });
    expect(reasonsOf(pinned, { context: [pinned], steps })).toBe("Pinned; of today.");
    expect(reasonsOf(newer, { context: [newer], steps: [] })).toBe("Newer than what it replaces.");
    expect(reasonsOf(passage({ age_days: null }), { context: [], steps: [] })).toBe("");
  });
});
