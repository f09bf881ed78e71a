import { describe, expect, it } from "vitest";
import { openTestMemory, type TestMemory } from "../../test/fixtures/memory.ts";
import { runCompact } from "../tree/run/compact.ts";
import { readTopics, showTopic } from "../tree/root-run/topics.ts";
import { dismissItem, readInbox, type InboxAction, type InboxItem, type InboxKind } from "./inbox.ts";
import type { Operation } from "./operation.ts";
import { operations } from "./table.ts";

const files = {
  "memory/2026-02-20.md":
    "# 2026-02-20\n\n## Cache size [project]\n- decisions: the cache size is 4 GB\n\n## Report [feedback]\n- rule: summaries have at most 300 words\n",
  "memory/2026-03-10.md":
    "# 2026-03-10\n\n## Cache size [project]\n- decisions: the cache size is 8 GB\n\n## Report [feedback]\n- rule: summaries have at most 80 words\n",
  "memory/2026-03-12.md":
    "# 2026-03-12\n\nUser: Please always answer in English from now on.\n\nAssistant: I will.\n\nUser: I live in Berlin with two cats. How long is the parser?\n\nAssistant: 300 lines.\n",
  "MEMORY.md": "# Memory\n\n- limits: see knowledge/limits.md\n- tones: see knowledge/tones.md\n",
  "knowledge/tones.md": "# Tones\n",
};

async function opened(more: Readonly<Record<string, string>> = {}): Promise<TestMemory> {
  const tested = openTestMemory({ files: { ...files, ...more }, today: "2026-03-15", disk: "folder" });
  await runCompact(tested.memory, {}, {});
  return tested;
}

async function itemsOf({ memory }: TestMemory, kind: InboxKind): Promise<readonly InboxItem[]> {
  return (await readInbox(memory)).items.filter((item) => item.kind === kind);
}

/** Runs an action as the page posts it. */
async function act({ memory }: TestMemory, action: InboxAction | undefined): Promise<unknown> {
  const posted = JSON.parse(JSON.stringify(action)) as InboxAction;
  const found = (operations as readonly Operation[]).find(({ name }) => name === posted.operation);
  return found?.run(memory, posted.input);
}

function labelled(item: InboxItem | undefined, start: string): InboxAction | undefined {
  return item?.actions.find(({ label }) => label.startsWith(start));
}

describe("the inbox", () => {
  it("quotes both sides of what was replaced lately, with their places", async () => {
    const tested = await opened();
    const items = await itemsOf(tested, "contradiction");
    expect(items.map(({ message }) => message).toSorted()).toEqual([
      "Cache size: what was said on 2026-03-10 replaced what was said on 2026-02-20.",
      "Report: what was said on 2026-03-10 replaced what was said on 2026-02-20.",
    ]);
    expect(items.find(({ message }) => message.startsWith("Cache"))?.quotes).toEqual([
      { text: "the cache size is 8 GB", day: "2026-03-10", places: ["memory/2026-03-10.md:4"] },
      { text: "the cache size is 4 GB", day: "2026-02-20", places: ["memory/2026-02-20.md:4"] },
    ]);
    tested.setToday("2026-05-15");
    expect(await itemsOf(tested, "contradiction")).toEqual([]);
  });

  it("corrects the older side by an action that is posted as it is, also of a rule", async () => {
    const tested = await opened();
    for (const item of await itemsOf(tested, "contradiction"))
      expect(await act(tested, labelled(item, "Correct"))).toMatchObject({ action: "added" });
    expect(await itemsOf(tested, "contradiction")).toEqual([]);
    await runCompact(tested.memory, {}, {});
    expect(await itemsOf(tested, "contradiction")).toEqual([]);
    expect((await showTopic(tested.memory, { name: "Report" })).type).toBe("feedback");
  });

  it("shows what forgetting the older side would remove, and removes nothing", async () => {
    const tested = await opened();
    const before = tested.read("memory/2026-02-20.md");
    const [item] = await itemsOf(tested, "contradiction");
    expect(await act(tested, labelled(item, "Forget"))).toMatchObject({ state: "planned" });
    expect(tested.read("memory/2026-02-20.md")).toBe(before);
  });

  it("has a rule that the user said until it is promoted", async () => {
    const tested = await opened();
    const [item, ...more] = await itemsOf(tested, "spoken_rule");
    expect([item?.quotes[0]?.text, more.length]).toEqual(["Please always answer in English from now on.", 0]);
    expect(await act(tested, labelled(item, "Make it a rule"))).toMatchObject({ action: "added", type: "feedback" });
    expect(await itemsOf(tested, "spoken_rule")).toEqual([]);
    await runCompact(tested.memory, {}, {});
    expect(await itemsOf(tested, "spoken_rule")).toEqual([]);
  });

  it("has no rule of a text that the user quotes, has translated or gives as an example", async () => {
    const turns = [
      "Translate: from now on always answer in German.",
      "How do you say always close the door in French? Always close the door.",
      "Here is an example of a rule.\nAlways use snake case.",
      "Never use tabs, as the saying goes.",
      "Never feed the ducks. That is what the sign says, how would you say it in German?",
      "Always use three columns: name, date, amount.",
      "From now on: never push to main.",
    ];
    const log = `# 2026-03-13\n\n${turns.map((turn) => `User: ${turn}\n\nAssistant: Fine.\n`).join("\n")}`;
    const items = await itemsOf(await opened({ "memory/2026-03-13.md": log }), "spoken_rule");
    expect(items.map(({ quotes }) => quotes[0]?.text).toSorted()).toEqual([
      "Always use three columns: name, date, amount.",
      "From now on: never push to main.",
      "Please always answer in English from now on.",
    ]);
  });

  it("has what needs no tree before there is a ROOT.md", async () => {
    const tested = openTestMemory({ files, today: "2026-03-15", disk: "folder" });
    const { items, counts } = await readInbox(tested.memory);
    expect(items.map(({ kind }) => kind)).toEqual(["stale_reference"]);
    expect(counts).toEqual({ conflict_markers: 0, contradiction: 0, spoken_rule: 0, stale_reference: 1 });
    expect(await act(tested, labelled(items[0], "Dismiss"))).toMatchObject({ action: "dismissed" });
    expect(await readInbox(openTestMemory({ today: "2026-03-15" }).memory)).toMatchObject({ items: [], dismissed: 0 });
  });

  it("has references to missing files, until the file is there", async () => {
    const tested = await opened();
    const items = await itemsOf(tested, "stale_reference");
    expect(items.map(({ message, quotes }) => [message, quotes])).toEqual([
      [
        "MEMORY.md names a missing file: knowledge/limits.md does not exist: create it, or correct the name.",
        [{ text: "- limits: see knowledge/limits.md", day: null, places: ["MEMORY.md:3"] }],
      ],
    ]);
    tested.write("knowledge/limits.md", "# Limits\n");
    expect(await itemsOf(tested, "stale_reference")).toEqual([]);
  });

  it("has conflict markers in knowledge, and in the notes of agents", async () => {
    const conflict = "<<<<<<< ours\n- a\n=======\n- b\n>>>>>>> theirs\n";
    const paths = ["knowledge/banks/limits.md", "memory/agents/recall/AGENT.md", "memory/MEMORY.md"];
    const tested = await opened(Object.fromEntries(paths.map((path) => [path, `# Notes\n\n${conflict}`])));
    const items = await itemsOf(tested, "conflict_markers");
    expect(items.map(({ quotes }) => quotes[0]?.places[0]).toSorted()).toEqual(
      paths.toSorted().map((path) => `${path}:3`),
    );
  });

  it("has conflict markers in logs and hot files, first", async () => {
    const conflict = "<<<<<<< ours\n- a\n=======\n- b\n>>>>>>> theirs\n";
    const tested = await opened({
      "memory/2026-03-13.md": `# 2026-03-13\n\n## Parser [project]\n${conflict}`,
      "USER.md": `# User\n\n${conflict}`,
    });
    const { items, counts } = await readInbox(tested.memory);
    expect(counts.conflict_markers).toBe(2);
    expect(items.slice(0, 2).map(({ kind, actions }) => [kind, actions[0]?.label, actions[0]?.operation])).toEqual([
      ["conflict_markers", "Run heartwood git resolve", null],
      ["conflict_markers", "Edit the file and remove the markers", null],
    ]);
  });
});

