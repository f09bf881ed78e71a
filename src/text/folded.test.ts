import { describe, expect, test } from "vitest";
import { folded, Needles, wordsOfLine } from "./folded.ts";

describe("what is looked for when something is forgotten", () => {
  test.each([
    ["STRASSE  12", "straße 12"],
    ["ＡＢＣ １２", "abc 12"],
    ["ΟΔΥΣΣΕΥΣ", "Οδυσσευς"],
    ["the\n  code\t is", "The code is"],
    ["4471-\u212Aey", "4471-KEY"],
  ])("%j and %j are the same", (one, other) => expect(folded(one)).toBe(folded(other)));

  test.each([
    "- the code",
    "  * The CODE",
    "1. the code",
    "> the code",
    "User: the code",
    "## the code",
    "- \\the code",
  ])("%j has the words of a line", (line) => expect(wordsOfLine(line)).toBe("the code"));

  const needles = new Needles([folded("the code is 4471")]);

  test("a text over several lines is found, with the lines it is on", () => {
    expect([...needles.linesIn(["a", "- now The", "CODE", "", "is 4471.", "b"])]).toEqual([2, 3, 5]);
    expect([...needles.linesIn(["the code is 447"])]).toEqual([]);
  });

  test("in JSON, escapes are read; bytes around it may be anything", () => {
    const bytes = Buffer.concat([
      Buffer.from([0, 255, 254]),
      Buffer.from(String.raw`{"a":"x\nThe\tcode \u0069s 4471\""}`),
      Buffer.from([0]),
    ]);
    expect(needles.isInBytes(bytes)).toBe(true);
    expect(needles.isInBytes(Buffer.from("the code is 4472"))).toBe(false);
    expect(new Needles([""]).isIn("anything")).toBe(false);
  });
});
