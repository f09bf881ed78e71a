import { describe, expect, test } from "vitest";
import { sha256 } from "../../base/digest.ts";
import { titlesOf } from "./request.ts";
import type { SummaryKind } from "../../tree/answers/record.ts";
import { printFrame, printInstructions, ruleOf } from "./build-request.ts";
import { promptTexts } from "./prompt-texts.ts";

const kinds: readonly SummaryKind[] = ["daily", "weekly", "monthly", "root", "thread"];
const entry = { topic: "Short {answers}", type: "feedback", lines: ["- rule: three sentences"] } as const;
const asked = {
  label: "2026-W11",
  space: { lines: 122, bytes: 24_576 },
  budgetTokens: 3_500,
  mustKeep: [entry],
  leftOut: 17,
  notes: "## Learned Patterns\n- {tokens} is written as it is",
};

function instructions(kind: SummaryKind): string {
  return printInstructions({ ...asked, kind });
}

function placeholders(text: string): readonly string[] {
  return (text.match(/\{[a-z_]+\}/gu) ?? []).toSorted();
}

test("a changed prompt text needs a new version, and then a new digest here", () => {
  const all = kinds.map((kind) => [instructions(kind), printFrame({ kind, id: "0123abcd" })]);
  expect(kinds.map(ruleOf)).toEqual([
    "node-prompt-2",
    "node-prompt-2",
    "node-prompt-2",
    "root-prompt-1",
    "thread-prompt-1",
  ]);
  expect(sha256(JSON.stringify(all)).slice(0, 16)).toBe("db0dfe4281051469");
});

describe("every prompt", () => {
  test.each(kinds)("%s names every heading of its kind, in order", (kind) => {
    const text = instructions(kind);
    const titles = titlesOf(kind);
    const places = titles.map((title) => text.indexOf(`- \`## ${title}\`: `));
    expect(places).not.toContain(-1);
    expect(text).not.toContain("undefined");
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  test.each(kinds)("%s states every rule", (kind) => {
    const text = instructions(kind);
    const { shared } = promptTexts;
    for (const type of ["user", "feedback", "project", "reference"]) expect(text).toContain(`- \`${type}\``);
    expect(text).toContain("rule");
    expect(text).toContain("how-to-apply");
    for (const marker of ["temporary", "test run", "delete later", "임시", "테스트 중", "나중에 삭제"])
      expect(text).toContain(`\`${marker}\``);
    for (const rule of [shared.output, shared.exclude, shared.exact, shared.invent, shared.language, shared.data])
      expect(text).toContain(rule);
    expect(text).toContain("3500");
    expect(text).toContain("122");
    expect(text).toContain(kind === "root" ? "ROOT.md" : "2026-W11");
    expect(text).toContain("17");
  });

  test.each(kinds)("%s leaves no placeholder unfilled, and fills none in foreign text", (kind) => {
    const text = instructions(kind);
    expect(placeholders(text.replace("{answers}", "").replace("{tokens} is written", ""))).toEqual([]);
    expect(text).toContain(asked.notes);
  });

  test.each(kinds)("%s says how the sources are marked and how the answer begins", (kind) => {
    const { before, after } = printFrame({ kind, id: "0123abcd" });
    expect(before).toContain("`<sources 0123abcd>`");
    expect(before).toContain("`</sources 0123abcd>`");
    expect(after).toContain(kind === "thread" ? "`- #`" : kind === "root" ? "`## Active Context`" : "`## Topics`");
  });
});

describe("absent inputs are not mentioned", () => {
  test("no entries, no dropped lines, no notes", () => {
    const text = printInstructions({ ...asked, kind: "daily", mustKeep: [], leftOut: 0, notes: undefined });
    expect(text).not.toContain("User and Feedback`:");
    for (const part of [promptTexts.shared.mustKeep, promptTexts.shared.notes]) expect(text).not.toContain(part);
    expect(text.endsWith(promptTexts.shared.data)).toBe(true);
  });

  test("entries are listed by heading only, because the program writes their text", () => {
    const text = instructions("daily");
    expect(text).toContain("\n\n### Short {answers} [feedback]\n\n");
    expect(text).not.toContain("three sentences");
  });
});
