import { MemoryError, type Warning } from "../../base/errors.ts";
import { shown } from "../../text/shown.ts";
import type { TranscriptSource } from "../transcripts/transcripts.ts";
import type { AgentMemory } from "../memory.ts";
import type { Call } from "../../base/operation.ts";
import { Faults } from "./faults.ts";
import type { CaptureInput, HistoryInput } from "./inputs.ts";
import { captureSource, type SourceWay } from "./read-source.ts";
import type { CapturedSessionResult, CaptureResult } from "./results.ts";
import { pushAll } from "../../base/lists.ts";

/** After so long without a new row nobody is in the middle of a turn. Milliseconds. */
const idleFor = 600_000;

/**
 * Captures what is new in one transcript: the named one, or the newest of this folder. Errors: `not_found`, `not_a_file`, `invalid_body`, `usage`, `busy`,
 * `disk_full`, `io`, `aborted`.
 */
export async function runCapture(memory: AgentMemory, input: CaptureInput, call: Call = {}): Promise<CaptureResult> {
  const { client, path, session, all } = input;
  const found = await memory.transcripts.find({
    client,
    folder: memory.dir,
    ...(all === true ? {} : { most: 1 }),
    ...(path === undefined ? {} : { path }),
    ...(session === undefined ? {} : { session }),
    ...(call.signal && { signal: call.signal }),
  });
  if (found.length === 0) throw nothingFound(memory, input);
  const way: SourceWay = { client, kind: "capture", writing: "wet", end: input.ended ?? "open", signal: call.signal };
  return captureAll(memory, { sources: found.toReversed(), way, idle: all === true ? "ended" : "open" }, call);
}

/**
 * Takes over what was said in a client before: a file, what lies below a folder, or without a path every session of this folder. Errors: those of
 * `runCapture`.
 */
export async function runImport(memory: AgentMemory, input: HistoryInput, call: Call = {}): Promise<CaptureResult> {
  const { client, path } = input;
  memory.onWork?.();
  const found = await memory.transcripts.find({
    client,
    ...(path === undefined ? {} : { path }),
    ...(path !== undefined || input.all === true ? {} : { folder: memory.dir }),
    ...(call.signal && { signal: call.signal }),
  });
  if (found.length === 0) throw nothingFound(memory, input);
  const writing = input.dry_run === true ? "dry" : "wet";
  const way: SourceWay = { client, kind: "import", writing, end: "open", signal: call.signal };
  return captureAll(memory, { sources: found.toReversed(), way, idle: "ended" }, call);
}

interface Captures {
  readonly sources: readonly TranscriptSource[];
  readonly way: SourceWay;
  /** Whether a session to which nothing was added for a while has ended. */
  readonly idle: "ended" | "open";
}

async function captureAll(
  memory: AgentMemory,
  { sources, way, idle }: Captures,
  { signal, progress }: Call,
): Promise<CaptureResult> {
  const faults = new Faults();
  const sessions: CapturedSessionResult[] = [];
  const warnings: Warning[] = [];
  for (const [done, source] of sources.entries()) {
    if (sources.length > 1) progress?.({ phase: way.kind, done, total: sources.length });
    const end = idle === "ended" && isIdle(memory, source) ? "session" : way.end;
    for await (const { warnings: told, ...session } of captureSource(memory, source, { ...way, end }, faults)) {
      if (sources.length === 1 || hasNews(session)) sessions.push(session);
      pushAll(warnings, told);
      if (sources.length === 1) progress?.({ phase: way.kind, done: sessions.length, total: 0 });
      signal?.throwIfAborted();
    }
  }
  const result = { client: way.client, sessions, warnings: [...faults.warnings(), ...warnings] };
  return way.writing === "dry" ? { ...result, dry_run: true } : result;
}

function hasNews({ messages, entries, left_out }: CapturedSessionResult): boolean {
  return messages.added + messages.known + entries.added + entries.known > 0 || Object.keys(left_out).length > 0;
}

function isIdle(memory: AgentMemory, source: TranscriptSource): boolean {
  return memory.clock.now() - source.changed_at_ms >= idleFor;
}

function nothingFound(
  memory: AgentMemory,
  { client, path, session }: HistoryInput & Pick<CaptureInput, "session">,
): MemoryError {
  const where = path === undefined ? `for the folder ${memory.dir}` : `in ${shown(path, 200)}`;
  const which = session === undefined ? "No transcript" : `No session ${shown(session)}`;
  return new MemoryError(
    "not_found",
    `${which} of ${client} was found ${where}; name the file, or a folder in which files have the names that the client gives them.`,
    {
      client,
    },
  );
}
