import { describe, expect, test } from "vitest";
import { openTestMemory, type TestMemory } from "../../../test/fixtures/memory.ts";
import { runCompact } from "../../tree/run/compact.ts";
import { logsTold } from "./logs-told.ts";
import { readPlace } from "./read-place.ts";
import { readRemembered } from "./read.ts";

const entry = (day: string, topic: string): string =>
  `# ${day}\n\n## ${topic} [project]\n- decisions: ${topic} 令牌桶\n`;
const files = {
  "memory/2026-03-02.md": entry("2026-03-02", "Auth"),
  "memory/2026-03-03.md": entry("2026-03-03", "Tides"),
  "memory/2026-03-03-standup.md": entry("2026-03-03", "Standup"),
  "memory/2026-03-04-notes.md": entry("2026-03-04", "Notes"),
};
const readIn = async ({ memory }: TestMemory, place: string) => readRemembered(memory, { place });

async function compacted(): Promise<TestMemory> {
  const test = openTestMemory({ files, today: "2026-03-15" });
  await runCompact(test.memory, {}, {});
  return test;
}

describe("a day that is read", () => {
  test("is its log while it has no node", async () => {
    const test = openTestMemory({ files });
    const read = await readIn(test, "2026-03-02");
    expect(read).toEqual(await readPlace(test.memory, { place: "memory/2026-03-02.md" }));
    expect(read.text).toContain("Auth 令牌桶");
    expect(logsTold(read)).toBe("");
  });

  test("without a node is the first of its logs, and tells where they all are", async () => {
    const test = openTestMemory({ files });
    const read = await readIn(test, "2026-03-03");
    expect(read).toMatchObject({ source: "memory/2026-03-03.md:1-4", date: "2026-03-03" });
    expect(logsTold(read)).toBe("The whole log of this day: memory/2026-03-03.md, memory/2026-03-03-standup.md");
    expect((await readIn(test, "2026-03-04")).source).toBe("memory/2026-03-04-notes.md:1-4");
  });

  test("is its node when it has one, and tells where the whole log is", async () => {
    const test = await compacted();
    const read = await readIn(test, " 2026-03-02 ");
    expect(read).toMatchObject({ source: "memory/daily/2026-03-02.md", date: "2026-03-02", next: null });
    expect(read.logs).toEqual(["memory/2026-03-02.md"]);
    expect(logsTold(read)).toBe("The whole log of this day: memory/2026-03-02.md");
  });

  test("that is today has more in its log than in its node", async () => {
    const test = await compacted();
    test.setToday("2026-03-16");
    test.write("memory/2026-03-16.md", entry("2026-03-16", "Morning"));
    await runCompact(test.memory, {}, {});
    test.write("memory/2026-03-16.md", `${entry("2026-03-16", "Morning")}\n## Evening [project]\n- okapi\n`);
    const read = await readIn(test, "2026-03-16");
    expect(read.text).not.toContain("okapi");
    expect((await readIn(test, read.logs?.[0] ?? "")).text).toContain("okapi");
  });

  test("whose log is gone is its node alone", async () => {
    const test = await compacted();
    test.remove("memory/2026-03-02.md");
    expect((await readIn(test, "2026-03-02")).logs).toBeUndefined();
  });

  test("of which there is nothing is not found", async () => {
    await expect(readIn(openTestMemory({ files }), "2026-03-09")).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("another period that is read", () => {
  test.each([
    ["2026-w10", "memory/weekly/2026-W10.md"],
    ["2026-03", "memory/monthly/2026-03.md"],
    ["root", "memory/ROOT.md"],
    ["ROOT.md", "memory/ROOT.md"],
  ])("%s is its node", async (place, source) => {
    const read = await readIn(await compacted(), place);
    expect(read).toMatchObject({ source, date: null });
    expect(read.logs).toBeUndefined();
  });

  test("is told when it is none", async () => {
    await expect(readIn(openTestMemory({ files }), "2026-13-01")).rejects.toMatchObject({ code: "invalid_period" });
    await expect(readIn(openTestMemory({ files }), "2026-W10")).rejects.toMatchObject({ code: "not_found" });
    await expect(readIn(openTestMemory({ files }), "yesterday")).rejects.toThrow(/a day \(2026-03-15\)/u);
  });

  test("comes in pieces that together are all of it", async () => {
    const long = Array.from({ length: 3000 }, (_, line) => `- line ${line + 1} of a long day`).join("\n");
    const test = openTestMemory({ files: { "memory/daily/2026-03-12.md": long } });
    const texts: string[] = [];
    for (let place: string | null = "2026-03-12"; place !== null;) {
      const piece = await readIn(test, place);
      expect(piece.text.length).toBeLessThanOrEqual(32_000);
      texts.push(piece.text);
      place = piece.next;
    }
    expect(texts.length).toBeGreaterThan(2);
    expect(texts.join("\n")).toBe(long);
  });

  test("names its addenda when it is too long to hold them", async () => {
    const line = "- a line of a long day\n";
    const files = {
      "memory/daily/2026-03-12.md": line.repeat(1300),
      "memory/daily/2026-03-12.late-1.md": line.repeat(900),
    };
    const test = openTestMemory({ files });
    const read = await readIn(test, "2026-03-12");
    const named = /--- late, to be read too: (\S+) ---$/u.exec(read.text)?.[1] ?? "";
    expect(read.next).toBeNull();
    expect((await readIn(test, named)).text).toContain("- a line of a long day");
  });
});
