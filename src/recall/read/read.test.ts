import { describe, expect, test } from "vitest";
import { openTestMemory, type TestMemory } from "../../../test/fixtures/memory.ts";
import { runCompact } from "../../tree/run/compact.ts";
import { logsTold } from "../search/inputs-and-results.ts";
import { parsePlace, type ReadResult, readPlace, readRemembered } from "./read.ts";

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

describe("reading a day", () => {
  test("returns its log while it has no node", async () => {
    const test = openTestMemory({ files });
    const read = await readIn(test, "2026-03-02");
    expect(read).toEqual(await readPlace(test.memory, { place: "memory/2026-03-02.md" }));
    expect(read.text).toContain("Auth 令牌桶");
    expect(logsTold(read)).toBe("");
  });

  test("returns the first of its logs if it has no node, and lists all of them", async () => {
    const test = openTestMemory({ files });
    const read = await readIn(test, "2026-03-03");
    expect(read).toMatchObject({ source: "memory/2026-03-03.md:1-4", date: "2026-03-03" });
    expect(logsTold(read)).toBe("The whole log of this day: memory/2026-03-03.md, memory/2026-03-03-standup.md");
    expect((await readIn(test, "2026-03-04")).source).toBe("memory/2026-03-04-notes.md:1-4");
  });

  test("returns its node if it has one, and the path of the whole log", async () => {
    const test = await compacted();
    const read = await readIn(test, " 2026-03-02 ");
    expect(read).toMatchObject({ source: "memory/daily/2026-03-02.md", date: "2026-03-02", next: null });
    expect(read.logs).toEqual(["memory/2026-03-02.md"]);
    expect(logsTold(read)).toBe("The whole log of this day: memory/2026-03-02.md");
  });

  test("names today's log, which contains more than the node", async () => {
    const test = await compacted();
    test.setToday("2026-03-16");
    test.write("memory/2026-03-16.md", entry("2026-03-16", "Morning"));
    await runCompact(test.memory, {}, {});
    test.write("memory/2026-03-16.md", `${entry("2026-03-16", "Morning")}\n## Evening [project]\n- okapi\n`);
    const read = await readIn(test, "2026-03-16");
    expect(read.text).not.toContain("okapi");
    expect((await readIn(test, read.logs?.[0] ?? "")).text).toContain("okapi");
  });

  test("returns only its node if the log is gone", async () => {
    const test = await compacted();
    test.remove("memory/2026-03-02.md");
    expect((await readIn(test, "2026-03-02")).logs).toBeUndefined();
  });

  test("fails if there is nothing for it", async () => {
    await expect(readIn(openTestMemory({ files }), "2026-03-09")).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("reading another period", () => {
  test.each([
    ["2026-w10", "memory/weekly/2026-W10.md"],
    ["2026-03", "memory/monthly/2026-03.md"],
    ["root", "memory/ROOT.md"],
    ["ROOT.md", "memory/ROOT.md"],
  ])("%s returns its node", async (place, source) => {
    const read = await readIn(await compacted(), place);
    expect(read).toMatchObject({ source, date: null });
    expect(read.logs).toBeUndefined();
  });

  test("fails if the period is invalid", async () => {
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

  test("names its addenda if there is no room for them", async () => {
    const line = "- a line of a long day\n";
    const files = {
      "memory/daily/2026-03-12.md": line.repeat(1300),
      "memory/daily/2026-03-12.late-1.md": line.repeat(900),
    };
    const test = openTestMemory({ files });
    const read = await readIn(test, "2026-03-12");
    const named = /--- (\S+) \(late, read it too\) ---$/u.exec(read.text)?.[1] ?? "";
    expect(read.next).toBeNull();
    expect((await readIn(test, named)).text).toContain("- a line of a long day");
  });
});

const key = "-----BEGIN RSA PRIVATE KEY-----";
const keyLine = `MIIE${"oAIBAAKCAQEAxY7".repeat(4)}`;
const placeFiles: Readonly<Record<string, string>> = {
  "memory/2026-03-10.md":
    "\uFEFF# 2026-03-10\r\n\r\n## Payments [project]\r\n- decision: 令牌桶 🎉\r\n- open: measure\r\n",
  "memory/2026-03-11.md": `# 2026-03-11\n${key}\n${keyLine}\n${keyLine}\n-----END RSA PRIVATE KEY-----\n- after\n`,
  "memory/2026-03-12.md": Array.from({ length: 3000 }, (_, line) => `- line ${line + 1} of a long day`).join("\n"),
  "MEMORY.md": "# Memory\n",
  "USER.md": "# User\n- key: ghp_abcdefghijklmnopqrstuvwxyz0123456789\n",
  "knowledge/a/b.md": "# B\n\nfact\n",
  "secret.md": "not remembered\n",
};

const read = async (place: string): Promise<ReadResult> =>
  readPlace(openTestMemory({ files: placeFiles }).memory, { place });

describe("parsing a place", () => {
  test.each([
    ["memory/2026-03-15.md", { is: "file", path: "memory/2026-03-15.md", from: 1, to: undefined }],
    ["memory/2026-03-15.md:7", { is: "file", path: "memory/2026-03-15.md", from: 7, to: 7 }],
    [" memory/2026-03-15.md:12-18 ", { is: "file", path: "memory/2026-03-15.md", from: 12, to: 18 }],
    ["thread:a.b:5-7", { is: "thread", thread_id: "a.b", from: 5, to: 7 }],
    ["thread:t", { is: "thread", thread_id: "t", from: 0, to: undefined }],
  ])("%s is accepted", (text, place) => expect(parsePlace(text)).toEqual(place));

  test.each(["", "   ", "memory/x.md:0", "memory/x.md:9-3", ":4", "thread:t:5-2"])("%j is refused", (text) =>
    expect(() => parsePlace(text)).toThrow(/must be a file with line numbers/u),
  );
});

describe("reading a place", () => {
  test("returns the lines without carriage returns, with their day", async () => {
    expect(await read("memory/2026-03-10.md:3-4")).toEqual({
      source: "memory/2026-03-10.md:3-4",
      date: "2026-03-10",
      text: "## Payments [project]\n- decision: 令牌桶 🎉",
      next: null,
    });
    expect((await read("memory/2026-03-10.md:1")).text).toBe("# 2026-03-10");
    expect(await read("MEMORY.md")).toMatchObject({ text: "# Memory", date: null, next: null });
    expect(await read("USER.md")).toMatchObject({ text: "# User\n- key: [REDACTED:github-token]", date: null });
    expect((await read("knowledge/a/b.md:3-99")).text).toBe("fact");
  });

  test("shows no line of a private key that began before it", async () => {
    const { text } = await read("memory/2026-03-11.md:3-6");
    expect(text).not.toContain("MIIE");
    expect(text).toContain("- after");
  });

  test("comes in pieces that together are all of it", async () => {
    const texts: string[] = [];
    for (let place: string | null = "memory/2026-03-12.md"; place !== null;) {
      const piece = await read(place);
      expect(piece.text.length).toBeLessThanOrEqual(32_000);
      texts.push(piece.text);
      place = piece.next;
    }
    expect(texts.length).toBeGreaterThan(2);
    expect(texts.join("\n")).toBe(placeFiles["memory/2026-03-12.md"]);
  });

  test.each(["secret.md", "../secret.md", "/etc/passwd", "memory/../secret.md", "memory", "memory/1999-01-01.md"])(
    "%s is not part of the memory",
    async (place) => expect(read(place)).rejects.toMatchObject({ code: "not_found" }),
  );

  test("fails after the last line", async () => {
    await expect(read("MEMORY.md:2")).rejects.toThrow("MEMORY.md has no line 2; it has 1 line.");
  });

  test("returns messages of a thread with their roles", async () => {
    await expect(read("thread:none")).rejects.toMatchObject({ code: "thread_not_found" });
  });
});
