import { describe, expect, it } from "vitest";
import { entryOf, passage, preserved, topicsOf } from "../../../test/fixtures/passages.ts";
import { patternLines } from "./root-patterns.ts";
import type { PlacedPassage } from "../model/node-passages.ts";

const today = "2026-03-15";

function patterns(...passages: readonly PlacedPassage[]): readonly string[] {
  return patternLines(topicsOf(today, ...passages), today).map(({ text }) => text);
}

describe("Recent Patterns", () => {
  it("recognizes a lesson repeated in nearly the same words, and names the topics it came from", () => {
    expect(
      patterns(
        passage("lesson", "CI", "2026-02-02", "pin the browser version, the nightly image moves"),
        passage("lesson", "Deploys", "2026-02-17", "pin browser versions, because the nightly image moves"),
        passage("lesson", "CI", "2026-03-09", "pin the browser version; nightly images move"),
      ),
    ).toEqual([
      "- pin the browser version; nightly images move: learned on at least 3 days (02-02, 02-17, 03-09) in CI, Deploys",
    ]);
  });

  it("does not merge different lessons, and two days are not a pattern", () => {
    expect(
      patterns(
        passage("lesson", "CI", "2026-03-02", "retry helps with flaky runs"),
        passage("lesson", "CI", "2026-03-03", "retry helps with flaky runs"),
        passage("lesson", "CI", "2026-03-04", "measure before tuning the pool"),
      ),
    ).toEqual([]);
  });

  it("does not merge statements that contradict each other or have different numbers", () => {
    const days = ["2026-03-02", "2026-03-03", "2026-03-04"];
    const said = ["always retry flaky browser runs", "never retry flaky browser runs", "retry flaky browser runs"];
    expect(patterns(...days.map((day, at) => passage("lesson", "CI", day, said[at] ?? "")))).toEqual([]);
    expect(
      patterns(
        ...days.map((day, at) => passage("lesson", "CI", day, `the build cache holds ${at + 2} days of images`)),
      ),
    ).toEqual([]);
  });

  it("quotes what the user repeated, even in Korean and Japanese", () => {
    const days = ["2026-03-02", "2026-03-05", "2026-03-09"];
    const said = patterns(
      ...days.map((day) => preserved("회의록 [feedback]", day, "- rule: 회의록은 한국어로 세 줄 이내로 쓴다")),
      ...days.map((day, n) => preserved(`出典 ${n} [feedback]`, day, "- rule: 引用には必ず出典を付ける")),
      ...days.map((day) => preserved("Home [user]", day, "- lives in Porto with a cat")),
    );
    expect(said.toSorted()).toEqual([
      "- lives in Porto with a cat: said on at least 3 days (03-02, 03-05, 03-09)",
      "- 引用には必ず出典を付ける: said on at least 3 days (03-02, 03-05, 03-09)",
      "- 회의록은 한국어로 세 줄 이내로 쓴다: said on at least 3 days (03-02, 03-05, 03-09)",
    ]);
  });

  it("ranks a lesson higher if it came up in several topics, and lessons above topics", () => {
    const days = ["2026-03-02", "2026-03-05", "2026-03-09"];
    const said = patterns(
      ...days.map((day) => passage("lesson", "CI", day, "a queue without a dead letter loses messages")),
      ...days.map((day, n) => passage("lesson", `Work ${n}`, day, "write the rollback before the rollout")),
      ...[...days, "2026-03-10", "2026-03-11"].map((day) => passage("note", "Search", day, "waiting for hardware")),
    );
    expect(said.map((line) => line.slice(2, 15))).toEqual(["write the rol", "a queue witho", "Search: on at"]);
  });

  it("shows the recurring statement of a topic; keywords are not a pattern", () => {
    const days = ["2026-03-02", "2026-03-05", "2026-03-09"];
    expect(
      patterns(
        ...days.map((day) => entryOf("Search", day, "hardware")),
        ...days.map((day) => passage("note", "Search", day, "waiting for hardware")),
        ...days.map((day, n) => entryOf("Ledger", day, `parquet, rounding, remark${n}`)),
      ),
    ).toEqual(["- Search: on at least 3 days (03-02, 03-05, 03-09): waiting for hardware"]);
  });

  it("has no line for a topic that merely occurs in many logs, or that has been silent for months", () => {
    const days = ["2026-03-02", "2026-03-05", "2026-03-09"];
    expect(
      patterns(
        ...days.map((day, n) => entryOf("Standup", day, `word${n}`)),
        ...["2025-10-01", "2025-10-02", "2025-10-03"].map((day) => passage("lesson", "Old", day, "pin the image")),
      ),
    ).toEqual([]);
  });

  it("shows the year of days in another year", () => {
    const days = ["2025-12-30", "2026-01-05", "2026-03-09"];
    expect(patterns(...days.map((day) => passage("lesson", "CI", day, "retry helps with flaky runs")))).toEqual([
      "- retry helps with flaky runs: learned on at least 3 days (2025-12-30, 2026-01-05, 03-09)",
    ]);
    const many = ["2025-12-01", "2025-12-02", "2025-12-30", "2026-01-05", "2026-03-08", "2026-03-09"];
    expect(patterns(...many.map((day) => passage("lesson", "CI", day, "retry helps with flaky runs")))).toEqual([
      "- retry helps with flaky runs: learned on at least 6 days (2025-12-01, 12-02 … 2026-03-08, 03-09)",
    ]);
  });
});
