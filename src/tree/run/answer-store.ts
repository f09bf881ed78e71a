import { sha256, shortDigest } from "../../base/digest.ts";
import { decodeText } from "../../base/lines.ts";
import type { FileStamp } from "../../platform/files.ts";
import {
  type AnswerRecord,
  countingAnswers,
  type ListedRecord,
  parseRecord,
  parseRecordName,
  printRecord,
  recordFolder,
  recordPath,
  type SummaryKind,
} from "../answers/record.ts";
import { acceptedFor, basisOf, isOutdatedByAnswer, isSummary, withoutUnusable } from "../plan/status.ts";
import type { AnswersState, NodeFacts, TreeState } from "../model/tree-state.ts";
import { type NodeAnswer } from "../compose/compose-summary.ts";
import { childrenOf, hasEnded, memoryFolder, nodeLabel, nodeLevels } from "../model/period.ts";
import { nodePath, parseNodeFile, parseNodeLabel, type NodeName } from "../model/period.ts";
import { adapterOf, type Configuration } from "../setup/configuration.ts";
import type { TreeMemory } from "../memory.ts";
import { encode, readNodeFile } from "./tree-files.ts";
import { ifInTheWay, type Warning } from "../../base/errors.ts";
import { compareTexts } from "../../base/lists.ts";
import { localDay, localTimestamp } from "../../base/calendar.ts";
import { type LedgerLine, printLedgerLine, parseLedgerLine, LedgerFold } from "../answers/ledger.ts";

/** Lists recorded answers and waiting nodes without reading a record: one listing per level, plus the ledger if a summarizer is configured. */
export async function readAnswers(memory: TreeMemory, configuration: Configuration): Promise<AnswersState> {
  const known = new Map<string, ListedRecord[]>();
  const waited = new Map<string, { readonly runs: number; readonly since: string }>();
  const isConfigured = adapterOf(memory, configuration) !== "off";
  const waits = isConfigured ? (await readLedgerFile(memory)).fold.waited() : new Map<string, never>();
  for (const level of nodeLevels) {
    for (const record of await listAllRecords(memory, level)) {
      const name = parseNodeLabel(level, record.label);
      if (name === undefined) continue;
      const path = nodePath(name);
      known.set(path, [...(known.get(path) ?? []), record]);
    }
    for (const [key, value] of waits) {
      const name = key.startsWith(`${level} `) ? parseNodeLabel(level, key.slice(level.length + 1)) : undefined;
      if (name !== undefined) waited.set(nodePath(name), value);
    }
  }
  return { known, summarizer: isConfigured ? "configured" : "none", waited };
}

/** The records of a kind, with only one accepted record per basis. */
export async function listRecords(memory: TreeMemory, kind: SummaryKind): Promise<readonly ListedRecord[]> {
  return countingAnswers(await listAllRecords(memory, kind));
}

/** All records of a kind, parsed from their file names. Skips anything that is not a file or has another kind of name. */
export async function listAllRecords(memory: TreeMemory, kind: SummaryKind): Promise<readonly ListedRecord[]> {
  const folder = recordFolder(kind);
  return (await memory.files.list(folder)).flatMap((entry): readonly ListedRecord[] => {
    const name = entry.kind === "file" ? parseRecordName(entry.name) : undefined;
    return name === undefined ? [] : [{ ...name, path: `${folder}/${entry.name}` }];
  });
}

/** Reads a record. A record that does not match its file name is `damaged`. Errors: `io`, `link_outside`, `not_a_file`. */
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
 * Records an answer atomically and returns its path. Replaces only a dropped or damaged record; a damaged one is kept
 * under another name. Errors: `io`, `disk_full`, `link_outside`, `not_a_file`.
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

/** Copies a damaged record to an unused name derived from its bytes. Returns its stamp, or `undefined` if the record is intact. */
async function keepDamaged(memory: TreeMemory, path: string): Promise<FileStamp | undefined> {
  if ((await readRecord(memory, path)) !== "damaged") return undefined;
  const read = await memory.files.read(path);
  if (read === undefined) return undefined;
  const aside = `${path.slice(0, -".json".length)}.damaged-${sha256(read.bytes).slice(0, 8)}`;
  await memory.files.commit([{ path: aside, bytes: read.bytes, expect: "absent", like: path }]);
  return read.stamp;
}

/** The accepted answer to use for these sources: the first with an intact record. */
export async function findAnswer(
  memory: TreeMemory,
  answers: AnswersState | undefined,
  of: Pick<NodeFacts, "name" | "sources">,
): Promise<NodeAnswer | undefined> {
  const basis = basisOf(of.name, of.sources);
  const record = await firstUsable(memory, acceptedFor(answers, of), { label: nodeLabel(of.name), basis });
  return record && { digest: record.digest, model: record.model, summary: record.summary };
}

/** The answer named in a node or ROOT.md as its origin, even if it was dropped since. `records`: all candidates. */
export async function recordedAnswer(
  memory: TreeMemory,
  records: readonly ListedRecord[],
  digest: string,
): Promise<AnswerRecord | "missing" | "damaged"> {
  let found: "missing" | "damaged" = "missing";
  for (const { path, state, digest: short } of records.toSorted((a, b) => compareTexts(a.state, b.state))) {
    if (state === "refused" || short !== shortDigest(digest)) continue;
    const record = await readRecord(memory, path).catch(ifInTheWay(() => "missing" as const));
    if (typeof record === "object" && record.digest === digest) return record;
    if (record === "damaged") found = "damaged";
  }
  return found;
}

