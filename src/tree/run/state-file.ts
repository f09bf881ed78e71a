import { isInTheWay, type Warning } from "../../base/errors.ts";
import { decodeText } from "../../base/lines.ts";
import type { FileStamp } from "../../platform/files.ts";
import type { TreeMemory } from "../memory.ts";
import { encode } from "./node-files.ts";

/** `memory/.compaction-state.json`: three numbers that other tools read and write too. Keys of others survive. */
export interface StateFile {
  readonly state: "missing" | "unreadable" | "read";
  /** Milliseconds since the epoch. */
  readonly lastRun: number | undefined;
  readonly rawLines: number;
  readonly entries: number;
  readonly others: Readonly<Record<string, unknown>>;
  readonly stamp: FileStamp | undefined;
  /** A link, a folder or the like in its place: it is neither read nor written. */
  readonly inTheWay: Warning | undefined;
}

export const stateFilePath = "memory/.compaction-state.json";

const empty = { lastRun: undefined, rawLines: 0, entries: 0, others: {}, stamp: undefined, inTheWay: undefined };

export async function readStateFile(memory: TreeMemory): Promise<StateFile> {
  const read = await memory.files.read(stateFilePath).catch((error: unknown) => {
    if (!isInTheWay(error)) throw error;
    const seen = error.code === "link_outside" ? "a link" : "not a regular file";
    const message = `${stateFilePath} is ${seen}: it is neither read nor written, so no run is noted in it and no cooldown holds; move it away`;
    return { code: error.code, path: stateFilePath, message };
  });
  if (read !== undefined && "code" in read) return { state: "unreadable", ...empty, inTheWay: read };
  const nothing = { ...empty, stamp: read?.stamp };
  if (read === undefined) return { state: "missing", ...nothing };
  const value = parseObject(decodeText(read.bytes) ?? "");
  if (value === undefined) return { state: "unreadable", ...nothing };
  const { lastCompactionRun, rawLinesSinceLastCompaction, checkpointsSinceLastCompaction, ...others } = value;
  const lastRun = typeof lastCompactionRun === "string" ? Date.parse(lastCompactionRun) : Number.NaN;
  return {
    ...nothing,
    state: "read",
    lastRun: Number.isFinite(lastRun) ? lastRun : undefined,
    rawLines: countOf(rawLinesSinceLastCompaction),
    entries: countOf(checkpointsSinceLastCompaction),
    others,
  };
}

/** Writes it anew; a file that is not JSON is replaced. Call it with the `append` lock held. */
export async function writeStateFile(
  memory: TreeMemory,
  state: Pick<StateFile, "lastRun" | "rawLines" | "entries" | "others">,
): Promise<void> {
  const value = {
    ...state.others,
    lastCompactionRun: state.lastRun === undefined ? null : isoInstant(state.lastRun),
    rawLinesSinceLastCompaction: state.rawLines,
    checkpointsSinceLastCompaction: state.entries,
  };
  await memory.files.commit([
    { path: stateFilePath, bytes: encode(`${JSON.stringify(value, null, 2)}\n`), expect: "anything" },
  ]);
}

/** ISO 8601 in UTC. */
export function isoInstant(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function countOf(value: unknown): number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : 0;
}
