import { chmodSync, existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openTestMemory, type TestMemory } from "../../../test/fixtures/memory.ts";
import { sha256 } from "../../base/digest.ts";
import type { Files } from "../../platform/files.ts";
import { auditOf } from "../../../test/fixtures/bound-operations.ts";
import { runDoctor } from "../../operations/doctor.ts";
import { findLostRecords } from "./shortened-notes.ts";
import { runVerify } from "../../tree/inspect/verify.ts";
import { newAuditId } from "./history.ts";
import { parseRecord, printRecord, type AuditRecord } from "./history-format.ts";

const line = "- The deploy server is called frost and lives in the north rack";
const memoryText = `# Memory\n\n## Facts\n\n${line}\n- Never restart the billing queue before the export\n`;
const copy = `# Day\n\n## Facts\n\n${line}\n- Never restart the billing queue before the export\n- and one of its own\n`;

/** On disk, so that artifacts are where the history says. */
function open(files: Readonly<Record<string, string>> = {}): TestMemory {
  return openTestMemory({
    disk: "folder",
    files: { "MEMORY.md": memoryText, "memory/2026-03-01.md": copy, "memory/2026-03-02.md": copy, ...files },
  });
}

const mark = { bytes: 3, sha256: "a".repeat(64) };
const record: AuditRecord & { readonly later: readonly number[] } = {
  version: 1,
  id: "20260315-120000-00ff",
  at: "2026-03-15T12:00:00+00:00",
  mode: "normal",
  made_archive_folder: true,
  files: [
    { path: "MEMORY.md", change: "compressed", before: mark, after: mark, part: null, made_part: false },
    {
      path: "memory/2026-03-01.md",
      change: "cut",
      before: mark,
      after: mark,
      part: "memory/archive/2026-03-01.full-2.md",
      made_part: true,
    },
  ],
  undone_at: null,
  later: [1],
};

describe("an entry of the history", () => {
  it("is read as it was printed, with unknown keys", () => {
    expect(parseRecord(printRecord(record))).toEqual(record);
  });

  const hostile: readonly (readonly [string, (text: string) => string])[] = [
    ["a path outside the folder", (text) => text.replace("memory/2026-03-01.md", "../2026-03-01.md")],
    ["the path of another file", (text) => text.replace("memory/2026-03-01.md", "memory/ROOT.md")],
    ["an invalid day", (text) => text.replace("memory/2026-03-01.md", "memory/2026-02-31.md")],
    ["MEMORY.md in another folder", (text) => text.replace('"MEMORY.md"', '"x/MEMORY.md"')],
    ["a part outside the archive", (text) => text.replace("memory/archive/2026-03-01.full-2.md", ".git/config")],
    ["a part of another day", (text) => text.replace("archive/2026-03-01", "archive/2026-03-02")],
    ["a part with ..", (text) => text.replace("archive/2026-03-01", "archive/../../2026-03-01")],
    ["an invalid digest", (text) => text.replace("a".repeat(64), "a".repeat(63))],
    ["a negative size", (text) => text.replace('"bytes":3', '"bytes":-3')],
    ["a later version", (text) => text.replace('"version":1', '"version":2')],
    ["an invalid id", (text) => text.replace("20260315-120000-00ff", "../evil")],
    ["a file twice", (text) => text.replace(/\{"path":"MEMORY.md".*?false\},/u, "$&$&")],
    ["invalid JSON", () => "{"],
    ["a list", () => "[]"],
  ];
  it.each(hostile)("is refused with %s", (_what, change) => {
    const text = change(printRecord(record));
    expect(text).not.toBe(printRecord(record));
    expect(typeof parseRecord(text)).toBe("string");
  });

  it("gets increasing ids within one second", async () => {
    const test = open();
    const ids: string[] = [];
    for (let count = 0; count < 40; count++) {
      const id = await newAuditId(test.memory, test.memory.clock.now());
      ids.push(id);
      test.write(`.heartwood/audit/${id}.json`, printRecord({ ...record, id }));
    }
    expect(new Set(ids).size).toBe(40);
    expect(ids.toSorted()).toEqual(ids);
    expect(ids.every((id) => /^20260315-\d{6}-[0-9a-f]{4}$/u.test(id))).toBe(true);
  });
});

