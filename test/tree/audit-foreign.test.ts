import { describe, expect, it } from "vitest";
import { runAudit } from "../../src/audit/run/run-audit.ts";
import { readAuditHistory } from "../../src/audit/run/history.ts";
import { undoAudit } from "../../src/audit/run/undo.ts";
import type { FileChange, Files } from "../../src/platform/files.ts";
import { createFaultyFs, type FaultyFs } from "../fixtures/faulty-fs.ts";
import { logicalLogs } from "../fixtures/audit-crash-check.ts";
import { fresh, isNote, openAudited, undoAll, visible } from "../fixtures/audit-scene.ts";
import { differences } from "../fixtures/crash-rules.ts";
import { textOf } from "../fixtures/crash-scene.ts";

/** A file saved by another program while an audit runs, or between an audit and its undo, is kept and reported, never overwritten. */
const victims = ["MEMORY.md", "memory/2026-03-01.md", "memory/2026-03-03.md", "memory/2026-03-15.md"];
const word = "saved by somebody else";

describe("an editor that saves during an apply", () => {
  for (const victim of victims)
    it(`does not overwrite ${victim} if saved just before the rename, and changes the other files`, async () => {
      const fs = createFaultyFs({ files: fresh.start });
      const foreign = savesBefore(fs, { victim, when: isReplacement });
      const result = await runAudit(openAudited(fs, { seed: 1, files: foreign }), { apply: true, aggressive: true });
      const files = fs.files();
      expect(textOf(files.get(victim))).toBe(edited(victim));
      expect(result.findings.filter(({ code }) => code === "file_changed").map(({ path }) => path)).toEqual([victim]);
      expect(result.ok).toBe(false);
      const states = new Map(result.actions.map(({ path, state }) => [path, state]));
      expect(states.get(victim)).toBe("left");
      expect([...states].filter(([, state]) => state === "done").length).toBe(states.size - 1);
      expect(textOf(files.get("memory/archive/moved.json"))).not.toContain(`"${victim}"`);
      expect(
        [...files.keys()].filter((path) => path.includes(`${victim.slice(7, 17)}.full`) && isNote(victim)),
      ).toEqual([]);
      const { audits } = await readAuditHistory(openAudited(fs, { seed: 2 }));
      expect(audits[0]?.files.map(({ path }) => path)).not.toContain(victim);
      await undoAll(openAudited(fs, { seed: 2 }));
      const restored = createFaultyFs({ files: { ...fresh.start, [victim]: edited(victim) } }).files();
      expect(differences(restored, visible(fs.files()))).toEqual([]);
    });

  it("leaves nothing behind if every file was saved meanwhile", async () => {
    const fs = createFaultyFs({ files: fresh.start });
    const memory = openAudited(fs, {
      seed: 1,
      files: (files) => ({
        ...files,
        commit: (changes) => {
          if (isReplacement(changes)) for (const { path } of changes) fs.plant(path, edited(path));
          return files.commit(changes);
        },
      }),
    });
    const result = await runAudit(memory, { apply: true, aggressive: true });
    expect(result.id).toBe(null);
    expect((await readAuditHistory(memory)).audits).toEqual([]);
    expect([...fs.files().keys()].filter((path) => path.startsWith("memory/archive/"))).toEqual([]);
  });

  it("keeps a copy of the note that was already in the archive", async () => {
    const victim = "memory/2026-03-01.md";
    const copy = "memory/archive/2026-03-01.full.md";
    const fs = createFaultyFs({ files: { ...fresh.start, [copy]: fresh.start[victim] ?? "" } });
    const foreign = savesBefore(fs, { victim, when: isReplacement });
    await runAudit(openAudited(fs, { seed: 1, files: foreign }), { apply: true });
    expect(textOf(fs.files().get(victim))).toBe(edited(victim));
    expect(textOf(fs.files().get(copy))).toBe(fresh.start[victim]);
  });

  it("is never overwritten, whenever it saves", async () => {
    const { calls } = await savingAt(Number.POSITIVE_INFINITY, "real");
    const overwritten: number[] = [];
    for (let at = 0; at < calls; at += 3) if ((await savingAt(at, "real")).kept === "no") overwritten.push(at);
    expect(overwritten).toEqual([]);
  });

  it("is overwritten without the comparison (negative control)", async () => {
    const { calls } = await savingAt(Number.POSITIVE_INFINITY, "none");
    const overwritten: number[] = [];
    for (let at = 0; at < calls; at += 1) if ((await savingAt(at, "none")).kept === "no") overwritten.push(at);
    expect(overwritten.length > 0).toBe(true);
  });
});

