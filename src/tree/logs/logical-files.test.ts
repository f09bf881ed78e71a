import { Buffer } from "node:buffer";
import { utimesSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sha256 } from "../../base/digest.ts";
import { openStory, someBytes, someStory, storyLog as log } from "../../../test/fixtures/note-stories.ts";
import { openTestMemory, type TestMemory } from "../../../test/fixtures/memory.ts";
import { bytesAt, cutOf, shorten, shorteningOf, type Shortening } from "../../../test/fixtures/shortened-notes.ts";
import type { Files } from "../../platform/files.ts";
import { withLogicalLogs } from "../memory.ts";
import { lawRuns } from "../../../test/fixtures/law-runs.ts";

async function readLogical(tree: TestMemory, range?: { readonly from: number; readonly to: number }): Promise<Buffer> {
  const { files } = await withLogicalLogs(tree.memory);
  return Buffer.from((await files.read(log, range))?.bytes ?? []);
}

/** The rules of docs/formats/audit.md, implemented literally on bytes in memory. */
function logicalBytes(made: readonly Shortening[], note: Buffer): Buffer {
  const steps = inForce(made, note);
  const [first] = steps;
  if (first === undefined) return note;
  const pieces = [first.before];
  steps.forEach((_, index) => pieces.push(cameAfter(steps.slice(0, index + 1), steps[index + 1]?.before ?? note)));
  return pieces.reduce(joined);
}

function inForce(made: readonly Shortening[], note: Buffer): readonly Shortening[] {
  const last = made.at(-1);
  return last === undefined || !beginsWith(note, last.before) ? made : inForce(made.slice(0, -1), note);
}