describe("the history", () => {
  it("lists for each file what it was, what it is now, and where its old bytes are", async () => {
    const test = open();
    const audit = auditOf(test.memory);
    expect(await audit.history()).toEqual({ audits: [], skipped: [] });
    const { id } = await audit.run({ apply: true });
    test.write("memory/2026-03-02.md", "another\n");
    const { audits } = await audit.history();
    expect(audits.map((entry) => [entry.id, entry.undone_at, entry.mode])).toEqual([[id, null, "normal"]]);
    const [first, second] = audits[0]?.files ?? [];
    expect(first).toMatchObject({
      path: "memory/2026-03-01.md",
      change: "cut",
      now: "after",
      before_bytes: copy.length,
    });
    expect(second).toMatchObject({ path: "memory/2026-03-02.md", now: "changed" });
    expect(test.read(first?.before ?? "")).toBe(copy);
    await audit.undo();
    // Restored files are no longer in the entry.
    expect((await audit.history()).audits[0]?.files.map(({ path }) => path)).toEqual(["memory/2026-03-02.md"]);
    test.write("memory/2026-03-02.md", copy);
    expect((await audit.history()).audits[0]?.files[0]?.now).toBe("before");
    test.remove("memory/2026-03-02.md");
    expect((await audit.history()).audits[0]?.files[0]?.now).toBe("missing");
  });

  it("skips files that are not entries, and reports them", async () => {
    const test = open({
      ".heartwood/audit/20260315-120000-0000.json": "no\n",
      ".heartwood/audit/20260315-120000-0001.json": printRecord(record),
    });
    const { audits, skipped } = await auditOf(test.memory).history();
    expect(audits).toEqual([]);
    expect(skipped.map(({ path }) => path.slice(-9))).toEqual(["0000.json", "0001.json"]);
  });
});