describe("an editor that saves between an apply and its undo", () => {
  it("is not overwritten; undo says where the old bytes are, and can be repeated when the file is repaired", async () => {
    const fs = createFaultyFs({ files: fresh.start });
    const memory = openAudited(fs, { seed: 1 });
    const { id } = await runAudit(memory, { apply: true, aggressive: true });
    const victim = "memory/2026-03-01.md";
    const shortened = fs.files().get(victim) ?? new Uint8Array(0);
    fs.plant(victim, `${word}\n${textOf(shortened)}`);
    const logs = await logicalLogs(fs);
    const first = await undoAudit(memory, {});
    expect(first).toMatchObject({ id, complete: false });
    expect(first.kept.map(({ path }) => path)).toEqual([victim]);
    expect(textOf(fs.files().get(first.kept[0]?.before ?? ""))).toBe(fresh.start[victim]);
    expect(textOf(fs.files().get(victim))).toContain(word);
    expect(differences(logs, await logicalLogs(fs))).toEqual([]);
    expect(await undoAudit(memory, {})).toMatchObject({ id, complete: false, restored: [] });
    fs.plant(victim, shortened);
    expect(await undoAudit(memory, {})).toMatchObject({ id, complete: true, restored: [victim] });
    expect(differences(createFaultyFs({ files: fresh.start }).files(), visible(fs.files()))).toEqual([]);
    await expect(undoAudit(memory, {})).rejects.toMatchObject({ code: "nothing_to_undo" });
  });

  it("does not lose text appended to a restored note, and the whole log stays the same", async () => {
    const fs = createFaultyFs({ files: fresh.start });
    const memory = openAudited(fs, { seed: 1 });
    const { id } = await runAudit(memory, { apply: true, aggressive: true });
    const notes = [...fs.files().keys()].filter((path) => /^memory\/\d{4}-\d\d-\d\d\.md$/u.test(path));
    const tail = Buffer.from(`\n${word}`);
    for (const path of notes) fs.plant(path, Buffer.concat([fs.files().get(path) ?? tail, tail]));
    const logs = await logicalLogs(fs);
    expect(await undoAudit(memory, {})).toMatchObject({ id, complete: true });
    for (const path of notes) {
      const text = textOf(fs.files().get(path));
      expect([path, text]).toEqual([path, `${fresh.start[path]}\n${word}`]);
    }
    expect(differences(logs, await logicalLogs(fs))).toEqual([]);
  });

  it("is not overwritten if it saves a file just before it is restored", async () => {
    const fs = createFaultyFs({ files: fresh.start });
    await runAudit(openAudited(fs, { seed: 1 }), { apply: true, aggressive: true });
    const victim = "memory/2026-03-15.md";
    const foreign = savesBefore(fs, { victim, when: isReplacement });
    const result = await undoAudit(openAudited(fs, { seed: 2, files: foreign }), {});
    expect(result.kept.map(({ path }) => path)).toEqual([victim]);
    expect(textOf(fs.files().get(victim))).toBe(edited(victim));
  });

  it("does not block the undo of an older audit", async () => {
    const fs = createFaultyFs({ files: fresh.start });
    const memory = openAudited(fs, { seed: 1 });
    const first = await runAudit(memory, { apply: true });
    const second = await runAudit(memory, { apply: true, aggressive: true });
    expect(second.actions.map(({ path }) => path)).toContain("MEMORY.md");
    fs.plant("MEMORY.md", `${textOf(fs.files().get("MEMORY.md"))}${word}\n`);
    expect(await undoAudit(memory, {})).toMatchObject({ id: second.id, complete: false });
    expect(await undoAudit(memory, {})).toMatchObject({ id: first.id, complete: true });
    // Nothing can be restored any more, and the rest is reported.
    const last = await undoAudit(memory, {});
    expect([last.id, last.kept.map(({ path }) => path)]).toEqual([second.id, ["MEMORY.md"]]);
    const { audits } = await readAuditHistory(memory);
    expect(audits.map(({ files }) => files.length)).toEqual([1, first.actions.length]);
  });

  it("may remove a file, which is then not restored but reported", async () => {
    const fs = createFaultyFs({ files: fresh.start });
    const memory = openAudited(fs, { seed: 1 });
    await runAudit(memory, { apply: true, aggressive: true });
    fs.unlinkSync(`${fs.root}/memory/2026-03-01.md`);
    const result = await undoAudit(memory, {});
    expect(result.kept.map(({ path }) => path)).toEqual(["memory/2026-03-01.md"]);
  });
});

function edited(path: string): string {
  return `${textOf(createFaultyFs({ files: fresh.start }).files().get(path))}\n- ${word}\n`;
}

/** Whether a batch replaces notes or MEMORY.md. */
function isReplacement(changes: readonly FileChange[]): boolean {
  return changes.some(({ path, bytes }) => bytes !== undefined && (path === "MEMORY.md" || isNote(path)));
}

/** Saves the victim as soon as a batch is about to be committed. */
function savesBefore(
  fs: FaultyFs,
  how: { readonly victim: string; readonly when: (changes: readonly FileChange[]) => boolean },
): (files: Files) => Files {
  return (files) => ({
    ...files,
    commit: (changes) => {
      if (how.when(changes)) fs.plant(how.victim, edited(how.victim));
      return files.commit(changes);
    },
  });
}

/** An apply during which a note is saved at one of the calls. `none`: nothing is compared before a rename. */
async function savingAt(
  at: number,
  comparison: "real" | "none",
): Promise<{ readonly calls: number; readonly kept: "yes" | "no" }> {
  const fs = createFaultyFs({ files: fresh.start });
  const victim = "memory/2026-03-01.md";
  let calls = 0;
  const count = <T>(work: () => T): T => {
    if (calls === at) fs.plant(victim, `${textOf(fs.files().get(victim))}\n- ${word}\n`);
    calls += 1;
    return work();
  };
  const foreign = (files: Files): Files => ({
    ...files,
    list: (dir) => count(() => files.list(dir)),
    read: (path, range) => count(() => files.read(path, range)),
    commit: (changes) =>
      count(() =>
        files.commit(comparison === "real" ? changes : changes.map((change) => ({ ...change, expect: "anything" }))),
      ),
  });
  await runAudit(openAudited(fs, { seed: 1, files: foreign }), { apply: true, aggressive: true });
  return {
    calls,
    kept: at === Number.POSITIVE_INFINITY || textOf(fs.files().get(victim)).includes(word) ? "yes" : "no",
  };
}
