import { expect, it } from "vitest";
import { openTestMemory } from "../../../test/fixtures/memory.ts";
import { withLogicalLogs } from "../memory.ts";
import { recordsPath } from "../model/period.ts";
import { appendEntry } from "./log-add.ts";
import { editEntry, mergeTopics, removeEntry, renameTopic, undoLogChange } from "./log-change.ts";

const log = "memory/2026-03-15.md";

type Opened = ReturnType<typeof openTestMemory>["memory"];

async function seen(memory: Opened, path = log): Promise<string> {
  const { files } = await withLogicalLogs(memory);
  return Buffer.from((await files.read(path))?.bytes ?? []).toString("utf8");
}

async function withEntries() {
  const { memory, read } = openTestMemory();
  await appendEntry(memory, { topic: "Limits", body: "- token bucket", id: "one" });
  await appendEntry(memory, { topic: "Importer", body: "- removed in 4.2\n\\# quoted", id: "two" });
  await appendEntry(memory, { topic: "Limits", body: "- measure refusals", id: "three" });
  return { memory, read, before: read(log) ?? "" };
}

it("a removed entry is in no reading of its log, every other line keeps its number, and the log keeps its bytes", async () => {
  const { memory, read, before } = await withEntries();
  const { lines } = await removeEntry(memory, { entry: "two" });
  const now = (await seen(memory)).split("\n");
  const was = before.split("\n");
  expect(now).toHaveLength(was.length);
  expect(now).toEqual(was.map((line, index) => (index + 1 >= lines[0] && index < lines[1] ? "" : line)));
  expect(read(log)).toBe(before);
});

it("an entry is found by its id and by any of its lines, and by nothing else", async () => {
  const { memory } = await withEntries();
  const { lines } = await removeEntry(memory, { entry: "memory/2026-03-15.md:9" });
  expect(lines).toEqual([7, 10]);
  for (const entry of ["two", "2026-03-15:8", "memory/2026-03-15.md:3-13", "nothing", "memory/2026-03-14.md:1"])
    await expect(removeEntry(memory, { entry }), entry).rejects.toMatchObject({ code: "not_found" });
});

it("the title of a log is no entry, but what follows it without a heading is", async () => {
  const { memory, write } = openTestMemory();
  await appendEntry(memory, { topic: "Limits", body: "- token bucket", id: "one" });
  write("memory/2026-03-14.md", "# 2026-03-14\n\nThe importer is slow.\n");
  for (const entry of ["memory/2026-03-15.md:1", "2026-03-15:1-1"])
    await expect(removeEntry(memory, { entry }), entry).rejects.toMatchObject({
      code: "not_found",
      message: "There is no single entry at memory/2026-03-15.md:1; pass lines of one entry, or its id.",
    });
  expect((await removeEntry(memory, { entry: "memory/2026-03-14.md:3" })).lines).toEqual([1, 3]);
});

it("an edited entry is replaced by one at the end of its day, with what was not given as it was", async () => {
  const { memory, before, read } = await withEntries();
  const { entry } = await editEntry(memory, { entry: "two", topic: "Old importer" });
  const now = await seen(memory);
  expect(now).not.toContain("## Importer");
  expect(now.slice(now.indexOf("## Old importer")).replace(/<!--.*-->/u, "…")).toBe(
    "## Old importer [project]\n…\n- removed in 4.2\n\\\\# quoted\n",
  );
  expect(read(log)?.startsWith(before)).toBe(true);
  // The same edit again finds no entry to edit.
  await expect(editEntry(memory, { entry: "two", topic: "Old importer" })).rejects.toMatchObject({ code: "not_found" });
  expect((await editEntry(memory, { entry: entry?.id ?? "", body: "- back in 5.0" })).entry?.topic).toBe(
    "Old importer",
  );
});

it("an edit that changes nothing is refused", async () => {
  const { memory } = await withEntries();
  const message =
    "Nothing to change: an entry needs text, so pass --body with text, --topic or --type; heartwood log remove ID removes an entry.";
  await expect(editEntry(memory, { entry: "one", body: "  " })).rejects.toMatchObject({ code: "usage", message });
});

it("a removed entry is not added again with its id", async () => {
  const { memory, read, before } = await withEntries();
  await removeEntry(memory, { entry: "one" });
  const again = await appendEntry(memory, { topic: "Limits", body: "- token bucket", id: "one" });
  expect([again.action, read(log)]).toEqual(["duplicate", before]);
});

