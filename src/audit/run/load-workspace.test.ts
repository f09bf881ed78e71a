import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, statSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openTestMemory, type TestMemory } from "../../../test/fixtures/memory.ts";
import { MemoryError } from "../../base/errors.ts";
import { runCompact } from "../../tree/run/compact.ts";
import { auditOf } from "../../../test/fixtures/bound-operations.ts";
import { loadWorkspace } from "./load-workspace.ts";
import type { AuditResult } from "../model/report.ts";

const line = "- The deploy server is called frost and lives in the north rack";
const facts = `## Facts\n\n${line}\n- Never restart the billing queue before the export\n`;
const copy = `# Day\n\n${facts}- and one of its own\n`;
const log = (day: string): string => `# ${day}\n\n## Deploys [project]\n- it was about deploys on ${day}\n`;

function open(files: Readonly<Record<string, string>> = {}): TestMemory {
  return openTestMemory({ disk: "folder", files: { "MEMORY.md": `# Memory\n\n${facts}`, ...files } });
}

function codesOf({ findings }: Pick<AuditResult, "findings">): readonly string[] {
  return findings.map(({ code, path }) => `${code} ${path}`);
}

describe("a workspace", () => {
  it("contains exactly the files that have a role in the memory", async () => {
    const test = open({
      "USER.md": "u",
      "README.md": "not ours",
      "memory/2026-03-01.md": "n",
      "memory/2026-03-01-standup.md": "s",
      "memory/notes.md": "o",
      "memory/notes.txt": "no",
      "memory/daily/2026-03-01.md": "d",
      "memory/agents/a/AGENT.md": "a",
      "memory/agents/a/other.md": "no",
      "memory/archive/2025-01-01.full.md": "p",
      "memory/archive/nodes/x.md": "no",
      "knowledge/a/b/c.md": "k",
      "knowledge/a/picture.png": "k",
    });
    const workspace = await loadWorkspace(test.memory);
    expect(workspace.memory?.path).toBe("MEMORY.md");
    expect(workspace.notes.map(({ path, day }) => `${path} ${day}`)).toEqual(["memory/2026-03-01.md 2026-03-01"]);
    expect(workspace.others.map(({ path }) => path)).toEqual([
      "USER.md",
      "knowledge/a/b/c.md",
      "memory/2026-03-01-standup.md",
      "memory/agents/a/AGENT.md",
      "memory/archive/2025-01-01.full.md",
      "memory/daily/2026-03-01.md",
      "memory/notes.md",
    ]);
    expect([...workspace.knowledge].toSorted()).toEqual([
      "knowledge/a",
      "knowledge/a/b",
      "knowledge/a/b/c.md",
      "knowledge/a/picture.png",
    ]);
  });

  it("may be empty", async () => {
    const { findings, memory_size, ok } = await auditOf(openTestMemory({ disk: "folder" }).memory).run();
    expect([findings, memory_size, ok]).toEqual([[], 0, true]);
  });

  it("is audited even with links, folders, FIFOs and huge files, none of which is followed, waited for or read", async () => {
    const test = open({ "memory/2026-03-01.md": copy, "secret.md": "outside", "knowledge/a.md": "# A\n" });
    const at = (path: string): string => join(test.memory.dir, path);
    symlinkSync(at("secret.md"), at("memory/2026-03-02.md"));
    mkdirSync(at("memory/2026-03-03.md"));
    execFileSync("mkfifo", [at("memory/2026-03-04.md")]);
    writeFileSync(at("memory/2026-03-05.md"), "");
    truncateSync(at("memory/2026-03-05.md"), 64 * 1024 * 1024 + 1);
    symlinkSync("/etc", at("knowledge/etc"));
    symlinkSync("nowhere", at("USER.md"));
    test.write("memory/2026-02-30.md", "no day");
    const result = await auditOf(test.memory).run({ apply: true });
    expect(codesOf(result).filter((found) => !found.startsWith("redundant"))).toEqual([
      "unreadable USER.md",
      "unreadable memory/2026-03-02.md",
      "unreadable memory/2026-03-03.md",
      "unreadable memory/2026-03-04.md",
      "bad_name memory/2026-02-30.md",
      "too_large memory/2026-03-05.md",
    ]);
    expect(result.ok).toBe(false);
    expect(result.actions.map(({ path, state }) => `${path} ${state}`)).toEqual(["memory/2026-03-01.md done"]);
    expect(test.read("memory/2026-03-02.md")).toBe("outside");
  });

  it("has the size of a MEMORY.md that is too large to read", async () => {
    const test = open({ "memory/2026-03-01.md": copy });
    truncateSync(join(test.memory.dir, "MEMORY.md"), 64 * 1024 * 1024 + 7);
    const result = await auditOf(test.memory).run({ apply: true, aggressive: true });
    expect(codesOf(result)).toContain("too_large MEMORY.md");
    expect(result).toMatchObject({ memory_size: 0, memory_size_before: 64 * 1024 * 1024 + 7, actions: [] });
  });

  it("is audited even if a file is in the place of a folder", async () => {
    const test = open({ "memory/2026-03-01.md": copy, "memory/daily": "a file", knowledge: "a file" });
    const result = await auditOf(test.memory).run({ apply: true });
    expect(codesOf(result)).toContain("unreadable memory/daily");
    expect(codesOf(result)).toContain("unreadable knowledge");
    expect(result.actions[0]?.state).toBe("done");
  });
});

