import { describe, expect, it } from "vitest";
import { MemoryError } from "../../base/errors.ts";
import type { FileChange } from "../files.ts";
import { createFaultyFs, type FaultyFs } from "../../../test/fixtures/faulty-fs.ts";
import { describeFiles, type FilesHarness } from "../../../test/fixtures/files-suite.ts";
import type { Fault } from "../../../test/fixtures/faulty/calls.ts";
import { endingOf } from "../../testing/test-functions.ts";
import { createNodeFiles } from "./node-files.ts";
import { isTemporaryName } from "../../base/known-paths.ts";

const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const shown = (bytes: Uint8Array | undefined): string =>
  bytes === undefined ? "absent" : Buffer.from(bytes).toString();

const absent = async (): Promise<never> => Promise.reject(new Error("The faulty file system has none."));

async function faultyHarness(): Promise<FilesHarness> {
  const fs = createFaultyFs();
  return {
    files: createNodeFiles({ root: fs.root, fs }),
    plant: async (path, bytes) => fs.plant(path, bytes),
    replant: async (path, bytes) => {
      fs.plant(`${path}~`, bytes);
      fs.renameSync(`${fs.root}/${path}~`, `${fs.root}/${path}`);
    },
    paths: async () => [...fs.files().keys()].toSorted(),
    link: absent,
    fifo: absent,
    close: async () => {},
  };
}

const noLinks = "the faulty file system has no links and no FIFOs";
describeFiles(
  {
    name: "node-files on the faulty file system",
    create: faultyHarness,
    skip: {
      "a FIFO is not_a_file and never waited for": noLinks,
      "a link as the last part is refused, also one that stays inside, and listed as a link": noLinks,
      "a linked folder is followed inside the project and refused outside": noLinks,
    },
  },
  { describe, it, expect },
);

const before = { "d/old.md": "old", "d/gone.md": "gone", "raw.md": "raw\n" };
const long = "n".repeat(1500);
const changes: readonly FileChange[] = [
  { path: "d/old.md", bytes: text(long), expect: "anything" },
  { path: "d/gone.md", bytes: undefined, expect: "anything" },
  { path: "e/f/new.md", bytes: text(long), expect: "absent" },
];
const legal: Readonly<Record<string, readonly string[]>> = {
  "d/old.md": ["old", long],
  "d/gone.md": ["gone", "absent"],
  "e/f/new.md": ["absent", long],
  "raw.md": ["raw\n"],
};

/** Paths with neither the old nor the new bytes; temporary files of a killed run are allowed. */
function damageOn(fs: FaultyFs): readonly string[] {
  const files = fs.files();
  const wrong = Object.entries(legal).filter(([path, values]) => !values.includes(shown(files.get(path))));
  const litter = [...files.keys()].filter((path) => !(path in legal) && !isTemporaryName(path.split("/").at(-1) ?? ""));
  return [...wrong.map(([path]) => path), ...litter];
}

describe("a commit whose system calls fail", () => {
  it("leaves each file whole and no temporary files, and reports the cause, whichever call fails", async () => {
    const calm = createFaultyFs({ files: before });
    await createNodeFiles({ root: calm.root, fs: calm }).commit(changes);
    for (const fault of ["EIO", "ENOSPC", "EACCES"] as const) {
      for (let operation = 0; operation < calm.operations; operation += 1) {
        await expectWholeAfter(operation, fault);
      }
    }
  });

  it("continues after a short write", async () => {
    const fs = createFaultyFs();
    for (let operation = 0; operation < 40; operation += 1) fs.failAt(operation, "short_write");
    const files = createNodeFiles({ root: fs.root, fs });
    await files.commit([{ path: "a.md", bytes: text(long), expect: "absent" }]);
    expect(shown(fs.files().get("a.md"))).toBe(long);
  });

  it("never reports success if an fsync failed", async () => {
    const calm = createFaultyFs({ files: before });
    await createNodeFiles({ root: calm.root, fs: calm }).commit(changes);
    let failures = 0;
    for (let operation = 0; operation < calm.operations; operation += 1) {
      const fs = createFaultyFs({ files: before });
      const fsync: FaultyFs["fsync"] = (fd, done) => {
        if (fs.operations === operation) fs.failAt(operation, "EIO");
        fs.fsync(fd, done);
      };
      const ending = await endingOf(createNodeFiles({ root: fs.root, fs: { ...fs, fsync } }).commit(changes));
      if (ending === "io") failures += 1;
    }
    expect(failures).toBe(calm.counters.fsyncSync);
  });
});

