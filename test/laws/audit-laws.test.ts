import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readText } from "../../src/audit/model/memory-text.ts";
import { auditOf } from "../fixtures/bound-operations.ts";
import { runCompact } from "../../src/tree/run/compact.ts";
import { withLogicalLogs } from "../../src/tree/memory.ts";
import { createFaultyFs, type FaultyFs } from "../fixtures/faulty-fs.ts";
import { isNote, openAudited, visible } from "../fixtures/audit-scene.ts";
import { differences } from "../fixtures/crash-rules.ts";
import { nodesOf, only, printed, type Tree } from "../fixtures/crash-scene.ts";

/** The two laws of the audit, on generated workspaces: nothing is written unless requested, and nothing is lost. */
const runs = Number(process.env["HEARTWOOD_LAW_RUNS"] ?? 60);

describe("an audit of any workspace", () => {
  it("changes no byte and no time stamp without --apply", async () => {
    await holds(async (files, aggressive) => {
      const fs = createFaultyFs({ files });
      const locks = { id: "no-locks", acquire: () => Promise.reject(new Error("a dry run takes no lock")) };
      const memory = { ...openAudited(fs, { seed: 1 }), locks };
      const before = printed(fs.files());
      await auditOf(memory).run({ aggressive });
      await auditOf(memory).run({ aggressive, apply: true, dry_run: true });
      expect(printed(fs.files())).toBe(before);
      expect(writesOf(fs)).toEqual([]);
    });
  });

  it("can be undone byte for byte, and applying twice is the same as once", async () => {
    await holds(async (files, aggressive) => {
      const fs = createFaultyFs({ files });
      const audit = auditOf(openAudited(fs, { seed: 1 }));
      const before = fs.files();
      const { id, actions } = await audit.run({ aggressive, apply: true });
      const once = printed(fs.files());
      const second = await audit.run({ aggressive, apply: true });
      expect(printed(fs.files())).toBe(once);
      expect([second.id, second.actions]).toEqual([null, []]);
      expect(id === null).toBe(actions.length === 0);
      if (id !== null) expect((await audit.undo()).complete).toBe(true);
      expect(differences(before, visible(fs.files()))).toEqual([]);
    });
  });

  it("removes only lines that are also elsewhere, and leaves Core, fences and logs unchanged", async () => {
    await holds(async (files, aggressive) => {
      const fs = createFaultyFs({ files });
      const memory = openAudited(fs, { seed: 1 });
      const before = fs.files();
      const logs = await logsOf(fs);
      await auditOf(memory).run({ aggressive, apply: true });
      const after = fs.files();
      expect(lostLines(before, after)).toEqual([]);
      expect(frozenOf(after)).toEqual(frozenOf(before));
      expect(differences(logs, await logsOf(fs))).toEqual([]);
      for (const [path, bytes] of before) if (isNote(path)) expect(isKeptSomewhere(after, bytes)).toBe(true);
    });
  });

  it("leaves the tree unchanged: nothing is due, and a rebuilt tree has the same bytes", async () => {
    await holds(
      async (files, aggressive) => {
        const fs = createFaultyFs({ files });
        const memory = openAudited(fs, { seed: 1 });
        await runCompact(memory, {}, {});
        const built = nodesOf(fs.files());
        const { id } = await auditOf(memory).run({ aggressive, apply: true });
        const { due, written } = await runCompact(memory, {}, {});
        expect([due, written]).toEqual([[], []]);
        expect(differences(built, nodesOf(fs.files()))).toEqual([]);
        if (id === null) return;
        const rest = only(fs.files(), (path) => !built.has(path) && !path.startsWith(".heartwood/cache/"));
        const anew = createFaultyFs({ files: Object.fromEntries(rest) });
        await runCompact(openAudited(anew, { seed: 2 }), {}, {});
        expect(differences(built, nodesOf(anew.files()))).toEqual([]);
      },
      Math.ceil(runs / 4),
    );
  });
});

type FilesAtStart = Readonly<Record<string, Uint8Array>>;

async function holds(law: (files: FilesAtStart, aggressive: boolean) => Promise<void>, numRuns = runs): Promise<void> {
  await fc.assert(fc.asyncProperty(workspaces, fc.boolean(), law), { numRuns });
}

const facts = [
  "The deploy server is called frost and lives in the north rack",
  "Never restart the billing queue before the nightly export",
  "用户喜欢简短的回答，不要长篇大论",
  "Anna keeps the keys for the staging database",
  "مفتاح الخادم محفوظ عند المدير",
  "Ship 🚀 on Tuesdays only, after the review",
];

const marks = fc.constantFrom("- ", "* ", "", "  - ", "- [ ] ", "1. ", "> ");
const factLine = fc.tuple(marks, fc.constantFrom(...facts)).map(([mark, fact]) => `${mark}${fact}`);
const ownLine = fc
  .tuple(fc.constantFrom("- ", ""), fc.integer({ min: 0, max: 999 }))
  .map(([mark, n]) => `${mark}own line ${n}`);
