import { describe, expect, test } from "vitest";
import { parseHeadingTopic, parseTag, standingOf, tagAmong, tagPattern } from "./memory-type.ts";

describe("the effective type of an entry", () => {
  test.each([
    ["feedback", "user", "feedback", undefined],
    ["feedback", undefined, "feedback", undefined],
    ["feedback", "agent", "feedback", "feedback by agent"],
    ["feedback", "import", "project", "feedback by import"],
    ["user", "file", "project", "user by file"],
    ["user", "tool", "project", "user by tool"],
    ["reference", "import", "reference", undefined],
    ["project", "agent", "project", undefined],
  ] as const)("%s from %s counts as %s, with the tag %s", (type, origin, counted, tag) => {
    expect(standingOf(type, origin)).toEqual({ type: counted, ...(tag === undefined ? {} : { tag }) });
    const printed = tag ?? counted;
    expect(printed).toMatch(new RegExp(`^${tagPattern}$`, "u"));
    expect(parseTag(printed)).toEqual({ type: counted, ...(tag === undefined ? {} : { tag }) });
  });

  test("entries with the same effective type show a tag if any has one, in any order", () => {
    const all = [standingOf("feedback", "user"), standingOf("feedback", "agent"), standingOf("feedback", "import")];
    expect(tagAmong(all, "feedback")).toBe("feedback by agent");
    expect(tagAmong(all.toReversed(), "feedback")).toBe("feedback by agent");
    expect(tagAmong(all.slice(0, 1), "feedback")).toBeUndefined();
  });
});

describe("the topic of a heading", () => {
  const read = (text: string): string => {
    const { name, type, tagged } = parseHeadingTopic(text);
    return tagged === "tagged" ? `${name} | ${type}` : name;
  };

  test.each([
    ["Tone [feedback]", "Tone | feedback"],
    ["Tone [Feedback]", "Tone | feedback"],
    ["Wer ich bin [ USER ]", "Wer ich bin | user"],
    ["[feedback] Meeting minutes", "Meeting minutes | feedback"],
    ["[user]: Priya", "Priya | user"],
    ["Lab keys [reference]:", "Lab keys | reference"],
    ["Читальна зала [Feedback]!", "Читальна зала | feedback"],
    ["Layout – [project]", "Layout | project"],
    ["Layout - [project]", "Layout | project"],
    ["Grading [feedback] (from the head)", "Grading (from the head) | feedback"],
    ["Bike shed — [project] — finished", "Bike shed — finished | project"],
    ["Broker [reference]: the new one", "Broker: the new one | reference"],
    ["Keyboard [project] #hardware #qmk ^a81f", "Keyboard | project"],
    ["Revolve [project][urgent]", "Revolve[urgent] | project"],
    ["**Tone** [feedback]", "Tone | feedback"],
    ["**Tone [feedback]**", "Tone | feedback"],
    ["*Tone*: **[feedback]**", "Tone | feedback"],
    ["말투 ［user］", "말투 | user"],
    ["口調【feedback】", "口調 | feedback"],
    ["Stage[feedback]", "Stage | feedback"],
  ])("%s", (text, expected) => expect(read(text)).toBe(expected));

  test.each([
    "Auth [WIP]",
    "[todo] Auth",
    "Auth [feedbak]",
    "Fix [user] placeholders in the template",
    "See [reference](https://example.org/a)",
    "[user]/settings answers 404",
    "Anna [user] - old ## Bob [user] - b",
    "2 * 3 * 4",
  ])("%s has no type", (text) => expect(read(text)).toBe(text));
});
