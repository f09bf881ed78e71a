import { isDeepStrictEqual } from "node:util";
import type * as I from "../run/inputs.ts";
import type * as R from "../run/results.ts";
import { MemoryError } from "../../base/errors.ts";
import type { ThreadMemory } from "../memory.ts";
import type { Call } from "../../base/operation.ts";
import { Replay, type ThreadFinding } from "./replay.ts";
import { faultOf, type Fault } from "../plan/judge-frame.ts";
import { verifyArtifacts, verifyBundles } from "./artifacts.ts";
import { verifyRebuilt } from "./rebuild-summaries.ts";
import { pushAll } from "../../base/lists.ts";
import { CUMULATIVE_KIND } from "../plan/thread-state.ts";
import {
  INDEXED_TYPES,
  type Place,
  type PlaceTarget,
  type StoredFrame,
  type ThreadHead,
} from "../store/thread-store.ts";
import { levelsOf, rungKind } from "../plan/ladder.ts";

/**
 * Replays threads and compares everything derived from their frames: the store's indexes, plans and decisions, summaries and bundles. A bad thread is
 * a finding. Errors mean that the check could not run: `thread_not_found`, `aborted`, `busy`, `newer_store`, and `damaged_store` if the store cannot
 * be opened at all. Uses about 200 bytes of RAM per message of the current thread.
 */
export async function verifyThreads(
  memory: ThreadMemory,
  input: I.VerifyThreadsInput,
  call: Call = {},
): Promise<R.VerifyThreadsResult> {
  const all =
    input.thread_id === undefined ? (await memory.threads.heads({ limit: Number.MAX_SAFE_INTEGER })).heads : [];
  const ids = input.thread_id === undefined ? all.map(({ thread_id }) => thread_id).toSorted() : [input.thread_id];
  const findings: ThreadFinding[] = [];
  let frames = 0;
  for (const [done, threadId] of ids.entries()) {
    call.progress?.({ phase: "verify", done, total: ids.length });
    const replay = new Replay(memory, threadId, call);
    await verifyThread(replay);
    frames += replay.frames;
    pushAll(findings, replay.findings.list());
  }
  const ok = findings.every(({ severity }) => severity === "info");
  return { ok, threads: ids.length, frames, findings };
}

/** Errors that mean a thread cannot be checked now, not that it is bad. */
const NOT_OF_THREAD: readonly string[] = ["aborted", "busy", "newer_store", "thread_not_found", "internal"];

async function verifyThread(replay: Replay): Promise<void> {
  try {
    await replay.catchUp();
    replay.judgeSchedules();
    await verifyIndex(replay);
    const summaries = await verifyArtifacts(replay);
    await verifyRebuilt(replay, summaries);
    await verifyBundles(replay);
  } catch (error) {
    if (!(error instanceof MemoryError) || NOT_OF_THREAD.includes(error.code)) throw error;
    replay.findings.add(null, faultOf(error.code, error.message));
  }
}

/** How many evenly spaced messages to look up by every available method. All messages are looked up by id; this also checks ordinals and weights. */
const SAMPLES = 50;
const LOOKED_UP = 1000;
/** How many times the comparison is repeated while other processes append to the thread. */
const TRIES = 20;

/** Compares the store's indexes with the replay: the head, places, checkpoints, open jobs, and frames by type. */
async function verifyIndex(replay: Replay): Promise<void> {
  // Other processes may append meanwhile: a comparison is valid only if the thread did not change.
  for (let tries = 0; tries < TRIES; tries += 1) {
    const head = await replay.catchUp();
    if (!replay.isWhole) return;
    const faults = [
      ...compareHead(replay, head),
      ...(await comparePlaces(replay)),
      ...(await compareCheckpoints(replay)),
      ...(await compareJobs(replay)),
      ...(await compareTypes(replay)),
    ];
    const now = await replay.memory.threads.head(head.thread_id);
    if (faults.length > 0 && now?.head_seq !== head.head_seq) continue;
    for (const fault of faults) replay.findings.add(null, fault);
    return;
  }
  replay.findings.add(
    null,
    faultOf("still_written", "Other processes keep appending, so the index was not compared.", "warning"),
  );
}

