import { isDeepStrictEqual } from "node:util";
import type * as I from "../run/inputs.ts";
import type * as R from "../run/results.ts";
import { allHeads } from "../run/threads.ts";
import { MemoryError } from "../../base/errors.ts";
import type { ThreadMemory } from "../memory.ts";
import type { Call } from "../../base/operation.ts";
import { collectFindings, type ThreadFinding, replayThread, type Findings, type Replay } from "./replay.ts";
import { faultOf, type Fault } from "../plan/judge-frame.ts";
import { verifyArtifacts, verifyBundles } from "./artifacts.ts";
import { verifyRebuilt } from "./rebuild-summaries.ts";
import { pushAll } from "../../base/lists.ts";
import { CUMULATIVE_KIND } from "../plan/cut-points.ts";
import {
  INDEXED_TYPES,
  type OpenJob,
  type PlaceTarget,
  type StoredCheckpoint,
  type ThreadHead,
} from "../store/thread-store.ts";
import { checkpointsOf, type Thread } from "../plan/thread-state.ts";
import { levelsOf, rungKind } from "../plan/ladder.ts";
import { placeAt, placeBefore, placeOfWeight, type MessagePlace, type Places } from "../model/places.ts";

/**
 * Replays threads and compares whatever follows from their frames: what the store keeps beside them, plans and decisions, summaries and bundles.
 * A bad thread is a finding; an error is what keeps it from looking: `thread_not_found`, `aborted`, `busy`, `newer_store`, and `damaged_store` when the
 * store cannot be opened at all. Holds 28 bytes for a message of the thread at hand.
 */
export async function verifyThreads(
  memory: ThreadMemory,
  input: I.VerifyThreadsInput,
  call: Call = {},
): Promise<R.VerifyThreadsResult> {
  const ids =
    input.thread_id === undefined
      ? (await allHeads(memory)).map(({ thread_id }) => thread_id).toSorted()
      : [input.thread_id];
  const findings: ThreadFinding[] = [];
  let frames = 0;
  for (const [done, threadId] of ids.entries()) {
    call.progress?.({ phase: "verify", done, total: ids.length });
    const seen = await verifyThread(memory, threadId, call);
    frames += seen.frames;
    pushAll(findings, seen.findings);
  }
  const ok = findings.every(({ severity }) => severity === "info");
  return { ok, threads: ids.length, frames, findings };
}

async function verifyThread(
  memory: ThreadMemory,
  threadId: string,
  call: Call,
): Promise<{ readonly frames: number; readonly findings: readonly ThreadFinding[] }> {
  const findings = collectFindings(threadId);
  let frames = 0;
  try {
    const replay = await replayThread({ memory, threadId, findings, call });
    frames = replay.frames;
    await verifyIndex({ memory, replay, findings });
    const summaries = await verifyArtifacts({ memory, replay, findings, call });
    await verifyRebuilt({ memory, replay, findings, call, summaries });
    await verifyBundles({ memory, replay, findings, call });
  } catch (error) {
    if (!isOfThread(error)) throw error;
    findings.add(null, faultOf(error.code, error.message));
  }
  return { frames, findings: findings.list() };
}

/** What says that a thread is bad, and not that it cannot be looked at now. */
function isOfThread(error: unknown): error is MemoryError {
  const others: readonly string[] = ["aborted", "busy", "newer_store", "thread_not_found", "internal"];
  return error instanceof MemoryError && !others.includes(error.code);
}

interface IndexRequest {
  readonly memory: ThreadMemory;
  readonly replay: Replay;
  readonly findings: Findings;
}

/** Messages that are looked up in every way, evenly. All are looked up by their ids, which also checks ordinals and weights. */
const SAMPLES = 50;
const LOOKED_UP = 1000;
const AT_ONCE = 10_000;
/** How often a thread that is being written to is compared again. */
const TRIES = 20;

/** Compares what the store keeps beside the frames with the fold: the head, places, checkpoints, open jobs, and the frames found by their type. */
export async function verifyIndex({ memory, replay, findings }: IndexRequest): Promise<void> {
  // Others may append meanwhile: only what is compared in one state counts.
  for (let tries = 0; tries < TRIES; tries += 1) {
    const head = await replay.catchUp();
    if (!replay.isWhole) return;
    const faults = await compareAll({ memory, replay, head });
    const now = await memory.threads.head(head.thread_id);
    if (faults.length > 0 && now?.head_seq !== head.head_seq) continue;
    for (const fault of faults) findings.add(null, fault);
    return;
  }
  findings.add(null, faultOf("still_written", "Others append all the time; the index was not compared.", "warning"));
}

interface Compared {
  readonly memory: ThreadMemory;
  readonly replay: Replay;
  readonly head: ThreadHead;
}

async function compareAll(compared: Compared): Promise<readonly Fault[]> {
  const faults: Fault[] = [...compareHead(compared)];
  pushAll(faults, await comparePlaces(compared));
  pushAll(faults, await compareCheckpoints(compared));
  pushAll(faults, await compareJobs(compared));
  pushAll(faults, await compareTypes(compared));
  return faults;
}

function compareHead({ replay: { thread }, head }: Compared): readonly Fault[] {
  const expected: ThreadHead = {
    thread_id: head.thread_id,
    workspace: thread.workspace,
    title: thread.title,
    created_at_ms: thread.created_at_ms,
    updated_at_ms: thread.updated_at_ms,
    head_seq: thread.head_seq,
    message_count: thread.places.count,
    weight: thread.places.weight,
    decision_seq: thread.decision_seq,
  };
  return Object.entries(expected)
    .filter(([name, value]) => head[name as keyof ThreadHead] !== value)
    .map(([name, value]) => mismatch(`${name} of the head`, { kept: head[name as keyof ThreadHead], value }));
}

