import { isDay, type Day } from "../../base/calendar.ts";
import { sha256 } from "../../base/digest.ts";
import { MemoryError } from "../../base/errors.ts";
import { compareTexts } from "../../base/lists.ts";
import { topicKey, type MemoryType, type Topic } from "../../base/memory-type.ts";
import { shown } from "../../text/shown.ts";
import type { DiffInput } from "../inputs.ts";
import type { TreeMemory } from "../memory.ts";
import { readPassages } from "../model/node-passages.ts";
import { rootPath } from "../model/period.ts";
import type { NodeFacts } from "../model/tree-state.ts";
import { parseRoot } from "../root/root-format.ts";
import { loadTree } from "../run/load.ts";
import { readNodeFile } from "../run/tree-files.ts";
import { memoryAsOf, memoryIn } from "./as-of.ts";
import { GitReader } from "./revision-files.ts";

/** One side of a comparison. */
export interface ComparedVersion {
  /** As it was given; `now` for the memory as it is. */
  readonly name: string;
  readonly kind: "day" | "folder" | "revision" | "now";
  /** The day for which ROOT.md was composed. */
  readonly day: Day;
  /** Of a revision: its commit. */
  readonly commit?: string;
}

export interface TopicChange {
  readonly topic: string;
  readonly type: MemoryType;
  /** Its earlier type, if that was another. */
  readonly was_type?: MemoryType;
  /** Of a new or a gone topic: its days. Of a changed one: the days on which it differs. Oldest first. */
  readonly days: readonly Day[];
}

export interface RootLineChange {
  readonly section: string;
  readonly text: string;
}

export interface DiffResult {
  readonly from: ComparedVersion;
  readonly to: ComparedVersion;
  readonly topics: {
    readonly added: readonly TopicChange[];
    readonly changed: readonly TopicChange[];
    readonly removed: readonly TopicChange[];
  };
  /** The lines of ROOT.md that only one side has; the age of a topic does not count. */
  readonly root: { readonly added: readonly RootLineChange[]; readonly removed: readonly RootLineChange[] };
}

/**
 * Compares two versions of the tree: two days, folders or git revisions. Each is compacted in memory, and nothing is written. Folders and revisions are
 * composed for today, so that only their contents differ. Errors: `invalid_date`, `not_found`, `no_memory`, `other_owner`, `invalid_config`, `io`.
 */
export async function readDiff(memory: TreeMemory, { from, to }: DiffInput): Promise<DiffResult> {
  return compare(await openVersion(memory, from), await openVersion(memory, to));
}

/** The difference that a branch makes: from where it left its base. `base` and `head` are git revisions. Errors: as for `readDiff`. */
export async function readBranchDiff(memory: TreeMemory, base: string, head: string): Promise<DiffResult> {
  const git = await GitReader.open(memory.commands);
  const start = await revision(memory, git, await git.mergeBase(base, head));
  return compare({ ...start, is: { ...start.is, name: base } }, await revision(memory, git, head));
}

interface OpenedVersion {
  readonly is: ComparedVersion;
  readonly memory: TreeMemory;
}

async function openVersion(memory: TreeMemory, given: string | undefined): Promise<OpenedVersion> {
  const name = (given ?? "now").trim();
  if (given === undefined || name === "now") {
    const opened = await memoryIn(memory, memory.files);
    return { is: { name: "now", kind: "now", day: opened.clock.today() }, memory: opened };
  }
  if (isDay(name)) return { is: { name, kind: "day", day: name }, memory: await memoryAsOf(memory, name) };
  if (/^\d{4}-\d\d-\d\d$/u.test(name)) {
    const message = `"${name}" is not a day of the calendar; pass a valid date such as 2026-03-15.`;
    throw new MemoryError("invalid_date", message, { date: name });
  }
  if (!/^(?:[./~\\]|[A-Za-z]:[\\/])/u.test(name))
    return revision(memory, await GitReader.open(memory.commands, "versions"), name);
  const files = memory.filesIn?.(name);
  if (files === undefined) {
    const message = `"${shown(name, 80)}" cannot be opened here; pass a day or a git revision.`;
    throw new MemoryError("not_found", message, { path: shown(name, 80) });
  }
  const opened = await memoryIn(memory, files);
  return { is: { name, kind: "folder", day: opened.clock.today() }, memory: opened };
}

async function revision(memory: TreeMemory, git: GitReader, name: string): Promise<OpenedVersion> {
  const { commit, files } = await git.revision(name);
  const opened = await memoryIn(memory, files);
  return { is: { name, kind: "revision", day: opened.clock.today(), commit }, memory: opened };
}

async function compare(a: OpenedVersion, b: OpenedVersion): Promise<DiffResult> {
  const [from, to] = [await readVersion(a.memory), await readVersion(b.memory)];
  return {
    from: a.is,
    to: b.is,
    topics: await compareTopics(from, to),
    root: { added: linesMissingIn(from.root, to.root), removed: linesMissingIn(to.root, from.root) },
  };
}

