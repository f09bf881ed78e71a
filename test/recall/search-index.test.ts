import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import { redact } from "../../src/text/redact/redact.ts";
import { compactMemory } from "../../src/summaries/run/compact.ts";
import { prepareIndex } from "../../src/recall/index/prepare.ts";
import { runIndex } from "../../src/recall/index/refresh.ts";
import type { Memory } from "../../src/operations/operation.ts";
import { openTestMemory, type TestMemory } from "../fixtures/memory.ts";
import { createdDraft, messageDraft } from "../fixtures/thread-frames.ts";

const opened: TestMemory[] = [];
afterEach(async () => {
  for (const { memory } of opened.splice(0)) {
    await memory.searchIndex.close();
    await memory.threads.close();
  }
});

function project(files: Readonly<Record<string, string | Uint8Array>>, more: Partial<Memory> = {}): TestMemory {
  const made = openTestMemory({ disk: "folder", files, with: more });
  opened.push(made);
  return made;
}

/** The places of rows that contain a word. */
async function places(memory: Memory, word: string): Promise<readonly string[]> {
  const { index } = await prepareIndex(memory, { ms: 10_000 });
  const found = await index.find({ any: [{ kind: "word", text: word, weight: 1 }], limit: 50 });
  const rows = await index.rows(
    "chunk",
    found.map(({ id }) => id),
  );
  return rows.map(({ source, lines, kind, day }) => `${source}:${lines[0]}-${lines[1]} ${kind} ${day}`).toSorted();
}

describe("what is indexed", () => {
  test("logs with and without a slug, nodes, ROOT.md, MEMORY.md and knowledge; nothing else", async () => {
    const { memory } = project({
      "memory/2026-03-10.md": "## A\nzebra\n",
      "memory/2026-03-10-side.md": "## B\nzebra\n",
      "memory/daily/2026-03-10.md": "# 2026-03-10\nzebra\n",
      "memory/weekly/2026-W11.md": "# week\nzebra\n",
      "memory/monthly/2026-03.md": "# month\nzebra\n",
      "memory/ROOT.md": "# Root\nzebra\n",
      "MEMORY.md": "zebra\n",
      "knowledge/deep/er.md": "zebra\n",
      "knowledge/no.txt": "zebra\n",
      "memory/notes.md": "zebra\n",
      "README.md": "zebra\n",
      "memory/empty.md": "",
    });
    expect(await places(memory, "zebra")).toEqual([
      "MEMORY.md:1-1 memory ",
      "knowledge/deep/er.md:1-1 knowledge ",
      "memory/2026-03-10-side.md:1-2 raw 2026-03-10",
      "memory/2026-03-10.md:1-2 raw 2026-03-10",
      "memory/ROOT.md:1-2 node ",
      "memory/daily/2026-03-10.md:1-2 node 2026-03-10",
      "memory/monthly/2026-03.md:1-2 node 2026-03-15",
      "memory/weekly/2026-W11.md:1-2 node 2026-03-15",
    ]);
  });

  test("messages of threads by their seqs, even in a long one, and later ones", async () => {
    const { memory } = project({});
    const messages = Array.from({ length: 1200 }, (_, at) =>
      messageDraft(at + 1, at === 700 ? "the zebra" : `m ${at}`),
    );
    await memory.threads.append({ thread_id: "t", frames: [createdDraft(), ...messages] });
    expect((await places(memory, "zebra")).map((place) => place.split(":").slice(0, 2))).toEqual([["thread", "t"]]);
    const before = await runIndex(memory, {}, {});
    expect([before.sources, before.unchanged]).toEqual([3, 3]);
    await memory.threads.append({ thread_id: "t", frames: [messageDraft(5000, "a quagga")] });
    const after = await runIndex(memory, {}, {});
    expect([after.indexed, after.unchanged]).toEqual([1, 2]);
    expect(await places(memory, "quagga")).toHaveLength(1);
  });

  test("CRLF, a BOM, invalid UTF-8 and a line of a megabyte do not affect other lines", async () => {
    const { memory } = project({
      "memory/2026-03-01.md": "\ufeff## A\r\n\r\nthe zebra\r\n",
      "memory/2026-03-02.md": Buffer.concat([Buffer.from("## A\n"), Buffer.of(0xff, 0xfe, 10), Buffer.from("zebra\n")]),
      "memory/2026-03-03.md": `## A\n${"long ".repeat(200_000)}\nzebra\n`,
      "memory/2026-03-04.md": "## A\n```\n## no\nzebra",
    });
    const found = await places(memory, "zebra");
    expect(found.map((place) => place.replace(/:\d+-(\d+) .*/u, " $1"))).toEqual([
      "memory/2026-03-01.md 3",
      "memory/2026-03-02.md 3",
      "memory/2026-03-03.md 3",
      "memory/2026-03-04.md 4",
    ]);
  });
});

