import { isInTheWay, MemoryError } from "../base/errors.ts";
import { findLostRecords } from "../audit/run/shortened-notes.ts";
import { isTemporaryName } from "../base/known-paths.ts";
import { decodeText, textLines } from "../base/lines.ts";
import { scanLines } from "../base/markdown.ts";
import type { Memory } from "./operation.ts";
import { findArchiveFaults } from "../tree/logs/logical-files.ts";
import { conflictWarning, logWarnings } from "../tree/logs/late-sources.ts";
import { memoryFolder, nodeLevels, nodePath, parseLogFile, rootPath } from "../tree/model/period.ts";
import { loadTree, type LoadedTree } from "../tree/run/load.ts";
import { hotFiles } from "../tree/setup/init.ts";
import { findSecrets } from "../tree/run/redact-nodes.ts";
import { stateFilePath } from "../tree/run/tree-files.ts";
import { cacheFolder } from "../tree/run/tree-cache.ts";

/** What was looked at, what came of it, and what mends it. */
export interface Check {
  readonly name: string;
  readonly state: "ok" | "note" | "problem";
  readonly message: string;
  readonly fix: string | null;
}

/** A check that fails is a problem with the sentence of its failure. */
export async function attempt(name: string, check: () => Promise<readonly Check[]>): Promise<readonly Check[]> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return [{ name, state: "problem", message: error.message, fix: null }];
  }
}

export function fine(name: string, message: string): Check {
  return { name, state: "ok", message, fix: null };
}

/** Raw logs, nodes, ROOT.md and what lies beside them, read without the cache. */
export async function checkTree(memory: Memory): Promise<readonly Check[]> {
  const beside = [
    ...(await attempt("leftovers", () => checkLeftovers(memory))),
    ...(await attempt("cache", () => checkCache(memory))),
    ...(await attempt("archive", () => checkArchive(memory))),
    ...(await attempt("notes", () => checkNotes(memory))),
  ];
  try {
    const loaded = await loadTree(memory, { cache: "ignored" });
    const secrets = await attempt("secrets", () => checkSecrets(memory, loaded));
    return [
      ...checkLogs(loaded),
      ...checkNodes(loaded),
      checkRoot(loaded),
      ...secrets,
      ...beside,
      checkState(loaded),
      checkClock(loaded),
    ];
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return [{ name: "memory", state: "problem", message: error.message, fix: null }, ...beside];
  }
}

/** What a person must decide stands in the way of nothing, but for a conflict: what it says is not known. Notes without headings are well. */
function checkOfWarning(name: string, code: string, message: string): Check {
  const state = code === "conflict_markers" ? "problem" : code === "no_heading" ? "ok" : "note";
  return { name, state, message, fix: null };
}

/** Conflicts in the files that agents read and write, and in notes beside the logs. */
async function checkNotes(memory: Memory): Promise<readonly Check[]> {
  const beside = (await memory.files.list(memoryFolder))
    .filter(({ name, size }) => /\.md$/iu.test(name) && parseLogFile(name).state === "other" && size < largestNote)
    .map(({ name }) => `${memoryFolder}/${name}`);
  const checks: Check[] = [];
  for (const path of [...hotFiles.map((file) => file.path), ...beside]) {
    const read = await memory.files.read(path).catch(passInTheWay);
    const lines = read === undefined ? [] : textLines(decodeText(read.bytes) ?? "");
    const conflicts = scanLines(lines).conflicts.map(([from, to]) => ({ from: from + 1, to: to + 1 }));
    for (const { code, message } of conflictWarning(path, conflicts))
      checks.push(checkOfWarning("notes", code, message));
  }
  return checks;
}

/** Bytes. */
const largestNote = 1024 * 1024;

function checkLogs(loaded: LoadedTree): readonly Check[] {
  const { state, skipped } = loaded;
  const files = [...state.days.values()].reduce((sum, day) => sum + day.logs.length, 0);
  const checks = skipped
    .filter(({ path, code }) => path !== rootPath && !isOfLevel(path) && code !== "archive_damaged")
    .map(({ code, message }): Check => {
      const fix =
        code === "bad_name"
          ? "if it is no log, move it out of memory/"
          : "make it a readable file, or move it out of memory/";
      return { name: "raw logs", state: "problem", message, fix };
    });
  for (const { code, message } of logWarnings(loaded)) checks.push(checkOfWarning("raw logs", code, message));
  return checks.length > 0 ? checks : [fine("raw logs", `files: ${files}, days: ${state.days.size}`)];
}