describe("undo", () => {
  it("undoes the newest audit, then the one before, and then there is nothing to undo", async () => {
    const test = open();
    const audit = auditOf(test.memory);
    await audit.run({ apply: true });
    const shortened = test.read("memory/2026-03-02.md");
    test.write("memory/2026-03-03.md", copy);
    const { id } = await audit.run({ apply: true });
    expect((await audit.undo()).id).toBe(id);
    expect(test.read("memory/2026-03-03.md")).toBe(copy);
    expect(test.read("memory/2026-03-02.md")).toBe(shortened);
    expect((await audit.undo()).removed.length).toBe(2);
    expect(existsSync(join(test.memory.dir, "memory/archive"))).toBe(false);
    await expect(audit.undo()).rejects.toMatchObject({ code: "nothing_to_undo" });
    await expect(audit.undo({ id: id ?? "" })).rejects.toMatchObject({ code: "nothing_to_undo" });
  });

  it("restores a note to which text was appended since, with that text at the end, even across two audits", async () => {
    const test = open();
    const audit = auditOf(test.memory);
    const late = `\n## Facts\n\n${line}\n- Never restart the billing queue before the export\n- late\n`;
    await audit.run({ apply: true });
    test.write("memory/2026-03-01.md", `${test.read("memory/2026-03-01.md")}${late}`);
    await audit.run({ apply: true });
    test.write("memory/2026-03-01.md", `${test.read("memory/2026-03-01.md")}- last\n`);
    test.write("memory/2026-03-02.md", `${copy}- copied back\n`);
    expect((await audit.undo()).complete).toBe(true);
    expect(test.read("memory/2026-03-01.md")).toMatch(/- and one of its own\n\n## Facts[^]*- late\n- last\n$/u);
    expect(await audit.undo()).toMatchObject({
      complete: true,
      restored: ["memory/2026-03-01.md"],
      appended: ["memory/2026-03-01.md"],
    });
    expect(test.read("memory/2026-03-01.md")).toBe(`${copy}${late}- last\n`);
    expect(test.read("memory/2026-03-02.md")).toBe(`${copy}- copied back\n`);
    expect(existsSync(join(test.memory.dir, "memory/archive"))).toBe(false);
  });

  it("of an earlier audit leaves a note alone that a later one also shortened", async () => {
    const test = open();
    const audit = auditOf(test.memory);
    const { id } = await audit.run({ apply: true });
    test.write(
      "memory/2026-03-01.md",
      `${test.read("memory/2026-03-01.md")}\n## Facts\n\n${line}\n- Never restart the billing queue before the export\n- late\n`,
    );
    await audit.run({ apply: true });
    const twice = test.read("memory/2026-03-01.md");
    const { kept, restored } = await audit.undo({ id: id ?? "" });
    expect([kept.map(({ path }) => path), restored]).toEqual([["memory/2026-03-01.md"], ["memory/2026-03-02.md"]]);
    expect(test.read("memory/2026-03-01.md")).toBe(twice);
  });

  it("restores MEMORY.md around a Compaction Root that was updated since", async () => {
    const root = (text: string): string => `## Compaction Root\n\n- ${text}\n`;
    const before = `${memoryText}${line}\n\n${root("old")}\n## Last\n\n${line}\n`;
    const test = open({ "MEMORY.md": before });
    const audit = auditOf(test.memory);
    await audit.run({ apply: true, aggressive: true });
    const after = test.read("MEMORY.md") ?? "";
    expect(after).not.toBe(before);
    test.write("MEMORY.md", after.replace(root("old"), root("new\n- newer")));
    test.write("memory/2026-03-02.md", "another\n");
    expect((await audit.undo()).restored).toContain("MEMORY.md");
    expect(test.read("MEMORY.md")).toBe(before.replace(root("old"), root("new\n- newer")));
    const again = await audit.undo();
    expect([again.restored, again.kept.map(({ path }) => path)]).toEqual([[], ["memory/2026-03-02.md"]]);
  });

  it("leaves MEMORY.md alone if more than the Compaction Root was changed", async () => {
    const before = `${memoryText}${line}\n\n## Compaction Root\n\n- old\n`;
    const test = open({ "MEMORY.md": before });
    const audit = auditOf(test.memory);
    await audit.run({ apply: true, aggressive: true });
    const changed = `${test.read("MEMORY.md")?.replace("- old", "- new").replace("billing", "pricing")}`;
    test.write("MEMORY.md", changed);
    expect((await audit.undo()).kept.map(({ path }) => path)).toEqual(["MEMORY.md"]);
    test.write(`.heartwood/artifacts/${sha256(before).slice(0, 2)}/${sha256(before)}.json`, "damaged");
    expect((await audit.undo()).kept.map(({ path }) => path)).toEqual(["MEMORY.md"]);
    expect(test.read("MEMORY.md")).toBe(changed);
  });

  it("is the remedy if the archive was lost with its record, as audit, verify and doctor report", async () => {
    const test = open();
    const audit = auditOf(test.memory);
    const { id } = await audit.run({ apply: true });
    for (const path of test.list()) if (path.startsWith("memory/archive/")) test.remove(path);
    const { findings, actions } = await audit.run({ aggressive: true });
    const told = findings.filter(({ code }) => code === "archive_damaged");
    expect(told.map(({ path }) => path)).toEqual(["memory/2026-03-01.md", "memory/2026-03-02.md"]);
    expect(told[0]?.message).toContain(`heartwood audit undo ${id}`);
    expect(actions.map(({ path }) => path)).not.toContain("memory/2026-03-01.md");
    const verified = await runVerify(test.memory, {}, findLostRecords);
    expect(verified.findings.filter(({ code }) => code === "archive_damaged").length).toBe(2);
    expect((await runDoctor(test.memory, {})).ok).toBe(false);
    expect(await audit.undo()).toMatchObject({ id, complete: true });
    expect(
      (await runVerify(test.memory, {}, findLostRecords)).findings.filter(({ code }) => code === "archive_damaged"),
    ).toEqual([]);
  });

  it("is not suggested if a note has its old bytes, even if they begin with the bytes after the cut", async () => {
    const note = `# Day\n- and one of its own\n\n## Facts\n\n${line}\n- Never restart the billing queue before the export\n`;
    const test = open({ "memory/2026-03-01.md": note });
    const audit = auditOf(test.memory);
    await audit.run({ apply: true });
    expect(note.startsWith(test.read("memory/2026-03-01.md") ?? "-")).toBe(true);
    test.write("memory/2026-03-01.md", note);
    test.write("memory/2026-03-02.md", copy);
    for (const path of test.list()) if (path.startsWith("memory/archive/")) test.remove(path);
    const { findings } = await audit.run({});
    expect(findings.filter(({ code }) => code === "archive_damaged")).toEqual([]);
  });

  it("refuses invalid and unknown ids, and lists the known ones", async () => {
    const test = open();
    const audit = auditOf(test.memory);
    const { id } = await audit.run({ apply: true });
    await expect(audit.undo({ id: "../../x" })).rejects.toMatchObject({ code: "invalid_id" });
    await expect(audit.undo({ id: "20260101-000000-0000" })).rejects.toMatchObject({
      code: "audit_not_found",
      message: expect.stringContaining(id ?? "none") as string,
    });
  });

  it("changes no file named in a forged entry", async () => {
    const hostile = printRecord(record).replace("memory/2026-03-01.md", "../../etc/passwd");
    const test = open({ ".heartwood/audit/20260315-120000-00ff.json": hostile });
    const audit = auditOf(test.memory);
    await expect(audit.undo()).rejects.toMatchObject({ code: "nothing_to_undo" });
    await expect(audit.undo({ id: record.id })).rejects.toMatchObject({ code: "audit_not_found" });
  });

  it("uses the part if the artifact is missing or damaged, and leaves the file alone if both are", async () => {
    const test = open();
    const audit = auditOf(test.memory);
    await audit.run({ apply: true });
    const artifact = `.heartwood/artifacts/${sha256(copy).slice(0, 2)}/${sha256(copy)}.json`;
    test.write(artifact, "damaged");
    test.remove("memory/archive/2026-03-02.full.md");
    const result = await audit.undo();
    expect(result.restored).toEqual(["memory/2026-03-01.md"]);
    expect(result.kept.map(({ path }) => path)).toEqual(["memory/2026-03-02.md"]);
    expect(test.read("memory/2026-03-01.md")).toBe(copy);
  });

  it("removes a part only when no step on disk needs it any more", async () => {
    const { memory } = open();
    await auditOf(memory).run({ apply: true });
    const paths: string[][] = [];
    const files: Files = {
      ...memory.files,
      commit: (changes) => {
        paths.push(changes.map(({ path }) => path));
        return memory.files.commit(changes);
      },
    };
    const { id } = await auditOf({ ...memory, files }).undo();
    const days = ["2026-03-01", "2026-03-02"];
    expect(paths).toEqual([
      days.map((day) => `memory/${day}.md`),
      ["memory/archive/moved.json"],
      days.map((day) => `memory/archive/${day}.full.md`),
      [`.heartwood/audit/${id}.json`],
    ]);
  });

  it("keeps a private note private: its part has the same mode, and so has the restored note", async () => {
    const tree = open();
    const modeOf = (path: string): number => statSync(join(tree.memory.dir, path)).mode & 0o777;
    chmodSync(join(tree.memory.dir, "memory/2026-03-01.md"), 0o600);
    await auditOf(tree.memory).run({ apply: true });
    const paths = ["memory/2026-03-01.md", "memory/archive/2026-03-01.full.md"];
    expect(paths.map(modeOf)).toEqual([0o600, 0o600]);
    expect(modeOf("memory/archive/2026-03-02.full.md")).toBe(modeOf("memory/2026-03-02.md"));
    await auditOf(tree.memory).undo();
    expect(modeOf("memory/2026-03-01.md")).toBe(0o600);
  });

  it("keeps a part that was changed by hand, and a file of that name that existed before", async () => {
    const test = open({ "memory/archive/2026-03-02.full.md": copy });
    const audit = auditOf(test.memory);
    await audit.run({ apply: true });
    test.write("memory/archive/2026-03-01.full.md", `${copy}more\n`);
    const { removed, complete } = await audit.undo();
    expect([removed, complete]).toEqual([[], true]);
    expect(test.read("memory/archive/2026-03-02.full.md")).toBe(copy);
  });
});
