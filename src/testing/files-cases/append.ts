import { endingOf, type Case } from "../test-functions.ts";
import { bytesOf, stampAt, textAt, type FilesHarness } from "./harness.ts";

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
