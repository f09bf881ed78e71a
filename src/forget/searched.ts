import { ifMemoryError } from "../base/errors.ts";
import { parseObject } from "../base/json.ts";
import { isTemporaryName, stateFolder } from "../base/known-paths.ts";
import { decodeText } from "../base/lines.ts";
import { parseEntryComment } from "../base/memory-type.ts";
import type { AgentMemory } from "../agents/memory.ts";
import type { Client } from "../agents/transcripts/transcripts.ts";
import type { Files } from "../platform/files.ts";
import { wordsOfLine, type Needles } from "../text/folded.ts";
import { redact } from "../text/redact/redact.ts";
import { forgetPath, forgottenPath } from "../tree/logs/forgotten.ts";
import { realFilesOf } from "../tree/memory.ts";
import { mergeKindOf, originalOf } from "../tree/merge/files.ts";
import { memoryFolder, originalName, recordsPath } from "../tree/model/period.ts";
import { linesOfLog } from "./cut-log.ts";

/** Files of the project in which agents keep memory. Their lines go. */
const hotFiles: readonly string[] = ["MEMORY.md", "USER.md", "WORKING.md", "SCRATCHPAD.md", "TASK-QUEUE.md"];
/** A person's instructions to agents. They are reported, never changed. */
const instructionFiles: readonly string[] = ["AGENTS.md", "CLAUDE.md", "GEMINI.md", ".github/copilot-instructions.md"];

/** A file that is searched: everything that heartwood writes, or that agents keep for it. */
export interface KeptFile {
  readonly path: string;
  /** The file that this is a conflict copy of; for any other, the path. */
  readonly original: string;
  /** Forgetting takes lines from `log` and `note`, removes, rewrites or rebuilds `own`, and never changes `yours`. */
  readonly kind: "log" | "note" | "own" | "yours";
}

/** The files that `forget` searches, and `verify --forgotten` too. */
export async function keptFiles(files: Files): Promise<readonly KeptFile[]> {
  const found: KeptFile[] = [];
  const add = (path: string, original: string): void =>
    void (
      path === forgetPath ||
      path === forgottenPath ||
      found.push({ path, original, kind: kindOf(path, original) })
    );
  const look = async (folder: string): Promise<void> => {
    const entries = await files.list(folder).catch(ifMemoryError(() => []));
    const names = new Set(entries.map(({ name }) => name));
    for (const { name, kind } of entries) {
      const path = `${folder}/${name}`;
      if (kind === "folder") await look(path);
      if (kind === "file") add(path, originalOf(path, names) ?? path);
    }
  };
  for (const folder of [memoryFolder, stateFolder, "knowledge"]) await look(folder);
  for (const folder of ["", ".github/"]) {
    const names = new Set(await files.names(folder.slice(0, -1)).catch(ifMemoryError(() => [])));
    for (const name of names) {
      const original = folder + (originalName(name, names) ?? name);
      if (hotFiles.includes(original) || instructionFiles.includes(original)) add(folder + name, original);
    }
  }
  return found;
}

function kindOf(path: string, original: string): KeptFile["kind"] {
  if (path.startsWith(`${stateFolder}/`) || isTemporaryName(path.slice(path.lastIndexOf("/") + 1))) return "own";
  if (instructionFiles.includes(original)) return "yours";
  const merged = mergeKindOf(original);
  if (merged !== undefined) return merged === "log" ? "log" : "own";
  return path.endsWith(".md") ? "note" : "yours";
}

/** What goes: the texts, and from notes also copies of the lines and entries that go with them. */
export interface Going {
  readonly needles: Needles;
  /** By `wordsOfLine`. */
  readonly lines: ReadonlySet<string>;
  /** Ids of entries. */
  readonly ids: ReadonlySet<string>;
}

/** The numbers, from 1, of the lines of a Markdown file that go. The front matter of a node has no words of the memory. */
export function linesWith({ kind }: KeptFile, texts: readonly string[], going: Going): ReadonlySet<number> {
  const end = kind === "own" && texts[0] === "---" ? texts.indexOf("---", 1) : -1;
  const found = new Set(going.needles.linesIn(texts.map((text, index) => (index <= end ? "" : text))));
  if (kind !== "note") return found;
  for (const [index, text] of texts.entries()) {
    const isCopied = going.lines.has(wordsOfLine(text)) || going.ids.has(parseEntryComment(text)?.id ?? "");
    if (isCopied) found.add(index + 1);
  }
  return found;
}

/** Lines of a file that is not a log, with their text. */
export interface FoundLines {
  readonly path: string;
  readonly lines: readonly number[];
  readonly texts: readonly string[];
  /** The same without secrets. */
  safe(): readonly string[];
}

