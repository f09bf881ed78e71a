import type { AgentMemory } from "../agents/memory.ts";
import { parseInjections, sessionsFolder } from "../agents/sessions/record.ts";
import { pushAll } from "../base/lists.ts";
import { stateFolder } from "../base/known-paths.ts";
import type { FileChange } from "../platform/files.ts";
import { realFilesOf, withLogicalLogs, withWholeLogs } from "../tree/memory.ts";
import { mergeKindOf } from "../tree/merge/files.ts";
import { recordsFolder, rootPath } from "../tree/model/period.ts";
import { loadTree } from "../tree/run/load.ts";
import { plannedDrops } from "../tree/run/reopen.ts";
import type { Found } from "./find.ts";
import { daysOf, planSweep } from "./sweep.ts";
import { planWork } from "./work.ts";

/** What goes, or is made again, because it was made from what is forgotten. Without caches and the search index. */
export interface Derived {
  /** Sessions on record that were given a text made from it, as every start is made from ROOT.md. The whole text goes: it may say the same in other words. */
  readonly sessions: readonly DerivedSession[];
  /** Nodes and ROOT.md that are made again, if anything is left to make them from. */
  readonly rebuilt: readonly string[];
  /** Other files that go: archived nodes, answers of models, artifacts, parts of shortened notes. */
  readonly removed: readonly string[];
}

export interface DerivedSession {
  /** The client and its id of the session. */
  readonly session: string;
  /** How many of its texts go. */
  readonly texts: number;
  /** How many are on record. If all go, so does the record. */
  readonly of: number;
  /** When the texts that go were given, ISO 8601 in UTC. */
  readonly first_at: string;
  readonly last_at: string;
}

export const noneDerived: Derived = { sessions: [], rebuilt: [], removed: [] };

/** Plans what forgetting does to derived files. Writes nothing. Errors: `io`. */
export async function findDerived(memory: AgentMemory, found: Found): Promise<Derived> {
  // A preview uses up no ids.
  const ids = { ...memory.ids, next: () => "00000000-0000-7000-8000-000000000000" };
  // A memory has getters and may inherit, so it is not copied.
  const own: AgentMemory = Object.create(await withWholeLogs(memory), { ids: { value: ids, enumerable: true } });
  const work = await planWork(own, found);
  const changes = await planSweep(memory, work);
  const days = daysOf(work);
  const { state } = await loadTree(await withLogicalLogs(memory), { cache: "ignored" });
  const isMade = ({ path }: FileChange): boolean => path === rootPath || mergeKindOf(path) === "derived";
  const nodes = [...plannedDrops(state, days), ...changes.filter(isMade).map(({ path }) => path)];
  const isRootThere = days.length > 0 && (await memory.files.read(rootPath, { from: 0, to: 0 })) !== undefined;
  const sessions: DerivedSession[] = [];
  for (const change of changes.filter(({ path }) => path.startsWith(`${sessionsFolder}/`)))
    pushAll(sessions, await sessionOf(memory, change));
  const quiet = ["cache/", "search/", "sessions/"].map((name) => `${stateFolder}/${name}`);
  const removed = changes.filter(
    (change) =>
      change.bytes === undefined &&
      !isMade(change) &&
      !change.path.startsWith(`${recordsFolder}/`) &&
      !quiet.some((folder) => change.path.startsWith(folder)),
  );
  return {
    sessions: sessions.toSorted((a, b) => (a.last_at < b.last_at ? 1 : -1)),
    rebuilt: [...new Set([...nodes, ...(isRootThere ? [rootPath] : [])])].toSorted(),
    removed: removed.map(({ path }) => path).toSorted(),
  };
}

async function sessionOf(memory: AgentMemory, { path, bytes }: FileChange): Promise<readonly DerivedSession[]> {
  const before = textsIn((await realFilesOf(memory.files).read(path))?.bytes);
  const kept = textsIn(bytes);
  let next = 0;
  const gone = before.filter((one) => {
    const stays = JSON.stringify(kept[next]) === JSON.stringify(one);
    if (stays) next++;
    return !stays;
  });
  const [first, last] = [gone[0], gone.at(-1)];
  if (first === undefined || last === undefined) return [];
  const session = path.slice(sessionsFolder.length + 1).replace(/\.jsonl$/u, "");
  return [{ session, texts: gone.length, of: before.length, first_at: first.at, last_at: last.at }];
}

function textsIn(bytes: Uint8Array | undefined) {
  return parseInjections(Buffer.from(bytes ?? []).toString("utf8")).filter(({ text }) => text !== "");
}