/** What audits moved away from notes. Nothing is said of a memory whose notes were never shortened. */
async function checkArchive(memory: Memory): Promise<readonly Check[]> {
  const { logs, faults } = await findArchiveFaults(memory, findLostRecords);
  const fix = "put the file back from git, a backup or the artifact store";
  if (faults.length > 0)
    return faults.map(({ message }): Check => ({ name: "archive", state: "problem", message, fix }));
  return logs === 0 ? [] : [fine("archive", `shortened notes: ${logs}, whose parts are as recorded`)];
}

function isOfLevel(path: string): boolean {
  return nodeLevels.some((level) => path.startsWith(`${memoryFolder}/${level}/`));
}

function checkNodes({ state, skipped }: LoadedTree): readonly Check[] {
  const nodes = state.nodes.all();
  const unread = skipped
    .filter(({ path }) => isOfLevel(path))
    .map(({ message }): Check => ({
      name: "nodes",
      state: "problem",
      message,
      fix: "rename it, move it away or make it a readable file, then run heartwood compact",
    }));
  const told = nodes.flatMap((node): readonly Check[] => {
    const path = nodePath(node.name);
    const name = "nodes";
    if (node.reading === "broken") {
      const canRebuild = node.name.level !== "daily" || state.days.has(node.name.period);
      const message = `the front matter of ${path} makes no sense in line ${node.problem?.line ?? 1}: ${node.problem?.message ?? "it cannot be read"}`;
      return [
        {
          name,
          state: "problem",
          message,
          fix: canRebuild ? "heartwood compact" : "restore it from memory/archive/ or from git",
        },
      ];
    }
    if (node.reading === "unknown")
      return [
        {
          name,
          state: "note",
          message: `${path} was not made by heartwood`,
          fix: "heartwood compact, which rebuilds it when its raw logs are there",
        },
      ];
    if (node.recorded !== node.content)
      return [
        {
          name,
          state: "note",
          message: `somebody rewrote the body of ${path}`,
          fix: "heartwood compact, which records it",
        },
      ];
    return [];
  });
  const checks = [...unread, ...told];
  return checks.length > 0 ? checks : [fine("nodes", `${nodes.length} can be read`)];
}

function checkRoot({ root, state }: LoadedTree): Check {
  const name = "ROOT.md";
  if (root === undefined)
    return state.days.size === 0
      ? fine(name, "there is nothing to build it from yet")
      : { name, state: "note", message: "it is not built yet", fix: "heartwood compact" };
  if (root.reading === "ours") return fine(name, `as of ${root.document?.lastUpdated ?? state.today}`);
  if (root.reading === "unknown")
    return {
      name,
      state: "note",
      message: `${rootPath} was not made by heartwood`,
      fix: "heartwood compact, which archives and rebuilds it",
    };
  const fix =
    root.reading === "unreadable"
      ? `move ${rootPath} away, then run heartwood compact`
      : "heartwood compact, which archives and rebuilds it";
  return { name, state: "problem", message: `${rootPath} cannot be read: ${root.message}`, fix };
}

const shownSecrets = 20;

async function checkSecrets(memory: Memory, loaded: LoadedTree): Promise<readonly Check[]> {
  const hits = await findSecrets(memory, loaded);
  if (hits.length === 0) return [fine("secrets", "none in nodes and ROOT.md")];
  const ours = new Set(
    loaded.state.nodes
      .all()
      .filter((node) => node.reading === "ours")
      .map((node) => nodePath(node.name)),
  );
  if (loaded.root?.reading === "ours") ours.add(rootPath);
  const checks = hits.slice(0, shownSecrets).map(({ path, line, kind }): Check => ({
    name: "secrets",
    state: "problem",
    message: `line ${line} of ${path} holds a secret (${kind})`,
    fix: ours.has(path) ? "heartwood doctor --fix" : `take it out of ${path} by hand`,
  }));
  if (hits.length <= shownSecrets) return checks;
  return [
    ...checks,
    {
      name: "secrets",
      state: "problem",
      message: `and ${hits.length - shownSecrets} more`,
      fix: "heartwood doctor --fix",
    },
  ];
}

async function checkLeftovers(memory: Memory): Promise<readonly Check[]> {
  const { temporary, damaged } = await findLeftovers(memory);
  const checks = [
    ...temporary.map((path): Check => ({
      name: "leftovers",
      state: "note",
      message: `${path} is a temporary file of a run that was interrupted or is under way`,
      fix: "heartwood doctor --fix",
    })),
    ...damaged.map((path): Check => ({
      name: "leftovers",
      state: "note",
      message: `${path} was damaged and moved aside`,
      fix: "delete it when nobody wants to look at it",
    })),
  ];
  return checks.length > 0 ? checks : [fine("leftovers", "none")];
}

