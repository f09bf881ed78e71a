import { localTimestamp } from "../../base/calendar.ts";
import { sha256, shortDigest } from "../../base/digest.ts";
import type { Files } from "../../platform/files.ts";
import { archiveFolder, memoryFolder, parseNodePath, rootPath } from "../model/period.ts";
import { decodeText, textLines } from "../../base/lines.ts";
import { artifactPath } from "../../base/known-paths.ts";
import type { TreeMemory } from "../memory.ts";
import { scanLines } from "../../base/markdown.ts";
import { parseEntryComment } from "../../base/memory-type.ts";
import { readForgotten } from "./forgotten.ts";
import { fields, isText, listOf, parseObject } from "../../base/json.ts";
import { encode } from "../run/tree-files.ts";

/** The archive path for the old bytes of a file under memory/: its name and the first 16 digits of their digest, so identical bytes are kept once. */
export function archivePath(path: string, digits: string): string {
  const inner = path.startsWith(`${memoryFolder}/`) ? path.slice(memoryFolder.length + 1) : path;
  return `${archiveFolder}/nodes/${inner.replace(/\.md$/u, "")}.${digits}.md`;
}

/** Durably saves bytes in the archive, without what was forgotten. */
export async function archiveBytes(files: Files, path: string, bytes: Uint8Array): Promise<string> {
  const kept = await withoutForgotten(files, bytes);
  return keepOnce(files, archivePath(path, shortDigest(sha256(kept))), kept);
}

/** Without forgotten lines and comments of forgotten entries; nor, once anything was forgotten, conflicts of git: their other side may still have it. */
async function withoutForgotten(files: Files, bytes: Uint8Array): Promise<Uint8Array> {
  const { ids, has, tombstones } = await readForgotten(files);
  const lines = Buffer.from(bytes).toString("utf8").split("\n");
  const conflicts = tombstones.count === 0 ? [] : scanLines(lines).conflicts;
  const kept = lines.filter((line, index) => {
    const isInConflict = conflicts.some(([from, to]) => from <= index && index <= to);
    return !isInConflict && !has(line) && !ids.has(parseEntryComment(line)?.id ?? "");
  });
  return kept.length === lines.length ? bytes : encode(kept.join("\n"));
}

async function keepOnce(files: Files, path: string, bytes: Uint8Array): Promise<string> {
  if ((await files.read(path, { from: 0, to: 0 })) === undefined)
    await files.commit([{ path, bytes, expect: "absent" }]);
  return path;
}

/** Records a foreign node by its content digest, which does not depend on its status. */
export async function recordArtifact(files: Files, content: string, bytes: Uint8Array): Promise<void> {
  await keepOnce(files, artifactPath(content, "md"), bytes);
}

/** The journal of deliberate replacements, which `undo` reverts: one JSON object per line, append-only. */
export const journalPath = `${archiveFolder}/journal.jsonl`;

export interface JournalEntry {
  readonly action: "reopen" | "fix" | "undo";
  /** The requested action: the period of a reopen, the kind of a fix, or the line number that an undo reverts. */
  readonly what: string;
  /** Local time with offset. */
  readonly at: string;
  /** Each file with the path of its archived bytes. */
  readonly files: readonly { readonly path: string; readonly archived: string }[];
}

export async function addJournalEntry(memory: TreeMemory, entry: Omit<JournalEntry, "at">): Promise<void> {
  const { action, what, files } = entry;
  const at = localTimestamp(memory.clock.now(), memory.clock.zone);
  await memory.files.append(journalPath, encode(`${JSON.stringify({ action, what, at, files })}\n`));
}

/** Archives and journals the files about to be replaced, for `undo`. */
export async function journalReplaced(
  memory: TreeMemory,
  why: Pick<JournalEntry, "action" | "what">,
  replaced: readonly { readonly path: string; readonly bytes: Uint8Array }[],
): Promise<void> {
  const files: JournalEntry["files"][number][] = [];
  for (const { path, bytes } of replaced) files.push({ path, archived: await archiveBytes(memory.files, path, bytes) });
  await addJournalEntry(memory, { ...why, files });
}

/** A journal line; `entry` is undefined if this program did not write it. */
export interface JournalLine {
  readonly line: number;
  readonly entry: JournalEntry | undefined;
}

/** The numbered lines in order. Skips lines that are not entries, such as one torn by a crash. */
export async function readJournal(memory: TreeMemory): Promise<readonly JournalLine[]> {
  const read = await memory.files.read(journalPath);
  const lines = read === undefined ? [] : textLines(decodeText(read.bytes) ?? "");
  return lines.flatMap((text, index) => {
    const value = parseObject(text);
    const isKnown = ["reopen", "fix", "undo"].some((action) => action === value?.["action"]);
    return value !== undefined && isKnown ? [{ line: index + 1, entry: parseEntry(value) }] : [];
  });
}

/** The journal may come with a repository, and undo writes the files it names: accept only files that a reopen or fix replaces. */
function parseEntry(value: Readonly<Record<string, unknown>>): JournalEntry | undefined {
  if (!isEntry(value)) return undefined;
  const { action, what, at, files } = value as unknown as JournalEntry;
  const isOurs = files.every(({ path, archived }) => {
    const digits = /\.([0-9a-f]{16})\.md$/u.exec(archived)?.[1] ?? "";
    return (path === rootPath || parseNodePath(path) !== undefined) && archived === archivePath(path, digits);
  });
  const isOnce = new Set(files.map(({ path }) => path)).size === files.length;
  return isOurs && isOnce
    ? { action, what, at, files: files.map(({ path, archived }) => ({ path, archived })) }
    : undefined;
}

const isEntry = fields({
  what: (value) => typeof value === "string" && /^[0-9A-Za-z.-]{1,60}$/u.test(value),
  at: (value) => typeof value === "string" && /^[0-9T:Z+-]{1,40}$/u.test(value),
  files: listOf(fields({ path: isText, archived: isText })),
});
