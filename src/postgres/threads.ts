import type { Clock } from "../platform/clock.ts";
import { MemoryError } from "../base/errors.ts";
import { frameOf, isFrameId } from "../threads/model/frame.ts";
import { checkpointIn } from "../threads/plan/thread-state.ts";
import { columnOf, textOf } from "../threads/store/column-text.ts";
import type {
  CheckpointQuery,
  FrameQuery,
  OpenJob,
  Place,
  PlaceTarget,
  StoredCheckpoint,
  StoredFrame,
  ThreadStore,
} from "../threads/store/thread-store.ts";
import { appendPieces } from "./append.ts";
import type { PostgresDatabase } from "./database.ts";
import { importLines } from "./import.ts";
import { createAppends } from "./queue.ts";
import { rewriteFrames } from "./rewrite.ts";
import { createAnnouncer } from "./subscribe.ts";
import { frameIn, headIn, type FrameRow, type HeadRow } from "./rows.ts";

export interface PostgresThreadsOptions {
  readonly database: PostgresDatabase;
  /** Decides when a lease has expired. Default: the server's clock, since those of machines differ. */
  readonly clock?: Pick<Clock, "now">;
  /** `announced`: after each append, tells those who called `subscribePostgresThreads`, with one more call. Default: no. */
  readonly appends?: "announced";
}

/**
 * Threads in PostgreSQL. Every call is one round trip, except `appendPieces`, `import` and `rewrite`: those are transactions on a connection of their
 * own, one at a time. The schema must exist: see `migrate`.
 *
 * - A call that lost its connection is repeated; an append whose answer was lost is recognized by its frames.
 * - `purge` vacuums the table if the user of the address may. Old bytes may remain in free space, in the write-ahead log and in backups.
 * - Errors beyond the port's: `older_store`, and `invalid_config` if the server refuses the user.
 */
export function createPostgresThreads({ database, clock, appends }: PostgresThreadsOptions): ThreadStore {
  const now = (): number | undefined => clock?.now();
  const append = createAppends(database);
  const announcer = appends === "announced" ? createAnnouncer(database) : undefined;
  return {
    id: "postgres-threads-1",
    append: async (request) => {
      const result = await append({ ...request, now: now() });
      if (result.appended.length > 0) announcer?.announce(request.thread_id, result.head.head_seq);
      return result;
    },
    appendPieces: async (request, pieces) => {
      const result = await appendPieces(database, request, pieces);
      if (result.appended > 0) announcer?.announce(request.thread_id, result.head.head_seq);
      return result;
    },
    import: async (lines) => {
      const reports = await importLines(database, lines);
      for (const { thread_id, imported, head_seq } of reports)
        if (imported > 0) announcer?.announce(thread_id, head_seq);
      return reports;
    },
    rewrite: (threadId, change) => rewriteFrames(database, threadId, change),
    purge: async () => {
      const sql =
        "SELECT pg_has_role(tableowner, 'USAGE') AS may FROM pg_tables WHERE schemaname = 'heartwood' AND tablename = 'frame'";
      const [row] = await database.run(sql);
      if (row?.["may"] !== true) return;
      const vacuum = database.run("VACUUM heartwood.frame, heartwood.artifact, heartwood.damaged_artifact");
      await vacuum.catch((error: unknown) => {
        // One that takes too long is left to the server's own.
        if (!(error instanceof MemoryError && error.code === "busy")) throw error;
      });
    },
    head: async (thread_id) => {
      const row = await database.call<HeadRow | null>("head", { thread_id });
      return row === null ? undefined : headIn(row);
    },
    heads: async ({ limit }) => {
      const { heads, total } = await database.call<{ heads: readonly HeadRow[]; total: number }>("heads", { limit });
      return { heads: heads.map(headIn), total };
    },
    frames: (query) => findFrames(database, query),
    places: (threadId, targets) => findPlaces(database, threadId, targets),
    checkpoints: (query) => findCheckpoints(database, query),
    openJobs: async ({ thread_id, kind }) => {
      const query = { thread_id, now: now(), ...(kind !== undefined && { kind: columnOf(kind) }) };
      const jobs = await database.call<readonly OpenJob[]>("open_jobs", query);
      return jobs.map((job) => ({ ...job, job_id: textOf(job.job_id), kind: textOf(job.kind) }));
    },
    claim: ({ job_id, runner, lease_ms, action }) =>
      database.call("claim", {
        job_id: columnOf(job_id),
        runner: columnOf(runner),
        lease_ms: Math.round(lease_ms),
        action,
        now: now(),
      }),
    close: async () => {
      await announcer?.settled();
      await database.close();
    },
  };
}

