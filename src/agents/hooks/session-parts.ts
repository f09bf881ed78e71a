import { pushAll } from "../../base/lists.ts";
import { decodeText, textLines } from "../../base/lines.ts";
import { ifMemoryError, MemoryError } from "../../base/errors.ts";
import { isPreserved, topicKey } from "../../base/memory-type.ts";
import { readFrontMatter, valueOf } from "../../base/front-matter.ts";
import { sentencesAt } from "../../recall/run/corrections.ts";
import { sentencesSaid, withoutSaid, wordsOnly, type Said } from "../../text/corrected.ts";
import { redact } from "../../text/redact/redact.ts";
import { visible } from "../../text/visible.ts";
import { layerTitles } from "../../recall/context/print.ts";
import { rootPath } from "../../tree/model/period.ts";
import { parseRoot, parseRootLine } from "../../tree/root/root-format.ts";
import { adapterOf, readConfiguration } from "../../tree/setup/configuration.ts";
import { hotFiles } from "../../tree/setup/init.ts";
import { readStateFile } from "../../tree/run/tree-files.ts";
import type { RecallMemory } from "../../recall/memory.ts";
import type { AgentMemory } from "../memory.ts";
import { newestEntries, printEntry, type NewEntry, type ReadOptions } from "../sessions/newest-entries.ts";

export interface SessionPart {
  readonly title: string;
  /** The file that its lines come from. Default: the title. */
  readonly source?: string;
  readonly lines: readonly string[];
  /** Which lines are kept if not all fit. */
  readonly keep: "first" | "last";
  /** `rest`: takes only the space that nothing else needs. */
  readonly room?: "rest";
  /** The largest share of the space that it takes. Default: all. */
  readonly most?: number;
}

export interface SessionParts {
  /** The body of ROOT.md; `undefined` if there is none. */
  readonly root: readonly string[] | undefined;
  /** The day on which it was made; empty if it does not say. */
  readonly updated: string;
  /** In the order of their importance. */
  readonly others: readonly SessionPart[];
  /** What the logs have of the session itself. */
  readonly ownText: string;
}

/** Reads what a session starts with, without secrets and safe in a prompt. Leaves out what is missing or unreadable. `profile`: whether the client needs MEMORY.md and USER.md from us. */
export async function readSessionParts(
  memory: AgentMemory,
  profile: "wanted" | "had",
  reading: ReadOptions,
): Promise<SessionParts> {
  const { body, updated } = await readRootPart(memory);
  const newest = await readRight(memory, reading);
  const right = rightLines(newest.wrong);
  const root = body && right(body);
  const hot = async (path: string): Promise<SessionPart> => ({
    title: path,
    lines: right(await readHot(memory, path)),
    keep: "first",
  });
  const profiles = profile === "had" ? [] : [await corePart(memory, right), await hot("USER.md")];
  const first = [await hot("WORKING.md"), ...profiles, await hot("SCRATCHPAD.md"), await hot("TASK-QUEUE.md")];
  const given = [...(root ?? []), ...first.flatMap(({ lines }) => lines)];
  const layers = await layerParts(memory, root ?? [], reading);
  const { since, before } = await newestLines(memory, { ...newest, given: wordsOnly(given.join("\n")), updated });
  const told = (title: string, lines: readonly string[]): SessionPart => ({ title, lines, keep: "last" });
  const others = [
    told("Since then", since),
    ...first,
    ...layers,
    { ...told("Said before that", before), room: "rest" } as const,
    told("Not read in time", newest.leftOut),
  ];
  return { root, updated, others: others.filter(({ lines }) => lines.length > 0), ownText: newest.ownText };
}

/** The lines of the memories under this one, those about the user first, without topics that this one has. */
async function layerParts(
  memory: AgentMemory,
  root: readonly string[],
  { isLate }: ReadOptions,
): Promise<readonly SessionPart[]> {
  const layers = (await memory.under?.()) ?? [];
  const parts: SessionPart[] = [];
  const topics = new Set(root.map((line) => topicKey(parseRootLine(line).topic)));
  for (const { name, memory: under } of layers) {
    const { body = [] } = await readRootPart(under);
    const { wrong } = await readRight(under, { isLate, own: "" });
    const lines = rightLines(wrong)(body).filter(
      (line) => line.startsWith("- ") && !topics.has(topicKey(parseRootLine(line).topic)),
    );
    for (const line of lines) topics.add(topicKey(parseRootLine(line).topic));
    const inOrder = [...lines.filter(isPreservedLine), ...lines.filter((line) => !isPreservedLine(line))];
    // A topic may be in two sections of ROOT.md with the same statement.
    const said = new Map(inOrder.toReversed().map((line) => [saidBy(line), line]));
    const source = `${name}:${rootPath}`;
    parts.push({
      title: `${source} (${layerTitles[name]})`,
      source,
      lines: inOrder.filter((line) => said.get(saidBy(line)) === line),
      keep: "first",
      most: 1 / 4,
    });
  }
  return parts;
}

function saidBy(line: string): string {
  const { topic, text } = parseRootLine(line);
  return text === "" ? topic : wordsOnly(text);
}

function isPreservedLine(line: string): boolean {
  return isPreserved(parseRootLine(line).type);
}

export async function readRootPart(memory: Pick<AgentMemory, "files">) {
  const text = await textAt(memory, rootPath);
  const reading = parseRoot(text ?? "");
  if (text === undefined || reading.state === "broken") return { body: undefined, updated: "" };
  const body = reading.state === "ours" ? reading.root.body : reading.body;
  const front = readFrontMatter(textLines(text));
  const updated = front.state === "read" ? (valueOf(front.front, "last-updated") ?? "") : "";
  return { body: shownLines(body.join("\n")), updated };
}