async function expectWholeAfter(operation: number, fault: Fault): Promise<void> {
  const fs = createFaultyFs({ files: before });
  fs.failAt(operation, fault);
  const files = createNodeFiles({ root: fs.root, fs });
  const error: unknown = await files.commit(changes).then(
    () => undefined,
    (cause: unknown) => cause,
  );
  expect(error instanceof MemoryError ? error.code : error).toBe(fault === "ENOSPC" ? "disk_full" : "io");
  expect(error instanceof MemoryError && error.message.includes(fault)).toBe(true);
  expect(damageOn(fs)).toEqual([]);
  const litter = [...fs.files().keys()].filter((path) => isTemporaryName(path.split("/").at(-1) ?? ""));
  expect(litter, `litter after ${fault} at ${operation}`).toEqual([]);
  await files.commit(changes);
  expect(shown(fs.files().get("e/f/new.md"))).toBe(long);
}

describe("an append to a new file", () => {
  it("leaves no empty file on a full disk, whichever call fails", async () => {
    const calm = createFaultyFs();
    await createNodeFiles({ root: calm.root, fs: calm }).append("d/new.md", text(long));
    let refused = 0;
    for (let operation = 0; operation < calm.operations; operation += 1) {
      const fs = createFaultyFs();
      fs.failAt(operation, "ENOSPC");
      const files = createNodeFiles({ root: fs.root, fs });
      if ((await endingOf(files.append("d/new.md", text(long)))) === "disk_full") refused += 1;
      expect([undefined, long]).toContain(fs.files().has("d/new.md") ? shown(fs.files().get("d/new.md")) : undefined);
      await files.append("d/new.md", text("more"));
    }
    expect(refused).toBeGreaterThan(3);
  });

  it("keeps an existing empty file and another process's appended bytes if it fails", async () => {
    const fs = createFaultyFs({ files: { "there.md": "" } });
    let planted = "";
    const writeSync = (): number => {
      if (planted !== "") fs.plant(planted, "theirs");
      throw Object.assign(new Error("full"), { code: "ENOSPC" });
    };
    const files = createNodeFiles({ root: fs.root, fs: { ...fs, writeSync } });
    expect(await endingOf(files.append("there.md", text("ours")))).toBe("disk_full");
    expect(shown(fs.files().get("there.md"))).toBe("");
    planted = "new.md";
    expect(await endingOf(files.append("new.md", text("ours")))).toBe("disk_full");
    expect(shown(fs.files().get("new.md"))).toBe("theirs");
  });
});

async function run(ignoreFsync: "none" | "files" | "folders"): Promise<FaultyFs> {
  const fs = createFaultyFs({ files: before, ignoreFsync });
  await createNodeFiles({ root: fs.root, fs }).commit(changes);
  return fs;
}

describe("a commit that loses power", () => {
  it("leaves each file entirely old or entirely new, and new after acknowledgement", async () => {
    const fs = await run("none");
    for (const crash of fs.crashStates(1, 2000)) {
      expect(damageOn(crash.fs)).toEqual([]);
      if (crash.at === fs.operations) expect(shown(crash.fs.files().get("e/f/new.md"))).toBe(long);
    }
  });

  it("fails without the fsync of files (negative control)", async () => {
    const fs = await run("files");
    expect([...fs.crashStates(1, 300)].some((crash) => damageOn(crash.fs).length > 0)).toBe(true);
  });

  it("fails without the fsync of folders (negative control)", async () => {
    const fs = await run("folders");
    const lost = [...fs.crashStates(1, 300)].filter(
      (crash) => crash.at === fs.operations && crash.fs.files().get("e/f/new.md") === undefined,
    );
    expect(lost.length > 0).toBe(true);
  });
});

async function race(stamps: "real" | "blind"): Promise<string> {
  const fs = createFaultyFs({ files: { "a.md": "old" }, stamps });
  let edits = 0;
  const fsync: FaultyFs["fsync"] = (fd, done) => {
    fs.fsyncSync(fd);
    if (edits++ === 0) fs.plant("a.md", "hey");
    done(null);
  };
  const files = createNodeFiles({ root: fs.root, fs: { ...fs, fsync } });
  const stamp = (await files.read("a.md"))?.stamp ?? "";
  await files.commit([{ path: "a.md", bytes: text("ours"), expect: { stamp } }]);
  return shown(fs.files().get("a.md"));
}

describe("a foreign edit during a commit", () => {
  it("is kept", async () => expect(await race("real")).toBe("hey"));
  it("is lost if stamps do not detect it (negative control)", async () => expect(await race("blind")).toBe("ours"));
});
