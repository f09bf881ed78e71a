import { describe, expect, test } from "vitest";
import { builtInThreadSummarizer as summarizer } from "./built-in.ts";
import type { SummaryLine, Role } from "../../base/summary-line.ts";

function linesOf(...said: readonly (readonly [role: Role, text: string])[]): readonly SummaryLine[] {
  return summarizer.extract(said.map(([role, text], at) => ({ seq: at + 1, role, text })));
}

describe("what stands first in a block", () => {
  test("is what the user says in plain words, not the records of a tool", () => {
    const records = Array.from(
      { length: 30 },
      (_, at) => `{"id": ${9000 + at * 7}, "owner": "Torlen${at}", "state": "must index", "sum": "5df5${at}ba1f"},`,
    );
    const lines = linesOf(["tool", records.join("\n")], ["user", "my sister keeps the crooked ladder in the barn"]);
    expect(lines[0]?.text).toBe("my sister keeps the crooked ladder in the barn");
  });

  test("is what is said once, not entries of a catalogue that differ in names and numbers", () => {
    const entries = Array.from(
      { length: 12 },
      (_, at) =>
        `The painter Vik${"abcdefghijkl".charAt(at)}ha showed a mirror in Tor${at}sa in 15${40 + at} with Bel${at}do.`,
    );
    const lines = linesOf(
      ["assistant", entries.slice(0, 6).join("\n")],
      ["assistant", "It turned out that the ladder blocked the door of the mill."],
      ["assistant", entries.slice(6).join("\n")],
    );
    expect(lines.slice(0, 2).map(({ seq }) => seq)).toContain(2);
  });

  test("is no line of a log, though it names a cause", () => {
    const log = Array.from(
      { length: 9 },
      (_, at) => `2026-03-2${at}T10:24:07Z ERROR index Haca${at} failed after 305 ms because the session was closed`,
    );
    const lines = linesOf(["tool", log.join("\n")], ["user", "we go with the amber lamp for the chapel"]);
    expect(lines[0]?.seq).toBe(2);
  });
});

describe("a line", () => {
  test("is the whole sentence of a wrapped paragraph", () => {
    const [line] = linesOf([
      "user",
      "We moved the archive of the choir to the cellar of the town hall \r\nbecause the roof of the old school is leaking.",
    ]);
    expect(line?.text).toBe(
      "We moved the archive of the choir to the cellar of the town hall because the roof of the old school is leaking.",
    );
  });

  test("does not end at a title before a name", () => {
    const [line] = linesOf(["user", "My appointment with Dr. Okonkwo was moved to Tuesday."]);
    expect(line?.text).toBe("My appointment with Dr. Okonkwo was moved to Tuesday.");
  });

  test("that begins with a word for what was said before has that before it", () => {
    const filler = Array.from("abcdefghijklmnop", (letter): [Role, string] => [
      "user",
      `We decided that the ${letter}urrel and the ${letter}ondel go to ${letter.toUpperCase()}astrup by ${letter}ivvle.`,
    ]);
    const lines = linesOf(...filler, ["user", "That is a heron. It must never be fed because it belongs to Quillon."]);
    expect(lines.map(({ text }) => text)).toContain(
      "That is a heron. It must never be fed because it belongs to Quillon.",
    );
  });
});

test("facts of one form are told beside what is repeated with them", () => {
  const said = Array.from({ length: 60 }, (_, at): readonly [Role, string] => {
    return ["user", `The port of service ${at} is ${8000 + at}. We decided to keep it.`];
  });

  expect(linesOf(...said)).toHaveLength(16);
});
