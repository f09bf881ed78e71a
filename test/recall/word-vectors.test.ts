import { readFileSync } from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
import { promptText } from "../../src/agents/hooks/prompt-text.ts";
import { nothingKnown } from "../../src/recall/context/remembered.ts";
import { chooseEmbedder } from "../../src/recall/index/embedding.ts";
import { prepareIndex } from "../../src/recall/index/prepare.ts";
import { runIndex } from "../../src/recall/index/refresh.ts";
import { runRecall } from "../../src/recall/run/recall.ts";
import { nameWordVectors } from "../../src/open-models.ts";
import { runDoctor } from "../../src/operations/doctor.ts";
import type { Memory } from "../../src/operations/operation.ts";
import type { RankedSessions, RecallResult } from "../../src/recall/search/inputs-and-results.ts";
import { openTestMemory, type TestMemory } from "../fixtures/memory.ts";

const opened: TestMemory[] = [];
afterEach(async () => {
  for (const { memory } of opened.splice(0)) await memory.searchIndex.close();
});

const read = vi.fn(() => readFileSync(new URL("../../tools/word-vectors.bin", import.meta.url)));
const wordVectors = nameWordVectors(read);

const log = `# 2026-03-10

## 09:00 Home
- the couch comes on Thursday; the old one goes to the neighbours
- bought a bicycle for the way to work

## 11:00 Kunden
- das Angebot an die Bäckerei ist unterschrieben

## 14:00 Office
- the printer on the third floor is out of toner
`;

function project(search: object = {}, more: object = { wordVectors }): TestMemory {
  const made = openTestMemory({
    disk: "folder",
    files: { "memory/2026-03-10.md": log, "heartwood.config.json": JSON.stringify({ search }) },
    with: more,
  });
  opened.push(made);
  return made;
}

const recall = async (memory: Memory, text: string): Promise<RecallResult> =>
  (await runRecall(memory, { text }, {})) as RecallResult;

const countsIn = ({ searchIndex }: Memory) => searchIndex.vectorCounts("word-vectors-1");

const foundFor = async ({ memory }: TestMemory, query: string): Promise<string> =>
  (await recall(memory, query)).context.map(({ text }) => text).join("\n");

test.each([
  ["When is the sofa delivered?", "couch"],
  ["Welches Fahrrad?", "bicycle"],
  ["Which bakery got the offer?", "Bäckerei"],
  ["자전거를 샀다", "bicycle"],
])("without a model, %j finds other words for it", async (query, said) => {
  expect(await foundFor(project(), query)).toContain(said);
  expect(await foundFor(project({ vector: false }), query)).toBe("");
});

test("sessions are ranked by them, too, and show the nearest statement", async () => {
  const { memory } = project();
  const { sessions } = (await runRecall(memory, { text: "sofa", sessions: true }, {})) as RankedSessions;
  expect(sessions[0]).toMatchObject({ heading: "09:00 Home", passages: [{ text: expect.stringContaining("couch") }] });
});

test("made-up words find nothing", async () => {
  expect(await foundFor(project(), "qwzx blorpf")).toBe("");
});

test("vectors of words are made with the index, and what changed has them at once", async () => {
  const made = project();
  await prepareIndex(made.memory, "whole");
  expect(await countsIn(made.memory)).toEqual({ statements: 4, lacking: 0 });
  made.write("memory/2026-03-11.md", "## Errand\n- the dentist moved the appointment to Monday\n");
  expect(await foundFor(made, "Zahnarzt")).toContain("dentist");
});

test("a program without the model keeps what the model has made; a rebuilt index has vectors of words", async () => {
  const embed = async (texts: readonly string[]) => texts.map(() => Int8Array.of(127, 0));
  const embedder = { id: "own-1", open: async () => ({ id: "own-1", dimensions: 2, embed }) };
  const { memory, write } = project({}, { wordVectors, embedder });
  expect((await chooseEmbedder(memory)).embedder).toBe(embedder);
  await runIndex(memory, { embed: true }, {});
  const without = { ...memory, embedder: undefined };
  write("memory/2026-03-11.md", "## Errand\n- the dentist moved the appointment to Monday\n");
  await prepareIndex(without, "whole");
  await runIndex(without, {}, {});
  expect([await memory.searchIndex.vectorCounts("own-1"), await countsIn(without)]).toMatchObject([
    { lacking: 1 },
    { lacking: 4 },
  ]);
  const doctor = async () => (await runDoctor(without, {})).checks.find(({ name }) => name === "vectors");
  expect(await doctor()).toMatchObject({ state: "note", fix: "heartwood index --rebuild" });
  await runIndex(without, { rebuild: true }, {});
  expect([(await countsIn(without)).lacking, (await doctor())?.state]).toEqual([0, "ok"]);
});

test("a query without time makes none, and waits for no lock", async () => {
  const { memory } = project();
  await runIndex(memory, {}, {});
  const waits: (number | undefined)[] = [];
  const acquire: Memory["locks"]["acquire"] = async (name, options) => {
    waits.push(options.waitMs);
    return memory.locks.acquire(name, options);
  };
  const told = { ...memory, wordVectors: nameWordVectors(read), locks: { ...memory.locks, acquire } };
  told.wordVectors = { ...told.wordVectors, id: "word-vectors-2" };
  read.mockClear();
  await prepareIndex(told, { ms: 0 });
  expect([waits.filter((ms) => ms !== undefined), read.mock.calls.length]).toEqual([[], 0]);
});

test("`index --embed` and `required` still ask for a model", async () => {
  const { memory } = project({ vector: "required" });
  await expect(runIndex(memory, { embed: true }, {})).rejects.toMatchObject({ code: "model_unavailable" });
  const { warnings, embedder } = await chooseEmbedder(memory);
  expect([warnings.map(({ code }) => code), embedder?.id]).toEqual([["embedder_missing"], "word-vectors-1"]);
});

test("doctor says what they do, and what a model adds", async () => {
  const { memory } = project();
  await runIndex(memory, {}, {});
  expect((await runDoctor(memory, {})).checks.find(({ name }) => name === "vectors")).toMatchObject({
    state: "ok",
    message: expect.stringMatching(/^word vectors; with heartwood-embedder-minilm installed/u),
  });
});

test("a prompt does not wait for them", async () => {
  const { memory } = project();
  await runIndex(memory, {}, {});
  read.mockClear();
  const signal = new AbortController().signal;
  const fresh = { ...memory, wordVectors: nameWordVectors(read) };
  const { meaning } = await promptText(fresh, "Is the couch here on Thursday?", { signal, known: nothingKnown });
  expect([meaning, read.mock.calls.length]).toEqual([undefined, 0]);
});

test("a damaged table is a warning, and recall matches by words", async () => {
  const { memory } = project({}, { wordVectors: nameWordVectors(() => new Uint8Array(3)) });
  const { context, warnings } = await recall(memory, "the couch on Thursday");
  expect([context[0]?.text.includes("couch"), warnings.map(({ code }) => code)]).toEqual([true, ["embedder_failed"]]);
});
