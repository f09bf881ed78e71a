import { type AuditFinding, thresholds } from "../model/finding.ts";
import { checkKnowledgeReferences } from "../checks/file-checks.ts";
import { readText } from "../model/memory-text.ts";
import { fileFinding, shownLines } from "../model/shown-text.ts";
import { isLiving, isNode, isRoot, type FileAsRead, type NoteAsRead, type Workspace } from "../model/workspace.ts";
import { stateNotes } from "./shortened-notes.ts";
import type { Day } from "../../base/calendar.ts";
import { sha256 } from "../../base/digest.ts";
import { ifMemoryError } from "../../base/errors.ts";
import { compareTexts, pushAll } from "../../base/lists.ts";
import type { FileEntry, Files } from "../../platform/files.ts";
import { lateSourcesOf, type LateSource } from "../../tree/plan/late-sources.ts";
import { withLogicalLogs, type TreeMemory } from "../../tree/memory.ts";
import { archiveFolder, memoryFolder, nodeLevels, parseLogFile } from "../../tree/model/period.ts";
import { loadTree } from "../../tree/run/load.ts";

/** Reads all files that an audit checks. Follows no links and does not block; files that cannot be read become findings. Writes nothing. */
export async function loadWorkspace(memory: TreeMemory): Promise<Workspace> {
  const listing = await listMemoryFiles(memory.files);
  const findings = [...listing.findings];
  const notes: NoteAsRead[] = [];
  const others: FileAsRead[] = [];
  for (const { path, entry, day } of listing.files) {
    const read = await readFile(memory.files, path, entry.size);
    if (read === undefined) continue;
    if ("code" in read) findings.push(read);
    else if (day === undefined) others.push(read);
    else notes.push({ ...read, day, state: "whole", ownFrom: 0 });
  }
  const stated = await stateNotes(memory, notes, others);
  const late = listing.files.some(({ path }) => isNode(path)) ? await changedSources(memory) : [];
  const entry = listing.files.find(({ path }) => path === "MEMORY.md")?.entry;
  const memoryFile = others.find(({ path }) => path === "MEMORY.md");
  return {
    today: memory.clock.today(),
    memory: memoryFile,
    notes: stated.notes,
    others: others.filter((file) => file !== memoryFile),
    knowledge: listing.knowledge,
    memoryBytes: memoryFile?.bytes.length ?? (entry?.kind === "file" ? entry.size : 0),
    findings: [...findings, ...stated.findings, ...late],
  };
}

/** References to missing knowledge files in the files that are kept current, each with its line. Reads no logs. Errors: `io`. */
export async function findStaleReferences(
  files: Files,
): Promise<readonly (AuditFinding & { readonly text: string })[]> {
  const listing = await listMemoryFiles(files);
  const found: (AuditFinding & { readonly text: string })[] = [];
  for (const { path, entry } of listing.files) {
    if (!isLiving(path) && !isRoot(path)) continue;
    const read = await readFile(files, path, entry.size);
    if (read === undefined || "code" in read) continue;
    const text = readText(read);
    for (const finding of checkKnowledgeReferences(text, listing.knowledge))
      found.push({ ...finding, text: shownLines(text)[(finding.line ?? 1) - 1] ?? "" });
  }
  return found;
}

/** A file, or a finding about why it was not read; `undefined` if it no longer exists. */
async function readFile(files: Files, path: string, size: number): Promise<FileAsRead | AuditFinding | undefined> {
  if (size > thresholds.largestRead) return tooLarge(path, size);
  // The range limits memory use if the file grows after it was listed.
  const range = { from: 0, to: thresholds.largestRead + 1 };
  const read = await files.read(path, range).catch(ifMemoryError(({ message }) => unreadable(path, message)));
  if (read === undefined || "code" in read) return read;
  const { bytes, stamp } = read;
  if (bytes.length > thresholds.largestRead) return tooLarge(path, read.size);
  return { path, bytes, stamp, sha256: sha256(bytes) };
}