const MOST = 10_000;

async function findFrames(database: PostgresDatabase, query: FrameQuery): Promise<readonly StoredFrame[]> {
  const { thread_id, types, from_seq = 0, to_seq = MOST_SEQ, order, limit, most_bytes } = query;
  if (limit > MOST)
    throw new MemoryError("limit_too_large", `limit is ${limit}; at most ${MOST} frames can be read at once.`);
  const rows = await database.rows<FrameRow>("frames", {
    thread_id,
    types,
    from_seq: wholeWithin(Math.ceil(from_seq)),
    to_seq: wholeWithin(Math.floor(to_seq)),
    order,
    limit: Math.max(0, Math.floor(limit)),
    ...(types === undefined && { most_bytes }),
  });
  return rows.map(frameIn);
}

const MOST_SEQ = Number.MAX_SAFE_INTEGER;

/** Seqs and ordinals of callers may be beyond any thread. */
function wholeWithin(value: number): number {
  return Math.min(MOST_SEQ, Math.max(-1, value));
}

type PlaceRow = readonly [ordinal: number, seq: number, id: string, weight_before: number, weight: number];

async function findPlaces(
  database: PostgresDatabase,
  thread_id: string,
  targets: readonly PlaceTarget[],
): Promise<readonly (Place | undefined)[]> {
  if (targets.length === 0) return [];
  const rows = await database.call<readonly (PlaceRow | null)[]>("places", { thread_id }, targets.map(targetColumns));
  return rows.map((row) => {
    if (row === null) return undefined;
    const [ordinal, seq, id, weight_before, weight] = row;
    return { ordinal, seq, id, weight_before, weight };
  });
}

function targetColumns(target: PlaceTarget): readonly [kind: string, value: string | number | null] {
  if ("id" in target) return ["id", isFrameId(target.id) ? target.id : null];
  if ("seq" in target) return ["seq", wholeWithin(Math.floor(target.seq))];
  if ("weight" in target)
    return ["weight", Number.isNaN(target.weight) ? MOST_SEQ : wholeWithin(Math.ceil(target.weight))];
  return ["ordinal", Number.isSafeInteger(target.ordinal) ? target.ordinal : null];
}

interface CheckpointRow extends FrameRow {
  readonly from_ordinal: string | null;
  readonly to_ordinal: string | null;
}

async function findCheckpoints(
  database: PostgresDatabase,
  query: CheckpointQuery,
): Promise<readonly StoredCheckpoint[]> {
  const {
    thread_id,
    kind,
    to_seq_at_least = 0,
    to_seq_at_most = MOST_SEQ,
    frame_seq_at_most = MOST_SEQ,
    limit,
  } = query;
  const bounds = {
    to_seq_at_least: wholeWithin(Math.ceil(to_seq_at_least)),
    to_seq_at_most: wholeWithin(Math.floor(to_seq_at_most)),
    frame_seq_at_most: wholeWithin(Math.floor(frame_seq_at_most)),
    limit,
  };
  const rows = await database.rows<CheckpointRow>("checkpoints", { thread_id, kind: columnOf(kind), ...bounds });
  return rows.flatMap((row) => {
    const frame = frameOf(frameIn(row));
    const { from_ordinal: from, to_ordinal: to } = row;
    const ordinals = from === null || to === null ? null : ([Number(from), Number(to)] as const);
    return frame === undefined ? [] : [checkpointIn(frame, ordinals)];
  });
}