const oddLine = fc.constantFrom(
  "",
  "",
  "---",
  "| a | b |",
  "#### Deep",
  "a\0b is a line with a NUL",
  "text\rwith returns",
);
const fence = fc.array(factLine, { maxLength: 2 }).map((lines) => ["```", ...lines, "```"].join("\n"));
const heading = fc.constantFrom(
  "## Facts",
  "## Core (Static)",
  "# Notes",
  "### C# and more",
  "## Compaction Root",
  "## Log",
);
const memoryBlock = fc.oneof({ weight: 6, arbitrary: factLine }, oddLine, heading, fence);
const noteBlock = fc.oneof({ weight: 6, arbitrary: factLine }, ownLine, oddLine, heading, fence);

const file = (block: fc.Arbitrary<string>, most: number): fc.Arbitrary<Uint8Array> =>
  fc
    .record({
      lines: fc.array(block, { maxLength: most }),
      end: fc.constantFrom("\n", "\r\n"),
      mark: fc.constantFrom("", "", "\uFEFF"),
      last: fc.constantFrom("", "\n"),
      bad: fc.constantFrom("no", "no", "no", "yes"),
    })
    .map(({ lines, end, mark, last, bad }) => {
      const text = `${mark}${lines.join("\n")}${last}`.replaceAll("\n", end);
      const bytes = Buffer.from(text);
      return bad === "yes" ? Buffer.concat([bytes, Buffer.from([0xff, 0xfe, 0x0a])]) : bytes;
    });

const copied = file(fc.constantFrom(...facts.map((fact) => `- ${fact}`)), 12);
const longNote = file(ownLine, 12).map((head) =>
  Buffer.concat([head, Buffer.from("\n- a very long log says this again and again, with a number\n".repeat(560))]),
);
const note = fc.oneof({ weight: 4, arbitrary: file(noteBlock, 24) }, { weight: 3, arbitrary: copied }, longNote);

const workspaces: fc.Arbitrary<FilesAtStart> = fc
  .record({ memory: file(memoryBlock, 24), notes: fc.array(note, { minLength: 1, maxLength: 4 }), today: copied })
  .map(({ memory, notes, today }) => ({
    "MEMORY.md": memory,
    "memory/2026-03-15.md": today,
    ...Object.fromEntries(notes.map((bytes, index) => [`memory/2026-03-0${index + 1}.md`, bytes])),
  }));

function writesOf(fs: FaultyFs): readonly string[] {
  const calls = ["writeSync", "renameSync", "unlinkSync", "mkdirSync", "fchmodSync", "fsyncSync"] as const;
  return calls.filter((call) => fs.counters[call] > 0);
}

/** Removed lines of notes that are neither in MEMORY.md nor elsewhere in the note, by an independent implementation. */
function lostLines(before: Tree, after: Tree): readonly string[] {
  const has = new Set(linesOf(after.get("MEMORY.md")).map(bare));
  return [...before].flatMap(([path, bytes]) => {
    const now = after.get(path);
    if (!isNote(path) || now === undefined || Buffer.from(now).includes("> This log was moved to ")) return [];
    const left = linesOf(now);
    const stays = new Set(left.map(bare));
    const gone = linesOf(bytes).filter((line) => !left.includes(line));
    return gone.filter((line) => bare(line) !== "" && !has.has(bare(line)) && !stays.has(bare(line)));
  });
}

function linesOf(bytes: Uint8Array | undefined): readonly string[] {
  return Buffer.from(bytes ?? [])
    .toString("latin1")
    .replace(/^\xEF\xBB\xBF/u, "")
    .split(/\r?\n/u);
}

function bare(line: string): string {
  return line
    .trim()
    .replace(/^(?:#{1,6}|[-*+])[ \t]+/u, "")
    .trim();
}

/** The lines of MEMORY.md that must not change. */
function frozenOf(tree: Tree): readonly string[] {
  const text = readText({ path: "MEMORY.md", bytes: tree.get("MEMORY.md") ?? new Uint8Array(0) });
  return text.lines.filter(({ part }) => part !== "free").map((line) => line.text);
}

function isKeptSomewhere(tree: Tree, bytes: Uint8Array): boolean {
  return [...tree.values()].some((there) => Buffer.compare(there, bytes) === 0);
}

async function logsOf(fs: FaultyFs): Promise<Tree> {
  const { files } = await withLogicalLogs(openAudited(fs, { seed: 9 }));
  const logs = new Map<string, Uint8Array>();
  for (const path of fs.files().keys())
    if (isNote(path)) logs.set(path, (await files.read(path))?.bytes ?? new Uint8Array(0));
  return logs;
}
