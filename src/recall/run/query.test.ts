import { beforeAll, expect, test } from "vitest";
import { openTestMemory } from "../../../test/fixtures/memory.ts";
import { prepareIndex } from "../index/prepare.ts";
import type { SearchIndex } from "../index/search-index.ts";
import { queryOf } from "./query.ts";

const log = `# 2026-03-02

## Receipts [project]
- the receipt of the dentist is in the drawer

## Haus [project]
- der Wasserzähler steht im Keller
- die Versicherung zahlt den Sturmschaden

## Work [project]
- we work on the kettle
`;

let index: SearchIndex;
beforeAll(async () => {
  const { memory } = openTestMemory({ disk: "folder", today: "2026-03-16", files: { "memory/2026-03-02.md": log } });
  ({ index } = await prepareIndex(memory, "whole", {}));
});

async function words(message: string): Promise<readonly string[]> {
  return (await queryOf(index, message)).terms.map(({ text, weight }) => `${text} ${weight}`);
}

test.each(["receiptt", "recept", "receitp", "recaipt"])("%s also finds receipt", async (typo) => {
  expect(await words(`the ${typo}`)).toContain("receipt 2");
});

test("an unknown compound also finds the words that it begins or ends with", async () => {
  expect(await words("Wasserzählerstand")).toContain("wasserzähler 2");
  expect(await words("Brandversicherung")).toContain("versicherung 1");
});

test("an unknown word also finds compounds that begin with it", async () => {
  expect(await words("ein Sturmsc")).toContain("sturmschaden 2");
});

test("words that the memory has, and short words, have no other forms", async () => {
  expect(await words("the dentist and the keller")).toEqual(["dentist 2", "keller 2"]);
  expect(await words("the drawr")).toEqual(["drawr 2"]);
});

test("for chunks, a word that seldom names a subject counts half as much", async () => {
  const { chunkTerms } = await queryOf(index, "work on the kettle");
  expect(chunkTerms.map(({ text, weight }) => `${text} ${weight}`)).toEqual(["work 1", "kettle 2"]);
  expect((await queryOf(index, "work first")).chunkTerms.map(({ weight }) => weight)).toEqual([2, 2]);
});
