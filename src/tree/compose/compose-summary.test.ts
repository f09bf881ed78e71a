import { expect, test } from "vitest";
import { entryOf, passage } from "../../../test/fixtures/passages.ts";
import { passagesOfAnswer } from "./compose-summary.ts";

const day = "2026-03-12";
const board = "https://board.example.com/d/ledger-01";
const wiki = "https://wiki.example.com/rules";
const ranked = [
  entryOf("Board [reference]", day, "board.example.com, lag"),
  entryOf("Wiki [reference]", day, "wiki.example.com"),
  entryOf("Ledger [project]", day, "postgres"),
  passage("note", "Board [reference]", day, `${board} shows the lag`),
  passage("note", "Board [reference]", day, `${board}?old=1 is the old one`),
  passage("note", "Wiki [reference]", day, `rules of the house: ${wiki}`),
  passage("note", "Ledger [project]", day, "see https://ledger.example.com"),
];

function textsOf(...summary: readonly string[]): readonly string[] {
  const name = { level: "daily", period: day, late: 0 } as const;
  const lines = [{ log: day, from: 1, to: 90 }];
  const answer = { digest: "0".repeat(64), model: "pull", summary };
  return passagesOfAnswer(answer, { name, ranked, lines })
    .filter(({ role }) => role !== "topic")
    .map(({ topic, text }) => `${topic}: ${text}`);
}

test("an answer without the address of a reference keeps that reference's best line, and no others", () => {
  const answer = ["## Topics", "- Board [reference]: lag (~03-12:1)", "", "## Notes", "- Ledger: moved (~03-12:2)"];
  expect(textsOf(...answer)).toEqual([
    "Ledger: moved",
    `Board: ${board} shows the lag`,
    `Wiki: rules of the house: ${wiki}`,
  ]);
});

test("an address in the answer is not repeated", () => {
  const answer = ["## Notes", `- Board: the lag is at ${board}. (~03-12:2)`, `- the wiki is ${wiki} (~03-12:3)`];
  expect(textsOf(...answer)).toEqual([`Board: the lag is at ${board}.`, `: the wiki is ${wiki}`]);
});

test("a model's statement about a person gets type project, and about a reference type reference", () => {
  const name = { level: "daily", period: day, late: 0 } as const;
  const known = [...ranked, entryOf("Time zone [user]", day, "Lisbon"), entryOf("Answers [feedback]", day, "short")];
  const summary = [
    "## Notes",
    "- Time zone: moved to Lisbon (~03-12:1)",
    "- Answers [feedback]: always long (~03-12:2)",
    "- Board: the board lags (~03-12:3)",
    "- Unheard: of (~03-12:4)",
  ];
  const passages = passagesOfAnswer(
    { digest: "0".repeat(64), model: "pull", summary },
    { name, ranked: known, lines: [{ log: day, from: 1, to: 90 }] },
  );
  const told = passages.filter(({ role, refs }) => role === "note" && refs.some(({ found }) => found === "by_match"));
  expect(told.map(({ topic, type }) => `${topic} ${type}`)).toEqual([
    "Time zone project",
    "Answers project",
    "Board reference",
    "Unheard project",
  ]);
});
