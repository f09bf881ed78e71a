import { utimesSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { openTestMemory, type TestMemory } from "../../../test/fixtures/memory.ts";
import type { IndexedSection } from "./search-index.ts";
import { runIndex } from "./refresh.ts";

const opened: TestMemory[] = [];
afterEach(async () => {
  for (const { memory } of opened.splice(0)) await memory.searchIndex.close();
});

const path = "memory/2026-03-01.md";
let stamp = 1_700_000_000;

/** With a stamp old enough to be trusted. */
function write(made: TestMemory, text: string): void {
  made.write(path, text);
  stamp += 10;
  utimesSync(join(made.memory.dir, path), stamp, stamp);
}

function project(text: string): TestMemory {
  const made = openTestMemory({ disk: "folder", files: {} });
  opened.push(made);
  write(made, text);
  return made;
}

const pieces = fc.constantFrom(
  "## Deploy [project]\n\nUser: I moved the zebra to eu-west-1.\n",
  "## 東京タワー\n\nUser: 昨日行きました。\n",
  "User: my token is ghp_0123456789abcdefghijklmnopqrstuvwxyzAB.\n",
  "\n\n",
  "# One\n",
  "```\n## no heading\n",
  "```\n",
  "-----BEGIN RSA PRIVATE KEY-----\nMIIEow==\n",
  "-----END RSA PRIVATE KEY-----\n",
  "Assistant: done.\r\n",
);
const document = fc.array(pieces, { maxLength: 7 }).map((parts) => parts.join(""));

test("a changed log is indexed as if it were new, whatever sections are reused", async () => {
  await fc.assert(
    fc.asyncProperty(document, document, document, async (kept, before, after) => {
      const changed = project(kept + before);
      await runIndex(changed.memory, {}, {});
      write(changed, kept + after);
      await runIndex(changed.memory, {}, {});
      const anew = project(kept + after);
      await runIndex(anew.memory, {}, {});
      expect(await changed.memory.searchIndex.sectionsOf(path)).toEqual(await anew.memory.searchIndex.sectionsOf(path));
    }),
    { numRuns: 40 },
  );
});

test("a section unchanged in the same lines is not cut again; others are, and all are with --rebuild", async () => {
  const [first, second] = ["## A\n\nUser: I own a zebra.\n", "## B\n\nUser: I own an okapi.\n"];
  const made = project(first + second);
  await runIndex(made.memory, {}, {});
  const { searchIndex } = made.memory;
  const asked: string[] = [];
  const marked = async (key: string): Promise<readonly IndexedSection[]> => {
    asked.push(key);
    const sections = await searchIndex.sectionsOf(key);
    return sections.map((section) => ({
      ...section,
      chunks: section.chunks.map((chunk) => ({ ...chunk, text: `${chunk.text} kept` })),
    }));
  };
  const memory = { ...made.memory, searchIndex: { ...searchIndex, sectionsOf: marked } };
  const keptAfter = async (text: string, how: Parameters<typeof runIndex>[1] = {}): Promise<readonly boolean[]> => {
    write(made, text);
    await runIndex(memory, how, {});
    const sections = await searchIndex.sectionsOf(path);
    return sections.map(({ chunks }) => chunks.every(({ text: said }) => said.endsWith(" kept")));
  };
  expect(await keptAfter(`${first}${second}## C\n\nMore.\n`)).toEqual([true, true, false]);
  expect(await keptAfter(`${first}\n${second}`)).toEqual([true, false]);
  asked.length = 0;
  expect(await keptAfter(`${first}\n${second}`, { rebuild: true })).toEqual([false, false]);
  expect(asked).toEqual([]);
});
