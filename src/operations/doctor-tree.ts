import { ifInTheWay, ifMemoryError, MemoryError, type Warning } from "../base/errors.ts";
import { findLostRecords } from "../audit/run/shortened-notes.ts";
import { parseObject } from "../base/json.ts";
import { pushAll } from "../base/lists.ts";
import { isTemporaryName } from "../base/known-paths.ts";
import { decodeText, textLines } from "../base/lines.ts";
import { scanLines } from "../base/markdown.ts";
import type { Memory } from "./operation.ts";
import { findArchiveFaults } from "../tree/logs/logical-files.ts";
import { conflictWarning, logWarnings } from "../tree/plan/late-sources.ts";
import { memoryFolder, nodeLevels, nodePath, parseLogFile, rootPath } from "../tree/model/period.ts";
import { originalOf } from "../tree/merge/files.ts";
import { cacheVersion, noCache, readCache } from "../tree/run/tree-cache.ts";
import { loadTree, type LoadedTree } from "../tree/run/load.ts";
import { hotFiles } from "../tree/setup/init.ts";
import { findSecrets } from "../tree/run/redact-nodes.ts";
import { stateFilePath } from "../tree/run/tree-files.ts";
import { cacheFolder } from "../tree/run/idle.ts";

/** One check: its name, its outcome, and how to fix a problem. */
export interface Check {
  readonly name: string;
  readonly state: "ok" | "note" | "problem";
  readonly message: string;
  readonly fix: string | null;
}

type Checked = (name: string, message: string, fix?: string | null) => Check;
export const fine: Checked = (name, message) => ({ name, state: "ok", message, fix: null });
export const note: Checked = (name, message, fix = null) => ({ name, state: "note", message, fix });
export const problem: Checked = (name, message, fix = null) => ({ name, state: "problem", message, fix });

/** Runs a check; if it throws, the error becomes a problem. */
export async function attempt(name: string, check: () => Promise<readonly Check[]>): Promise<readonly Check[]> {
  return check().catch(ifMemoryError((error) => [problem(name, error.message)]));
}

const runFix = "heartwood doctor --fix";
const rebuildRoot = "heartwood compact, which archives and rebuilds it";

/** Checks raw logs, nodes, ROOT.md and the files next to them, without the cache. */
export async function checkTree(memory: Memory): Promise<readonly Check[]> {
  const beside = [
    ...(await attempt("leftovers", () => checkLeftovers(memory))),
    ...(await attempt("cache", () => checkCache(memory))),
    ...(await attempt("archive", () => checkArchive(memory))),
    ...(await attempt("notes", () => checkNotes(memory))),
  ];
  const loaded = await loadTree(memory, { cache: "ignored" }).catch(ifMemoryError((error) => error));
  if (loaded instanceof MemoryError) return [problem("memory", loaded.message), ...beside];
  return [
    ...checkLogs(loaded),
    ...checkNodes(loaded),
    checkRoot(loaded),
    ...(await attempt("secrets", () => checkSecrets(memory, loaded))),
    ...beside,
    checkState(loaded),
    checkClock(loaded),
  ];
}

/** Most warnings are notes for a person to decide on. A conflict is a problem, because the file's content is ambiguous; a missing heading is fine. */
function checkOfWarning(name: string, { code, message }: { readonly code: string; readonly message: string }): Check {
  const checkOf = code === "conflict_markers" ? problem : code === "no_heading" ? fine : note;
  return checkOf(name, message);
}

async function checkNotes(memory: Memory): Promise<readonly Check[]> {
  return (await findConflictsInNotes(memory)).map((warning) => checkOfWarning("notes", warning));
}

/** Finds conflicts in the files that agents read and write, in notes next to the logs, and in `knowledge/`. */
export async function findConflictsInNotes(memory: Memory): Promise<readonly Warning[]> {
  const beside = (await memory.files.list(memoryFolder))
    .filter(({ name, size }) => /\.md$/iu.test(name) && parseLogFile(name).state === "other" && size < largestNote)
    .map(({ name }) => `${memoryFolder}/${name}`);
  const agents = (await memory.files.list(`${memoryFolder}/agents`)).filter(({ kind }) => kind === "folder");
  const ofAgents = agents.map(({ name }) => `${memoryFolder}/agents/${name}/AGENT.md`);
  const found: Warning[] = [];
  for (const path of [
    ...hotFiles.map((file) => file.path),
    ...beside,
    ...ofAgents,
    ...(await notesBelow(memory.files)),
  ]) {
    const read = await memory.files.read(path).catch(passInTheWay);
    const lines = read === undefined ? [] : textLines(decodeText(read.bytes) ?? "");
    const conflicts = scanLines(lines).conflicts.map(([from, to]) => ({ from: from + 1, to: to + 1 }));
    pushAll(found, conflictWarning(path, conflicts));
  }
  return found;
}

