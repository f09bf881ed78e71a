import { localTimestamp } from "../../base/calendar.ts";
import { isInTheWay, MemoryError, type Warning } from "../../base/errors.ts";
import { readFrontMatter } from "../../base/front-matter.ts";
import { parseHeading, scanLines } from "../../base/markdown.ts";
import { decodeText, textLines } from "../../base/lines.ts";
import { isPreserved, memoryTypes, snapshotTopic } from "../../base/memory-type.ts";
import { redact } from "../../text/redact/redact.ts";
import type { Entry } from "../model/entry-format.ts";
import { rootPath, workingFile } from "../model/period.ts";
import { isUntouched, parseRootLine, type RootDocument, rootSections } from "../root/root-format.ts";
import { rootLimits } from "../root/root-compose.ts";
import { rootHeading } from "../extract/built-in-summarizer.ts";
import { NodeShelf } from "./compose-node.ts";
import type { Configuration } from "../setup/configuration.ts";
import type { LoadedTree } from "./load.ts";
import type { TreeMemory } from "../memory.ts";
import type { DueNode } from "./idle.ts";
import { readNodeFile } from "./tree-files.ts";
import { appendEntries, contentId, scanForEntries } from "../logs/append.ts";
import { archiveBytes } from "../logs/archive.ts";
import { logPath, readLogTexts } from "../logs/raw-logs.ts";
import { wordKeys } from "../../text/word-keys.ts";
import { renderRoot, writtenLines } from "../root-run/root-run.ts";

/** Appends pending notes to today's log. `wrote`: whether anything was appended. */
export async function writeNotes(
  memory: TreeMemory,
  loaded: LoadedTree,
  configuration: Configuration,
): Promise<{ readonly wrote: boolean; readonly warnings: readonly Warning[] }> {
  const added = await addedLines(memory, loaded, configuration);
  const { entries, warnings } = await readSnapshot(memory, loaded);
  const notes = [...entries, ...rootEntries(memory, added)];
  if (notes.length === 0) return { wrote: false, warnings };
  await appendEntries(memory, loaded.state.today, notes, { holder: "compact", counting: "uncounted" });
  if (added.lines.length === 0) return { wrote: true, warnings };
  const whose = added.origin === "user" ? `were added to ${rootPath}` : `were only in the foreign ${rootPath}`;
  const message = `${added.lines.length} line(s) that ${whose} were copied to today's log`;
  return { wrote: true, warnings: [...warnings, { code: "root_lines", path: rootPath, message }] };
}

/** The content of WORKING.md that a run would append to today's log before composing. */
export async function readSnapshot(memory: TreeMemory, loaded: LoadedTree) {
  const working = await readWorking(memory);
  const entry = "code" in working ? undefined : await snapshotOf(memory, loaded, working.text);
  const { today: period } = loaded.state;
  const detail = `the contents of ${workingFile} are copied to today's log first`;
  const note: DueNode = { path: logPath(period), level: "daily", period, reason: "changed", detail };
  const taken = entry === undefined ? { entries: [], due: [] } : { entries: [entry], due: [note] };
  return { ...taken, warnings: "code" in working ? [working] : [] };
}

/** A link, a folder or a binary file in place of WORKING.md gives a warning; a temporary read error is thrown. */
async function readWorking(memory: TreeMemory): Promise<{ readonly text: string } | Warning> {
  try {
    const read = await memory.files.read(workingFile);
    const text = read === undefined ? "" : decodeText(read.bytes);
    if (text !== undefined) return { text };
    const message = `${workingFile} is not UTF-8, so it was not copied to today's log`;
    return { code: "not_utf8", path: workingFile, message };
  } catch (error) {
    if (!isInTheWay(error)) throw error;
    const message = `${workingFile} was not copied to today's log: ${error.message}`;
    return { code: error.code, path: workingFile, message };
  }
}

async function snapshotOf(memory: TreeMemory, loaded: LoadedTree, text: string): Promise<Entry | undefined> {
  if (!hasTask(text)) return undefined;
  const state = demoted(textLines(redact(text).text));
  const body = ["- context: pre-compaction automatic snapshot", "- state:", "", ...state];
  const at = localTimestamp(memory.clock.now(), memory.clock.zone);
  const id = contentId("snapshot", text);
  const entry: Entry = { topic: snapshotTopic, type: "project", id, at, origin: "file", body };
  return (await isLogged(memory, loaded, entry)) ? undefined : entry;
}

/** Whether WORKING.md contains more than its template. Comments, the title and the placeholder are ignored. */
function hasTask(text: string): boolean {
  const rest = text.replaceAll(/<!--[\s\S]*?-->/gu, "");
  return textLines(rest).some(
    (line) => line.trim() !== "" && !/^#\s/u.test(line) && line.trim() !== "(no active tasks)",
  );
}

/** Looks for a snapshot with the same content in the logs up to today. A log with a missing archived part does not stop the run. */
async function isLogged(memory: TreeMemory, loaded: LoadedTree, entry: Entry): Promise<boolean> {
  const days = [...loaded.state.days.keys()].filter((day) => day <= loaded.state.today).toSorted();
  for (const day of days.toReversed()) {
    const scan = await scanForEntries(memory.files, logPath(day), [entry]).catch((error: unknown) => {
      if (!(error instanceof MemoryError && error.code === "archive_damaged")) throw error;
    });
    if (scan?.found.get(entry.id)?.state === "whole") return true;
  }
  return false;
}

