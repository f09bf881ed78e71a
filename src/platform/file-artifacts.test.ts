import * as nodeFs from "node:fs";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sha256 } from "../base/digest.ts";
import { MemoryError } from "../base/errors.ts";
import { isTemporaryName } from "../base/known-paths.ts";
import { createFaultyFs, type FaultyFs } from "../../test/fixtures/faulty-fs.ts";
import { createSeededRandom, describeArtifactStore } from "../testing/index.ts";
import { endingOf } from "../testing/test-functions.ts";
import { createFileArtifacts } from "./file-artifacts.ts";
import { createNodeFiles } from "./node-files/node-files.ts";

const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const below = ".heartwood/artifacts";
const pathOf = (id: string): string => `${below}/${id.slice(0, 2)}/${id}.json`;

function makeProject(): { readonly dir: string; readonly folder: string; remove(): void } {
  const dir = mkdtempSync(join(tmpdir(), "heartwood-artifacts-"));
  return { dir, folder: join(dir, below), remove: () => rmSync(dir, { recursive: true, force: true }) };
}

describeArtifactStore(
  {
    name: "file-artifacts",
    create: async () => {
      const { dir, folder, remove } = makeProject();
      return {
        store: createFileArtifacts(createNodeFiles({ root: dir })),
        other: createFileArtifacts(createNodeFiles({ root: dir })),
        spoil: async (id, bytes) => nodeFs.writeFileSync(join(dir, pathOf(id)), bytes),
        kept: async (id) => {
          const shard = join(folder, id.slice(0, 2));
          const names = nodeFs.readdirSync(shard).filter((name) => name.startsWith(id));
          return names.map((name) => nodeFs.readFileSync(join(shard, name)));
        },
        close: async () => remove(),
      };
    },
  },
  { describe, it, expect },
);

describe("files of the artifact store", () => {
  it("have mode 0600 in folders with 0700, and no temporary file remains", async () => {
    const { dir, folder, remove } = makeProject();
    const id = await createFileArtifacts(createNodeFiles({ root: dir })).put(text("{}"));
    const modeOf = (path: string): number => nodeFs.statSync(path).mode & 0o777;
    expect(modeOf(join(dir, pathOf(id)))).toBe(0o600);
    for (const path of [join(folder, id.slice(0, 2)), folder, join(dir, ".heartwood")])
      expect(modeOf(path)).toBe(0o700);
    expect(nodeFs.readdirSync(join(folder, id.slice(0, 2)))).toEqual([`${id}.json`]);
    remove();
  });

  it("are not rewritten if the right bytes are already there", async () => {
    const { dir, remove } = makeProject();
    const store = createFileArtifacts(createNodeFiles({ root: dir }));
    const id = await store.put(text("{}"));
    const before = nodeFs.statSync(join(dir, pathOf(id)));
    await store.put(text("{}"));
    await createFileArtifacts(createNodeFiles({ root: dir })).putAll([text("{}"), text("{}")]);
    const after = nodeFs.statSync(join(dir, pathOf(id)));
    expect([after.ino, after.mtimeMs]).toEqual([before.ino, before.mtimeMs]);
    remove();
  });

  it("are refused at once if they are a FIFO, a folder or a link", async () => {
    const { dir, remove } = makeProject();
    const store = createFileArtifacts(createNodeFiles({ root: dir }));
    const id = await store.put(text("{}"));
    const path = join(dir, pathOf(id));
    nodeFs.unlinkSync(path);
    execFileSync("mkfifo", [path]);
    expect(await endingOf(store.get(id))).toBe("not_a_file");
    expect(await endingOf(store.put(text("{}")))).toBe("not_a_file");
    nodeFs.unlinkSync(path);
    nodeFs.mkdirSync(path);
    expect(await endingOf(store.get(id))).toBe("not_a_file");
    nodeFs.rmdirSync(path);
    nodeFs.writeFileSync(join(dir, "elsewhere"), "{}");
    nodeFs.symlinkSync(join(dir, "elsewhere"), path);
    expect(await endingOf(store.get(id))).toBe("link_outside");
    expect(await endingOf(store.put(text("{}")))).toBe("link_outside");
    remove();
  });

  it("are not read through a linked folder", async () => {
    const [{ dir, folder, remove }, elsewhere] = [makeProject(), makeProject()];
    const id = await createFileArtifacts(createNodeFiles({ root: elsewhere.dir })).put(text("{}"));
    nodeFs.mkdirSync(join(dir, ".heartwood"));
    nodeFs.symlinkSync(elsewhere.folder, folder);
    expect(await endingOf(createFileArtifacts(createNodeFiles({ root: dir })).get(id))).toBe("link_outside");
    expect(await endingOf(createFileArtifacts(createNodeFiles({ root: dir })).put(text("{}")))).toBe("link_outside");
    remove();
    elsewhere.remove();
  });

  it("that the tree stores as Markdown are read and verified", async () => {
    const { dir, folder, remove } = makeProject();
    const id = sha256("# A record\n");
    nodeFs.mkdirSync(join(folder, id.slice(0, 2)), { recursive: true });
    nodeFs.writeFileSync(join(folder, id.slice(0, 2), `${id}.md`), "# A record\n");
    const store = createFileArtifacts(createNodeFiles({ root: dir }));
    expect(Buffer.from((await store.get(id)) ?? []).toString()).toBe("# A record\n");
    nodeFs.writeFileSync(join(folder, id.slice(0, 2), `${id}.md`), "# Another\n");
    expect(await endingOf(store.get(id))).toBe("artifact_damaged");
    remove();
  });
});