describe("updating the index", () => {
  test("processes only new, changed and removed sources", async () => {
    const { memory, write, remove } = project({ "memory/2026-03-01.md": "zebra", "memory/2026-03-02.md": "okapi" });
    expect(await runIndex(memory, {}, {})).toMatchObject({ sources: 2, indexed: 2, chunks: 2, not_indexed: 0 });
    expect(await runIndex(memory, {}, {})).toMatchObject({ indexed: 0, unchanged: 2, removed: 0 });
    write("memory/2026-03-02.md", "quagga");
    write("memory/2026-03-03.md", "zebra");
    remove("memory/2026-03-01.md");
    expect(await runIndex(memory, {}, {})).toMatchObject({ sources: 2, indexed: 2, removed: 1 });
    expect(await places(memory, "zebra")).toEqual(["memory/2026-03-03.md:1-1 raw 2026-03-03"]);
    expect(await places(memory, "okapi")).toEqual([]);
    expect(await runIndex(memory, { rebuild: true }, {})).toMatchObject({ sources: 2, indexed: 2 });
  });

  test("a new entry is found by a process that searched a moment before", async () => {
    const { memory, write } = project({ "memory/2026-03-01.md": "okapi" });
    expect(await places(memory, "zebra")).toEqual([]);
    write("memory/2026-03-01.md", "okapi\nzebra");
    expect(await places(memory, "zebra")).toHaveLength(1);
  });

  test("a change within one tick of the clock is seen, because the stamp of a new file is not trusted", async () => {
    const { memory, write } = project({ "memory/2026-03-01.md": "okapi" });
    for (let round = 0; round < 20; round++) {
      write("memory/2026-03-01.md", `okapi${round % 10}`);
      await runIndex(memory, {}, {});
      const { index } = await prepareIndex(memory, "whole");
      expect((await index.frequencies([`okapi${round % 10}`])).counts).toEqual([1]);
    }
  });

  test("a query indexes newest sources first, as far as its patience allows, and reports what is missing", async () => {
    const text = Array.from({ length: 4000 }, (_, at) => `Line ${at} with some words of its own.`).join("\n");
    const files = Object.fromEntries(
      Array.from({ length: 9 }, (_, day) => [`memory/2026-03-0${day + 1}.md`, `## Day ${day}\n${text}`]),
    );
    const { memory } = project(files);
    const first = await prepareIndex(memory, { ms: 60 });
    expect(first.not_indexed).toBeGreaterThan(0);
    expect((await prepareIndex(memory, { ms: 0 })).not_indexed).toBe(first.not_indexed);
    const rows = await first.index.find({ any: [], limit: 1 });
    const [newest] = await first.index.rows(
      "chunk",
      rows.map(({ id }) => id),
    );
    expect(newest === undefined || newest.day === "2026-03-09").toBe(true);
    expect((await prepareIndex(memory, "whole")).not_indexed).toBe(0);
  });

  test("a query indexes a small memory completely, whatever its patience", async () => {
    const text = Array.from({ length: 60 }, (_, at) => `- line ${at} with some words of its own`).join("\n");
    const days = Array.from({ length: 20 }, (_, day) => `2026-03-${String(day + 1).padStart(2, "0")}`);
    const { memory } = project(Object.fromEntries(days.map((day) => [`memory/${day}.md`, `## Day\n${text}`])));
    expect((await prepareIndex(memory, { ms: 0 })).not_indexed).toBe(0);
  });

  test("a compaction updates an existing index, but creates none", async () => {
    const { memory, list, write } = project({ "memory/2026-03-10.md": "## A\nzebra\n" });
    await compactMemory(memory, {}, {});
    expect(list().some((path) => path.includes("search"))).toBe(false);
    await runIndex(memory, {}, {});
    write("memory/2026-03-11.md", "## B\nquagga\n");
    const { warnings } = await compactMemory(memory, {}, {});
    expect(warnings).toEqual([]);
    const any = [{ kind: "word", text: "quagga", weight: 1 }] as const;
    expect(await memory.searchIndex.find({ any, limit: 9 })).not.toEqual([]);
  });
});