interface ReadVersion {
  readonly memory: TreeMemory;
  readonly root: readonly RootLineChange[];
  /** The daily nodes of each day. */
  readonly days: ReadonlyMap<Day, readonly NodeFacts[]>;
  /** By `topicKey`: each topic with its days. */
  readonly topics: ReadonlyMap<string, readonly { readonly day: Day; readonly topic: Topic }[]>;
}

async function readVersion(memory: TreeMemory): Promise<ReadVersion> {
  const { state } = await loadTree(memory, { cache: "used" });
  const dailies = state.nodes.all().filter(({ name }) => name.level === "daily");
  const days = Map.groupBy(dailies, ({ name }) => name.period);
  const named = dailies.flatMap(({ name, topics }) => topics.map((topic) => ({ day: name.period, topic })));
  const topics = Map.groupBy(named, ({ topic }) => topicKey(topic.name));
  return { memory, root: await rootLines(memory), days, topics };
}

async function rootLines(memory: TreeMemory): Promise<readonly RootLineChange[]> {
  const read = await memory.files.read(rootPath);
  const reading = read === undefined ? undefined : parseRoot(Buffer.from(read.bytes).toString("utf8"));
  if (reading?.state !== "ours") return [];
  let section = "";
  return reading.root.body.flatMap((text): readonly RootLineChange[] => {
    if (text.startsWith("## ")) section = text.slice(3);
    return text.startsWith("## ") || text.trim() === "" ? [] : [{ section, text }];
  });
}

function linesMissingIn(
  lines: readonly RootLineChange[],
  others: readonly RootLineChange[],
): readonly RootLineChange[] {
  const known = new Set(lines.map(withoutAge));
  return others.filter((line) => !known.has(withoutAge(line)));
}

/** The age of a topic changes from day to day, and with it the mark that a reference is old. */
function withoutAge({ section, text }: RootLineChange): string {
  return `${section}\n${text.replace(/ \[(project|feedback|user|reference), (?:\d+d|\d{4}-\d\d-\d\d)(?:, \?)?/u, " [$1")}`;
}

/** Topics differ if any day has them in only one version, with another type, or with other content. */
async function compareTopics(from: ReadVersion, to: ReadVersion): Promise<DiffResult["topics"]> {
  const changes = new Map<string, { topic: Topic; days: Day[] }>();
  for (const day of [...new Set([...from.days.keys(), ...to.days.keys()])].toSorted(compareTexts)) {
    const [was, is] = [from.days.get(day) ?? [], to.days.get(day) ?? []];
    if (contentsOf(was) === contentsOf(is)) continue;
    const [before, after] = [await topicsOn(from.memory, was), await topicsOn(to.memory, is)];
    for (const key of new Set([...before.keys(), ...after.keys()])) {
      const [old, now] = [before.get(key), after.get(key)];
      const known = now ?? old;
      const isNamed = from.topics.has(key) || to.topics.has(key);
      if (known === undefined || !isNamed || old?.digest === now?.digest) continue;
      const change = changes.get(key) ?? { topic: known.topic, days: [] };
      change.days.push(day);
      changes.set(key, change);
    }
  }
  const kinds = { added: [] as TopicChange[], changed: [] as TopicChange[], removed: [] as TopicChange[] };
  for (const [key, { topic, days }] of [...changes].toSorted(([a], [b]) => compareTexts(a, b))) {
    const [old, now] = [from.topics.get(key)?.at(-1)?.topic, to.topics.get(key)?.at(-1)?.topic];
    const { name, type } = now ?? old ?? topic;
    const was_type = old === undefined || now === undefined || old.type === now.type ? {} : { was_type: old.type };
    const kind = now === undefined ? "removed" : old === undefined ? "added" : "changed";
    kinds[kind].push({ topic: name, type, ...was_type, days });
  }
  return kinds;
}

function contentsOf(nodes: readonly NodeFacts[]): string {
  return nodes.map(({ content }) => content).join(" ");
}

/** The named topics of a day, each with a digest of what is said about it. */
async function topicsOn(memory: TreeMemory, nodes: readonly NodeFacts[]) {
  const said = new Map<string, { topic: Topic; readonly texts: string[] }>();
  for (const { name } of nodes) {
    const node = (await readNodeFile(memory.files, name))?.node;
    for (const passage of node === undefined ? [] : readPassages(node)) {
      const key = topicKey(passage.topic);
      if (key === "" || passage.naming === "found" || passage.role === "entity") continue;
      const own = said.get(key) ?? { topic: { name: passage.topic, type: passage.type }, texts: [] };
      own.texts.push([passage.role, passage.type, passage.text, ...passage.lines.map(({ text }) => text)].join("\n"));
      if (passage.role === "topic") own.topic = { name: passage.topic, type: passage.type };
      said.set(key, own);
    }
  }
  return new Map(Array.from(said, ([key, { topic, texts }]) => [key, { topic, digest: sha256(texts.join("\0")) }]));
}