/** Lines of a file. Redacted as a whole: a line of a private key is recognized by the lines before it. */
export function linesFound(path: string, lines: readonly number[], texts: readonly string[]): FoundLines {
  const pick = (from: readonly string[]): readonly string[] => lines.map((line) => from[line - 1] ?? "");
  return { path, lines, texts: pick(texts), safe: () => pick(redact(texts.join("\n")).text.split("\n")) };
}

/** What has a text, apart from logs, threads and what heartwood makes of them. */
export interface FoundFiles {
  /** Their lines go. */
  readonly notes: readonly FoundLines[];
  /** Files that are never changed. */
  readonly left: readonly string[];
  /** Files with the text in their name, and threads with it in their id (`thread:ID`). */
  readonly names: readonly string[];
  /** The lines and names that stay. */
  readonly staying: readonly string[];
}

export async function findInFiles(memory: AgentMemory, going: Going): Promise<FoundFiles> {
  const { needles } = going;
  const notes: FoundLines[] = [];
  const yours: FoundLines[] = [];
  if (needles.size + going.lines.size + going.ids.size === 0) return { notes, left: [], names: [], staying: [] };
  const files = realFilesOf(memory.files);
  const kept = await keptFiles(files);
  for (const file of kept) {
    if (file.kind !== "note" && file.kind !== "yours") continue;
    const read = await files.read(file.path).catch(ifMemoryError(() => undefined));
    if (read === undefined) continue;
    const { texts } = linesOfLog(read.bytes);
    const lines = [...linesWith(file, texts, going)].toSorted((a, b) => a - b);
    if (lines.length === 0 && !needles.isInBytes(read.bytes)) continue;
    const found = linesFound(file.path, lines, texts);
    if (file.kind === "yours") yours.push(found);
    else if (lines.length > 0) notes.push(found);
  }
  const named = kept.filter((file) => needles.isIn(wordsOfName(file)));
  // Heartwood begins the id of a captured thread with the client.
  const threads = (await threadsNamed(memory, needles)).flatMap((id) =>
    needles.isIn(id.replace(ofClient, "")) ? [`thread:${id}`] : [],
  );
  return {
    notes,
    left: yours.map(({ path }) => path),
    names: [...named.map(({ path }) => path), ...threads],
    staying: [...yours.flatMap(({ texts }) => texts), ...named.map(wordsOfName)],
  };
}

/** What a person chose of the name of a file: no date, no ending, and nothing of the names that heartwood or a client gives. */
export function wordsOfName({ original, kind }: KeptFile): string {
  if (kind === "own" || hotFiles.includes(original) || instructionFiles.includes(original)) return "";
  return original
    .replace(/^(?:memory|knowledge)\/(?:archive\/|records\/)?/u, "")
    .replace(/\.[^./]*$/u, "")
    .replace(/^\d{4}-\d\d-\d\d-?/u, "");
}

const clients: readonly Client[] = ["claude-code", "codex", "gemini", "copilot", "opencode", "openclaw"];

const ofClient = new RegExp(`^(?:${clients.join("|")})-`, "u");

async function threadsNamed({ threads }: AgentMemory, needles: Needles): Promise<readonly string[]> {
  const { heads } = await threads.heads({ limit: Number.MAX_SAFE_INTEGER });
  return heads.flatMap(({ thread_id }) => (needles.isIn(thread_id) ? [thread_id] : []));
}

/** Finds a text in heartwood's own files, which also have the names of files and threads: those stay. */
export async function openFinder(memory: AgentMemory, needles: Needles): Promise<(bytes: Uint8Array) => boolean> {
  const named = (await keptFiles(realFilesOf(memory.files))).filter((file) => needles.isIn(wordsOfName(file)));
  const names = named.flatMap(({ path }) => [path, path.slice(path.lastIndexOf("/") + 1)]);
  // Nodes name a log without the ending.
  const logs = names.flatMap((name) => (/^\d{4}-/u.test(name) ? [name.replace(/\.md$/u, "")] : []));
  const stay = [...names, ...logs, ...(needles.size === 0 ? [] : await threadsNamed(memory, needles))];
  return (bytes) => {
    if (stay.length === 0 || !needles.isInBytes(bytes)) return needles.isInBytes(bytes);
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
    return needles.isInBytes(Buffer.from(stay.reduce((left, name) => left.replaceAll(name, ""), text)));
  };
}

/** The files that still contain a text. The last step before the text itself is discarded. */
export async function searchBytes(memory: AgentMemory, going: Going): Promise<readonly string[]> {
  const { needles } = going;
  const files = realFilesOf(memory.files);
  const isInOwn = await openFinder(memory, needles);
  const found: string[] = [];
  for (const file of await keptFiles(files)) {
    const read = await files.read(file.path).catch(ifMemoryError(() => undefined));
    if (read === undefined || !(file.kind === "note" || needles.isInBytes(read.bytes))) continue;
    const { texts, bytes } = linesOfLog(read.bytes);
    const isThere =
      file.original === recordsPath
        ? bytes.some((line) => isInRecord(line, needles))
        : file.kind === "log" || file.kind === "note"
          ? linesWith(file, texts, going).size > 0
          : file.kind === "yours" || isInOwn(read.bytes);
    if (isThere) found.push(file.path);
  }
  return found;
}

