import { describe, expect, it } from "vitest";
import { openTestMemory, type TestMemory } from "../../../test/fixtures/memory.ts";
import { promptText } from "../../agents/hooks/prompt-text.ts";
import { runForget } from "../../forget/forget.ts";
import { appendMessages } from "../../threads/run/append-messages.ts";
import { createThread } from "../../threads/run/threads.ts";
import { appendEntry } from "../../tree/logs/log-add.ts";
import { recordsPath } from "../../tree/model/period.ts";
import { runCompact } from "../../tree/run/compact.ts";
import { printRecall } from "../context/print.ts";
import { prepareIndex } from "../index/prepare.ts";
import { runSearch } from "../search/search.ts";
import type { RankedSessions, RecallResult } from "../search/inputs-and-results.ts";
import { listPins, neverRecall, pinPlace, unpinPlace } from "./pin.ts";
import { runRecall } from "./recall.ts";

const log = "memory/2026-03-10.md";
const files = {
  "memory/2026-03-08.md":
    "# 2026-03-08\n\n## Kiln firing [project]\n- decisions: the kiln fires at 1200 degrees\n- the kiln door sticks in winter\n",
  [log]:
    "# 2026-03-10\n\n## Kiln shelves [project]\n- decisions: six shelves in the kiln\n- outcome: shelves bend at 1250 degrees\n\n## Postage [project]\n- decisions: parcels leave on Friday by courier\n",
};

function opened(): TestMemory {
  return openTestMemory({ files, today: "2026-03-15", disk: "folder" });
}

async function recalled({ memory }: Pick<TestMemory, "memory">, text: string): Promise<RecallResult> {
  return (await runRecall(memory, { text, budget: 400 }, {})) as RecallResult;
}

async function hooked({ memory }: TestMemory, text: string): Promise<string> {
  await prepareIndex(memory, "whole");
  const signal = new AbortController().signal;
  return (await promptText(memory, text, { signal, known: { seen: "", isOwn: () => false } })).text;
}

const question = "At which temperature does the kiln fire?";

describe("a place that is never recalled", () => {
  it("is in no recall, no ranked session and no prompt, but search shows it with a mark", async () => {
    const tested = opened();
    const { memory } = tested;
    expect(printRecall(await recalled(tested, question))).toContain("1200 degrees");
    expect(await hooked(tested, question)).toContain("1200 degrees");
    const done = await neverRecall(memory, { place: "memory/2026-03-08.md:4" });
    expect(done).toMatchObject({ action: "pinned", use: "never", text: "- decisions: the kiln fires at 1200 degrees" });
    expect(printRecall(await recalled(tested, question))).not.toContain("1200 degrees");
    expect(await hooked(tested, question)).not.toContain("1200 degrees");
    const sessions = (await runRecall(memory, { text: question, sessions: true }, {})) as RankedSessions;
    expect(JSON.stringify(sessions)).not.toContain("1200 degrees");
    const { hits } = await runSearch(memory, { query: "1200" }, {});
    expect(hits.map(({ recall }) => recall)).toEqual(["never"]);
  });

  it("leaves the tree and the log as they are, byte for byte", async () => {
    const tested = opened();
    await runCompact(tested.memory, {}, {});
    const bytes = () =>
      tested
        .list()
        .filter((path) => /^memory\/(?!records)/u.test(path))
        .map((path) => tested.read(path));
    const before = bytes();
    await neverRecall(tested.memory, { place: `${log}:4` });
    const run = await runCompact(tested.memory, {}, {});
    expect([run.written, bytes()]).toEqual([[], before]);
  });

  it("is left out of threads with the same words too, and a message of a thread out of the log", async () => {
    const said = "The spare key is under the blue flower pot behind the house.";
    for (const which of ["log", "thread"] as const) {
      const { memory } = opened();
      const { lines, path } = await appendEntry(memory, { topic: "Talk", body: `User: ${said}\n\nAssistant: Noted.` });
      await createThread(memory, { thread_id: "talk" });
      const { seq } = await appendMessages(memory, {
        thread_id: "talk",
        actor_id: "user",
        origin: "chat",
        content: said,
      });
      expect(printRecall(await recalled({ memory }, "Where is the spare key?"))).toContain("flower pot");
      await neverRecall(memory, { place: which === "log" ? `${path}:${lines[0] + 2}` : `thread:talk:${seq}` });
      expect(printRecall(await recalled({ memory }, "Where is the spare key?")), which).not.toContain("flower pot");
    }
  });
});

