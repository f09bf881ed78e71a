import { describe, expect, test } from "vitest";
import { openTestMemory } from "../../../test/fixtures/memory.ts";
import { parsePlace } from "./place.ts";
import { readPlace, type ReadResult } from "./read-place.ts";

const key = "-----BEGIN RSA PRIVATE KEY-----";
const keyLine = `MIIE${"oAIBAAKCAQEAxY7".repeat(4)}`;
const files: Readonly<Record<string, string>> = {
  "memory/2026-03-10.md":
    "\uFEFF# 2026-03-10\r\n\r\n## Payments [project]\r\n- decision: 令牌桶 🎉\r\n- open: measure\r\n",
  "memory/2026-03-11.md": `# 2026-03-11\n${key}\n${keyLine}\n${keyLine}\n-----END RSA PRIVATE KEY-----\n- after\n`,
  "memory/2026-03-12.md": Array.from({ length: 3000 }, (_, line) => `- line ${line + 1} of a long day`).join("\n"),
  "MEMORY.md": "# Memory\n",
  "knowledge/a/b.md": "# B\n\nfact\n",
  "secret.md": "not remembered\n",
};

const read = async (place: string): Promise<ReadResult> => readPlace(openTestMemory({ files }).memory, { place });

describe("a place", () => {
  test.each([
    ["memory/2026-03-15.md", { is: "file", path: "memory/2026-03-15.md", from: 1, to: undefined }],
    ["memory/2026-03-15.md:7", { is: "file", path: "memory/2026-03-15.md", from: 7, to: 7 }],
    [" memory/2026-03-15.md:12-18 ", { is: "file", path: "memory/2026-03-15.md", from: 12, to: 18 }],
    ["thread:a.b:5-7", { is: "thread", thread_id: "a.b", from: 5, to: 7 }],
    ["thread:t", { is: "thread", thread_id: "t", from: 0, to: undefined }],
  ])("%s is read", (text, place) => expect(parsePlace(text)).toEqual(place));

  test.each(["", "   ", "memory/x.md:0", "memory/x.md:9-3", ":4", "thread:t:5-2"])("%j is refused", (text) =>
    expect(() => parsePlace(text)).toThrow(/must be a file with its lines/u),
  );
});

describe("what stands at a place", () => {
  test("is the lines without carriage returns, with their day", async () => {
    expect(await read("memory/2026-03-10.md:3-4")).toEqual({
      source: "memory/2026-03-10.md:3-4",
      date: "2026-03-10",
      text: "## Payments [project]\n- decision: 令牌桶 🎉",
      next: null,
    });
    expect((await read("memory/2026-03-10.md:1")).text).toBe("# 2026-03-10");
    expect(await read("MEMORY.md")).toMatchObject({ text: "# Memory", date: null, next: null });
    expect((await read("knowledge/a/b.md:3-99")).text).toBe("fact");
  });

  test("has no line of a private key that began before it", async () => {
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
    expect(texts.join("\n")).toBe(files["memory/2026-03-12.md"]);
  });

  test.each(["secret.md", "../secret.md", "/etc/passwd", "memory/../secret.md", "memory", "memory/1999-01-01.md"])(
    "%s is nothing that is remembered",
    async (place) => expect(read(place)).rejects.toMatchObject({ code: "not_found" }),
  );

  test("behind the last line there is nothing", async () => {
    await expect(read("MEMORY.md:2")).rejects.toThrow(
      "Line 2 of MEMORY.md was asked for; it has 1 line, so give a line up to that.",
    );
  });

  test("of a thread are its messages with who said them", async () => {
    await expect(read("thread:none")).rejects.toMatchObject({ code: "thread_not_found" });
  });
});
