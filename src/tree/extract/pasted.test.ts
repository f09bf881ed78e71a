import { describe, expect, it } from "vitest";
import type { SourceLine, SourceSection } from "../../base/passage.ts";
import { builtInSummarizer } from "./built-in.ts";

/** The sections of a log of these lines, one at each heading. */
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
  return builtInSummarizer
    .extract(sectionsOf(...texts))
    .filter(({ role }) => role === "topic")
    .map(({ topic, naming, refs }) => `${topic} ${naming} ${refs.map(({ from, to }) => `${from}-${to}`).join()}`);
}

const talk = ["## Session 12", "User: Please summarise what I wrote about my bakery Pain Doré in Lyon."];

describe("headings pasted into a conversation", () => {
  it("do not tear it apart while the talk goes on below them", () => {
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

  it("name nothing for sure when nothing more is said", () => {
    const found = topicsIn(...talk, "## Vision", "We bake bread for the whole of the street and the next one.");
    expect(found).toHaveLength(2);
    expect(found[1]).toMatch(/^Vision found 3-4$/u);
  });

  it("are told from an entry in items with keys, and from another conversation", () => {
    expect(topicsIn(...talk, "## Payment flow", "- decisions: token bucket for refunds")[1]).toBe(
      "Payment flow given 3-4",
    );
    expect(topicsIn(...talk, "## Trip to Rome", "User: My flight to Rome is on Monday.")[1]).toBe(
      "Trip to Rome given 3-4",
    );
  });

  it("are what they are where no conversation is before them", () => {
    expect(topicsIn("## Vision", "We bake bread for the whole of the street.")).toEqual(["Vision given 1-2"]);
  });
});