/** The accepted record to use for a subject: the one with the lowest digest among the intact records for its basis. */
export async function firstUsable(
  memory: Pick<TreeMemory, "files">,
  records: readonly ListedRecord[],
  { label, basis }: { readonly label: string; readonly basis: string },
): Promise<AnswerRecord | undefined> {
  const own = records.filter(
    (record) => record.state === "accepted" && record.label === label && record.basis === shortDigest(basis),
  );
  for (const { path } of own.toSorted((a, b) => compareTexts(a.digest, b.digest))) {
    const record = await readRecord(memory, path);
    if (typeof record === "object" && record.basis === basis) return record;
  }
  return undefined;
}

/**
 * Returns the state without accepted answers whose records are damaged, which would make a node due on every run. Reads
 * a record only if a node is due because of it.
 */
export async function withoutDamaged(
  memory: TreeMemory,
  state: TreeState,
  known: AnswersState,
): Promise<{ readonly state: TreeState; readonly warnings: readonly Warning[] }> {
  const warnings: Warning[] = [];
  let answers = known;
  for (const facts of state.nodes.all()) {
    const path = nodePath(facts.name);
    if (facts.status === "fixed" || !answers.known.has(path) || !isOutdatedByAnswer(state, facts)) continue;
    const usable = withoutUnusable(answers, facts, await findAnswer(memory, known, facts));
    if (usable === answers) continue;
    answers = usable;
    const message = `the recorded model answer for ${path} is damaged and not used`;
    warnings.push({ code: "answer_damaged", path, message });
  }
  return { state: { ...state, answers }, warnings };
}

export const ledgerPath = ".heartwood/summaries/ledger.jsonl";

export type LedgerEvent = Omit<LedgerLine, "at" | "day">;

/** Appends lines to the ledger, durably. Errors: `io`, `disk_full`, `link_outside`, `not_a_file`. */
export async function appendLedger(memory: TreeMemory, events: readonly LedgerEvent[]): Promise<void> {
  if (events.length === 0) return;
  const now = memory.clock.now();
  const { zone } = memory.clock;
  const time = { at: localTimestamp(now, zone), day: localDay(now, zone) };
  const text = events.map((event) => printLedgerLine({ ...time, ...event })).join("");
  // A crash may have left an unterminated line: start a new one.
  const size = (await memory.files.read(ledgerPath, { from: 0, to: 0 }))?.size ?? 0;
  const last = size === 0 ? undefined : await memory.files.read(ledgerPath, { from: size - 1, to: size });
  const isTorn = size > 0 && last?.bytes[0] !== 10;
  await memory.files.append(ledgerPath, Buffer.from(isTorn ? `\n${text}` : text, "utf8"));
}

/** The folded ledger and the number of unreadable lines. */
export interface ReadLedgerFile {
  readonly fold: LedgerFold;
  readonly torn: number;
}

/** Folds the ledger in linear time. `onLine` is called for each line, oldest first. */
export async function readLedgerFile(memory: TreeMemory, onLine?: (line: LedgerLine) => void): Promise<ReadLedgerFile> {
  const fold = new LedgerFold();
  let torn = 0;
  const bytes = (await memory.files.read(ledgerPath))?.bytes ?? [];
  for (const text of Buffer.from(bytes).toString("utf8").split("\n")) {
    const line = parseLedgerLine(text);
    if (line === undefined) torn += text === "" ? 0 : 1;
    else {
      fold.add(line);
      onLine?.(line);
    }
  }
  return { fold, torn };
}

export async function countWaits(memory: TreeMemory, waiting: readonly NodeName[]): Promise<void> {
  const events = waiting.map((name): LedgerEvent => ({ event: "waited", kind: name.level, label: nodeLabel(name) }));
  await appendLedger(memory, events);
}

/** How many of the newest nodes of each level `countDueSummaries` looks at. */
const mostLookedAt = 8;

/**
 * The number of nodes that `summaries pending` would list, without loading the tree: reads only the newest nodes, and of most only the start. Addenda, ROOT.md and threads
 * do not count. Errors: any from reading.
 */
export async function countDueSummaries(memory: TreeMemory): Promise<number> {
  const open = new Set<string>();
  let due = 0;
  for (const level of nodeLevels) {
    // Names come sorted, and parsing those of ten years would take too long.
    const newest = (await memory.files.names(`${memoryFolder}/${level}`)).slice(-4 * mostLookedAt);
    const nodes = newest.flatMap((file) => parseNodeFile(level, file) ?? []).filter(({ late }) => late === 0);
    const answers = await memory.files.names(recordFolder(level));
    for (const name of nodes.slice(-mostLookedAt)) {
      if (!(await isTentative(memory, name))) continue;
      open.add(name.period);
      const isWhole = !childrenOf(level, name.period).some((child) => open.has(child));
      if (!isWhole || !hasEnded(level, name.period, memory.clock.today())) continue;
      const facts = (await readNodeFile(memory.files, name))?.facts;
      if (facts !== undefined && isSummary(facts) && !isAnswered(facts, answers)) due += 1;
    }
  }
  return due;
}

/** Whether the front matter says so, as far as its first lines show. */
async function isTentative(memory: TreeMemory, name: NodeName): Promise<boolean> {
  const start = await memory.files.read(nodePath(name), { from: 0, to: 256 });
  return Buffer.from(start?.bytes ?? []).includes("\nstatus: tentative");
}

/** Whether one of these records is an answer to the node's sources, accepted or refused. */
function isAnswered({ name, sources }: NodeFacts, files: readonly string[]): boolean {
  const basis = shortDigest(basisOf(name, sources));
  const records = files.flatMap((file) => parseRecordName(file) ?? []);
  return records.some(
    (record) => record.label === nodeLabel(name) && record.basis === basis && record.state !== "dropped",
  );
}