describe("notes that were shortened before", () => {
  it("are not changed while a part is damaged, but other notes are", async () => {
    const test = open({ "memory/2026-03-01.md": copy, "memory/2026-03-02.md": copy });
    const audit = auditOf(test.memory);
    await audit.run({ apply: true });
    const grown = `${test.read("memory/2026-03-01.md")}\n${facts}`;
    test.write("memory/2026-03-01.md", grown);
    test.write("memory/2026-03-03.md", copy);
    test.write("memory/archive/2026-03-02.full.md", "other bytes");
    const result = await audit.run({ apply: true });
    expect(codesOf(result)).toContain("archive_damaged memory/archive/2026-03-02.full.md");
    expect(result.actions.map(({ path, state }) => `${path} ${state}`)).toEqual(["memory/2026-03-03.md done"]);
    expect(test.read("memory/2026-03-01.md")).toBe(grown);
  });

  it("are not changed while the record is damaged, nor is any other note", async () => {
    const test = open({ "memory/2026-03-01.md": copy });
    const audit = auditOf(test.memory);
    await audit.run({ apply: true });
    test.write("memory/2026-03-03.md", copy);
    test.write("memory/archive/moved.json", "{");
    const result = await audit.run({ apply: true, aggressive: true });
    expect(codesOf(result)).toContain("archive_damaged memory/archive/moved.json");
    expect(result.actions).toEqual([]);
    expect(test.read("memory/archive/moved.json")).toBe("{");
    await expect(audit.undo()).rejects.toMatchObject({ code: "archive_damaged" });
    expect(test.read("memory/2026-03-03.md")).toBe(copy);
  });
});

describe("the sources of the tree", () => {
  it("are changed by an editor, but not by an audit", async () => {
    const days = Array.from({ length: 9 }, (_, index) => `2026-01-0${index + 1}`);
    const test = open(Object.fromEntries(days.map((day) => [`memory/${day}.md`, `${log(day)}\n${facts}`])));
    await runCompact(test.memory, {}, {});
    const audit = auditOf(test.memory);
    const clean = await audit.run({ apply: true });
    expect(clean.actions.length).toBe(9);
    expect(codesOf(await audit.run()).filter((found) => found.startsWith("source"))).toEqual([]);
    test.write("memory/2026-01-02.md", "# another text\n");
    test.remove("memory/2026-01-03.md");
    const codes = codesOf(await audit.run());
    expect(codes.filter((found) => found.startsWith("source"))).toEqual(
      expect.arrayContaining(["source_changed memory/2026-01-03.md"]),
    );
  });
});