const cacheNames: ReadonlySet<string> = new Set(["tree.json", "idle.json", "ROOT.md", "root.json"]);

async function checkCache(memory: Memory): Promise<readonly Check[]> {
  const inTheWay = (await memory.files.list(cacheFolder))
    .filter(({ name, kind }) => kind !== "file" && cacheNames.has(name))
    .map(({ name }): Check => {
      const path = `${cacheFolder}/${name}`;
      const message = `${path} is not a regular file, so nothing is kept there and runs take longer`;
      return { name: "cache", state: "problem", message, fix: `move ${path} away` };
    });
  if (inTheWay.length > 0) return inTheWay;
  const problem = await cacheProblem(memory);
  if (problem === undefined) return [fine("cache", "agrees with the files, or there is none")];
  return [{ name: "cache", state: "problem", message: `${cachePath} ${problem}`, fix: "heartwood doctor --fix" }];
}

function checkState({ stateFile }: LoadedTree): Check {
  if (stateFile.inTheWay !== undefined) {
    const { message } = stateFile.inTheWay;
    return { name: "state file", state: "problem", message, fix: `move ${stateFilePath} away` };
  }
  if (stateFile.state !== "unreadable")
    return fine("state file", stateFile.state === "missing" ? "none yet" : "can be read");
  return {
    name: "state file",
    state: "note",
    message: `${stateFilePath} is not JSON; until it is written anew a run counts as due`,
    fix: "heartwood compact, or delete it",
  };
}

function checkClock({ state, warnings }: LoadedTree): Check {
  if (state.clock === "forward") return fine("clock", `today is ${state.today}`);
  const message =
    warnings.find((warning) => warning.code === "clock_back")?.message ??
    `today is ${state.today}, earlier than the last run`;
  return {
    name: "clock",
    state: "problem",
    message,
    fix: "check the date of this machine, --today and HEARTWOOD_TODAY; when they are right: heartwood doctor --fix, then heartwood compact",
  };
}

export const cachePath = `${cacheFolder}/tree.json`;

/** What is wrong with the cache, as a part of a sentence; `undefined` when it is right or there is none. */
export async function cacheProblem(memory: Memory): Promise<string | undefined> {
  const read = await memory.files.read(cachePath).catch(passInTheWay);
  if (read === undefined) return undefined;
  if (!isJson(Buffer.from(read.bytes).toString("utf8"))) return "cannot be read";
  const told = await treeDigests(memory, "used");
  const seen = await treeDigests(memory, "ignored");
  const wrong = [...told].find(([path, digest]) => seen.has(path) && seen.get(path) !== digest);
  return wrong === undefined ? undefined : `says of ${wrong[0]} what no longer holds`;
}

/** What is known of each log and node, with the cache or without it. */
async function treeDigests(memory: Memory, cache: "used" | "ignored"): Promise<ReadonlyMap<string, string>> {
  const { cacheable } = await loadTree(memory, { cache });
  const digests = new Map<string, string>();
  for (const [path, { log }] of cacheable.logs) digests.set(path, log.source.sha256);
  for (const [path, { facts }] of cacheable.nodes)
    digests.set(path, `${facts.content} ${facts.recorded} ${facts.status}`);
  return digests;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Temporary files of interrupted runs, and damaged files that were moved aside and are kept for a person to look at. */
export async function findLeftovers(
  memory: Memory,
): Promise<{ readonly temporary: readonly string[]; readonly damaged: readonly string[] }> {
  const found = { temporary: [] as string[], damaged: [] as string[] };
  const visit = async (folder: string, depth: number): Promise<void> => {
    for (const { name, kind } of await memory.files.list(folder)) {
      const path = folder === "" ? name : `${folder}/${name}`;
      if (kind === "folder" && (folder !== "" || ownFolders.has(name)) && depth > 0) await visit(path, depth - 1);
      else if (kind === "file" && isTemporaryName(name)) found.temporary.push(path);
      else if (kind === "file" && folder === ".heartwood" && name.includes(".damaged-")) found.damaged.push(path);
    }
  };
  await visit("", 8);
  return found;
}

const ownFolders: ReadonlySet<string> = new Set(["memory", "knowledge", ".heartwood"]);

export function passInTheWay(error: unknown): undefined {
  if (!isInTheWay(error)) throw error;
}
