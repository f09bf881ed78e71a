import { sha256, shortDigest } from "../../base/digest.ts";
import { decodeText } from "../../base/lines.ts";
import type { FileStamp } from "../../platform/files.ts";
import {
  type AnswerRecord,
  countingAnswers,
  parseRecord,
  parseRecordName,
  printRecord,
  recordFolder,
  type RecordName,
  recordPath,
} from "../request/record.ts";
import type { SummaryKind } from "../request/request.ts";
import { basisOf } from "../../tree/plan/status.ts";
import type { AnswersState, KnownAnswer } from "../../tree/model/tree-state.ts";
import type { AnswerSource, NodeAnswer } from "../../tree/compose/compose-summary.ts";
import { nodeLabel, nodeLevels, type NodeName, nodePath, parseNodeLabel } from "../../tree/model/period.ts";
import { type Configuration, readConfiguration } from "../../tree/setup/configuration.ts";
import type { TreeMemory } from "../../tree/memory.ts";
import { encode } from "../../tree/run/node-files.ts";
import { readWaits } from "./ledger.ts";
import { effectiveSettings } from "./settings.ts";

/** What is on record and waited for, without reading a record: one listing a level, and the ledger where a summarizer is configured. */
export async function readAnswers(memory: TreeMemory, known?: Configuration): Promise<AnswersState> {
  const configuration = known ?? (await readConfiguration(memory)).configuration;
  const isConfigured = effectiveSettings(memory, configuration).adapter !== "off";
  return {
    known: await readKnown(memory),
    summarizer: isConfigured ? "configured" : "none",
    waited: isConfigured ? await readWaited(memory) : new Map(),
  };
}

async function readKnown(memory: TreeMemory): Promise<AnswersState["known"]> {
  const known = new Map<string, KnownAnswer[]>();
  for (const level of nodeLevels)
    for (const { label, basis, digest, state } of await listAllRecords(memory, level)) {
      const name = parseNodeLabel(level, label);
      if (name === undefined) continue;
      const path = nodePath(name);
      known.set(path, [...(known.get(path) ?? []), { basis, digest, state }]);
    }
  return known;
}

async function readWaited(memory: TreeMemory): Promise<AnswersState["waited"]> {
  const waited = new Map<string, { readonly runs: number; readonly since: string }>();
  for (const [key, value] of (await readWaits(memory)).waited())
    for (const level of nodeLevels) {
      const name = key.startsWith(`${level} `) ? parseNodeLabel(level, key.slice(level.length + 1)) : undefined;
      if (name !== undefined) waited.set(nodePath(name), value);
    }
  return waited;
}

export interface ListedRecord extends RecordName {
  readonly path: string;
}

/** The records of a kind that count: of several accepted ones for a basis, one. */
export async function listRecords(memory: TreeMemory, kind: SummaryKind): Promise<readonly ListedRecord[]> {
  return countingAnswers(await listAllRecords(memory, kind));
}

/** All records of a kind, by the names of their files; something else than files, and files of other names, are passed over. */
export async function listAllRecords(memory: TreeMemory, kind: SummaryKind): Promise<readonly ListedRecord[]> {
  const folder = recordFolder(kind);
  return (await memory.files.list(folder)).flatMap((entry): readonly ListedRecord[] => {
    const name = entry.kind === "file" ? parseRecordName(entry.name) : undefined;
    return name === undefined ? [] : [{ ...name, path: `${folder}/${entry.name}` }];
  });
}

/** A record, `missing` or `damaged`: also when it is not what its name says. Errors: `io`, `link_outside`, `not_a_file`. */
export async function readRecord(
  memory: Pick<TreeMemory, "files">,
  path: string,
): Promise<AnswerRecord | "missing" | "damaged"> {
  const read = await memory.files.read(path);
  if (read === undefined) return "missing";
  const text = decodeText(read.bytes);
  const record = text === undefined ? "damaged" : parseRecord(text);
  return record === "damaged" || recordPath(record) !== path ? "damaged" : record;
}

