import { endingOf, type Case } from "../test-functions.ts";
import { bytesOf, textAt, type FilesHarness } from "./harness.ts";

/** What must be refused, and without a side effect. */
export const refusalCases: readonly Case<FilesHarness>[] = [
  {
    says: "a path outside the grammar is invalid_path everywhere",
    proves: async (harness, expect) => {
      const wrong = ["", "/a", "a/", "a//b", ".", "./a", "..", "../a", "a/../b", "a/./b", "\\a", "a\0b"];
      const endings = await Promise.all(wrong.flatMap((path) => waysOf(harness, path).map(endingOf)));
      expect(new Set(endings)).toEqual(new Set(["invalid_path"]));
      expect(await endingOf(harness.files.list("../a"))).toBe("invalid_path");
      expect(await harness.files.list("")).toEqual([]);
    },
  },
  {
    says: "a folder is not_a_file",
    proves: async (harness, expect) => {
      await harness.plant("d/a.md", "x");
      expect(await Promise.all(waysOf(harness, "d").map(endingOf))).toEqual(Array(4).fill("not_a_file"));
      expect(await harness.paths()).toEqual(["d/a.md"]);
    },
  },
  {
    says: "one refused change refuses its batch before anything is written",
    proves: async (harness, expect) => {
      const changes = ["a.md", "../b.md"].map((path) => ({ path, bytes: bytesOf("x"), expect: "anything" as const }));
      expect(await endingOf(harness.files.commit(changes))).toBe("invalid_path");
      expect(await harness.files.list("")).toEqual([]);
    },
  },
  {
    says: "a file where a folder should be: nothing to read, io to write",
    proves: async (harness, expect) => {
      await harness.plant("a.md", "x");
      expect(await endingOf(harness.files.append("a.md/b.md", bytesOf("x")))).toBe("io");
      expect(await endingOf(harness.files.list("a.md"))).toBe("io");
      expect(await textAt(harness, "a.md")).toBe("x");
    },
  },
  {
    says: "a FIFO is not_a_file and never waited for",
    proves: async (harness, expect) => {
      await harness.fifo("pipe");
      expect(await Promise.all(waysOf(harness, "pipe").map(endingOf))).toEqual(Array(4).fill("not_a_file"));
      expect((await harness.files.list("")).map(({ kind }) => kind)).toEqual(["other"]);
    },
  },
  {
    says: "a link as the last part is refused, also one that stays inside, and listed as a link",
    proves: async (harness, expect) => {
      await harness.plant("a.md", "x");
      await harness.link("in.md", { inside: "a.md" });
      await harness.link("out.md", "file_outside");
      for (const path of ["in.md", "out.md"]) {
        expect(await Promise.all(waysOf(harness, path).map(endingOf))).toEqual(Array(4).fill("link_outside"));
      }
      expect((await harness.files.list("")).map(({ name, kind }) => `${name} ${kind}`)).toEqual([
        "a.md file",
        "in.md link",
        "out.md link",
      ]);
    },
  },
  {
    says: "a linked folder is followed inside the project and refused outside",
    proves: async (harness, expect) => {
      await harness.plant("d/a.md", "x");
      await harness.link("in", { inside: "d" });
      await harness.link("out", "folder_outside");
      expect(await textAt(harness, "in/a.md")).toBe("x");
      const ways = [...waysOf(harness, "out/secret.md"), ...waysOf(harness, "out/new/b.md"), harness.files.list("out")];
      expect(new Set(await Promise.all(ways.map(endingOf)))).toEqual(new Set(["link_outside"]));
    },
  },
];

/** Every way to reach a file. */
function waysOf({ files }: FilesHarness, path: string): Promise<unknown>[] {
  return [
    files.read(path),
    files.append(path, bytesOf("x")),
    files.commit([{ path, bytes: bytesOf("x"), expect: "anything" }]),
    files.commit([{ path, bytes: undefined, expect: "anything" }]),
  ];
}
