import { describe, expect, it } from "vitest";
import type { Passage, SourceSection } from "../../base/passage.ts";
import { extractSection } from "./extract.ts";

function fromRoot(text: string, type: SourceSection["type"] = "project"): readonly Passage[] {
  const heading = `From ROOT.md [${type}]`;
  return extractSection({
    heading,
    topic: "From ROOT.md",
    type,
    tagged: "tagged",
    log: "2026-03-15",
    lines: [
      { number: 1, text: `## ${heading}`, kind: "heading" },
      { number: 2, text, kind: "text" },
    ],
  });
}

function told(text: string, type?: SourceSection["type"]): unknown {
  const [topic, note] = fromRoot(text, type);
  return [topic?.topic, note?.lines.at(-1)?.text ?? note?.text];
}

describe("a person's line from ROOT.md", () => {
  it("is not torn inside an address or a time", () => {
    const guide = "onboarding guide https://wiki.example.com/onboarding";
    expect(told(`- ${guide}`, "reference")).toEqual(["onboarding guide", guide]);
    expect(told("- https://status.example.com", "reference")).toEqual([
      "status.example.com",
      "https://status.example.com",
    ]);
    expect(told("- https://status.example.com: all systems", "reference")).toEqual([
      "status.example.com",
      "https://status.example.com: all systems",
    ]);
    expect(told("- standup is at 10:30", "user")).toEqual(["standup is at 10:30", "- standup is at 10:30"]);
    expect(told("- std::vector: grows by half")).toEqual(["std::vector", "grows by half"]);
    expect(told("- 배포：매주 금요일")).toEqual(["배포", "매주 금요일"]);
  });

  it("names a topic of at most 80 whole characters", () => {
    const [topic] = fromRoot(`- ${"a".repeat(79)}🚀bc tail: told something`);
    expect(topic?.topic).toBe(`${"a".repeat(79)}🚀`);
    expect(topic?.text).toBe("told something");
  });
});