const states = Number(process.env["HEARTWOOD_CRASH_STATES"] ?? 2000);
const seedBytes = (count: number): readonly Uint8Array[] =>
  Array.from({ length: count }, (_, at) => text(`{"n":${at},"text":"${"n".repeat((at % 5) * 400)}"}`));

describe("a put whose system calls fail", () => {
  it("leaves every artifact absent or whole and no temporary files, reports the cause, and then succeeds, whichever call fails", async () => {
    const all = seedBytes(3);
    const calm = createFaultyFs();
    await storeOn(calm).putAll(all);
    for (const fault of ["EIO", "ENOSPC", "EACCES"] as const) {
      for (let operation = 0; operation < calm.operations; operation += 1) {
        const fs = createFaultyFs();
        fs.failAt(operation, fault);
        const store = storeOn(fs);
        const error: unknown = await store.putAll(all).catch((cause: unknown) => cause);
        expect(error instanceof MemoryError ? error.code : error, `${fault} at ${operation}`).toBe(
          fault === "ENOSPC" ? "disk_full" : "io",
        );
        expect([...brokenOn(fs), ...litterOn(fs)]).toEqual([]);
        expect(await store.putAll(all)).toEqual(all.map((bytes) => sha256(bytes)));
        expect(missingOn(fs, all)).toEqual([]);
      }
    }
  });

  it("continues after a short write", async () => {
    const fs = createFaultyFs();
    for (let operation = 0; operation < 40; operation += 1) fs.failAt(operation, "short_write");
    await storeOn(fs).putAll(seedBytes(4));
    expect([...missingOn(fs, seedBytes(4)), ...brokenOn(fs)]).toEqual([]);
  });
});

describe("a store on a disk that loses power", () => {
  it(`has each artifact absent or whole, and whole after acknowledgement, in ${states} crash states`, async () => {
    const seen = await crashRuns("none", states);
    expect(seen.damage.slice(0, 5)).toEqual([]);
    expect(seen.states).toBeGreaterThanOrEqual(states);
    expect(seen.acknowledged).toBeGreaterThan(seen.states);
  });

  for (const ignoreFsync of ["files", "folders", "all"] as const) {
    it(`fails without the fsync of ${ignoreFsync} (negative control)`, async () => {
      expect((await crashRuns(ignoreFsync, 400)).damage.length).toBeGreaterThan(0);
    });
  }
});

function storeOn(fs: FaultyFs, seed = 1): ReturnType<typeof createFileArtifacts> {
  return createFileArtifacts(createNodeFiles({ root: fs.root, fs, random: createSeededRandom(seed) }));
}

const nameIn = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

function litterOn(fs: FaultyFs): readonly string[] {
  return [...fs.files().keys()].filter((path) => isTemporaryName(nameIn(path)));
}

/** Non-temporary files whose contents do not match their name. */
function brokenOn(fs: FaultyFs): readonly string[] {
  return [...fs.files()]
    .filter(([path, bytes]) => !isTemporaryName(nameIn(path)) && path !== pathOf(sha256(bytes)))
    .map(([path]) => path);
}

function missingOn(fs: FaultyFs, all: readonly Uint8Array[]): readonly string[] {
  const files = fs.files();
  return all.map((bytes) => pathOf(sha256(bytes))).filter((path) => !files.has(path));
}

interface Seen {
  states: number;
  acknowledged: number;
  readonly damage: string[];
}

const runs = 20;

/** Sequential and concurrent puts by two processes, some with a failed fsync, with power loss at points throughout the run. */
async function crashRuns(ignoreFsync: "none" | "files" | "folders" | "all", count: number): Promise<Seen> {
  const seen: Seen = { states: 0, acknowledged: 0, damage: [] };
  for (let seed = 0; seed < runs; seed += 1) {
    const fs = createFaultyFs({ ignoreFsync });
    const acknowledged = await recordRun(fs, seed);
    for (const crash of fs.crashStates(seed, Math.ceil(count / runs))) {
      const known = acknowledged.filter(({ at }) => at <= crash.at).map(({ bytes }) => bytes);
      seen.states += 1;
      seen.acknowledged += known.length;
      seen.damage.push(...brokenOn(crash.fs), ...missingOn(crash.fs, known));
      await storeOn(crash.fs, seed + 100).putAll(seedBytes(3));
      seen.damage.push(...brokenOn(crash.fs), ...missingOn(crash.fs, [...known, ...seedBytes(3)]));
    }
  }
  return seen;
}

interface Acknowledged {
  readonly bytes: Uint8Array;
  readonly at: number;
}

async function recordRun(fs: FaultyFs, seed: number): Promise<readonly Acknowledged[]> {
  const random = createSeededRandom(seed);
  const stores = [storeOn(fs, seed), storeOn(fs, seed + 50)];
  const acknowledged: Acknowledged[] = [];
  if (seed % 4 === 1) for (let count = 0; count < 8; count += 1) fs.failAt(random.below(600), "EIO");
  const put = async (all: readonly Uint8Array[]): Promise<void> => {
    const isDone = await (stores[random.below(2)] ?? storeOn(fs)).putAll(all).then(
      () => true,
      () => false,
    );
    if (isDone) for (const bytes of all) acknowledged.push({ bytes, at: fs.operations });
  };
  for (let turn = 0; turn < 6; turn += 1) {
    const pick = (): readonly Uint8Array[] => seedBytes(12).filter(() => random.chance(0.3));
    if (random.chance(0.5)) await Promise.all([put(pick()), put(pick())]);
    else await put(pick());
  }
  return acknowledged;
}