function cameAfter(steps: readonly Shortening[], next: Buffer): Buffer {
  const made = steps.at(-1)?.after ?? Buffer.alloc(0);
  if (beginsWith(next, made)) return next.subarray(made.length);
  const texts = [made, ...steps.toReversed().map(({ before }) => before)];
  const [after = made] = texts.toSorted((a, b) => apart(a, next) - apart(b, next));
  const left = linesOf(after).map(textOf);
  const given = new Set(left);
  const isComment = (line: string): boolean => /^<!-- hw id=\S+ at=\S+ origin=user -->\s*$/u.test(line);
  const lines = linesOf(next).map(textOf);
  let isNew = isComment(lines[0] ?? "") && !given.has(lines[0] ?? "");
  const kept = linesOf(next).filter((_, index) => {
    const [text = "", below = ""] = lines.slice(index, index + 2);
    if (isComment(below)) isNew = !given.has(below);
    else if (text.startsWith("## ") && left.includes(text)) isNew = false;
    const at = isNew ? -1 : left.indexOf(text);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return Buffer.from(kept.join(""), "latin1");
}

/** Bytes of the lines found in only one of them. */
function apart(a: Buffer, b: Buffer): number {
  const others = linesOf(b).map(textOf);
  let bytes = 0;
  for (const line of linesOf(a).map(textOf)) {
    const at = others.indexOf(line);
    if (at >= 0) others.splice(at, 1);
    else bytes += line.length;
  }
  return bytes + others.join("").length;
}

function joined(a: Buffer, b: Buffer): Buffer {
  const isOpen = a.length > 0 && b.length > 0 && a.at(-1) !== 10 && !/^\r?\n/u.test(b.toString("latin1", 0, 2));
  return Buffer.concat([a, ...(isOpen ? [Buffer.from("\n")] : []), b]);
}

function beginsWith(bytes: Buffer, beginning: Buffer): boolean {
  return bytes.subarray(0, beginning.length).equals(beginning);
}

const linesOf = (bytes: Buffer): readonly string[] => bytes.toString("latin1").match(/[^\n]*\n|[^\n]+$/gu) ?? [];
const textOf = (line: string): string => line.replace(/\r?\n$/u, "");

describe("the logical log of a shortened note", () => {
  it("follows the rules for any log, steps and edit", async () => {
    await fc.assert(
      fc.asyncProperty(someStory, fc.option(someBytes), async ({ made, note }, edited) => {
        const now = edited ?? note;
        const tree = openStory(made, now);
        const expected = logicalBytes(made, now);
        expect((await readLogical(tree)).equals(expected)).toBe(true);
        const { files } = await withLogicalLogs(tree.memory);
        const entry = (await files.list("memory")).find(({ name }) => `memory/${name}` === log);
        const read = await files.read(log);
        expect([entry?.size, read?.size]).toEqual([expected.length, expected.length]);
        expect(entry?.stamp).toBe(read?.stamp);
      }),
      { numRuns: lawRuns(400) },
    );
  });

  it("is the previous log plus what was appended, if the note was not edited", async () => {
    await fc.assert(
      fc.asyncProperty(someStory, async ({ original, appended, made, note }) => {
        // Cutting nothing, or everything and appending the same again, looks like a log that was not shortened.
        fc.pre(
          made.every(({ before, after }, index) => {
            const next = made[index + 1]?.before ?? note;
            return !beginsWith(next, before) && beginsWith(next, after) && !beginsWith(note, before);
          }),
        );
        const whole = [original, ...appended].reduce(joined);
        expect((await readLogical(openStory(made, note))).equals(whole)).toBe(true);
      }),
      { numRuns: lawRuns(200) },
    );
  });

  it("reads the same by ranges as in one piece", async () => {
    await fc.assert(
      fc.asyncProperty(
        someStory,
        fc.option(someBytes),
        fc.array(fc.nat({ max: 400 }), { maxLength: 6 }),
        async ({ made, note }, edited, cuts) => {
          const tree = openStory(made, edited ?? note);
          const whole = await readLogical(tree);
          const ends = [0, ...cuts.toSorted((a, b) => a - b), whole.length + 7];
          const pieces: Buffer[] = [];
          for (const [index, from] of ends.slice(0, -1).entries())
            pieces.push(await readLogical(tree, { from, to: ends[index + 1] ?? from }));
          expect(Buffer.concat(pieces).equals(whole)).toBe(true);
        },
      ),
      { numRuns: lawRuns(150) },
    );
  });

  it("loses no line of the log or the note, however the note was edited", async () => {
    await fc.assert(
      fc.asyncProperty(someStory, someBytes, async ({ made, note }, edit) => {
        const lines = linesOf(note);
        const edited = Buffer.concat([
          Buffer.from(lines.filter((_, index) => index % 3 !== 1).join(""), "latin1"),
          edit,
          Buffer.from(lines.slice(0, 2).join(""), "latin1"),
        ]);
        const last = made.at(-1)?.after ?? Buffer.alloc(0);
        fc.pre(inForce(made, edited).length === made.length && !beginsWith(edited, last));
        const logical = await readLogical(openStory(made, edited));
        // Lines found only in parts: the summaries of rotations.
        const summaries = made.slice(0, -1).flatMap(({ after }) => linesOf(after).map(textOf));
        const left = [...linesOf(last), ...linesOf(logical)].map(textOf).concat(summaries);
        // A blank line may come from the missing line end of the log's last line.
        for (const line of linesOf(edited)
          .map(textOf)
          .filter((text) => text !== "")) {
          expect(left).toContain(line);
          left.splice(left.indexOf(line), 1);
        }
        expect(beginsWith(logical, made[0]?.before ?? logical)).toBe(true);
      }),
      { numRuns: lawRuns(150) },
    );
  });

  it("leaves out a step that has not happened, then checks the one before it", async () => {
    const tree = openNote("# T\n- one\n- two\n");
    await shorten(tree, log, await cutOf(tree, log, "- one\n"), "record");
    expect(await textOfLog(tree)).toBe("# T\n- one\n- two\n");
    await shorten(tree, log, await cutOf(tree, log, "- one\n"));
    await shorten(tree, log, await cutOf(tree, log, "- two\n"));
    expect([tree.read(log), await textOfLog(tree)]).toEqual(["# T\n", "# T\n- one\n- two\n"]);
    tree.write(log, "# T\n- two\n- three\n");
    expect(await textOfLog(tree)).toBe("# T\n- one\n- two\n- three\n");
    const note = Buffer.from("# T\n- one\n");
    const made = [1, 2].map((number) => shorteningOf({ path: log, bytes: note, number }, { kind: "rotated" }));
    expect(await textOfLog(openStory(made, note))).toBe("# T\n- one\n");
  });

  it("is the first part, the new lines of later parts, and what was appended since", async () => {
    const tree = openNote("# T\n- one\n");
    await shorten(tree, log, { kind: "rotated" });
    tree.write(log, Buffer.concat([await bytesAt(tree, log), Buffer.from("- two\n- three\n")]));
    await shorten(tree, log, await cutOf(tree, log, "- two\n"));
    tree.write(log, Buffer.concat([await bytesAt(tree, log), Buffer.from("- four\n")]));
    expect(await textOfLog(tree)).toBe("# T\n- one\n- two\n- three\n- four\n");
    expect(tree.read(log)).toContain("- three\n- four\n");
    expect(tree.read(log)).not.toContain("- two");
  });

  it("contains each line of an edited note that the shortened note lacked, as often as it occurs", async () => {
    const tree = openNote("# T\r\n- one\r\n- two\r\n- two\r\n");
    await shorten(tree, log, await cutOf(tree, log, "- one\r\n"));
    tree.write(log, "- new\n- two\n# T\n- two\n- two\n");
    expect(await textOfLog(tree)).toBe("# T\r\n- one\r\n- two\r\n- two\r\n- new\n- two\n");
    tree.write(log, "");
    expect(await textOfLog(tree)).toBe("# T\r\n- one\r\n- two\r\n- two\r\n");
  });

  it("contains the log once if an earlier state of the note was restored and extended", async () => {
    const before = "# T\n\n- one of them\n- two of them\n- [ ] a task\n";
    const ticked = before.replace("[ ]", "[x]");
    const tree = openNote(before);
    await shorten(tree, log, await cutOf(tree, log, "- one of them\n- two of them\n"));
    tree.write(log, ticked);
    expect(await textOfLog(tree)).toBe(`${before}- [x] a task\n`);
    tree.write(log, "# T\n\n- [ ] a task\n- three of them\n- four of them\n");
    await shorten(tree, log, await cutOf(tree, log, "- three of them\n"));
    const whole = `${before}- three of them\n- four of them\n`;
    for (const [note, more] of [
      [before, ""],
      [ticked, "- [x] a task\n"],
      ["# T\n\n- [x] a task\n- three of them\n- four of them\n", "- [x] a task\n"],
      ["# T\n\n- [x] a task\n- four of them\n", "- [x] a task\n"],
    ] as const) {
      tree.write(log, note);
      expect(await textOfLog(tree)).toBe(`${whole}${more}`);
    }
    const rotated = openNote(before.repeat(9));
    await shorten(rotated, log, { kind: "rotated" });
    rotated.write(log, ticked.repeat(9));
    expect(await textOfLog(rotated)).toBe(`${before.repeat(9)}${"- [x] a task\n".repeat(9)}`);
  });

  it("contains an entry once that a merge put before entries of the shortened note", async () => {
    const entry = (id: string, body: string): string =>
      `\n## ${id} [project]\n<!-- hw id=${id} at=2026-03-10T10:00:00Z origin=user -->\n${body}\n`;
    const [a, b, added] = [entry("a", "- done"), entry("b", "- one\n- done"), entry("added", "- done")];
    const tree = openTestMemory({ files: { [log]: `# 2026-03-10\n${a}${b}` } });
    const at = `# 2026-03-10\n${a}${b}`.indexOf("- one\n");
    await shorten(tree, log, { kind: "cut", spans: [[at, at + 6]] });
    const note = tree.read(log) ?? "";
    tree.write(log, note.replace("\n## b", `${added}\n## b`));
    const whole = (await readLogical(tree)).toString("latin1");
    for (const id of ["a", "b", "added"]) expect(whole.split(`id=${id} `)).toHaveLength(2);
    expect(whole).toContain(added);
  });

  it("contains every line of an entry appended to an edited note, even lines that the note once had", async () => {
    const tree = openNote("# T\n\n- one\n\n- two\n");
    await shorten(tree, log, await cutOf(tree, log, "- one\n\n"));
    const entry = "## E [project]\n<!-- hw id=e1 at=2026-03-10T10:00:00Z origin=user -->\n- a\n\n- two\n";
    tree.write(log, `# T\n- new\n${entry}`);
    expect(await textOfLog(tree)).toBe(`# T\n\n- one\n\n- two\n- new\n${entry}`);
  });

  it("treats all lines of an edited note as new if its original cannot be reproduced", async () => {
    const tree = openNote("# T\n- one\n- two\n");
    const { after } = await shorten(tree, log, await cutOf(tree, log, "- one\n"));
    const record = "memory/archive/moved.json";
    const other = sha256("something else");
    tree.write(record, (tree.read(record) ?? "").replace(sha256(after), other));
    expect(await textOfLog(tree)).toBe("# T\n- one\n- two\n# T\n- two\n");
  });

  it("has a line end between two pieces that lack one", async () => {
    for (const [more, joint] of [
      ["- two", "\n"],
      ["\n- two", ""],
      ["\r\n- two", ""],
      ["\r- two", "\n"],
    ]) {
      const tree = openNote("# T\n- one");
      await shorten(tree, log, await cutOf(tree, log, "\n- one"));
      tree.write(log, `# T${more}`);
      expect(await textOfLog(tree)).toBe(`# T\n- one${joint}${more}`);
    }
  });

  it("follows its note, and a memory without shortened notes is returned unchanged", async () => {
    const tree = openNote("# T\n- one\n");
    expect(await withLogicalLogs(tree.memory)).toBe(tree.memory);
    await shorten(tree, log, { kind: "rotated" });
    const memory = await withLogicalLogs(tree.memory);
    tree.remove(log);
    expect(await memory.files.read(log)).toBeUndefined();
    expect((await memory.files.list("memory")).map(({ name }) => name)).toEqual(["archive"]);
  });

  it("reflects one state of the note, even if the note is saved during a read", async () => {
    const tree = openNote("# T\n- one\n- two\n");
    const { after } = await shorten(tree, log, await cutOf(tree, log, "- one\n"));
    tree.write(log, `${after.toString()}- three\n`);
    let reads = 0;
    const files: Files = {
      ...tree.memory.files,
      read: async (path, range) => {
        // After the layout, before its own lines are read.
        if (path === log && (range?.from ?? 0) > 0 && reads++ === 0) tree.write(log, "# T\n- other words\n- four\n");
        return tree.memory.files.read(path, range);
      },
    };
    const logical = await withLogicalLogs({ ...tree.memory, files });
    const read = Buffer.from((await logical.files.read(log))?.bytes ?? []).toString();
    expect(read).toBe("# T\n- one\n- two\n- other words\n- four\n");
  });

  it("has the change time of the newest file it is assembled from", async () => {
    const tree = openTestMemory({ disk: "folder", files: { [log]: `# T\n${"- and so on\n".repeat(50)}` } });
    await shorten(tree, log, { kind: "rotated" });
    const [note, part] = [log, "memory/archive/2026-03-10.full.md"].map((path) => join(tree.memory.dir, path));
    utimesSync(note ?? "", 1_000, 1_000);
    utimesSync(part ?? "", 2_000, 2_000);
    const { files } = await withLogicalLogs(tree.memory);
    const entry = (await files.list("memory")).find(({ name }) => log.endsWith(name));
    expect(entry?.changedAt).toBe(2_000_000);
  });

  it("is listed with a stamp unknown to any cache while it cannot be read", async () => {
    const tree = openNote(`# T\n- one\n${"- and so on\n".repeat(50)}`);
    await shorten(tree, log, { kind: "rotated" });
    const stampOf = async (): Promise<string | undefined> =>
      (await (await withLogicalLogs(tree.memory)).files.list("memory")).find(({ name }) => log.endsWith(name))?.stamp;
    const onDisk = (await tree.memory.files.list("memory")).find(({ name }) => log.endsWith(name))?.stamp;
    const seen = [onDisk, await stampOf()];
    const part = `memory/archive/${log.slice("memory/".length, -".md".length)}.full.md`;
    const kept = tree.read(part) ?? "";
    for (const [path, bytes] of [
      [part, `${kept}x`],
      ["memory/archive/moved.json", "{"],
    ] as const) {
      tree.write(path, bytes);
      expect(seen).not.toContain(await stampOf());
      await expect(readLogical(tree)).rejects.toMatchObject({ code: "archive_damaged" });
    }
  });
});

function openNote(text: string): TestMemory {
  return openTestMemory({ files: { [log]: text } });
}

async function textOfLog(tree: TestMemory): Promise<string> {
  return (await readLogical(tree)).toString("utf8");
}