/**
 * Records an answer, whole or not at all, and says where. Replaces only a dropped or damaged record; a damaged one is kept beside it under another name. Errors:
 * `io`, `disk_full`, `link_outside`, `not_a_file`.
 */
export async function commitRecord(
  memory: TreeMemory,
  record: AnswerRecord,
): Promise<{ readonly path: string; readonly outcome: "written" | "known" }> {
  const path = recordPath(record);
  const expect = record.state === "dropped" ? "anything" : "absent";
  const bytes = encode(printRecord(record));
  const [done] = await memory.files.commit([{ path, bytes, expect }]);
  if (done?.outcome === "written") return { path, outcome: "written" };
  const stamp = await keepDamaged(memory, path);
  if (stamp === undefined) return { path, outcome: "known" };
  const [again] = await memory.files.commit([{ path, bytes, expect: { stamp } }]);
  return { path, outcome: again?.outcome === "written" ? "written" : "known" };
}

/** Copies a damaged record to a name that no record has; the same bytes always to the same one. Its stamp, or `undefined` where it is whole. */
async function keepDamaged(memory: TreeMemory, path: string): Promise<FileStamp | undefined> {
  if ((await readRecord(memory, path)) !== "damaged") return undefined;
  const read = await memory.files.read(path);
  if (read === undefined) return undefined;
  const aside = `${path.slice(0, -".json".length)}.damaged-${sha256(read.bytes).slice(0, 8)}`;
  await memory.files.commit([{ path: aside, bytes: read.bytes, expect: "absent", like: path }]);
  return read.stamp;
}

export interface RecordedAnswers extends AnswerSource {
  /** The answer that a node says it was made from, also when it was dropped since. */
  byDigest(name: NodeName, digest: string): Promise<NodeAnswer | "missing" | "damaged">;
}

/** The answers on record. Each level is listed once, when it is first asked about; one record is read a question. */
export function answersOf(memory: TreeMemory): RecordedAnswers {
  const listed = new Map<SummaryKind, Promise<ReadonlyMap<string, readonly ListedRecord[]>>>();
  const recordsOf = async (name: NodeName): Promise<readonly ListedRecord[]> => {
    const found =
      listed.get(name.level) ??
      listAllRecords(memory, name.level).then((records) => Map.groupBy(records, ({ label }) => label));
    listed.set(name.level, found);
    return (await found).get(nodeLabel(name)) ?? [];
  };
  return {
    find: async (name, sources) => {
      const records = await recordsOf(name);
      if (!records.some(({ state }) => state === "accepted")) return undefined;
      const usable = await firstUsable(memory, records, { label: nodeLabel(name), basis: basisOf(name, sources) });
      return usable === undefined ? undefined : answerOf(usable);
    },
    byDigest: async (name, digest) => {
      const records = (await recordsOf(name)).filter(
        (record) => record.state !== "refused" && record.digest === shortDigest(digest),
      );
      let found: NodeAnswer | "missing" | "damaged" = "missing";
      for (const { path } of records) {
        const record = await readRecord(memory, path);
        if (typeof record === "object" && record.digest === digest) return answerOf(record);
        found = record === "damaged" ? "damaged" : found;
      }
      return found;
    },
  };
}

/** Of the accepted records of a subject the one that counts: of those for its basis that are whole, the one with the lowest digest. */
export async function firstUsable(
  memory: Pick<TreeMemory, "files">,
  records: readonly ListedRecord[],
  { label, basis }: { readonly label: string; readonly basis: string },
): Promise<AnswerRecord | undefined> {
  const own = records.filter(
    (record) => record.state === "accepted" && record.label === label && record.basis === shortDigest(basis),
  );
  for (const { path } of own.toSorted((a, b) => (a.digest < b.digest ? -1 : 1))) {
    const record = await readRecord(memory, path);
    if (typeof record === "object" && record.basis === basis) return record;
  }
  return undefined;
}

function answerOf({ digest, model, summary }: AnswerRecord): NodeAnswer {
  return { digest, model, summary };
}
