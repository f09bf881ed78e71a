import { expect, it } from "vitest";
import { operations } from "../../src/operations/table.ts";
import { openTestMemory } from "../fixtures/memory.ts";

/** More than a call can take as arguments. */
const many = 200_000;

const lines = (begin: string): string =>
  Array.from({ length: many }, (_, at) => `${begin} heron ${at % 99}\n`).join("");

function runIn(files: Readonly<Record<string, string>>) {
  const { memory } = openTestMemory({ disk: "folder", today: "2026-03-20", files });
  return async (name: string, input: object): Promise<Readonly<Record<string, unknown>>> => {
    const operation = operations.find((one) => one.name === name);
    return (await operation?.run(memory, input as never, {})) as never;
  };
}

it("a log of 200,000 lines is indexed and found", async () => {
  const run = runIn({ "memory/2026-03-01.md": `# 2026-03-01\n\n${lines("the")}` });
  expect(await run("memory.index", {})).toMatchObject({ not_indexed: 0 });
  expect((await run("memory.search", { query: "heron" }))["hits"]).not.toEqual([]);
});

it("every command that reads logs handles a section of 200,000 items", async () => {
  const log = `# 2026-03-02\n\n## Birds [project]\n${lines("-")}`;
  const run = runIn({ "MEMORY.md": log.slice(0, 10_000), "memory/2026-03-02.md": log });
  expect(await run("memory.index", {})).toMatchObject({ not_indexed: 0 });
  expect((await run("memory.search", { query: "heron" }))["hits"]).not.toEqual([]);
  expect((await run("memory.recall", { text: "Which heron was it?" }))["context"]).not.toEqual([]);
  expect((await run("tree.compact", {}))["written"]).not.toEqual([]);
  expect((await run("tree.trace", { text: "heron" }))["raw"]).not.toEqual([]);
  expect((await run("audit.run", { aggressive: true }))["findings"]).not.toEqual([]);
  expect(await run("tree.verify", {})).toMatchObject({ ok: true });
});