describe("an apply", () => {
  it("keeps the mode of every changed file, and so does undo", async () => {
    const test = open({ "memory/2026-03-01.md": copy });
    const path = join(test.memory.dir, "memory/2026-03-01.md");
    chmodSync(path, 0o600);
    const audit = auditOf(test.memory);
    await audit.run({ apply: true });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await audit.undo();
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("reports which findings it resolved and which remain", async () => {
    const test = open({
      "memory/2026-03-01.md": copy,
      "memory/2026-03-02.md": `# Long\n\n${"- a long line of a long log\n".repeat(1_500)}`,
    });
    const result = await auditOf(test.memory).run({ apply: true, aggressive: true });
    const states = Object.fromEntries(result.findings.map(({ code, path, resolved }) => [`${code} ${path}`, resolved]));
    expect(states).toMatchObject({
      "redundant_section memory/2026-03-01.md": true,
      "note_over_rotation memory/2026-03-02.md": true,
    });
    expect(result).toMatchObject({
      rotated: true,
      rotated_count: 1,
      rotated_files: ["memory/2026-03-02.md"],
      ok: true,
    });
    expect(result.memory_size_after).toBe(statSync(join(test.memory.dir, "MEMORY.md")).size);
  });

  it("reports a secret that moved to the archive at its new place", async () => {
    const token = `ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}`;
    const test = open({
      "memory/2026-03-02.md": `# Long\n\n- token ${token}\n${"- a long line of a long log\n".repeat(1_500)}`,
    });
    const result = await auditOf(test.memory).run({ apply: true, aggressive: true });
    const secrets = result.findings.filter(({ code }) => code === "secret_found");
    expect(secrets.map(({ path, resolved }) => `${path} ${resolved}`)).toEqual([
      "memory/2026-03-02.md true",
      "memory/archive/2026-03-02.full.md false",
    ]);
    expect(result.ok).toBe(false);
    expect(JSON.stringify(result)).not.toContain(token);
    expect(test.read("memory/2026-03-02.md")).not.toContain(token);
  });
});

describe("a report", () => {
  const output = (
    there: string | undefined,
  ): { readonly name: string; text: string | undefined } & Record<string, unknown> => {
    const file = {
      name: "report.md",
      text: there,
      read: async () => file.text,
      write: async (text: string) => void (file.text = text),
    };
    return file;
  };

  it("that cannot be written does not hide that files were changed", async () => {
    const test = open({ "memory/2026-03-01.md": copy });
    const audit = auditOf(test.memory);
    const full = { ...output(undefined), write: () => Promise.reject(new MemoryError("disk_full", "No space.")) };
    const failed = audit.run({ apply: true, markdown: full as never });
    await expect(failed).rejects.toMatchObject({ code: "disk_full" });
    const { audits } = await audit.history();
    await expect(failed).rejects.toThrow(audits[0]?.id ?? "none");
  });

  it("replaces only a report; otherwise it is refused before anything is changed", async () => {
    const test = open({ "memory/2026-03-01.md": copy });
    const audit = auditOf(test.memory);
    const foreign = output("# My own notes\n");
    await expect(audit.run({ apply: true, markdown: foreign as never })).rejects.toMatchObject({ code: "usage" });
    expect(test.read("memory/2026-03-01.md")).toBe(copy);
    for (const there of [undefined, "", "# Memory audit\n\nold\n"]) {
      const own = output(there);
      await audit.run({ markdown: own as never });
      expect(own.text).toMatch(/^# Memory audit\n/u);
      expect(own.text).not.toContain("old");
    }
  });
});

describe("a year of notes", () => {
  it("is read quickly, and a dry run leaves no trace", async () => {
    const days = Array.from({ length: 365 }, (_, index) =>
      new Date(Date.UTC(2025, 0, 1 + index)).toISOString().slice(0, 10),
    );
    const test = open(
      Object.fromEntries(days.map((day) => [`memory/${day}.md`, `# ${day}\n${"- a line of the day\n".repeat(590)}`])),
    );
    for (const day of days) utimesSync(join(test.memory.dir, `memory/${day}.md`), 1, 1);
    await loadWorkspace(test.memory);
    const workspace = await loadWorkspace(test.memory);
    expect(workspace.notes.length).toBe(365);
    expect(test.list().some((path) => path.startsWith(".heartwood"))).toBe(false);
  });
});
