import { afterEach, describe, expect, test } from "vitest";
import { createdDraft, draftOf, messageDraft } from "../../../test/fixtures/thread-frames.ts";
import { openTestMemory, type TestMemory } from "../../../test/fixtures/memory.ts";
import type { StoredRow } from "./search-index.ts";
import type { Memory } from "../../operations/operation.ts";
import { runIndex } from "./refresh.ts";
import { listSources } from "./sources.ts";

const opened: TestMemory[] = [];
afterEach(async () => {
  for (const { memory } of opened.splice(0)) {
    await memory.searchIndex.close();
    await memory.threads.close();
  }
});

function project(files: Readonly<Record<string, string | Uint8Array>>, zone = "UTC"): TestMemory {
  const made = openTestMemory({ disk: "folder", files, zone });
  opened.push(made);
  return made;
}

async function rowsOf(memory: Memory): Promise<readonly StoredRow[]> {
  await runIndex(memory, {}, {});
  const found = await memory.searchIndex.find({ any: [], limit: 100 });
  return memory.searchIndex.rows(
    "chunk",
    found.map(({ id }) => id),
  );
}

const secret = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5";
const day = 24 * 3_600_000;

describe("the text of a file", () => {
  test("has no byte order mark and no carriage returns, and the final line end makes no further line", async () => {
    const { memory } = project({
      "MEMORY.md": "\ufeff## Animals [user]\r\nthe zebra\rand the okapi\r\n",
      "knowledge/a.md": "\ufeff## Animals [user]\nthe zebra\n",
      "knowledge/b.md": "## Animals [user]\nthe zebra\n\n\n",
    });
    const rows = (await rowsOf(memory)).toSorted((a, b) => (a.source < b.source ? -1 : 1));
    expect(
      rows.map(({ source, heading, type, lines, sectionLines, text }) => [
        source,
        heading,
        type,
        lines,
        sectionLines,
        text,
      ]),
    ).toEqual([
      ["MEMORY.md", "Animals", "user", [1, 2], [1, 2], "## Animals [user]\nthe zebra and the okapi"],
      ["knowledge/a.md", "Animals", "user", [1, 2], [1, 2], "## Animals [user]\nthe zebra"],
      ["knowledge/b.md", "Animals", "user", [1, 2], [1, 2], "## Animals [user]\nthe zebra"],
    ]);
  });
});

describe("a thread", () => {
  test("has no secrets in its messages and its title", async () => {
    const { memory } = project({});
    const created = draftOf(1, "continuity_created", { workspace: "/srv/app", title: `Key ${secret}` });
    await memory.threads.append({ thread_id: "t", frames: [created, messageDraft(2, `the zebra has ${secret}`)] });
    const [row] = await rowsOf(memory);
    expect([row?.heading, row?.text]).toEqual([
      "Key [REDACTED:github-token]",
      expect.stringContaining("the zebra has [REDACTED:github-token]"),
    ]);
  });

  test("covers the local days of its messages, in any order", async () => {
    const { memory } = project({}, "Pacific/Kiritimati");
    const at = (number: number, days: number) => ({
      ...messageDraft(number, `the zebra ${number}`),
      timestamp_ms: Date.UTC(2026, 2, 1, 13) + days * day,
    });
    await memory.threads.append({ thread_id: "t", frames: [createdDraft(), at(1, 2), at(2, 8), at(3, 0), at(4, 4)] });
    await runIndex(memory, {}, {});
    const found = async (since: string, until: string): Promise<number> =>
      (await memory.searchIndex.find({ any: [], limit: 9, since, until })).length;
    // At 13:00 UTC, the next day has begun in this zone.
    expect(await found("2026-03-02", "2026-03-02")).toBe(1);
    expect(await found("2026-03-10", "2026-03-10")).toBe(1);
    expect(await found("2026-03-01", "2026-03-01")).toBe(0);
    expect(await found("2026-03-11", "2026-03-11")).toBe(0);
  });

  test.each([
    [512, ["thread:t#0"]],
    [513, ["thread:t#0", "thread:t#1"]],
  ])("of %i frames is split into the sources %j", async (frames, keys) => {
    const { memory } = project({});
    const messages = Array.from({ length: frames - 1 }, (_, at) => messageDraft(at + 1, "the zebra"));
    await memory.threads.append({ thread_id: "t", frames: [createdDraft(), ...messages] });
    expect((await listSources(memory)).sources().map(({ key }) => key)).toEqual(keys);
  });
});

test("sources without a day come first, then the newest; an empty file is not a source", async () => {
  const { memory } = project({
    "memory/2026-03-02.md": "zebra",
    "memory/2026-03-01.md": "zebra",
    "memory/2026-03-03.md": "",
    "MEMORY.md": "zebra",
    "knowledge/deep/a.md": "zebra",
    "knowledge/b.md": "",
  });
  const { sources } = await listSources(memory);
  expect(sources().map(({ key }) => key)).toEqual([
    "MEMORY.md",
    "knowledge/deep/a.md",
    "memory/2026-03-02.md",
    "memory/2026-03-01.md",
  ]);
});
