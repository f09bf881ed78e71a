import { describe, expect, it } from "vitest";
import { compactMemory } from "../../src/summaries/run/compact.ts";
import type { Files } from "../../src/platform/files.ts";
import { createFaultyFs, type FaultyFs } from "../fixtures/faulty-fs.ts";
import { isRawLog, only, openOn, textOf, type Scene } from "../fixtures/crash-scene.ts";
import { firstBuild, incremental } from "../fixtures/crash-scenes.ts";

/**
 * G3: a file that a user saves at any moment of a compaction is not overwritten: the text is found where the user put it, or in the
 * log, the archive or the artifacts. The only exception is the moment between the last comparison and the rename, which no system can close.
 */
const stride = process.env["HEARTWOOD_FAULTS"] === "all" ? 3 : 17;
const words = "words that a person saved meanwhile";

const saves = [
  ["MEMORY.md", (text: string) => `${text}\n${words}\n`],
  ["memory/ROOT.md", (text: string) => `${text}- Saved [project]: ${words}\n`],
  ["memory/daily/2026-03-24.md", (text: string) => `${text}- ${words}\n`],
  ["memory/monthly/2026-03.md", (text: string) => text.replace(/\n[^\n]*\n$/u, `\n${words}\n`)],
  ["memory/2026-03-05.md", (text: string) => `${text}\n- ${words}\n`],
] as const;

/** The files that a run writes. */
const written = saves.slice(0, 4);

describe("a user saves a file while a compaction runs", () => {
  it.each(saves)("%s: the saved file is kept, whenever it is saved", async (path, edit) => {
    const seen = await race({ path, edit });
    expect(seen.lost).toEqual([]);
    expect(seen.races > 30).toBe(true);
  });

  it.each(written)("%s: a file saved just before the comparison is kept", async (path, edit) => {
    expect(await savedBeforeCommit({ path, edit, comparing: (files) => files })).toBe("kept");
  });

  it.each(written)("%s: the file is lost if the comparison is patched out (negative control)", async (path, edit) => {
    const comparing = (files: Files): Files => ({
      ...files,
      commit: (changes) => files.commit(changes.map((change) => ({ ...change, expect: "anything" }))),
    });
    expect(await savedBeforeCommit({ path, edit, comparing })).toBe("lost");
  });
});

interface Seen {
  races: number;
  readonly lost: string[];
}

interface Save {
  readonly path: string;
  readonly edit: (text: string) => string;
}

async function race({ path, edit }: Save): Promise<Seen> {
  const { scene, operations } = await sceneOf();
  const seen: Seen = { races: 0, lost: [] };
  for (let operation = 0; operation < operations; operation += stride) {
    const disk = createFaultyFs({ files: scene.start });
    const { fs, saved } = savingAt(disk, { operation, path, edit });
    await compactMemory(openOn(fs, { today: scene.today, seed: operation }), {}, {});
    if (!saved()) continue;
    seen.races += 1;
    for (const seed of [1, 2]) await compactMemory(openOn(disk, { today: scene.today, seed }), {}, {});
    if (!isKept(disk, path)) seen.lost.push(`${path} saved before call ${operation}`);
  }
  return seen;
}

/** The user saves when a run has read and composed everything and is about to replace the file. */
async function savedBeforeCommit({
  path,
  edit,
  comparing,
}: Save & { readonly comparing: (files: Files) => Files }): Promise<"kept" | "lost"> {
  const { scene } = await sceneOf();
  const disk = createFaultyFs({ files: scene.start });
  let saves = 0;
  const files = (own: Files): Files => {
    const compared = comparing(own);
    return {
      ...compared,
      commit: (changes) => {
        const old = disk.files().get(path);
        if (saves === 0 && old !== undefined && changes.some((change) => change.path === path)) {
          saves += 1;
          disk.plant(path, edit(textOf(old)));
        }
        return compared.commit(changes);
      },
    };
  };
  await compactMemory(openOn(disk, { today: scene.today, seed: 7, files }), {}, {});
  expect(saves).toBe(1);
  for (const seed of [1, 2]) await compactMemory(openOn(disk, { today: scene.today, seed }), {}, {});
  return isKept(disk, path) ? "kept" : "lost";
}

async function sceneOf(): Promise<{ readonly scene: Scene; readonly operations: number }> {
  const scene = await incremental(1);
  expect(textOf(Buffer.from(firstBuild(1).start["heartwood.config.json"] ?? ""))).toContain("openclaw");
  const fs = createFaultyFs({ files: scene.start });
  await compactMemory(openOn(fs, { today: scene.today, seed: 7 }), {}, {});
  return { scene, operations: fs.operations };
}

/** A disk on which a user saves a file just before one call, unless that call is the rename that puts our file there. */
function savingAt(
  disk: FaultyFs,
  when: { readonly operation: number; readonly path: string; readonly edit: (text: string) => string },
): { readonly fs: FaultyFs; saved(): boolean } {
  let state: "waiting" | "saved" | "passed" = "waiting";
  const before = (call: PropertyKey, args: readonly unknown[]): void => {
    if (state !== "waiting" || disk.operations < when.operation) return;
    const old = disk.files().get(when.path);
    const isWindow = call === "renameSync" && args[1] === `${disk.root}/${when.path}`;
    state = isWindow || old === undefined ? "passed" : "saved";
    if (state === "saved") disk.plant(when.path, when.edit(textOf(old)));
  };
  const fs = new Proxy(disk, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function" || !String(name).endsWith("Sync")) return member;
      return (...args: readonly unknown[]) => {
        before(name, args);
        return Reflect.apply(member, target, args) as unknown;
      };
    },
  });
  return { fs, saved: () => state === "saved" };
}

/** A line in ROOT.md is restored from a log; everything else stays in place or is kept byte for byte. */
function isKept(disk: FaultyFs, path: string): boolean {
  const kept = only(
    disk.files(),
    (candidate) =>
      !candidate.startsWith(".heartwood/cache/") && (path === "memory/ROOT.md" ? isRawLog(candidate) : true),
  );
  return [...kept.values()].some((bytes) => textOf(bytes).includes(words));
}
