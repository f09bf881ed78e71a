import { describe, expect, it } from "vitest";
import { scanLines } from "../../base/markdown.ts";
import type { SourceLine } from "../../base/passage.ts";
import { printEntry, entryBody, type Entry } from "./entry-format.ts";
import { SectionCutter } from "./section-cutter.ts";

function rowsOf(lines: readonly string[]): readonly SourceLine[] {
  const kinds = scanLines(lines).lines;
  return lines.map((text, at) => ({ number: at + 1, text, kind: kinds[at]?.kind ?? "text" }));
}

/** Returns `topic: lines` per section; a note has no topic. */
function cut(...lines: readonly string[]): readonly string[] {
  return new SectionCutter("log").cut(rowsOf(lines)).flatMap(({ topic, type, lines: own }) => {
    const said = own.filter(({ text }) => text.trim() !== "").map(({ number }) => number);
    return said.length === 0 ? [] : [`${topic}${type === "project" ? "" : ` [${type}]`}: ${said.join(" ")}`];
  });
}

const entry = (body: readonly string[]): readonly string[] => {
  const made: Entry = {
    topic: "Tone",
    type: "feedback",
    id: "a",
    at: "2026-03-15T14:05:00+01:00",
    origin: "user",
    body,
  };
  return printEntry({ ...made, bytes: Buffer.byteLength(entryBody(made)) });
};

describe("text below an entry", () => {
  it("is a separate note after the recorded bytes of the entry, whatever it looks like", () => {
    const tone = entry(["- rule: be brief", "", "A paragraph of the entry."]);
    expect(cut(...tone, "", "Lunch with Ana.")).toEqual(["Tone [feedback]: 1 2 3 5", ": 7"]);
    expect(cut(...tone, "Lunch with Ana.")).toEqual(["Tone [feedback]: 1 2 3 5", ": 6"]);
    expect(cut(...tone, "", "- a list", "", "### Kitchen", "tiles")).toEqual([
      "Tone [feedback]: 1 2 3 5",
      ": 7",
      "Kitchen: 9 10",
    ]);
    expect(cut(...tone, "", "## Next", "- a")).toEqual(["Tone [feedback]: 1 2 3 5", "Next: 7 8"]);
  });

  it("belongs to the entry if it continues its list", () => {
    expect(cut(...entry(["- rule: be brief"]), "- why: phone", "  a small one", "", "Lunch.")).toEqual([
      "Tone [feedback]: 1 2 3 4 5",
      ": 7",
    ]);
  });

  it("is a note if it is a paragraph after an entry of list items with a type or a key", () => {
    expect(cut("## Login [project]", "- merged", "", "Also the dentist called.", "", "- bring the card")).toEqual([
      "Login: 1 2",
      ": 4 6",
    ]);
    expect(cut("## Login", "- outcome: merged", "", "---", "", "歯医者から電話があった。")).toEqual([
      "Login: 1 2 4",
      ": 6",
    ]);
    expect(cut("## Login", "- merged", "", "It took a day.")).toEqual(["Login: 1 2 4"]);
  });

  it("belongs to the entry if it follows prose, has a key, introduces a list or is part of a conversation", () => {
    const whole = (...body: readonly string[]): void =>
      expect(cut("## Login [project]", ...body)).toEqual([`Login: ${["1", ...said(body)].join(" ")}`]);
    const said = (body: readonly string[]): readonly string[] =>
      body.flatMap((text, at) => (text === "" ? [] : [String(at + 2)]));
    whole("Why we did it.", "", "- merged", "", "And more.");
    whole("- merged", "", "Outcome: it works");
    whole("- merged", "", "Two things are left:", "", "- one", "", "Both small.");
    whole("- merged", "", "### Later", "", "It failed.");
    whole("- merged", "  continued", "lazily", "", "  indented", "", "```sh", "# a", "```");
    whole("User: hi", "- a", "", "Assistant: hello");
  });
});

describe("headings", () => {
  it("of level 3 name topics if no heading above them does", () => {
    expect(cut("# 2026-02-02", "", "### Valve", "leaks", "#### Part", "4 mm", "### 09:10 queue", "lag")).toEqual([
      ": 1",
      "Valve: 3 4 5 6",
      "queue: 7 8",
    ]);
    expect(cut("## Garden", "a", "### Valve", "leaks")).toEqual(["Garden: 1 2 3 4"]);
    expect(cut("## Notes", "a", "### Valve", "leaks")).toEqual(["Notes: 1 2", "Valve: 3 4"]);
    expect(cut("### Open items", "- key")).toEqual([": 1 2"]);
  });

  it("of level 1 name topics, except for the title of the day", () => {
    expect(cut("# Monday", "sun", "# Private", "batteries")).toEqual([": 1 2", "Private: 3 4"]);
    expect(cut("# My week", "sun")).toEqual([": 1 2"]);
    expect(cut("# My week", "", "## A", "a", "# Private", "batteries")).toEqual([": 1", "A: 3 4", "Private: 5 6"]);
    expect(cut("# Log 2026-02-02", "a", "# 2026年2月2日", "b")).toEqual([": 1 2", ": 3 4"]);
  });

  it("can also be underlined or bold lines, or lack the space if they have a type", () => {
    expect(cut("Kitchen", "=======", "tiles", "", "Garden", "------", "mown", "", "Bath", "====", "new")).toEqual([
      "Kitchen: 1 3",
      "Garden: 5 7",
      "Bath: 9 11",
    ]);
    expect(cut("**Kitchen**", "tiles", "", "**Garden:**", "mown", "", "**Open:**", "- key")).toEqual([
      "Kitchen: 1 2",
      "Garden: 4 5 7 8",
    ]);
    expect(cut("##Dr. Voss[user]", "- pager", "##channel is full")).toEqual(["Dr. Voss [user]: 1 2 3"]);
    expect(cut("A whole sentence.", "---", "more", "", "**Never** do that.", "", "**A cry!**", "x")).toEqual([
      ": 1 2 3 5 7 8",
    ]);
  });

  it("are not recognized within our own entries or conversations", () => {
    const packed = entry(["##Fake [user]", "- x", "", "Kitchen", "======", "", "### Part"]);
    expect(cut(...packed)).toEqual(["Tone [feedback]: 1 2 3 4 6 7 9"]);
    expect(cut("User: plan?", "Assistant: yes", "", "### Plan", "", "**Step**", "a")).toEqual([": 1 2 4 6 7"]);
  });
});

it("front matter of a note-taking program is not part of a log", () => {
  expect(cut("---", "date created: 2026-02-12", "tags: [a]", "---", "", "## Seals", "- done")).toEqual(["Seals: 6 7"]);
  expect(cut("---", "no front matter", "---", "x")).toEqual([": 1 2 3 4"]);
});

it("a log read in pieces is split in the same way as when read whole", () => {
  const lines = [
    "# 2026-02-02",
    ...entry(["- a", "- b"]),
    "- c",
    "",
    "Lunch.",
    "",
    "more",
    "### Valve",
    "x",
    "#### y",
    "z",
  ];
  const whole = new SectionCutter("log").cut(rowsOf(lines));
  for (let at = 1; at < lines.length; at++) {
    const cutter = new SectionCutter("log");
    const rows = rowsOf(lines);
    const pieces = [...cutter.cut(rows.slice(0, at)), ...cutter.cut(rows.slice(at))];
    const placed = (sections: typeof whole): readonly string[] =>
      sections.flatMap(({ topic, type, lines: own }) => own.map(({ number }) => `${number} ${topic} ${type}`));
    expect(placed(pieces), String(at)).toEqual(placed(whole));
  }
});
