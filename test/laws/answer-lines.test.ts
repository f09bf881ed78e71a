import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lineGrammarOf } from "../../src/adapters/node-llama/line-grammar.ts";
import { pickRules } from "../../src/adapters/node-llama/pick-rules.ts";
import { formOf } from "../../src/engine/summaries/form.ts";
import type { AnswerForm } from "../../src/ports/answer-form.ts";
import { readAnswer } from "../../src/summarize/answers/read-answer.ts";
import type { KeptEntry, SummaryKind, SummaryRequest } from "../../src/summarize/answers/request.ts";
import { parseGrammar, wordOf, type Rule, type Rules } from "../fixtures/gbnf.ts";

const labels = { daily: "2026-03-15", weekly: "2026-W11", monthly: "2026-03", root: "ROOT", thread: "notes.120" };

function requestOf(kind: SummaryKind, lines: readonly string[], mustKeep: readonly KeptEntry[] = []): SummaryRequest {
  const name = kind === "root" ? "Active Context (recent ~7 days)" : labels[kind];
  const told = lines.map((text, at) => ({
    text: kind === "thread" ? `user: ${text}` : text,
    refs: [],
    weight: (at * 7) % 5,
    ...(kind === "thread" ? { seq: at + 1 } : {}),
  }));
  const asked = { promptRule: "node-prompt-1", instructions: "", leftOut: 0, budgetTokens: 100_000 };
  const space = { lines: 200, bytes: 65_536 };
  return {
    kind,
    label: labels[kind],
    basis: "4d".repeat(32),
    sources: [{ name, lines: told }],
    mustKeep,
    space,
    ...asked,
  };
}

const cost = (text: string): number => Math.ceil(text.length / 4);
const grammarOf = (form: AnswerForm, tokens: number): string => lineGrammarOf(form, { tokens, cost }) ?? "";
const choices = fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }));
const sentence = (rules: Rules, chosen: Iterator<number>): string => wordOf(rules, () => chosen.next().value ?? 0);

const longList = Array.from({ length: 60 }, (_, at) => `plank${at}`).join(" and ");
const day = [
  "# 2026-03-15",
  "## Boat [project]",
  "- decided: paint the hull blue, because the pier is white",
  "- decided: sell the old sail to the club",
  "- decided: keep the engine for another year",
  "- open: who orders the paint for the hull",
  "- open: ask the harbour about the berth",
  "- lesson: measure the mast twice before ordering",
  "- outcome: the rudder was mended in the yard",
  "- the club met at the pier and talked about the summer",
];

