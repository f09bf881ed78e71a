import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { runIndex } from "../../src/recall/index/refresh.ts";
import { runRecall } from "../../src/recall/run/recall.ts";
import { runSearch } from "../../src/recall/search/search.ts";
import type { RecallResult } from "../../src/recall/search/inputs-and-results.ts";
import { openTestMemory, type TestMemory } from "../fixtures/memory.ts";

/** A year of notes about a person and a project in each of three languages, 60 entries each, and questions written before any results were seen. */
const folder = join(import.meta.dirname, "..", "fixtures", "cjk-notes");

interface Question {
  readonly language: "ja" | "zh" | "ko";
  readonly query: string;
  /** One of these entries must be among the first five. */
  readonly expected: readonly { readonly file: string; readonly heading: string }[];
}

const sixty = questionsIn("queries.json");
/** Written after all rules were final. */
const heldBack = questionsIn("queries-held-back.json");
const questions = [...sixty, ...heldBack];
const days = readdirSync(folder).filter((name) => name.endsWith(".md"));
const files = Object.fromEntries(
  days.map((name) => [`memory/${name}`, readFileSync(join(folder, name), "utf8")] as const),
);

function questionsIn(name: string): readonly Question[] {
  return JSON.parse(readFileSync(join(folder, name), "utf8")) as readonly Question[];
}

/** The places of the expected entries: `memory/2025-04-03.md:3-5`. */
function isExpected(source: string, { expected }: Question): boolean {
  const [, file = "", from = "", to = ""] = /^(.+):(\d+)(?:-(\d+))?$/u.exec(source) ?? [];
  return expected.some((entry) => {
    const [first, last] = linesOf(entry.file, entry.heading);
    return file === entry.file && Number(from) <= last && Number(to === "" ? from : to) >= first;
  });
}

function linesOf(file: string, heading: string): readonly [number, number] {
  const lines = (files[file] ?? "").split("\n");
  const first = lines.findIndex((line) => line === `## ${heading}` || line.startsWith(`## ${heading} [`));
  const after = lines.findIndex((line, index) => index > first && line.startsWith("## "));
  return [first + 1, after < 0 ? lines.length : after];
}

/** The share of questions with an expected entry among the first five. */
function hits(found: ReadonlyMap<Question, readonly string[]>, asked: readonly Question[]): number {
  const hit = asked.filter((question) =>
    (found.get(question) ?? []).slice(0, 5).some((source) => isExpected(source, question)),
  );
  return hit.length / asked.length;
}

function isRecalled(result: object): result is RecallResult {
  return "context" in result;
}

describe("questions in Japanese, Chinese and Korean", () => {
  let test: TestMemory;
  const searched = new Map<Question, readonly string[]>();
  const recalled = new Map<Question, readonly string[]>();

  beforeAll(async () => {
    test = openTestMemory({ disk: "folder", today: "2026-03-15", files });
    await runIndex(test.memory, {}, {});
    for (const question of questions) {
      const found = await runSearch(test.memory, { query: question.query, limit: 5 }, {});
      searched.set(
        question,
        found.hits.map(({ source }) => source),
      );
      const recall = await runRecall(test.memory, { text: question.query }, {});
      recalled.set(question, isRecalled(recall) ? recall.context.map(({ source }) => source) : []);
    }
  });

  const sets = (["ja", "zh", "ko"] as const).map(
    (language) => [language, sixty.filter((question) => question.language === language)] as const,
  );

  it("are sixty over 180 entries, 20 per language, and each has an expected entry", () => {
    expect(sets.map(([, asked]) => asked.length)).toEqual([20, 20, 20]);
    expect(Object.values(files).join("\n").match(/^## /gmu)).toHaveLength(180);
    for (const { expected } of questions)
      for (const { file, heading } of expected)
        expect(linesOf(file, heading)[0], `${file} ${heading}`).toBeGreaterThan(0);
  });

  it.each([...sets, ["all", sixty], ["held back", heldBack]] as const)(
    "search and recall have the expected entry among the first five: %s",
    (_, asked) => {
      expect(hits(searched, asked)).toBeGreaterThanOrEqual(0.9);
      expect(hits(recalled, asked)).toBeGreaterThanOrEqual(0.9);
    },
  );
});
