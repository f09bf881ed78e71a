import { type FilesHarness, bytesOf, readCases, refusalCases, stampAt, textAt } from "./files-cases/read.ts";
import { type Case, type Suite, type TestFunctions, describeCases, endingOf } from "./test-functions.ts";

/** What `append` must do. */
export const appendCases: readonly Case<FilesHarness>[] = [
  {
    says: "append creates the file with its folders, then adds at its end",
    proves: async (harness, expect) => {
      await harness.files.append("a/b/c.md", bytesOf("one\n"));
      await harness.files.append("a/b/c.md", bytesOf("two\n"));
      expect(await textAt(harness, "a/b/c.md")).toBe("one\ntwo\n");
      expect(await harness.paths()).toEqual(["a/b/c.md"]);
    },
  },
  {
    says: "append returns the stamp of the file as it is then",
    proves: async (harness, expect) => {
      const first = await harness.files.append("a.md", bytesOf("one\n"));
      expect(first).toBe(await stampAt(harness, "a.md"));
      const second = await harness.files.append("a.md", bytesOf("two\n"));
      expect(second).toBe(await stampAt(harness, "a.md"));
      expect(first === second).toBe(false);
    },
  },
  {
    says: "appends in parallel are all there, each whole and once",
    proves: async (harness, expect) => {
      const lines = Array.from({ length: 50 }, (_, index) => `line ${index} ${"x".repeat(index * 20)}\n`);
      await Promise.all(lines.map((line) => harness.files.append("d/a.md", bytesOf(line))));
      const found = ((await textAt(harness, "d/a.md")) ?? "").split(/(?<=\n)/);
      expect(found.toSorted()).toEqual(lines.toSorted());
    },
  },
  {
    says: "append adds to the file that stands there after a save by rename",
    proves: async (harness, expect) => {
      await harness.files.append("a.md", bytesOf("one\n"));
      await harness.replant("a.md", "one, edited\n");
      await harness.files.append("a.md", bytesOf("two\n"));
      expect(await textAt(harness, "a.md")).toBe("one, edited\ntwo\n");
    },
  },
  {
    says: "append keeps what stands there, whatever its last byte is",
    proves: async (harness, expect) => {
      await harness.plant("a.md", "no newline");
      await harness.files.append("a.md", bytesOf("|more"));
      expect(await textAt(harness, "a.md")).toBe("no newline|more");
    },
  },
  {
    says: "append refuses a folder",
    proves: async (harness, expect) => {
      await harness.plant("d/a.md", "x");
      expect(await endingOf(harness.files.append("d", bytesOf("x")))).toBe("not_a_file");
    },
  },
];

