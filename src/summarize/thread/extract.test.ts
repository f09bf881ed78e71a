import { expect, test } from "vitest";
import { extractLines } from "./extract.ts";
import type { Utterance } from "./line.ts";

test("facts of one form are told beside what is repeated with them", () => {
  const utterances = Array.from({ length: 60 }, (_, at): Utterance => {
    return { seq: at + 1, role: "user", text: `The port of service ${at} is ${8000 + at}. We decided to keep it.` };
  });

  expect(extractLines(utterances)).toHaveLength(16);
});
