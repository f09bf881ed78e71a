import { expect, test } from "vitest";
import { printContext, type PrintedPassage } from "./print.ts";

const passage: PrintedPassage = {
  text: "",
  source: "memory/2026-03-10.md:3-5",
  date: "2026-03-10",
  type: "user",
  age_days: 5,
  warning: null,
};

/** A character that turns text, one that hides, and an escape sequence. */
const odd = "a\u202eb\u200bc\u001b[31md";

test("what is printed has no character that hides or turns text, in one line, in several, and beside the text", () => {
  const superseded = { is: "superseded", says: `until ${odd}\nthen` };
  const lines = printContext(
    [
      { ...passage, text: `- ${odd}` },
      { ...passage, text: `${odd}\n${odd}`, warning: superseded },
      { ...passage, text: "x", source: `knowledge/${odd}.md:1-1`, supersedes: `was ${odd}\r\nuntil` },
    ],
    "mark",
  ).slice(1, -1);
  expect(lines).toEqual([
    "- abcd (2026-03-10:3-5, user, 5d)",
    "- (2026-03-10:3-5, user, 5d, until abcd then)",
    "  abcd",
    "  abcd",
    "- x (knowledge/abcd.md:1, 2026-03-10, user, 5d, was abcd until)",
  ]);
});