async function comparePlaces({ memory, replay: { thread } }: Compared): Promise<readonly Fault[]> {
  const { places, thread_id } = thread;
  const faults: Fault[] = [];
  for (let first = 1; first <= places.count && faults.length === 0; first += LOOKED_UP) {
    const page = placesOf(places, { first, last: Math.min(places.count, first + LOOKED_UP - 1), step: 1 });
    const asked = page.map((value) => ({ target: { id: value.id }, value }));
    pushAll(faults, await compareTargets(memory, thread_id, asked));
  }
  const step = Math.max(1, Math.floor(places.count / SAMPLES));
  const sample = placesOf(places, { first: 1 + ((places.count - 1) % step), last: places.count, step });
  const asked = sample.flatMap(({ ordinal, seq, weight_before }): readonly AskedPlace[] => [
    { target: { ordinal }, value: placeAt(places, ordinal) },
    { target: { seq: seq + 1 }, value: placeBefore(places, seq + 1) },
    { target: { weight: weight_before }, value: placeOfWeight(places, weight_before) },
  ]);
  return [...faults, ...(await compareTargets(memory, thread_id, asked))];
}

function placesOf(
  places: Places,
  range: { readonly first: number; readonly last: number; readonly step: number },
): readonly MessagePlace[] {
  const found: MessagePlace[] = [];
  for (let ordinal = range.first; ordinal <= range.last; ordinal += range.step)
    found.push(placeAt(places, ordinal) as MessagePlace);
  return found;
}

interface AskedPlace {
  readonly target: PlaceTarget;
  readonly value: MessagePlace | undefined;
}

async function compareTargets(
  memory: ThreadMemory,
  threadId: string,
  asked: readonly AskedPlace[],
): Promise<readonly Fault[]> {
  const targets = asked.map(({ target }) => target);
  const found = await memory.threads.places(threadId, targets);
  return asked.flatMap(({ target, value }, index) =>
    isSamePlace(found[index], value)
      ? []
      : [mismatch(`the place of ${JSON.stringify(target)}`, { kept: found[index], value })],
  );
}

function isSamePlace(one: MessagePlace | undefined, other: MessagePlace | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return (
    one.ordinal === other.ordinal &&
    one.seq === other.seq &&
    one.id === other.id &&
    one.weight_before === other.weight_before &&
    one.weight === other.weight
  );
}

async function compareCheckpoints({ memory, replay: { thread } }: Compared): Promise<readonly Fault[]> {
  const faults: Fault[] = [];
  // Also of kinds that a compile asks for, now or soon, and the frames do not have.
  const rungKinds = Array.from({ length: levelsOf(thread.places.weight) + 1 }, (_, level) => rungKind(level));
  for (const kind of new Set([CUMULATIVE_KIND, ...rungKinds, ...thread.checkpoints.keys()])) {
    const expected = checkpointsOf(thread, kind);
    const kept = await allCheckpoints(memory, { thread_id: thread.thread_id, kind });
    const index = expected.findIndex((value, at) => !isDeepStrictEqual(kept[at], value));
    if (index !== -1)
      faults.push(mismatch(`checkpoint ${index + 1} of ${kind}`, { kept: kept[index], value: expected[index] }));
    else if (kept.length > expected.length)
      faults.push(mismatch(`the number of ${kind}`, { kept: kept.length, value: expected.length }));
  }
  return faults;
}

async function allCheckpoints(
  memory: ThreadMemory,
  query: { readonly thread_id: string; readonly kind: string },
): Promise<readonly StoredCheckpoint[]> {
  const all: StoredCheckpoint[] = [];
  const known = new Set<string>();
  for (let below = Number.MAX_SAFE_INTEGER; ;) {
    const page = await memory.threads.checkpoints({ ...query, to_seq_at_most: below, limit: AT_ONCE });
    const fresh = page.filter(({ checkpoint_id, seq }) => !known.has(`${checkpoint_id} ${seq}`));
    for (const checkpoint of fresh) known.add(`${checkpoint.checkpoint_id} ${checkpoint.seq}`);
    pushAll(all, fresh);
    if (page.length < AT_ONCE || fresh.length === 0) return all;
    below = page.at(-1)?.to_seq ?? -1;
  }
}

async function compareJobs({ memory, replay: { thread } }: Compared): Promise<readonly Fault[]> {
  const kept = (await memory.threads.openJobs({ thread_id: thread.thread_id })).map(plainJob);
  return isDeepStrictEqual(kept, thread.open_jobs)
    ? []
    : [mismatch("the open jobs", { kept, value: thread.open_jobs })];
}

function plainJob({ job_id, kind, seq }: OpenJob): Thread["open_jobs"][number] {
  return { job_id, kind, seq };
}

/** What is found by its type must be what is found by reading everything. */
async function compareTypes({ memory, replay, head }: Compared): Promise<readonly Fault[]> {
  const kept: number[] = [];
  for (let from = 0; from <= head.head_seq;) {
    const query = { thread_id: head.thread_id, types: INDEXED_TYPES, from_seq: from, limit: 1000 };
    const page = await memory.threads.frames(query);
    pushAll(
      kept,
      page.map(({ seq }) => seq),
    );
    if (page.length < 1000) break;
    from = (page.at(-1)?.seq ?? head.head_seq) + 1;
  }
  return isDeepStrictEqual(kept, replay.indexed)
    ? []
    : [mismatch("the frames found by their types", { kept: kept.length, value: replay.indexed.length })];
}

function mismatch(what: string, { kept, value }: { readonly kept: unknown; readonly value: unknown }): Fault {
  return faultOf("index_mismatch", `The store keeps ${what} as ${shown(kept)}; the frames say ${shown(value)}.`);
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "none";
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