const largestNote = 1024 * 1024;

async function notesBelow(files: Memory["files"], folder = "knowledge"): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { name, kind, size } of await files.list(folder)) {
    const path = `${folder}/${name}`;
    if (kind === "folder") pushAll(found, await notesBelow(files, path));
    else if (kind === "file" && /\.md$/iu.test(name) && size < largestNote) found.push(path);
  }
  return found;
}

function checkLogs(loaded: LoadedTree): readonly Check[] {
  const { state, skipped } = loaded;
  const files = [...state.days.values()].reduce((sum, day) => sum + day.logs.length, 0);
  const names = [...state.days.values()].flatMap((day) =>
    day.logs.map(({ path }) => path.slice(memoryFolder.length + 1)),
  );
  const taken = new Set(names);
  const unread = skipped
    .filter(({ path, code }) => path !== rootPath && !isOfLevel(path) && code !== "archive_damaged")
    .map(({ path, code, message }) => {
      if (originalOf(path, taken) !== undefined) return problem("raw logs", message, "heartwood git resolve");
      const what = code === "bad_name" ? "if it is not a log," : "make it a readable file, or";
      return problem("raw logs", message, `${what} move it out of memory/`);
    });
  const checks = [...unread, ...logWarnings(loaded).map((warning) => checkOfWarning("raw logs", warning))];
  return checks.length > 0 ? checks : [fine("raw logs", `files: ${files}, days: ${state.days.size}`)];
}

/** Checks the parts that audits moved out of notes. Reports nothing if no note was ever shortened. */
async function checkArchive(memory: Memory): Promise<readonly Check[]> {
  const { logs, faults } = await findArchiveFaults(memory, findLostRecords);
  const fix = "restore the file from git, a backup or the artifact store";
  if (faults.length > 0) return faults.map(({ message }) => problem("archive", message, fix));
  return logs === 0 ? [] : [fine("archive", `shortened notes: ${logs}, all parts as recorded`)];
}

function isOfLevel(path: string): boolean {
  return nodeLevels.some((level) => path.startsWith(`${memoryFolder}/${level}/`));
}

function checkNodes({ state, skipped }: LoadedTree): readonly Check[] {
  const nodes = state.nodes.all();
  const makeReadable = "rename it, move it aside or make it a readable file, then run heartwood compact";
  const unread = skipped
    .filter(({ path }) => isOfLevel(path))
    .map(({ path, message }) =>
      problem("nodes", message, originalOf(path) === undefined ? makeReadable : "heartwood git resolve"),
    );
  const told = nodes.flatMap((node): readonly Check[] => {
    const path = nodePath(node.name);
    if (node.reading === "broken") {
      const canRebuild = node.name.level !== "daily" || state.days.has(node.name.period);
      const fix = canRebuild ? "heartwood compact" : "restore it from memory/archive/ or from git";
      const { line = 1, message = "it cannot be read" } = node.problem ?? {};
      return [problem("nodes", `invalid front matter in ${path} at line ${line}: ${message}`, fix)];
    }
    if (node.reading === "unknown") {
      const fix = "heartwood compact, which rebuilds it if its raw logs still exist";
      return [note("nodes", `${path} was not made by heartwood`, fix)];
    }
    if (node.recorded === node.content) return [];
    return [note("nodes", `the body of ${path} was edited`, "heartwood compact, which records the edit")];
  });
  const checks = [...unread, ...told];
  return checks.length > 0 ? checks : [fine("nodes", `all ${nodes.length} are readable`)];
}

function checkRoot({ root, state }: LoadedTree): Check {
  const name = "ROOT.md";
  if (root === undefined && state.days.size === 0) return fine(name, "there is nothing to build it from yet");
  if (root === undefined) return note(name, "it is not built yet", "heartwood compact");
  if (root.reading === "ours") return fine(name, `as of ${root.document?.lastUpdated ?? state.today}`);
  if (root.reading === "unknown") return note(name, `${rootPath} was not made by heartwood`, rebuildRoot);
  const fix = root.reading === "unreadable" ? `move ${rootPath} away, then run heartwood compact` : rebuildRoot;
  return problem(name, `${rootPath} cannot be read: ${root.message}`, fix);
}

const shownSecrets = 20;