function demoted(lines: readonly string[]): readonly string[] {
  const kinds = scanLines(lines).lines;
  return lines.flatMap((line, index) => {
    const kind = kinds[index]?.kind;
    const heading = kind === "heading" ? parseHeading(line) : undefined;
    if (heading !== undefined) return [`${"#".repeat(Math.min(6, heading.level + 2))} ${heading.text}`];
    return kind === "mark" ? [] : [line];
  });
}

interface AddedLines {
  readonly lines: readonly string[];
  /** `import`: the whole file is foreign. */
  readonly origin: "user" | "import";
}

/** Lines of our ROOT.md that heartwood did not write; for a foreign ROOT.md, lines found nowhere else. */
async function addedLines(memory: TreeMemory, loaded: LoadedTree, configuration: Configuration): Promise<AddedLines> {
  const { root } = loaded;
  if (root?.reading === "unknown") return { lines: await linesOnlyIn(root.text, memory, loaded), origin: "import" };
  if (root?.document === undefined || isUntouched(root.document)) return { lines: [], origin: "user" };
  const own = await ownLines(memory, loaded, root.document, configuration);
  if (own === undefined) await archiveBytes(memory.files, rootPath, root.bytes);
  const isAdded = (line: string): boolean => own !== undefined && isContent(line) && !own.has(line);
  return { lines: root.document.body.filter(isAdded), origin: "user" };
}

/**
 * The list items of a foreign ROOT.md with a clause that is found nowhere else: no single day or node contains all its
 * words and those of its topic.
 */
async function linesOnlyIn(root: string, memory: TreeMemory, { state }: LoadedTree): Promise<readonly string[]> {
  const reading = readFrontMatter(textLines(root));
  const body = reading.state === "broken" ? [] : reading.body;
  const kinds = scanLines(body).lines;
  const items = body.filter((line, at) => kinds[at]?.kind === "text" && /^\s*[-*+]\s+[^\s(<]/u.test(line));
  const claims = items.map((line) => ({ line, open: clausesOf(line) }));
  const wanted = new Set(claims.flatMap(({ open }) => open.flatMap((clause) => [...clause])));
  const settle = (found: ReadonlySet<string>): void => {
    for (const claim of claims) claim.open = claim.open.filter((clause) => ![...clause].every((key) => found.has(key)));
  };
  const find = (found: Set<string>, text: string): void => {
    for (const key of wordKeys(text)) if (wanted.has(key)) found.add(key);
  };
  for (const { logs } of state.days.values()) {
    const found = new Set<string>();
    for (const { path } of logs)
      // Unreadable files are reported when the run composes the day.
      await readLogTexts(memory.files, path, (lines) => lines.forEach((text) => find(found, text)));
    settle(found);
  }
  for (const { name } of state.nodes.all()) {
    const found = new Set<string>();
    find(found, (await readNodeFile(memory.files, name))?.node?.body.join("\n") ?? "");
    settle(found);
  }
  return claims.filter(({ open }) => open.length > 0).map(({ line }) => line);
}

/** The words in each clause of a list item, with those of its topic, unless the topic is just a time. */
function clausesOf(line: string): readonly ReadonlySet<string>[] {
  const { topic, text } = parseRootLine(line);
  const named = /\p{L}/u.test(topic) ? [...wordKeys(topic)] : [];
  const clauses = text.replaceAll("(done)", "").split(/[,;，；、]|→|\s[-–—]\s/u);
  const keys = clauses.map((clause) => new Set([...named, ...wordKeys(clause)]));
  return keys.filter(({ size }) => size > 0);
}

/** Excludes blank lines, fence and conflict markers, and our section headings. */
function isContent(line: string): boolean {
  const text = line.trim();
  const isMark = /^(?:`{3,}|~{3,}|<{7}(?: |$)|={7}$|>{7}(?: |$)|\|{7}(?: |$))/u.test(text);
  return text !== "" && !isMark && !rootSections.some((section) => text === `## ${section}`);
}

/** The lines heartwood wrote last: from the saved copy, or rendered again. */
async function ownLines(
  memory: TreeMemory,
  loaded: LoadedTree,
  document: RootDocument,
  configuration: Configuration,
): Promise<ReadonlySet<string> | undefined> {
  const { madeFrom, lastUpdated: day, foreign, answer } = document;
  const written = await writtenLines(memory, madeFrom);
  if (written !== undefined) return new Set(written);
  const limits = rootLimits(configuration.rootMaxTokens);
  const made = { shelf: new NodeShelf(memory.files), day, limits, foreign, answer };
  const rendered = await renderRoot(memory, loaded.state, made);
  return rendered.root.madeFrom === madeFrom ? new Set(rendered.root.body) : undefined;
}

/** One entry per type. */
function rootEntries(memory: TreeMemory, { lines, origin }: AddedLines): readonly Entry[] {
  const parsed = lines.map(parseRootLine);
  return memoryTypes.flatMap((type): readonly Entry[] => {
    const own = parsed.filter((line) => line.type === type);
    if (own.length === 0) return [];
    const body = own.map(
      ({ topic, text }) => redact(topic === "" ? `- ${text}` : `- ${topic}${text === "" ? "" : `: ${text}`}`).text,
    );
    const id = contentId(isPreserved(type) ? "root-kept" : "root", body.join("\n"));
    return [{ topic: rootHeading, type, id, at: localTimestamp(memory.clock.now(), memory.clock.zone), origin, body }];
  });
}