/** What `commit` must do. */
const commitCases: readonly Case<FilesHarness>[] = [
  {
    says: "commit creates, replaces and removes as one batch and leaves nothing else",
    proves: async (harness, expect) => {
      await harness.plant("d/old.md", "old");
      await harness.plant("d/gone.md", "gone");
      const outcomes = await harness.files.commit([
        { path: "e/f/new.md", bytes: bytesOf("new"), expect: "absent" },
        { path: "d/old.md", bytes: bytesOf("newer"), expect: { stamp: await stampAt(harness, "d/old.md") } },
        { path: "d/gone.md", bytes: undefined, expect: "anything" },
      ]);
      expect(outcomes.map(({ path, outcome }) => `${path} ${outcome}`)).toEqual([
        "e/f/new.md written",
        "d/old.md written",
        "d/gone.md removed",
      ]);
      expect(await harness.paths()).toEqual(["d/old.md", "e/f/new.md"]);
      expect(await textAt(harness, "d/old.md")).toBe("newer");
    },
  },
  {
    says: "the stamp of an outcome is the one that read and list tell",
    proves: async (harness, expect) => {
      const [outcome] = await harness.files.commit([{ path: "d/a.md", bytes: bytesOf("x"), expect: "absent" }]);
      expect(outcome?.stamp).toBe(await stampAt(harness, "d/a.md"));
      expect((await harness.files.list("d"))[0]?.stamp).toBe(outcome?.stamp);
    },
  },
  {
    says: "an empty folder can be removed, and nothing else by that",
    proves: async ({ files, plant, paths }, expect) => {
      if (files.removeEmptyFolder === undefined) return;
      await plant("d/a.md", "one");
      expect(await files.removeEmptyFolder("d")).toBe("kept");
      expect(await files.removeEmptyFolder("d/a.md")).toBe("kept");
      expect(await files.removeEmptyFolder("e/f")).toBe("kept");
      await files.commit([{ path: "d/a.md", bytes: undefined, expect: "anything" }]);
      expect(await files.removeEmptyFolder("d")).toBe("removed");
      expect((await files.list("")).some(({ name }) => name === "d")).toBe(false);
      await files.commit([{ path: "d/b.md", bytes: bytesOf("two"), expect: "absent" }]);
      expect(await paths()).toEqual(["d/b.md"]);
    },
  },
  {
    says: "a file that changed stays as it is, and the others go on",
    proves: async (harness, expect) => {
      await harness.plant("a.md", "one");
      const stamp = await stampAt(harness, "a.md");
      await harness.plant("a.md", "two");
      const outcomes = await harness.files.commit([
        { path: "a.md", bytes: bytesOf("ours"), expect: { stamp } },
        { path: "b.md", bytes: bytesOf("b"), expect: "absent" },
      ]);
      expect(outcomes.map((outcome) => outcome.outcome)).toEqual(["changed", "written"]);
      expect(await textAt(harness, "a.md")).toBe("two");
      expect(await harness.paths()).toEqual(["a.md", "b.md"]);
    },
  },
  {
    says: "a file that must be absent and is not stays as it is, and no folder is made for one that changed",
    proves: async (harness, expect) => {
      await harness.plant("a.md", "theirs");
      const outcomes = await harness.files.commit([
        { path: "a.md", bytes: bytesOf("ours"), expect: "absent" },
        { path: "none/b.md", bytes: bytesOf("ours"), expect: { stamp: "1-1-1-1" } },
      ]);
      expect(outcomes.map((outcome) => outcome.outcome)).toEqual(["changed", "changed"]);
      expect(await textAt(harness, "a.md")).toBe("theirs");
      expect((await harness.files.list("")).map((entry) => entry.name)).toEqual(["a.md"]);
    },
  },
  {
    says: "removing an absent file is done already, unless a stamp was expected",
    proves: async (harness, expect) => {
      const outcomes = await harness.files.commit([
        { path: "d/a.md", bytes: undefined, expect: "anything" },
        { path: "d/b.md", bytes: undefined, expect: "absent" },
        { path: "d/c.md", bytes: undefined, expect: { stamp: "1-1-1-1" } },
      ]);
      expect(outcomes.map((outcome) => outcome.outcome)).toEqual(["removed", "removed", "changed"]);
    },
  },
  {
    says: "a changed file is not removed",
    proves: async (harness, expect) => {
      await harness.plant("a.md", "one");
      const stamp = await stampAt(harness, "a.md");
      await harness.replant("a.md", "two");
      const [outcome] = await harness.files.commit([{ path: "a.md", bytes: undefined, expect: { stamp } }]);
      expect(outcome?.outcome).toBe("changed");
      expect(await textAt(harness, "a.md")).toBe("two");
    },
  },
  {
    says: "a batch of 500 files, cache or not, is all written, in the order asked",
    proves: async (harness, expect) => {
      const changes = Array.from({ length: 500 }, (_, index) => ({
        path: `d${index % 7}/f${index}.md`,
        bytes: bytesOf(`text ${index}`),
        expect: "absent" as const,
        durability: index % 2 === 0 ? ("synced" as const) : ("cache" as const),
      }));
      const outcomes = await harness.files.commit(changes);
      expect(outcomes.map((outcome) => outcome.path)).toEqual(changes.map((change) => change.path));
      expect(await harness.paths()).toEqual(changes.map((change) => change.path).toSorted());
      expect(await textAt(harness, "d3/f499.md")).toBe(undefined);
      expect(await textAt(harness, "d2/f499.md")).toBe("text 499");
    },
  },
  {
    says: "an empty batch and an empty file are fine",
    proves: async (harness, expect) => {
      expect(await harness.files.commit([])).toEqual([]);
      await harness.files.commit([{ path: "a.md", bytes: bytesOf(""), expect: "absent" }]);
      expect(await textAt(harness, "a.md")).toBe("");
    },
  },
];

/**
 * What every `Files` must do. Call it in a test file with the functions of the runner:
 * `describeFiles({ name: "my files", create }, { describe, it, expect })`.
 */
export function describeFiles(suite: Suite<FilesHarness>, runner: TestFunctions): void {
  const cases = [...readCases, ...appendCases, ...commitCases, ...refusalCases];
  describeCases({ ...suite, cases }, runner);
}