async function checkSecrets(memory: Memory, loaded: LoadedTree): Promise<readonly Check[]> {
  const hits = await findSecrets(memory, loaded);
  if (hits.length === 0) return [fine("secrets", "none in nodes and ROOT.md")];
  const nodes = loaded.state.nodes.all().filter((node) => node.reading === "ours");
  const ours = new Set(nodes.map((node) => nodePath(node.name)));
  if (loaded.root?.reading === "ours") ours.add(rootPath);
  const checks = hits.slice(0, shownSecrets).map(({ path, line, kind }) => {
    const fix = ours.has(path) ? runFix : `remove it from ${path} by hand`;
    return problem("secrets", `line ${line} of ${path} contains a secret (${kind})`, fix);
  });
  const more = hits.length - checks.length;
  return more === 0 ? checks : [...checks, problem("secrets", `and ${more} more`, runFix)];
}

async function checkLeftovers(memory: Memory): Promise<readonly Check[]> {
  const { temporary, damaged } = await findLeftovers(memory);
  const half = "is a temporary file of a run that was interrupted or is still running";
  const bad = "was damaged and moved aside";
  const checks = [
    ...temporary.map((path) => note("leftovers", `${path} ${half}`, runFix)),
    ...damaged.map((path) => note("leftovers", `${path} ${bad}`, "delete it when you no longer need it")),
  ];
  return checks.length > 0 ? checks : [fine("leftovers", "none")];
}

const cacheNames: ReadonlySet<string> = new Set([
  "tree.json",
  "idle.json",
  "ROOT.md",
  "root.json",
  "root-lines.json",
  "months.json",
]);

async function checkCache(memory: Memory): Promise<readonly Check[]> {
  const inTheWay = (await memory.files.list(cacheFolder))
    .filter(({ name, kind }) => kind !== "file" && cacheNames.has(name))
    .map(({ name }) => `${cacheFolder}/${name}`);
  if (inTheWay.length > 0)
    return inTheWay.map((path) =>
      problem("cache", `${path} is not a regular file, so runs take longer`, `move ${path} away`),
    );
  const fault = await cacheProblem(memory);
  if (fault === undefined) return [fine("cache", "matches the files, or does not exist")];
  return [problem("cache", `${cachePath} ${fault}`, runFix)];
}

function checkState({ stateFile }: LoadedTree): Check {
  const name = "state file";
  if (stateFile.inTheWay !== undefined) return problem(name, stateFile.inTheWay.message, `move ${stateFilePath} away`);
  if (stateFile.state !== "unreadable")
    return fine(name, stateFile.state === "missing" ? "none yet" : "it is readable");
  const message = `${stateFilePath} is not JSON; a run counts as due until it is rewritten`;
  return note(name, message, "heartwood compact, or delete it");
}

function checkClock({ state, warnings }: LoadedTree): Check {
  if (state.clock === "forward") return fine("clock", `today is ${state.today}`);
  const warning = warnings.find(({ code }) => code === "clock_back");
  const message = warning?.message ?? `today is ${state.today}, earlier than the last run`;
  const check = "check this machine's date, --today and HEARTWOOD_TODAY";
  return problem("clock", message, `${check}; if they are right, run ${runFix}, then heartwood compact`);
}

export const cachePath = `${cacheFolder}/tree.json`;

/** What is wrong with the cache, as part of a sentence; `undefined` if it is valid or does not exist. */
export async function cacheProblem(memory: Memory): Promise<string | undefined> {
  const read = await memory.files.read(cachePath).catch(passInTheWay);
  if (read === undefined) return undefined;
  const { version } = parseObject(Buffer.from(read.bytes).toString("utf8").split("\n", 1)[0] ?? "") ?? {};
  if (typeof version === "number" && version !== cacheVersion) return undefined;
  if ((await readCache(memory.files)) === noCache) return "cannot be read";
  const cached = await treeDigests(memory, "used");
  const seen = await treeDigests(memory, "ignored");
  const wrong = [...cached].find(([path, digest]) => seen.has(path) && seen.get(path) !== digest);
  return wrong === undefined ? undefined : `is out of date for ${wrong[0]}`;
}

/** A digest of each log and node, loaded with or without the cache. */
async function treeDigests(memory: Memory, cache: "used" | "ignored"): Promise<ReadonlyMap<string, string>> {
  const { cacheable } = await loadTree(memory, { cache });
  const digests = new Map<string, string>();
  for (const { logs, nodes } of [cacheable, ...Array.from(cacheable.months.values(), (month) => month.all())]) {
    for (const [path, { log }] of logs) digests.set(path, log.source.sha256);
    for (const [path, { facts }] of nodes) digests.set(path, `${facts.content} ${facts.recorded} ${facts.status}`);
  }
  return digests;
}

/** Temporary files of interrupted runs, and damaged files that were moved aside for a person to look at. */
export async function findLeftovers(memory: Memory) {
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

export const passInTheWay = ifInTheWay(() => undefined);