/** The newest entries without what later ones correct, and all corrected sentences. */
async function readRight(memory: RecallMemory, reading: ReadOptions) {
  const { entries, leftOut, ownText } = await newestEntries(memory, reading);
  const wrong: Said[] = [];
  const right: NewEntry[] = [];
  const later: string[] = [];
  // From the newest: what is said after a correction is right, also if it is, in the same words, what was corrected.
  for (const entry of entries.toReversed()) {
    right.unshift({
      ...entry,
      items: entry.items.map((item) => withoutSaid(item, wrong)).filter((item) => item !== ""),
    });
    pushAll(later, entry.items);
    if (entry.corrects === undefined) continue;
    const again = new Set(later.flatMap(sentencesSaid).map(({ words }) => words));
    pushAll(
      wrong,
      (await sentencesAt(memory, entry.corrects)).filter(({ words }) => !again.has(words)),
    );
  }
  return { entries: right, wrong, leftOut, ownText };
}

/** Removes corrected sentences from lines, and lines of which nothing else is left. */
function rightLines(wrong: readonly Said[]): (lines: readonly string[]) => readonly string[] {
  return (lines) =>
    lines.flatMap((line) => {
      const { text } = parseRootLine(line);
      const left = withoutSaid(text, wrong);
      return left === text ? [line] : left === "" ? [] : [line.slice(0, line.lastIndexOf(text)) + left];
    });
}

/** Lines about the newest entries that nothing else says yet: those since the last compaction, and those of the days before it, without questions. */
async function newestLines(
  memory: AgentMemory,
  {
    entries,
    given,
    updated,
  }: { readonly entries: readonly NewEntry[]; readonly given: string; readonly updated: string },
) {
  const { lastRun = Number.NEGATIVE_INFINITY } = await readStateFile(memory).catch(
    ifMemoryError(() => ({ lastRun: undefined })),
  );
  const [since, before] = [new Set<string>(), new Set<string>()];
  for (const entry of entries) {
    const isSince = typeof entry.at === "number" ? entry.at > lastRun : entry.at > updated;
    const items = entry.items.filter((item) => !given.includes(wordsOnly(item.replace(itemKey, ""))));
    if (items.length === 0) continue;
    if (isSince) since.add(printEntry(entry, items));
    else if (!/[?？]\s*$/u.test(items.at(-1) ?? "")) before.add(printEntry(entry, items));
  }
  return { since: [...since], before: [...before] };
}

/** One line for an agent that writes the summaries, if any can be written. */
export async function summariesLine(memory: AgentMemory): Promise<string> {
  try {
    const { configuration } = await readConfiguration(memory);
    if (adapterOf(memory, configuration) !== "pull") return "";
    const { countDueSummaries } = await import("../../tree/run/answer-store.ts");
    const due = await countDueSummaries(memory);
    const what = due === 1 ? "1 summary" : `${due} summaries`;
    return due === 0 ? "" : `${what} can be written: memory_summaries (skill heartwood-compaction)`;
  } catch (error) {
    // The session starts without the line; `status` reports the problem.
    if (error instanceof MemoryError) return "";
    throw error;
  }
}

/** `decision: `. ROOT.md tells items without it. */
const itemKey = /^[\p{L}-]{2,20}:\s+/u;

/** The section "Core" of MEMORY.md. */
async function corePart(memory: AgentMemory, right: ReturnType<typeof rightLines>): Promise<SessionPart> {
  const lines = right(await readHot(memory, "MEMORY.md"));
  const from = lines.findIndex((line) => /^#{1,3}\s+core\b/iu.test(line));
  const level = /^#+/u.exec(lines[from] ?? "")?.[0].length ?? 0;
  const rest = from < 0 ? [] : lines.slice(from + 1);
  const to = rest.findIndex((line) => (/^#+(?=\s)/u.exec(line)?.[0].length ?? 9) <= level);
  const core = (to < 0 ? rest : rest.slice(0, to)).join("\n").trim();
  return { title: "MEMORY.md, Core", lines: core === "" ? [] : core.split("\n"), keep: "first" };
}

function shownLines(text: string): readonly string[] {
  return visible(redact(text).text).split("\n");
}

async function textAt(memory: Pick<AgentMemory, "files">, path: string): Promise<string | undefined> {
  // An unreadable file must not keep a session from starting.
  const read = await memory.files.read(path).catch(ifMemoryError(() => undefined));
  return read && decodeText(read.bytes);
}

const comment = /<!--[^]*?-->/gu;

/** The lines of a hot file, without comments; no lines if it adds nothing to the template. */
async function readHot(memory: AgentMemory, path: string): Promise<readonly string[]> {
  const template = hotFiles.find((file) => file.path === path)?.text ?? "";
  // Replace secrets before cutting: half a key would not be recognized.
  const text = shownLines((await textAt(memory, path)) ?? "").join("\n");
  const own = text.replaceAll(comment, "");
  const given = new Set(template.split("\n").map((line) => line.trim()));
  const says = own
    .split("\n")
    .some((line) => line.trim() !== "" && !line.trim().startsWith("#") && !given.has(line.trim()));
  if (!says) return [];
  const lines = own.split("\n").map((line) => line.trimEnd());
  const spaced = lines.filter((line, at) => line !== "" || (at > 0 && lines[at - 1] !== ""));
  return spaced.join("\n").trim().split("\n");
}