const shared =
  process.env["HEARTWOOD_SHARED"] ?? join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..", "shared");
const yardstick = join(shared, "data/secrets/cases.json");
const isAbsent = !existsSync(yardstick);
if (isAbsent) console.warn(`SKIPPED: no labelled secrets at ${yardstick}`);

describe.skipIf(isAbsent)("secrets", () => {
  test("planted in logs, knowledge and threads are in no file of the index", async () => {
    const { cases } = JSON.parse(readFileSync(yardstick, "utf8")) as { readonly cases: readonly Case[] };
    const planted = cases.filter(({ secret, secret_b64 }) => secret && secret_b64 !== null);
    const texts = planted.map(({ example_b64 }) => decoded(example_b64));
    const { memory, write } = project({
      "memory/2026-03-01.md": texts.map((text, at) => `## Entry ${at}\n${text}\n`).join("\n"),
      "knowledge/keys.md": texts.join("\n\n"),
    });
    const drafts = texts.slice(0, 200).map((text, at) => messageDraft(at + 1, text));
    await memory.threads.append({ thread_id: "t", frames: [createdDraft(), ...drafts] });
    await runIndex(memory, {}, {});
    const before = leaked(memory, planted);
    write("memory/2026-03-01.md", "## Entry\nnothing\n");
    await runIndex(memory, {}, {});
    const after = leaked(memory, planted);
    // Secrets that redaction does not know (1 in 100 in the yardstick) are not a fault of the index.
    const missed = texts.map((text) => redact(text).text).join("\n");
    const known = new Set(
      planted.filter((item) => isTelling(item) && !missed.includes(secretOf(item))).map(({ id }) => id),
    );
    expect([...before, ...after].filter((id) => known.has(id))).toEqual([]);
    expect(known.size).toBeGreaterThan(550);
  });
});

interface Case {
  readonly id: string;
  readonly secret: boolean;
  readonly example_b64: string;
  readonly secret_b64: string | null;
}

function decoded(base64: string): string {
  return Buffer.from(base64, "base64").toString("utf8");
}

/** Long enough to be distinguished from other text. */
function isTelling(item: Case): boolean {
  return secretOf(item).length >= 12;
}

function secretOf({ secret_b64 }: Case): string {
  return decoded(secret_b64 ?? "");
}

function leaked(memory: Memory, planted: readonly Case[]): readonly string[] {
  const folder = join(memory.dir, ".heartwood", "search");
  const bytes = readdirSync(folder).map((name) => readFileSync(join(folder, name)).toString("latin1"));
  return planted
    .filter(({ secret_b64 }) => {
      const secret = Buffer.from(secret_b64 ?? "", "base64").toString("latin1");
      return bytes.some((text) => text.includes(secret));
    })
    .map(({ id }) => id);
}