function compareHead({ thread }: Replay, head: ThreadHead): readonly Fault[] {
  return Object.entries(thread.head ?? {}).flatMap(([name, value]) =>
    same(`${name} of the head`, head[name as keyof ThreadHead], value),
  );
}

async function comparePlaces(replay: Replay): Promise<readonly Fault[]> {
  const { places } = replay.thread;
  const all = Array.from({ length: places.count }, (_, index) => places.at(index + 1) as Place);
  for (let first = 0; first < all.length; first += LOOKED_UP) {
    const page = all.slice(first, first + LOOKED_UP);
    const faults = await compareTargets(
      replay,
      page.map((place) => [{ id: place.id }, place]),
    );
    if (faults.length > 0) return faults;
  }
  const step = Math.max(1, Math.floor(all.length / SAMPLES));
  const sampled = all.filter(({ ordinal }) => (all.length - ordinal) % step === 0);
  return compareTargets(
    replay,
    sampled.flatMap(({ ordinal, seq, weight_before }): readonly Asked[] => [
      [{ ordinal }, places.at(ordinal)],
      [{ seq: seq + 1 }, places.atOrBefore(seq + 1)],
      [{ weight: weight_before }, places.ofWeight(weight_before)],
    ]),
  );
}

type Asked = readonly [PlaceTarget, Place | undefined];

async function compareTargets({ memory, threadId }: Replay, asked: readonly Asked[]): Promise<readonly Fault[]> {
  const targets = asked.map(([target]) => target);
  const found = await memory.threads.places(threadId, targets);
  return asked.flatMap(([target, value], index) => same(`the place of ${JSON.stringify(target)}`, found[index], value));
}

async function compareCheckpoints({ memory, threadId, thread }: Replay): Promise<readonly Fault[]> {
  const faults: Fault[] = [];
  // Includes kinds that a compile may query even if no frame has them.
  const rungKinds = Array.from({ length: levelsOf(thread.places.weight) + 1 }, (_, level) => rungKind(level));
  const byKind = Map.groupBy(thread.checkpoints, ({ kind }) => kind);
  for (const kind of new Set([CUMULATIVE_KIND, ...rungKinds, ...byKind.keys()])) {
    const expected = (byKind.get(kind) ?? []).toSorted((a, b) => b.to_seq - a.to_seq || b.seq - a.seq);
    const kept = await memory.threads.checkpoints({ thread_id: threadId, kind, limit: Number.MAX_SAFE_INTEGER });
    const index = expected.findIndex((value, at) => !isDeepStrictEqual(kept[at], value));
    if (index !== -1) faults.push(mismatch(`checkpoint ${index + 1} of ${kind}`, kept[index], expected[index]));
    else if (kept.length > expected.length)
      faults.push(mismatch(`the number of ${kind}`, kept.length, expected.length));
  }
  return faults;
}

async function compareJobs({ memory, threadId, thread }: Replay): Promise<readonly Fault[]> {
  const open = await memory.threads.openJobs({ thread_id: threadId });
  const kept = open.map(({ job_id, kind, seq }) => ({ job_id, kind, seq }));
  return same("the open jobs", kept, thread.open_jobs);
}

/** Frames found by type must match those found by reading everything. */
async function compareTypes({ memory, threadId, indexed }: Replay): Promise<readonly Fault[]> {
  const kept: number[] = [];
  for (let page: readonly StoredFrame[] = [], from_seq = 0; from_seq === 0 || page.length === 1000;) {
    page = await memory.threads.frames({ thread_id: threadId, types: INDEXED_TYPES, from_seq, limit: 1000 });
    for (const { seq } of page) kept.push(seq);
    from_seq = (page.at(-1)?.seq ?? 0) + 1;
  }
  const [found, all] = [kept.length, indexed.length];
  return isDeepStrictEqual(kept, indexed) ? [] : [mismatch("the frames found by their types", found, all)];
}

function same(what: string, kept: unknown, value: unknown): readonly Fault[] {
  return isDeepStrictEqual(kept, value) ? [] : [mismatch(what, kept, value)];
}

function mismatch(what: string, kept: unknown, value: unknown): Fault {
  return faultOf("index_mismatch", `The store has ${shown(kept)} for ${what}; the frames give ${shown(value)}.`);
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "none";
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