describe("an answer of lines", () => {
  test("each line stands in the section that its key says, below topics with their keywords", () => {
    const form = formOf(requestOf("daily", day));
    const texts = Object.fromEntries(form.sections.map(({ title, lines }) => [title, lines.map(({ text }) => text)]));
    expect(texts).toEqual({
      Topics: ["- Boat [project]: "],
      "Key Decisions": [
        "- Boat: paint the hull blue, because the pier is white",
        "- Boat: sell the old sail to the club",
        "- Boat: keep the engine for another year",
      ],
      "Tasks Completed": ["- Boat: the rudder was mended in the yard"],
      "Lessons Learned": ["- Boat: measure the mast twice before ordering"],
      "Open Items": ["- Boat: who orders the paint for the hull", "- Boat: ask the harbour about the berth"],
      "Entities Referenced": [],
      Notes: ["- Boat: the club met at the pier and talked about the summer"],
    });
    expect(form.sections[0]?.lines[0]?.keywords).toContain("hull blue");
  });

  test("lines of summaries stay in their section, and long ones are cut", () => {
    const week = ["## Topics", "- Boat [project]: hull, sail", "## Open Items", `- Boat: paint ${longList}`];
    const { sections } = formOf(requestOf("monthly", week));
    expect(sections.find(({ title }) => title === "Topics")?.lines).toMatchObject([{ keywords: ["hull", "sail"] }]);
    const [open] = sections.find(({ title }) => title === "Carried Forward")?.lines ?? [];
    expect(open?.text).toMatch(/^- Boat: paint plank0 and .*…$/u);
    expect(open?.text.length).toBeLessThanOrEqual(220);
  });

  test("of ROOT.md and of threads each line stands as it is", () => {
    const [active] = formOf(requestOf("root", ["Boat: the hull is blue"])).sections;
    expect(active?.lines.map(({ text }) => text)).toEqual(["- Boat: the hull is blue"]);
    const [said] = formOf(requestOf("thread", ["paint the hull", "", "what of the sail?"])).sections;
    expect(said?.lines.map(({ text }) => text)).toEqual(["- #1 user: paint the hull", "- #3 user: what of the sail?"]);
  });

  test("every sentence of the grammar is made of lines of the form in their order, is not refused, and fits", () => {
    const said = fc.oneof(
      fc.constantFrom(...day),
      fc.constantFrom(
        "## 배 [project]",
        "## C++ [reference]",
        "## Key Decisions",
        "## Topics",
        "### next steps",
        '- [ ] paint "it" \\ twice',
      ),
      fc.constantFrom(
        "- 결정: 선체를 파란색으로 칠하기로 했다",
        "- 決定: 船体を青く塗ることにした",
        "- decided: 🌱 plants [x] \\x41 on deck (~03-15:4)",
      ),
      fc.constantFrom(
        "- a\u202eb turned around here\u0007 and \u2028 there",
        "<!-- hw --> a comment stands here",
        "- password: hunter2hunter2hunter2",
        "```",
        "1. decided: use `git` **now**, not <b>later</b>",
      ),
      fc
        .string({ unit: "grapheme", minLength: 1, maxLength: 300 })
        .map((text) => `- decided: ${text.replaceAll(/[\n\r\p{No}\p{Nl}\p{So}]/gu, " ")}`),
    );
    const entry = { topic: '이름 "x" \\', type: "user", lines: ["- x"] } as const;
    let made = 0;
    fc.assert(
      fc.property(
        fc.constantFrom("daily" as const, "weekly" as const, "monthly" as const, "root" as const, "thread" as const),
        fc.array(said, { maxLength: 40 }),
        fc.constantFrom([], [entry]),
        fc.integer({ min: 300, max: 3000 }),
        choices,
        (kind, lines, mustKeep, tokens, chosen) => {
          const request = requestOf(kind, lines, kind === "root" || kind === "thread" ? [] : mustKeep);
          const form = formOf(request);
          const grammar = grammarOf(form, tokens);
          if (grammar === "") return;
          made += 1;
          const text = sentence(parseGrammar(grammar), chosen);
          const { findings } = readAnswer(request, { text, end: "complete" }, cost);
          const wrong = findings.filter(({ code, severity }) => severity === "error" && code !== "too_short");
          expect(wrong.map(({ message }) => `${message}\n${text}`)).toEqual([]);
          expect(cost(text)).toBeLessThanOrEqual(tokens);
          const parts = text.split(/^## (.*)\n/mu);
          for (const { title, content, lines: own } of form.sections) {
            if (content.form === "headings" || content.form === "topics") continue;
            const body = title === "" ? text : (parts[parts.indexOf(title) + 1] ?? "");
            if (title !== "" && !parts.includes(title)) continue;
            const places = body
              .trimEnd()
              .split("\n")
              .map((line) => own.findIndex((one) => one.text === line));
            expect(places.length).toBeLessThanOrEqual(Math.min(8, Math.ceil(own.length / 2)));
            expect(places).toEqual([...new Set(places)].sort((one, other) => one - other));
            expect(places[0]).toBeGreaterThanOrEqual(0);
          }
        },
      ),
      { numRuns: 400 },
    );
    expect(made).toBeGreaterThan(100);
  });

  test("rules that pick have exactly the choices in order, each in one way", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 5 }),
        (count, least, most) => {
          const texts = Array.from({ length: count }, (_, at) => `"${at}\\`);
          const picked = pickRules("p", texts, { least, most, between: ", " });
          const rules = parseGrammar([`root ::= ${picked.start}`, ...picked.rules].join("\n"));
          const [low, high] = [Math.min(least, most, count), Math.min(most, count)];
          const wanted = Array.from({ length: 2 ** count }, (_, bits) =>
            texts.filter((__, at) => (bits >> at) % 2 === 1),
          )
            .filter(({ length }) => length >= low && length <= high)
            .map((some) => some.join(", "));
          expect([...languageOf(rules)].toSorted()).toEqual(wanted.toSorted());
        },
      ),
      { numRuns: 60 },
    );
  });

  test("rules stay few: 24 lines, of which eight are chosen", () => {
    const texts = Array.from({ length: 24 }, (_, at) => `${at}\n`);
    const { rules } = pickRules("p", texts, { least: 4, most: 8, between: "" });
    expect(rules.length).toBeLessThanOrEqual(24 + 24 * 8);
  });

  test("without lines for what has to be there is no such grammar", () => {
    expect(grammarOf(formOf(requestOf("daily", ["## Boat [project]", "```", "code", "```"])), 500)).toBe("");
    expect(grammarOf(formOf(requestOf("thread", [])), 500)).toBe("");
  });
});

/** Every text of a grammar without repetitions, as often as there are ways to it. */
function languageOf(rules: Rules, name = "root"): readonly string[] {
  const all = (rule: Rule): readonly string[] => {
    if (rule.kind === "text") return [rule.text];
    if (rule.kind === "name") return languageOf(rules, rule.name);
    if (rule.kind === "any") return rule.parts.flatMap(all);
    if (rule.kind === "times") return rule.least === 0 ? ["", ...all(rule.part)] : all(rule.part);
    if (rule.kind === "all")
      return rule.parts.reduce<readonly string[]>(
        (begun, part) => begun.flatMap((one) => all(part).map((next) => one + next)),
        [""],
      );
    throw new Error("A class.");
  };
  const rule = rules.get(name);
  if (rule === undefined) throw new Error(`There is no rule ${name}.`);
  return all(rule);
}