it("a topic has its new name in every reading, and new entries get it", async () => {
  const { memory, read, before } = await withEntries();
  await appendEntry(memory, { topic: "limits", body: "- in March", date: "2026-03-02" });
  const result = await renameTopic(memory, { from: "LIMITS", to: "Rate limits" });
  expect([result.entries, result.logs]).toEqual([3, ["memory/2026-03-02.md", log]]);
  expect((await seen(memory)).match(/^## .*/gmu)).toEqual([
    "## Rate limits [project]",
    "## Importer [project]",
    "## Rate limits [project]",
  ]);
  expect(read(log)).toBe(before);
  const added = await appendEntry(memory, { topic: "Limits", body: "- again" });
  expect([added.topic, added.warnings.map(({ code }) => code)]).toEqual(["Rate limits", ["topic_renamed"]]);
});

it("a name in use is not given by a rename, and an unused one not by a merge", async () => {
  const { memory } = await withEntries();
  const names = { from: "Importer", to: "Limits" };
  await expect(renameTopic(memory, names)).rejects.toMatchObject({ code: "invalid_topic" });
  await expect(mergeTopics(memory, { ...names, to: "Nothing" })).rejects.toMatchObject({ code: "not_found" });
  await expect(mergeTopics(memory, { ...names, from: "Nothing" })).rejects.toMatchObject({ code: "not_found" });
  await mergeTopics(memory, names);
  expect((await seen(memory)).match(/^## Limits/gmu)).toHaveLength(3);
});

it("a name that was given again is the name of the topic that got it, for what is logged from then on", async () => {
  const { memory, passHours, setToday } = openTestMemory();
  const headings = async (): Promise<readonly string[]> =>
    (await seen(memory)).match(/^(?:## .*|- .*)/gmu)?.map((line) => line.replace(/^## | \[project\]$|^- /gu, "")) ?? [];
  await appendEntry(memory, { topic: "P", body: "- first", id: "one" });
  await appendEntry(memory, { topic: "Q", body: "- second" });
  for (const [from, to] of [
    ["P", "T"],
    ["Q", "P"],
    ["T", "Q"],
  ] as const) {
    passHours(1);
    await renameTopic(memory, { from, to });
  }
  expect(await headings()).toEqual(["Q", "first", "P", "second"]);
  passHours(1);
  const added = [];
  for (const topic of ["P", "Q", "T"])
    added.push((await appendEntry(memory, { topic, body: `- ${topic} again` })).topic);
  expect(added).toEqual(["P", "Q", "Q"]);
  await appendEntry(memory, { topic: "p", body: "- with an id", id: "two" });
  expect((await headings()).slice(4)).toEqual(["P", "P again", "Q", "Q again", "Q", "T again", "p", "with an id"]);
  // An entry of an earlier day counts from when it was written, an edited one from the edit.
  setToday("2026-03-16");
  await appendEntry(memory, { topic: "Q", body: "- late", date: "2026-03-15" });
  await editEntry(memory, { entry: "one", body: "- edited" });
  expect((await headings()).slice(-4)).toEqual(["Q", "late", "Q", "edited"]);
  passHours(1);
  await renameTopic(memory, { from: "Q", to: "R" });
  const topics = async (): Promise<readonly string[]> => (await headings()).filter((line) => /^[pqrt]$/iu.test(line));
  expect(await topics()).toEqual(["P", "P", "R", "R", "p", "R", "R"]);
  // Without the last two, what was logged under the name that Q had has it, and is not on what Q was before.
  await undoLogChange(memory);
  await undoLogChange(memory);
  await undoLogChange(memory);
  expect(await topics()).toEqual(["T", "P", "P", "Q", "Q", "p", "Q"]);
});

it("a name that a topic gets back is its name for every entry", async () => {
  const { memory, passHours } = openTestMemory();
  await appendEntry(memory, { topic: "P", body: "- first" });
  await renameTopic(memory, { from: "P", to: "T" });
  await renameTopic(memory, { from: "T", to: "P" });
  passHours(1);
  expect((await appendEntry(memory, { topic: "T", body: "- second" })).topic).toBe("P");
  expect((await appendEntry(memory, { topic: "P", body: "- third" })).topic).toBe("P");
  expect((await seen(memory)).match(/^## P /gmu)).toHaveLength(3);
});

it("a new name that is too long or has several lines is refused with what was seen", async () => {
  const { memory } = await withEntries();
  const refused = async (to: string, message: string): Promise<void> =>
    expect(renameTopic(memory, { from: "Limits", to }), to).rejects.toMatchObject({ code: "invalid_topic", message });
  const long = "x".repeat(81);
  await refused(long, `The topic "${"x".repeat(60)}…" has 81 characters; it must be one line of up to 80 characters.`);
  await refused("a\nb", 'The topic "a b" has more than one line; it must be one line of up to 80 characters.');
  await refused(" ", "The topic is empty; it must be one line of up to 80 characters.");
  // It was cut when it was logged, so the whole name still finds it.
  const { topic } = await appendEntry(memory, { topic: `${long}y`, body: "- a" });
  expect(await renameTopic(memory, { from: `${long}y`, to: "y".repeat(80) })).toMatchObject({
    from: topic,
    entries: 1,
  });
});

it("an id whose entry was edited or removed leads to what became of it", async () => {
  const { memory } = await withEntries();
  const { entry } = await editEntry(memory, { entry: "one", body: "- a" });
  const again = await editEntry(memory, { entry: entry?.id ?? "", body: "- b" });
  const message = `The entry "one" was edited; its id is now ${again.entry?.id}.`;
  await expect(removeEntry(memory, { entry: "one" })).rejects.toMatchObject({ code: "not_found", message });
  await removeEntry(memory, { entry: "two" });
  const removed = 'The entry "two" is already removed; heartwood log undo takes back the newest change.';
  await expect(removeEntry(memory, { entry: "two" })).rejects.toMatchObject({ code: "not_found", message: removed });
  await removeEntry(memory, { entry: again.entry?.id ?? "" });
  const gone = 'The entry "one" is already removed; heartwood log undo takes back the newest change.';
  await expect(removeEntry(memory, { entry: "one" })).rejects.toMatchObject({ code: "not_found", message: gone });
});

it("undo of a named change takes back that one, whatever was changed since", async () => {
  const { memory } = await withEntries();
  const { record } = await renameTopic(memory, { from: "Importer", to: "Old importer" });
  const removed = await removeEntry(memory, { entry: "one" });
  expect(await undoLogChange(memory, { record })).toMatchObject({ undone: "renamed", record });
  const message = `The change ${record} was undone before, or is none; without it, the newest one is undone.`;
  await expect(undoLogChange(memory, { record })).rejects.toMatchObject({ code: "nothing_to_undo", message });
  expect(await undoLogChange(memory)).toMatchObject({ undone: "removed", record: removed.record });
});

it("undo takes back the newest change that still applies, one after another", async () => {
  const { memory, before } = await withEntries();
  await removeEntry(memory, { entry: "one" });
  await editEntry(memory, { entry: "three", body: "- measure for a week" });
  await renameTopic(memory, { from: "Importer", to: "Old importer" });
  expect((await undoLogChange(memory)).undone).toBe("renamed");
  expect((await undoLogChange(memory)).undone).toBe("edited");
  expect((await undoLogChange(memory)).undone).toBe("removed");
  expect((await seen(memory)).trimEnd()).toBe(before.trimEnd());
  await expect(undoLogChange(memory)).rejects.toMatchObject({ code: "nothing_to_undo" });
});

it("lines that do not change keep their bytes: a byte order mark, CRLF, what is not UTF-8", async () => {
  const bytes = Buffer.concat([
    Buffer.from("\uFEFF# 2026-03-15\r\n\r\n## A\r\n- a\r\n\r\n## B\r\n- b \r\n"),
    Buffer.from([0xff, 10]),
    Buffer.from("## C\r\n- c"),
  ]);
  const { memory } = openTestMemory();
  await memory.files.commit([{ path: log, bytes, expect: "absent" }]);
  await removeEntry(memory, { entry: "2026-03-15:3-4" });
  await renameTopic(memory, { from: "C", to: "D" });
  const { files } = await withLogicalLogs(memory);
  const expected = Buffer.from(
    bytes.toString("latin1").replace("## A\r\n- a\r\n", "\r\n\r\n").replace("## C", "## D"),
    "latin1",
  );
  expect(Buffer.from((await files.read(log))?.bytes ?? [])).toEqual(expected);
  const listed = (await files.list("memory")).find(({ name }) => name === "2026-03-15.md");
  expect(listed?.stamp).toBe((await files.read(log))?.stamp);
});

it("records that name files outside the memory, or that are damaged, change nothing", async () => {
  const { memory, before } = await withEntries();
  const lines = [
    '{"id":"a","at":"","kind":"removed","log":"memory/../secret.md","section":"one"}',
    '{"id":"b","at":"","kind":"removed","log":"memory/2026-03-15.md","sec',
    "not JSON",
  ];
  await memory.files.commit([{ path: recordsPath, bytes: Buffer.from(lines.join("\n")), expect: "absent" }]);
  expect(await seen(memory)).toBe(before);
  // A torn line does not take the next one with it.
  await removeEntry(memory, { entry: "one" });
  expect(await seen(memory)).not.toContain("token bucket");
});
