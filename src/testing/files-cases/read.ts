import type { Case } from "../test-functions.ts";
import { bytesOf, stampAt, textAt, type FilesHarness } from "./harness.ts";

/** What `list` and `read` must do. */
export const readCases: readonly Case<FilesHarness>[] = [
  {
    says: "an absent folder has no entries",
    proves: async ({ files }, expect) => {
      expect(await files.list("no/such")).toEqual([]);
    },
  },
  {
    says: "entries are sorted by code unit",
    proves: async (harness, expect) => {
      for (const name of ["b.md", "a.md", "Z.md", "é.md", "\u{1f600}.md", "\uff5e.md"])
        await harness.plant(`d/${name}`, "x");
      const names = (await harness.files.list("d")).map((entry) => entry.name);
      expect(names).toEqual(["Z.md", "a.md", "b.md", "é.md", "\u{1f600}.md", "\uff5e.md"]);
    },
  },
  {
    says: "an entry tells its kind, its size and the stamp that read tells",
    proves: async (harness, expect) => {
      await harness.plant("d/sub/b.md", "12345");
      await harness.plant("d/a.md", "123");
      const entries = await harness.files.list("d");
      expect(entries.map(({ name, kind }) => `${name} ${kind}`)).toEqual(["a.md file", "sub folder"]);
      expect(entries[0]?.size).toBe(3);
      expect(entries[0]?.stamp).toBe(await stampAt(harness, "d/a.md"));
    },
  },
  {
    says: "the empty path lists the project folder",
    proves: async (harness, expect) => {
      await harness.plant("a.md", "x");
      expect((await harness.files.list("")).map((entry) => entry.name)).toEqual(["a.md"]);
    },
  },
  {
    says: "an absent file is undefined, also in an absent folder",
    proves: async (harness, expect) => {
      await harness.plant("d/a.md", "x");
      expect(await harness.files.read("d/b.md")).toBe(undefined);
      expect(await harness.files.read("e/f/a.md")).toBe(undefined);
    },
  },
  {
    says: "bytes come back as they are: NUL, CRLF, BOM, invalid UTF-8",
    proves: async ({ files }, expect) => {
      const bytes = Uint8Array.from([0xef, 0xbb, 0xbf, 0, 13, 10, 0xff, 0xfe, 0xc3, 0x28, 10]);
      await files.commit([{ path: "a.bin", bytes, expect: "absent" }]);
      expect([...((await files.read("a.bin"))?.bytes ?? [])]).toEqual([...bytes]);
    },
  },
  {
    says: "a range is a part of the file, cut to what is there, with the whole size",
    proves: async (harness, expect) => {
      await harness.plant("a.md", "0123456789");
      const ranges = [
        [2, 5],
        [8, 99],
        [50, 60],
        [5, 5],
      ] as const;
      for (const [from, to] of ranges) {
        const part = await harness.files.read("a.md", { from, to });
        expect(part?.size).toBe(10);
        expect([...(part?.bytes ?? [])]).toEqual([...bytesOf("0123456789".slice(from, to))]);
      }
    },
  },
  {
    says: "a stamp changes when another program saves the file in place or by rename",
    proves: async (harness, expect) => {
      await harness.plant("a.md", "one");
      const first = await stampAt(harness, "a.md");
      await harness.replant("a.md", "two");
      const second = await stampAt(harness, "a.md");
      await harness.plant("a.md", "three");
      expect(new Set([first, second, await stampAt(harness, "a.md")]).size).toBe(3);
      expect(await textAt(harness, "a.md")).toBe("three");
    },
  },
];