/** Findings for fixed nodes whose logs (in full, if shortened) were changed or are gone. If the tree cannot be loaded, that is a finding too. */
async function changedSources(memory: TreeMemory): Promise<readonly AuditFinding[]> {
  const loaded = await withLogicalLogs(memory)
    .then((whole) => loadTree(whole, { cache: "used" }))
    .catch(
      ifMemoryError(({ message }) => `the tree could not be loaded, so its sources were not compared: ${message}`),
    );
  if (typeof loaded === "string") return [unreadable("memory", loaded)];
  const late = lateSourcesOf(loaded.state, new Set(loaded.skipped.map(({ path }) => path)));
  return late.filter(({ code }) => code === "source_edited" || code === "source_missing").map(sourceChanged);
}

function unreadable(path: string, why: string): AuditFinding {
  return fileFinding("unreadable", path, `${path} was not audited: ${why}`);
}

function tooLarge(path: string, size: number): AuditFinding {
  const message = `${path} has ${size} bytes; files over ${thresholds.largestRead} bytes are not read or changed: split it.`;
  return fileFinding("too_large", path, message);
}

function sourceChanged(late: LateSource): AuditFinding {
  const what =
    late.code === "source_missing"
      ? `${late.path} is missing, and the fixed node of ${late.period} was made from it: restore it from a backup.`
      : `${late.path} was changed after the node of ${late.period} was fixed: \`heartwood compact\` adds what is new as late data; \`heartwood compact --accept ${late.period}\` rebuilds the node from the current file.`;
  return fileFinding("source_changed", late.path, what);
}

/** Lists the memory files by path, and everything below `knowledge/`. Follows no links. A folder that cannot be listed is a finding. */
async function listMemoryFiles(files: Files) {
  const found: { readonly path: string; readonly entry: FileEntry; readonly day?: Day }[] = [];
  const knowledge = new Set<string>();
  const findings: AuditFinding[] = [];
  const list = async (folder: string): Promise<readonly { readonly path: string; readonly entry: FileEntry }[]> => {
    const entries = await files.list(folder).catch(
      ifMemoryError(({ message }): FileEntry[] => {
        findings.push(unreadable(folder === "" ? "." : folder, message));
        return [];
      }),
    );
    return entries.map((entry) => ({ path: folder === "" ? entry.name : `${folder}/${entry.name}`, entry }));
  };
  const addKnowledge = async (folder: string): Promise<void> => {
    for (const one of await list(folder)) {
      knowledge.add(one.path);
      if (one.entry.kind === "folder") await addKnowledge(one.path);
      else if (one.path.endsWith(".md")) found.push(one);
    }
  };
  const add = async (folder: string, isWanted: (path: string) => boolean): Promise<void> =>
    pushAll(
      found,
      (await list(folder)).filter(({ path }) => isWanted(path)),
    );
  await add("", isLiving);
  for (const one of await list(memoryFolder)) {
    const { path, entry } = one;
    const name = parseLogFile(entry.name);
    if (name.state === "bad") {
      const message = `${path} is never processed because its name is not a log name: ${name.message}.${name.names.length === 0 ? " Rename it." : ""}`;
      findings.push(fileFinding("bad_name", path, message));
    }
    if (name.state === "log" && name.slug === "") found.push({ ...one, day: name.day });
    else if (path.endsWith(".md")) found.push(one);
  }
  for (const folder of [...nodeLevels.map((level) => `${memoryFolder}/${level}`), archiveFolder])
    await add(folder, (path) => path.endsWith(".md"));
  for (const { path, entry } of await list(`${memoryFolder}/agents`))
    if (entry.kind === "folder") await add(path, (own) => own.endsWith("/AGENT.md"));
  await addKnowledge("knowledge");
  return { files: found.toSorted((a, b) => compareTexts(a.path, b.path)), knowledge, findings };
}