describe("a pinned place", () => {
  it("is one passage, with all of its lines", async () => {
    const tested = opened();
    await pinPlace(tested.memory, { place: `${log}:4-5` });
    const { context } = await recalled(tested, "What did we say about the shelves?");
    const pinned = context.filter((passage) => passage.pinned);
    expect(pinned.map(({ source }) => source)).toEqual([`${log}:4-5`]);
    expect(pinned[0]?.text).toMatch(/six shelves in the kiln\n.*shelves bend/u);
    expect(context.filter(({ text }) => text.includes("six shelves")).length).toBe(1);
  });

  it("comes first in recall and at a prompt if it shares a word with the message, and is marked", async () => {
    const tested = opened();
    await pinPlace(tested.memory, { place: `${log}:5` });
    const { context } = await recalled(tested, question.replace("temperature", "number of degrees"));
    expect(context[0]).toMatchObject({ source: `${log}:5-5`, pinned: true });
    expect(context.slice(1).every((one) => one.pinned === undefined)).toBe(true);
    expect(new Set(context.map(({ text }) => text)).size).toBe(context.length);
    expect(await hooked(tested, "How many degrees does the kiln have?")).toMatch(/^\S+ [^\n]*\n[^\n]*\n5 \(pinned; /u);
    const { hits } = await runSearch(tested.memory, { query: "bend" }, {});
    expect(hits[0]?.recall).toBe("first");
  });

  it("is not given for a message that it shares no word with", async () => {
    const tested = opened();
    await pinPlace(tested.memory, { place: `${log}:8` });
    expect((await recalled(tested, question)).context.some(({ pinned }) => pinned)).toBe(false);
  });

  it("is given even if nothing else of the memory is about the message", async () => {
    const tested = opened();
    const message =
      "The weather forecast for Friday says that the whole valley gets heavy snow and strong northern wind";
    expect(await hooked(tested, message)).toBe("");
    await pinPlace(tested.memory, { place: `${log}:8` });
    expect(await hooked(tested, message)).toContain("parcels leave on Friday");
  });
});

describe("pins", () => {
  it("are listed, replaced by their opposite and taken back", async () => {
    const { memory } = opened();
    const place = `${log}:5`;
    const first = await pinPlace(memory, { place });
    expect(await pinPlace(memory, { place })).toEqual({ ...first, action: "unchanged" });
    await neverRecall(memory, { place });
    await pinPlace(memory, { place: "memory/2026-03-08.md:4" });
    expect((await listPins(memory)).pins.map((pin) => [pin.place, pin.use])).toEqual([
      ["memory/2026-03-08.md:4", "first"],
      [place, "never"],
    ]);
    expect((await unpinPlace(memory, { place: `${log}:3-9` })).removed).toHaveLength(1);
    expect((await listPins(memory)).pins).toHaveLength(1);
    await expect(unpinPlace(memory, { place })).rejects.toMatchObject({ code: "not_found" });
  });

  it("are one mark a passage: a new one replaces those that overlap it", async () => {
    const { memory } = opened();
    await pinPlace(memory, { place: `${log}:3-5` });
    const { replaced } = await neverRecall(memory, { place: `${log}:5` });
    expect(replaced.map(({ place, use }) => [place, use])).toEqual([[`${log}:3-5`, "first"]]);
    await pinPlace(memory, { place: `${log}:4` });
    const rows = async () => (await listPins(memory)).pins.map(({ place, use }) => [place, use]);
    expect(await rows()).toEqual([
      [`${log}:4`, "first"],
      [`${log}:5`, "never"],
    ]);
    expect((await pinPlace(memory, { place: `${log}:3-8` })).replaced).toHaveLength(2);
    expect(await rows()).toEqual([[`${log}:3-8`, "first"]]);
    expect((await unpinPlace(memory, { place: `${log}:5` })).removed).toHaveLength(1);
    expect(await rows()).toEqual([]);
  });

  it("follow their entry when lines come before it", async () => {
    const tested = opened();
    await neverRecall(tested.memory, { place: `${log}:5` });
    tested.write(
      log,
      (tested.read(log) ?? "").replace("## Kiln", "## Glaze [project]\n- decisions: matt white\n\n## Kiln"),
    );
    expect((await listPins(tested.memory)).pins[0]?.place).toBe(`${log}:8`);
    expect(printRecall(await recalled(tested, "Which shelves bend?"))).not.toContain("shelves bend");
  });

  it("go with the entry that is forgotten", async () => {
    const tested = opened();
    const { id } = await appendEntry(tested.memory, { topic: "Code", body: "- the gate code is known to Ann" });
    await pinPlace(tested.memory, { place: "memory/2026-03-15.md:5" });
    await pinPlace(tested.memory, { place: `${log}:5` });
    await runForget(tested.memory, { entry: id, yes: true }, {});
    expect((await listPins(tested.memory)).pins.map(({ place }) => place)).toEqual([`${log}:5`]);
    expect(tested.read(recordsPath)).not.toContain("Ann");
  });

  it("lose the lines that are forgotten, and stay on the others", async () => {
    const tested = opened();
    const body = "- the zebra code is 17\n- the walrus limit is 44\n- the giraffe door is green\n- the lynx sleeps";
    const { path, lines } = await appendEntry(tested.memory, { topic: "Zoo", body });
    const [first] = [lines[0] + 2];
    await pinPlace(tested.memory, { place: `${path}:${first}-${first + 2}` });
    await neverRecall(tested.memory, { place: `${path}:${first + 3}` });
    await runForget(tested.memory, { text: "zebra code", yes: true }, {});
    expect((await listPins(tested.memory)).pins.map(({ use, text }) => [use, text])).toEqual([
      ["never", "- the lynx sleeps"],
      ["first", "- the walrus limit is 44 - the giraffe door is green"],
    ]);
    expect(printRecall(await recalled(tested, "walrus limit"))).toContain("limit is 44");
  });

  it("show nothing of a private key, even if its first line is not pinned", async () => {
    const tested = opened();
    const lines = [
      "-----BEGIN RSA PRIVATE KEY-----",
      `${"Kx7+".repeat(16)}`,
      `${"p/Q2".repeat(16)}`,
      "-----END RSA PRIVATE KEY-----",
    ];
    tested.write(log, `# 2026-03-10\n\n## Host [project]\n${lines.join("\n")}\n`);
    await pinPlace(tested.memory, { place: `${log}:5-6` });
    const first = (await listPins(tested.memory)).pins;
    await neverRecall(tested.memory, { place: `${log}:6` });
    const { pins } = await listPins(tested.memory);
    expect([first.length, pins.length]).toEqual([1, 1]);
    expect(JSON.stringify([first, pins])).not.toMatch(/Kx7|p\/Q2/u);
  });

  it("are refused for places that are not of a log or a thread, or have nothing", async () => {
    const { memory } = opened();
    for (const place of [
      "MEMORY.md:1",
      "memory/daily/2026-03-10.md:3",
      "x",
      `${log}:1-400`,
      "personal:memory/2026-03-10.md:4",
    ])
      await expect(pinPlace(memory, { place }), place).rejects.toMatchObject({ code: "invalid_path" });
    for (const place of [`${log}:90`, `${log}:2`, "memory/2026-03-11.md:1"])
      await expect(pinPlace(memory, { place }), place).rejects.toMatchObject({ code: "not_found" });
  });

  it("that a record makes up are not believed", async () => {
    const tested = opened();
    const at = "2026-03-15T10:00:00+01:00";
    const record = { id: "01a219b1-5ab2-7000-a284-0cd58d65f017", at, kind: "pinned", use: "never" };
    const wrong = [
      { ...record, source: "../../etc/passwd", lines: [1, 2] },
      { ...record, source: "memory/../x.md", lines: [1, 2] },
      { ...record, source: log, lines: [5, 4] },
      { ...record, source: log, lines: [1, 2], section: "x" },
      { ...record, source: log, lines: [1, 2], use: "always" },
    ];
    tested.write(recordsPath, wrong.map((one) => `${JSON.stringify(one)}\n`).join(""));
    expect((await listPins(tested.memory)).pins).toEqual([]);
  });
});

it("without pins, recall reads no more files than before, even with other records", async () => {
  const tested = opened();
  const { memory } = tested;
  tested.passHours(2);
  for (let time = 0; time < 3; time++) await recalled(tested, question);
  const reads: string[] = [];
  const counting: typeof memory = {
    ...memory,
    files: { ...memory.files, read: (path, range) => (reads.push(path), memory.files.read(path, range)) },
  };
  await recalled({ memory: counting }, question);
  const without = reads.splice(0).toSorted();
  expect(without.filter((path) => path === recordsPath)).toHaveLength(1);
  tested.write(
    recordsPath,
    '{"id":"01a219b1-5ab2-7000-a284-0cd58d65f017","at":"","kind":"dismissed","item":"0123456789abcdef"}\n',
  );
  await recalled({ memory: counting }, question);
  // A log that was indexed in the moment in which it was written is read once more, on a fast machine by the first of these.
  const left = [...without];
  for (const path of reads.filter((one) => one !== recordsPath)) {
    expect(left).toContain(path);
    left.splice(left.indexOf(path), 1);
  }
});
