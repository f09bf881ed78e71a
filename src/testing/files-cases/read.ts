import type { Files } from "../../platform/files.ts";
import { type Case, endingOf } from "../test-functions.ts";

/** An empty project folder behind a `Files`, and hands that reach into it past the adapter. */
export interface FilesHarness {
  readonly files: Files;
  /** Another program saves a file in place, with its folders. */
  plant(path: string, text: string): Promise<void>;
  /** Another program saves a file by writing a new one and renaming it over the path. */
  replant(path: string, text: string): Promise<void>;
  /** The paths of all files, by code unit. */
  paths(): Promise<readonly string[]>;
  /** Makes a link at `path` to a path in the project, or to a folder outside with one file `secret.md` in it. */
  link(path: string, target: { readonly inside: string } | "folder_outside" | "file_outside"): Promise<void>;
  fifo(path: string): Promise<void>;
  close(): Promise<void>;
}

/** The bytes of a text. */
export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** The text that a path holds now; `undefined` when absent. */
export async function textAt(harness: FilesHarness, path: string): Promise<string | undefined> {
  const read = await harness.files.read(path);
  return read === undefined ? undefined : new TextDecoder("utf-8", { ignoreBOM: true }).decode(read.bytes);
}

/** The stamp that a path has now. */
export async function stampAt(harness: FilesHarness, path: string): Promise<string> {
  return (await harness.files.read(path))?.stamp ?? "absent";
}

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
