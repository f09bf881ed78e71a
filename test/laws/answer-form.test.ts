import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { grammarOf } from "../../src/adapters/node-llama/grammar.ts";
import { formOf } from "../../src/engine/summaries/form.ts";
import { readAnswer } from "../../src/summarize/answers/read-answer.ts";
import type { KeptEntry, SummaryKind, SummaryRequest } from "../../src/summarize/answers/request.ts";
import { parseGrammar, wordOf } from "../fixtures/gbnf.ts";
import { lawRuns } from "../fixtures/law-runs.ts";

const space = { characters: 2000, words: "any" } as const;
const hex = "4d".repeat(32);

function requestOf(
  kind: SummaryKind,
  {
    lines = ["## Boat [project]", "- paint"],
    mustKeep = [],
  }: { lines?: readonly string[]; mustKeep?: readonly KeptEntry[] } = {},
): SummaryRequest {
  const label = { daily: "2026-03-15", weekly: "2026-W11", monthly: "2026-03", root: "ROOT", thread: "notes.120" }[
    kind
  ];
  const sources = [{ name: label, lines: lines.map((text) => ({ text, refs: [] })) }];
  const asked = { promptRule: "node-prompt-1", instructions: "", leftOut: 0, budgetTokens: 100_000 };
  return { kind, label, basis: hex, sources, mustKeep, space: { lines: 200, bytes: 65_536 }, ...asked };
}

const forms = ["missing_section", "entry_missing", "heading", "markup", "front_matter", "too_short", "too_long"];

describe("the form of an answer", () => {
  test("what a grammar lets through is not refused for its form, and has an end", () => {
    const entry = fc.record({
      topic: fc.constantFrom("Name", 'No "quotes" \\ here', "이름", "مرحبا", "🌱 plants"),
      type: fc.constantFrom("user" as const, "feedback" as const),
      lines: fc.constant(["- x"]),
    });
    const line = fc.constantFrom(
      "## Boat [project]",
      "## 배 [project]",
      "### C++ 20 [reference]",
      "- v1.2.3 on 2026-03-15",
      "- " +
        [..."abcdefghijklmnopqrstuvwxyzäöüéèàåñç가나다라마바사아자차카타파하"].map((one) => one.repeat(3)).join(" "),
      "plain 17 text",
      "",
    );
    fc.assert(
      fc.property(
        fc.constantFrom("daily" as const, "weekly" as const, "monthly" as const, "root" as const, "thread" as const),
        fc.array(line, { maxLength: 8 }),
        fc.uniqueArray(entry, { maxLength: 3, selector: ({ topic }) => topic }),
        fc.integer({ min: 200, max: 20_000 }),
        fc.constantFrom("any" as const, "of_sources" as const),
        fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
        (kind, lines, mustKeep, characters, words, choices) => {
          const request = requestOf(kind, { lines, mustKeep: kind === "root" || kind === "thread" ? [] : mustKeep });
          const rules = parseGrammar(grammarOf(formOf(request), { characters, words }));
          const text = wordOf(rules, () => choices.next().value ?? 0);
          const found = readAnswer(request, { text, end: "complete" }, (one) => one.length / 4).findings;
          const wrong = found.filter(({ code, severity }) => severity === "error" && forms.includes(code));
          // Very short words are an answer of the grammar too; how short an answer may be is not a matter of its form.
          expect(wrong.filter(({ code }) => code !== "too_short").map(({ message }) => `${message}\n${text}`)).toEqual(
            [],
          );
          const longest = wordOf(rules, () => 0.999_999).length;
          expect(longest).toBeLessThan(Math.max(characters * (words === "any" ? 1.5 : 3), 8000));
        },
      ),
      { numRuns: lawRuns(200) },
    );
  });

  test("known topics stand each once, those with the most lines first, and none where lines have no topic", () => {
    const lines = [
      "# 2026-03-15",
      "## Paint [project]",
      "- a",
      "## Boat [reference]",
      "- b",
      "- c",
      "- d",
      "## paint",
      "## Key Decisions",
    ];
    expect(formOf(requestOf("daily", { lines })).topics).toEqual(["Boat [reference]", "Paint [project]"]);
    expect(formOf(requestOf("daily", { lines: ["hello", ...lines] })).topics).toEqual([]);
    const listed = ["## Topics", "- Boat [project, done]: paint, blue", "## Notes", "- Market: it rained"];
    expect(formOf(requestOf("weekly", { lines: listed })).topics).toEqual(["Boat [project]"]);
    const grammar = grammarOf(formOf(requestOf("daily", { lines })), space);
    expect(grammar).toContain('"- Boat [reference]: " text "- Paint [project]: " text');
  });

  test("digits are those of the sources, their dates and versions whole", () => {
    const lines = ["- v1.2.3, 17 of 1,000 on 2026-03-15.", "1. first (40%)", "3월에 o200k", `- ${"a1".repeat(30)}`];
    const { numbers } = formOf(requestOf("daily", { lines }));
    expect(numbers).toEqual(
      ["2026-03-15", "v1.2.3", "17", "1,000", "40%", "3", "o200k"].toSorted(
        (a, b) => numbers.indexOf(a) - numbers.indexOf(b),
      ),
    );
  });

  test("entries that must be kept stand in the form with their type, and the section is left out without any", () => {
    const mustKeep = [{ topic: '이름 "x"', type: "user", lines: [] }] as const;
    const grammar = grammarOf(formOf(requestOf("daily", { mustKeep })), space);
    expect(grammar).toContain(String.raw`"## User and Feedback\x0A" "### \uC774\uB984 \"x\" [user]\x0A"`);
    expect(grammarOf(formOf(requestOf("daily")), space)).not.toContain("User and Feedback");
  });
});
