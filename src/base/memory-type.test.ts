import { describe, expect, test } from "vitest";
import { parseTag, standingOf, tagAmong, tagPattern } from "./memory-type.ts";

describe("whose word an entry is", () => {
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

  test("of several that count alike the tag of any is shown, whatever their order", () => {
    const all = [standingOf("feedback", "user"), standingOf("feedback", "agent"), standingOf("feedback", "import")];
    expect(tagAmong(all, "feedback")).toBe("feedback by agent");
    expect(tagAmong(all.toReversed(), "feedback")).toBe("feedback by agent");
    expect(tagAmong(all.slice(0, 1), "feedback")).toBeUndefined();
  });
});
