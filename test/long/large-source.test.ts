import { afterEach, expect, test } from "vitest";
import { runIndex } from "../../src/recall/index/refresh.ts";
import { openTestMemory, type TestMemory } from "../fixtures/memory.ts";

const opened: TestMemory[] = [];
afterEach(async () => {
  for (const { memory } of opened.splice(0)) await memory.searchIndex.close();
});

function project(files: Readonly<Record<string, string | Uint8Array>>): TestMemory {
  const made = openTestMemory({ disk: "folder", files });
  opened.push(made);
  return made;
}

async function countOf({ memory }: TestMemory, word: string): Promise<number | undefined> {
  return (await memory.searchIndex.frequencies([word])).counts[0];
}

test("a file of more than 64 MiB is indexed up to the last whole line before that, with a warning", async () => {
  const most = 64 * 1024 * 1024;
  const blank = 8 * 1024;
  const text = Buffer.alloc(most + 100, " ");
  for (let at = blank; at < most; at += blank) text[at] = 10;
  text.write("zebra");
  // Half of the secret is before the end of the range that is read.
  text.write("okapi ghp_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5\nquagga\n", most - 20);
  const made = project({ "knowledge/big.md": text });
  const { warnings, not_indexed } = await runIndex(made.memory, {}, {});
  const line = most / blank - 1;
  const message = `knowledge/big.md is longer than 64 MiB; it is indexed up to line ${line}`;
  expect(warnings).toEqual([{ code: "source_cut", path: "knowledge/big.md", line, message }]);
  expect(not_indexed).toBe(0);
  expect([await countOf(made, "zebra"), await countOf(made, "okapi")]).toEqual([1, 0]);
  made.write("knowledge/big.md", Buffer.concat([text, Buffer.from("more behind the end of what is read")]));
  expect(await runIndex(made.memory, {}, {})).toMatchObject({ indexed: 1, warnings });
});