/** Of the records of changes, only topics are words of the memory: a tombstone must stay, whatever its place looks like. */
function isInRecord(line: Uint8Array, needles: Needles): boolean {
  const { from, to } = parseObject(decodeText(line)?.trim() ?? "") ?? {};
  return [from, to].some((one) => typeof one === "string" && needles.isIn(one));
}

/** What heartwood cannot forget: it shows where the text still is. */
export interface Outside {
  /** Commits that added or changed a file with the text; null without git, or if the folder is not in a repository. */
  readonly commits: {
    readonly count: number;
    readonly newest: string | null;
    /** `part`: there were too many versions to read all of them. */
    readonly read: "all" | "part";
  } | null;
  /** Transcripts of clients, absolute paths. */
  readonly transcripts: readonly string[];
}

export async function findOutside(
  memory: AgentMemory,
  { needles, paths }: { readonly needles: Needles; readonly paths: readonly string[] },
): Promise<Outside> {
  if (needles.size === 0) return { commits: null, transcripts: [] };
  return { commits: await findCommits(memory, needles, paths), transcripts: await findTranscripts(memory, needles) };
}

const timeoutMs = 20_000;
const mostVersions = 1_000;
/** Nothing in a repository may make git run a program. */
const harmless = ["--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];

const rawLog = ["log", "--all", "--raw", "--no-abbrev", "--no-renames", "-m"];

/** Reads versions of files from git and searches them here: the text is in no argument of another program. */
async function findCommits(
  { commands }: AgentMemory,
  needles: Needles,
  paths: readonly string[],
): Promise<Outside["commits"]> {
  const program = await commands.find("git");
  if (program === undefined) return null;
  const ask = async (words: readonly string[], input?: string): Promise<Uint8Array | undefined> => {
    const given = input === undefined ? {} : { input: Buffer.from(input) };
    const { status, output } = await commands.run(program, [...harmless, ...words], {
      timeoutMs,
      output: "kept",
      ...given,
    });
    return status === 0 ? output : undefined;
  };
  const format = "--format=%x00%h %cI";
  const log = await ask([...rawLog, format, "--", "memory", "*.md", ...paths]);
  if (log === undefined) return null;
  const commits = Buffer.from(log)
    .toString("utf8")
    .split("\0")
    .slice(1)
    .map((text) => {
      const [head = "", ...changes] = text.split("\n");
      const blobs = changes.flatMap(
        (line) => /^:\d{6} \d{6} [0-9a-f]{40,64} ([0-9a-f]{40,64}) [AMT]\t/u.exec(line)?.[1] ?? [],
      );
      return { head, blobs };
    });
  const versions = [...new Set(commits.flatMap(({ blobs }) => blobs))];
  const some = versions.slice(0, mostVersions);
  const batch = some.length === 0 ? undefined : await ask(["cat-file", "--batch"], `${some.join("\n")}\n`);
  const having = new Set(batch === undefined ? [] : blobsWith(Buffer.from(batch), needles));
  const found = commits.filter(({ blobs }) => blobs.some((blob) => having.has(blob)));
  const newest = found[0]?.head ?? null;
  return { count: found.length, newest, read: versions.length > mostVersions ? "part" : "all" };
}

/** The ids of the blobs with the text, from the output of `git cat-file --batch`. */
function blobsWith(batch: Buffer, needles: Needles): readonly string[] {
  const found: string[] = [];
  for (let from = 0; from < batch.length;) {
    const end = batch.indexOf(10, from);
    const [id = "", kind, size] = batch.toString("latin1", from, end < 0 ? undefined : end).split(" ");
    if (end < 0) break;
    const length = kind === "blob" ? Number(size) : -1;
    if (length > 0 && needles.isInBytes(batch.subarray(end + 1, end + 1 + length))) found.push(id);
    from = end + 1 + length + 1;
  }
  return found;
}

const mostTranscripts = 200;

/** The newest transcripts of sessions in this folder. */
async function findTranscripts(memory: AgentMemory, needles: Needles): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const client of clients) {
    const sources = await memory.transcripts
      .find({ client, folders: [memory.dir], most: mostTranscripts })
      .catch(ifMemoryError(() => []));
    for (const source of sources)
      for await (const item of memory.transcripts.read(source, {}))
        if (item.kind === "message" && needles.isIn(item.message.text)) {
          found.add(source.path);
          break;
        }
  }
  return [...found].toSorted();
}
