import { ifMemoryError, MemoryError } from "../base/errors.ts";
import { rootPath } from "../tree/model/period.ts";
import { addJournalEntry, archiveBytes } from "../tree/logs/archive.ts";
import { loadTree } from "../tree/run/load.ts";
import { withLogicalLogs } from "../tree/memory.ts";
import type { Memory } from "./operation.ts";
import { cachePath, cacheProblem, findLeftovers, passInTheWay, problem, type Check } from "./doctor-tree.ts";
import { redactNodes } from "../tree/run/redact-nodes.ts";
import { stateFilePath, writeStateFile } from "../tree/run/tree-files.ts";
import { cacheFolder } from "../tree/run/idle.ts";
import { pushAll } from "../base/lists.ts";

/** How long a fix waits for a running process, in milliseconds. */
const lockWait = 30_000;

/** Fixes what is safe to fix, while no other process writes. Errors: `busy`. */
export async function runFixes(memory: Memory) {
  const tree = await memory.locks.acquire("tree", { holder: "doctor --fix", waitMs: lockWait });
  try {
    const append = await memory.locks.acquire("append", { holder: "doctor --fix", waitMs: lockWait });
    try {
      return await runAll(memory);
    } finally {
      await append.release();
    }
  } finally {
    await tree.release();
  }
}

/** Tries every fix, even if one fails. */
async function runAll(memory: Memory) {
  const fixed: string[] = [];
  const failed: Check[] = [];
  for (const fix of [removeLeftovers, fixClock, fixCache, removeSecrets, tryDisk])
    await withLogicalLogs(memory)
      .then(async (opened) => pushAll(fixed, await fix(opened)))
      .catch(ifMemoryError((error) => void failed.push(problem("fix", error.message))));
  return { fixed, failed };
}

async function removeLeftovers(memory: Memory): Promise<readonly string[]> {
  const { temporary } = await findLeftovers(memory);
  if (temporary.length === 0) return [];
  await memory.files.commit(temporary.map((path) => ({ path, bytes: undefined, expect: "anything" })));
  return temporary.map((path) => `${path}: removed the temporary file of an interrupted run`);
}

/** After a run while the clock was ahead: archives ROOT.md and deletes the last-run time, so that the next run works for today. */
async function fixClock(memory: Memory): Promise<readonly string[]> {
  const { state, root, stateFile } = await loadTree(memory, { cache: "ignored" });
  if (state.clock !== "back") return [];
  const fixed: string[] = [];
  if (root?.document !== undefined && root.document.lastUpdated > state.today) {
    const archived = await archiveBytes(memory.files, rootPath, root.bytes);
    await addJournalEntry(memory, { action: "fix", what: "clock", files: [{ path: rootPath, archived }] });
    await memory.files.commit([{ path: rootPath, bytes: undefined, expect: { stamp: root.stamp } }]);
    fixed.push(
      `${rootPath}: moved the version of ${root.document.lastUpdated} to ${archived}; heartwood compact writes a new one for today`,
    );
  }
  if (stateFile.state === "read" && (stateFile.lastRun ?? 0) > memory.clock.now()) {
    await writeStateFile(memory, { ...stateFile, lastRun: undefined });
    fixed.push(`${stateFilePath}: removed a last-run time in the future`);
  }
  return fixed;
}

async function fixCache(memory: Memory): Promise<readonly string[]> {
  const fault = await cacheProblem(memory);
  if (fault === undefined) return [];
  await removeCache(memory);
  return [`${cachePath}: it ${fault}, so it was deleted; the next run rebuilds it`];
}

async function removeSecrets(memory: Memory): Promise<readonly string[]> {
  const paths = await redactNodes(memory, await loadTree(memory, { cache: "ignored" }));
  // The cache contains the topics of nodes, and a topic may have been the secret.
  if (paths.length === 0) return [];
  await removeCache(memory);
  const fixed = paths.map(
    (path) =>
      `${path}: replaced secrets (or digests of children whose secrets were replaced). The archive (memory/archive/) and the raw log still contain them: ` +
      "change the secret itself, then run heartwood compact",
  );
  return [...fixed, ...(await rebuildIndex(memory))];
}

/** Rebuilds the index, which may contain secrets from unchanged logs. Returns a message if that fails. */
async function rebuildIndex(memory: Memory): Promise<readonly string[]> {
  const [{ runIndex }, { indexRules }] = await Promise.all([
    import("../recall/index/refresh.ts"),
    import("../recall/index/sources.ts"),
  ]);
  try {
    const { is } = await memory.searchIndex.state(indexRules);
    if (is !== "absent") await runIndex(memory, { rebuild: true }, {});
    return [];
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return [`the search index may still contain the secrets: run heartwood index --rebuild (${error.message})`];
  }
}

const probePath = `${cacheFolder}/doctor`;

/** Writes a test file to see whether the disk is writable. */
async function tryDisk(memory: Memory): Promise<readonly string[]> {
  await memory.files.commit([{ path: probePath, bytes: new Uint8Array([10]), expect: "anything" }]);
  await memory.files.commit([{ path: probePath, bytes: undefined, expect: "anything" }]);
  return [];
}

/** Deletes the cache file. Anything else at its path was not put there by heartwood and stays. */
async function removeCache(memory: Memory): Promise<void> {
  await memory.files.commit([{ path: cachePath, bytes: undefined, expect: "anything" }]).catch(passInTheWay);
}