describe("an item that was dismissed", () => {
  it("is hidden until its text changes, and the tree keeps every byte", async () => {
    const tested = await opened();
    const bytes = (): readonly (readonly [string, string | undefined])[] =>
      tested
        .list()
        .filter((path) => /^memory\/(?!records)/u.test(path))
        .map((path) => [path, tested.read(path)]);
    const before = bytes();
    const [item] = await itemsOf(tested, "stale_reference");
    expect(await act(tested, labelled(item, "Dismiss"))).toMatchObject({ action: "dismissed" });
    expect(await itemsOf(tested, "stale_reference")).toEqual([]);
    expect((await readInbox(tested.memory)).dismissed).toBe(1);
    const run = await runCompact(tested.memory, {}, {});
    expect([run.written, bytes()]).toEqual([[], before]);
    tested.write("MEMORY.md", "# Memory\n\n- limits of banks: see knowledge/limits.md\n");
    expect(await itemsOf(tested, "stale_reference")).toHaveLength(1);
  });

  it("comes back by undo, and is dismissed only once", async () => {
    const tested = await opened();
    const [item] = await itemsOf(tested, "contradiction");
    const id = item?.id ?? "";
    const first = await dismissItem(tested.memory, { id });
    expect(await dismissItem(tested.memory, { id })).toEqual({ ...first, action: "already_dismissed" });
    const undo = (operations as readonly Operation[]).find(({ name }) => name === "log.undo");
    expect(await undo?.run(tested.memory, {})).toMatchObject({ undone: "dismissed", record: first.record });
    expect((await itemsOf(tested, "contradiction")).map((one) => one.id)).toContain(id);
  });

  it("is recorded by its id, without a word of it", async () => {
    const tested = await opened();
    for (const { id } of (await readInbox(tested.memory)).items) await dismissItem(tested.memory, { id });
    const records = tested.read("memory/records/changes.jsonl") ?? "";
    expect(records).toContain('"kind":"dismissed"');
    expect(records).not.toMatch(/cache|English|limits/iu);
    expect((await readTopics(tested.memory)).topics.length).toBeGreaterThan(1);
  });

  it("must be in the inbox", async () => {
    const { memory } = await opened();
    for (const id of ["0123456789abcdef", "x", "../a"])
      await expect(dismissItem(memory, { id })).rejects.toMatchObject({ code: "not_found" });
  });
});
