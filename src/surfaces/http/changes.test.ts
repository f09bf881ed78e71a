import { afterEach, describe, expect, test } from "vitest";
import { MemoryError } from "../../base/errors.ts";
import { openTestMemory } from "../../../test/fixtures/memory.ts";
import { watchFolders, type FolderWatch } from "../../platform/watch.ts";
import { createChanges } from "./changes.ts";
import type { ServerEvent } from "./events.ts";

const stop = new AbortController();
const streams = new Set<AbortController>();
afterEach(() => {
  for (const one of streams) one.abort();
  streams.clear();
});

function listen(changes: ReturnType<typeof createChanges>, since?: string) {
  const ending = new AbortController();
  streams.add(ending);
  const events = changes.events(since, AbortSignal.any([ending.signal, stop.signal]))[Symbol.asyncIterator]();
  return {
    next: async (): Promise<{ id: string; changed: readonly string[] }> => {
      const { value } = (await events.next()) as { value: ServerEvent };
      return { id: value.id, ...(JSON.parse(value.data) as { changed: readonly string[] }) };
    },
    end: () => ending.abort(),
  };
}

describe("changes of a memory", () => {
  const disk = () => openTestMemory({ disk: "folder", files: { "memory/2026-03-14.md": "# a\n", "MEMORY.md": "m\n" } });
  const watched = (memory: ReturnType<typeof disk>["memory"]) =>
    createChanges({ files: memory.files, watch: (changed) => watchFolders(memory.dir, changed) });

  test.each([
    ["memory/2026-03-14.md", ["logs"]],
    ["memory/2026-03-15.md", ["logs"]],
    ["memory/daily/2026-03-14.md", ["nodes"]],
    ["memory/ROOT.md", ["root"]],
    ["MEMORY.md", ["notes"]],
    ["knowledge/a/b.md", ["notes"]],
    [".heartwood/threads/threads.sqlite", ["threads"]],
    [".heartwood/sessions/x.jsonl", ["sessions"]],
    [".heartwood/audit/x.json", ["audit"]],
  ])("a new version of %s is reported as %j, and with an older id at once", async (path, changed) => {
    const { memory, write } = disk();
    const changes = watched(memory);
    const listener = listen(changes);
    const first = await listener.next();
    expect(first.changed).toEqual([]);
    write(path, "another text, of another length\n");
    const second = await listener.next();
    expect(second.changed).toEqual(changed);
    expect((await listen(changes, first.id).next()).changed).toEqual(changed);
    expect((await listen(changes, "of another version").next()).changed.length).toBe(8);
  });

  test("a file that belongs to nothing is not reported", async () => {
    const { memory, write } = disk();
    const listener = listen(watched(memory));
    await listener.next();
    write("package.json", "{}\n");
    write(".heartwood/threads/threads.sqlite-shm", "x");
    write("memory/.hw-0123456789abcdef01234567.tmp", "x");
    write("memory/ROOT.md", "# root\n");
    expect((await listener.next()).changed).toEqual(["root"]);
  });

  test("without hints from the system they are found by looking now and then", async () => {
    const { memory, write } = disk();
    const deaf: FolderWatch = { watch: () => "partly", close: () => undefined };
    const listener = listen(createChanges({ files: memory.files, watch: () => deaf }));
    await listener.next();
    write("memory/2026-03-15.md", "# b\n");
    expect((await listener.next()).changed).toEqual(["logs"]);
  });

  test("threads that are not in files are asked for, and did not change while they cannot be reached", async () => {
    const { memory, write } = disk();
    let state: string | undefined = "1";
    const threadsState = async (): Promise<string> => {
      if (state === undefined) throw new MemoryError("io", "The server cannot be reached.");
      return state;
    };
    const deaf: FolderWatch = { watch: () => "partly", close: () => undefined };
    const listener = listen(createChanges({ files: memory.files, watch: () => deaf, threadsState }));
    await listener.next();
    state = "2";
    expect((await listener.next()).changed).toEqual(["threads"]);
    state = undefined;
    write("memory/2026-03-15.md", "# c\n");
    expect((await listener.next()).changed).toEqual(["logs"]);
  });

  test("watching ends with the last listener and begins again with the next", async () => {
    const { memory, write } = disk();
    const seen = { opened: 0, closed: 0 };
    const changes = createChanges({
      files: memory.files,
      watch: (changed) => {
        seen.opened += 1;
        const real = watchFolders(memory.dir, changed);
        return { ...real, close: () => void ((seen.closed += 1), real.close()) };
      },
    });
    const [a, b] = [listen(changes), listen(changes)];
    const { id } = await a.next();
    await b.next();
    expect(seen).toEqual({ opened: 1, closed: 0 });
    const [aEnds, bEnds] = [a.next().catch(() => undefined), b.next().catch(() => undefined)];
    a.end();
    b.end();
    await Promise.all([aEnds, bEnds]);
    await expect.poll(() => seen.closed).toBe(1);
    write("memory/2026-03-15.md", "# b\n");
    expect((await listen(changes, id).next()).changed).toEqual(["logs"]);
    expect(seen.opened).toBe(2);
  });
});
