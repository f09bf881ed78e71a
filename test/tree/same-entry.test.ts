import { describe, expect, it } from "vitest";
import { appendEntry } from "../../src/tree/logs/log-add.ts";
import { openTestMemory, type TestMemory } from "../fixtures/memory.ts";
import { compact, expectSound, keyAt, logOf, textAt } from "../situations/scenario.ts";

/** Two entries with the same id are one, and a torn one does not count: in `log add`, and in the tree. */
const log = "memory/2026-03-15.md";
const full = "- rotate the deployment certificates every spring\n- café: tell Ana";
const input = { topic: "Deploy key rotation", type: "user", id: "cap1", body: full } as const;

function copiesIn(tree: TestMemory, path = log): number {
  return textAt(tree, path).split(" id=cap1 ").length - 1;
}

/** The log as `log add` writes it, cut after a number of bytes of its body. */
async function tornLog(bytes: number): Promise<Buffer> {
  const tree = openTestMemory();
  await appendEntry(tree.memory, input);
  const text = Buffer.from(textAt(tree, log));
  return text.subarray(0, text.indexOf("- rotate") + bytes);
}

describe("an entry whose id is already in the log", () => {
  it("is not written again if it is whole, however its text continues", async () => {
    const tree = openTestMemory();
    await appendEntry(tree.memory, { topic: "T", id: "x", body: "first" });
    const written = textAt(tree, log);
    expect(written).toMatch(/ id=x at=\S+ origin=agent bytes=5 -->\nfirst\n$/u);
    for (const body of ["first and more", "first\nand more", "fir", "other"])
      expect((await appendEntry(tree.memory, { topic: "T", id: "x", body })).action, body).toBe("duplicate");
    tree.write(log, written.trimEnd());
    expect((await appendEntry(tree.memory, { topic: "T", id: "x", body: "first and more" })).action).toBe("duplicate");
    expect(textAt(tree, log)).toBe(written.trimEnd());
  });

  it("is written again only if a crash has torn it, wherever", async () => {
    const whole = Buffer.byteLength(full);
    for (let bytes = 0; bytes <= whole; bytes += 1)
      for (const after of ["none", "another entry"] as const) {
        const tree = openTestMemory({ files: { [log]: await tornLog(bytes) } });
        if (after === "another entry") await appendEntry(tree.memory, { topic: "Next", body: "- next" });
        const again = await appendEntry(tree.memory, input);
        expect(again.action, `${bytes} bytes, then ${after}`).toBe(bytes < whole ? "added" : "duplicate");
        const lines = textAt(tree, log).split("\n");
        expect(lines.slice(again.lines[0] + 1, again.lines[1])).toEqual(full.split("\n"));
        const retried = await appendEntry(tree.memory, input);
        expect([retried.action, retried.lines]).toEqual(["duplicate", again.lines]);
        expect(copiesIn(tree)).toBe(bytes < whole ? 2 : 1);
      }
  });

  it("appears in ROOT.md and in summaries as its whole copy, not the torn one", async () => {
    const bytes = Buffer.byteLength("- rotate the de");
    const withoutBytes = (await tornLog(bytes)).toString().replace(/ bytes=\d+/u, "");
    const torn = [withoutBytes, await tornLog(bytes), (await tornLog(-20)).toString()];
    const long = Array.from({ length: 220 }, (_, line) => `- part ${line} of the roof moved`).join("\n");
    for (const text of torn)
      for (const other of ["- short", long]) {
        const tree = openTestMemory({ files: { [log]: text } });
        expect((await appendEntry(tree.memory, input)).action).toBe("added");
        await appendEntry(tree.memory, { topic: "Roof", body: other });
        await compact(tree);
        const root = textAt(tree, "memory/ROOT.md");
        expect(root).toContain("rotate the deployment certificates every spring");
        expect(root).not.toMatch(/rotate the de\b|hw id/u);
        expect(root.split("- Deploy key rotation [user").length).toBe(2);
        expect(keyAt(tree, "memory/daily/2026-03-15.md", "topics")?.split("Deploy key").length).toBe(2);
        await expectSound(tree);
      }
  });
});

describe("an id that is in the log of an adjacent day", () => {
  const capture = { topic: "Auth", id: "cap1", body: "- tokens" };

  it("is the same entry after midnight", async () => {
    const tree = openTestMemory({ today: "2026-03-19" });
    const first = await appendEntry(tree.memory, capture);
    tree.setToday("2026-03-20");
    const second = await appendEntry(tree.memory, capture);
    expect(second).toMatchObject({ action: "duplicate", path: first.path, lines: first.lines, date: "2026-03-19" });
    expect(tree.read("memory/2026-03-20.md")).toBeUndefined();
    tree.setToday("2026-03-21");
    expect((await appendEntry(tree.memory, capture)).action).toBe("added");
  });

  it("is the same entry if only one of the two has a date", async () => {
    const tree = openTestMemory({ today: "2026-03-20" });
    await appendEntry(tree.memory, capture);
    expect((await appendEntry(tree.memory, { ...capture, date: "2026-03-19" })).action).toBe("duplicate");
    expect((await appendEntry(tree.memory, { ...capture, date: "2026-03-18" })).action).toBe("added");
  });

  it("does not count if it is torn there", async () => {
    const torn = logOf("2026-03-14", [
      "Auth",
      "<!-- hw id=cap1 at=2026-03-14T23:59:59+00:00 origin=agent bytes=8 -->",
      "- tok",
    ]);
    const tree = openTestMemory({ files: { "memory/2026-03-14.md": torn } });
    expect((await appendEntry(tree.memory, capture)).path).toBe(log);
    expect(textAt(tree, "memory/2026-03-14.md")).toBe(torn);
  });

  it("does not prevent logging if that log cannot be read", async () => {
    const tree = openTestMemory({ files: { "memory/2026-03-14.md/inside": "a folder" } });
    const { action, warnings } = await appendEntry(tree.memory, capture);
    expect([action, warnings.map(({ code, path }) => `${code} ${path}`)]).toEqual([
      "added",
      ["not_a_file memory/2026-03-14.md"],
    ]);
  });
});
