import { afterEach, describe, expect, test } from "vitest";
import { openTestMemory, type TestMemory } from "../../../test/fixtures/memory.ts";
import type { Warning } from "../../base/errors.ts";
import { compactMemory } from "../../summaries/run/compact.ts";
import { prepareIndex } from "./prepare.ts";
import { runIndex } from "./refresh.ts";

const opened: TestMemory[] = [];
afterEach(async () => {
  for (const { memory } of opened.splice(0)) await memory.searchIndex.close();
});

function project(files: Readonly<Record<string, string | Uint8Array>>): TestMemory {
  const made = openTestMemory({ disk: "folder", files });
  opened.push(made);
  return made;
}

function bytesOf(...parts: readonly (string | number)[]): Uint8Array {
  return Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.of(part))));
}

function told(warnings: readonly Warning[]): readonly unknown[] {
  return warnings.map(({ code, path, line }) => [code, path, line]);
}

async function countOf({ memory }: TestMemory, word: string): Promise<number | undefined> {
  return (await memory.searchIndex.frequencies([word])).counts[0];
}

const longest = 64 * 1024;

describe("text of a source that is not indexed", () => {
  test("is reported once per file with its first line, and the rest is indexed", async () => {
    const made = project({
      "knowledge/latin.md": bytesOf("zebra\n", 0xe9, "\nzebra\n\n", 0xe9, "t", 0xe9, "\r\nzebra\n"),
      "memory/2026-03-01.md": `zebra\n${"long ".repeat(longest)}\nzebra\n`,
      "memory/2026-03-02.md": `zebra\r\n${"x".repeat(longest)}\r\n${"ü".repeat(longest / 2)}\nzebra`,
    });
    const { warnings } = await runIndex(made.memory, {}, {});
    expect(told(warnings)).toEqual([
      ["not_utf8", "knowledge/latin.md", 2],
      ["line_cut", "memory/2026-03-01.md", 2],
    ]);
    expect(warnings.map(({ message }) => message)).toEqual([
      "2 lines of knowledge/latin.md (first: line 2) are not UTF-8 and cannot be searched; save the file as UTF-8",
      "line 2 of memory/2026-03-01.md is longer than 64 KiB; only the beginning is indexed",
    ]);
    expect(await countOf(made, "zebra")).toBeGreaterThan(0);
    expect((await runIndex(made.memory, {}, {})).warnings).toEqual([]);
    expect(told((await runIndex(made.memory, { rebuild: true }, {})).warnings)).toEqual(told(warnings));
  });

  test("a line is long from 64 KiB, without its line end, and a long line that is not UTF-8 is reported as both", async () => {
    const lines = ["x".repeat(longest), "y".repeat(longest + 1)];
    const made = project({ "MEMORY.md": bytesOf(0xff, `\r\n${lines.join("\r\n")}`) });
    const { warnings } = await runIndex(made.memory, {}, {});
    expect(told(warnings)).toEqual([
      ["not_utf8", "MEMORY.md", 1],
      ["line_cut", "MEMORY.md", 3],
    ]);
  });

  test("a query reports it when it indexes the source; a compaction reports a line once", async () => {
    const bad = bytesOf("## A\n- zebra\n", 0xff, "\n");
    const made = project({ "memory/2026-03-10.md": bad });
    expect(told((await prepareIndex(made.memory, { ms: 100 })).warnings)).toEqual([
      ["not_utf8", "memory/2026-03-10.md", 3],
    ]);
    made.write("memory/2026-03-11.md", bad);
    made.write("knowledge/a.md", bad);
    const { warnings } = await compactMemory(made.memory, {}, {});
    expect(told(warnings).toSorted()).toEqual([
      ["not_utf8", "knowledge/a.md", 3],
      ["not_utf8", "memory/2026-03-10.md", 3],
      ["not_utf8", "memory/2026-03-11.md", 3],
    ]);
  });
});
