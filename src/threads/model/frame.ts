import type { Role } from "../../base/summary-line.ts";
import { isObject, parseJson } from "../../base/json.ts";
import { isCount } from "../../base/lists.ts";

/** The frame types that heartwood reads; other frames are kept unchanged. */
export type FrameType =
  | "continuity_created"
  | "continuity_message_appended"
  | "continuity_run_spawned"
  | "continuity_run_ended"
  | "continuity_context_selection_decided"
  | "continuity_context_compiled"
  | "continuity_compaction_checkpoint_created"
  | "continuity_compaction_auto_schedule_decided"
  | "continuity_job_spawned"
  | "continuity_job_ended"
  | "continuity_tool_side_effects"
  | "continuity_branched"
  | "continuity_handoff_created"
  | "continuity_provider_cursor_updated";

/** A frame before it is appended. The store assigns its seq in the transaction that appends it. */
export interface FrameDraft {
  /** A lowercase UUID. */
  readonly id: string;
  readonly timestamp_ms: number;
  readonly type: FrameType;
  /** The fields after the envelope, in printing order. */
  readonly payload: Readonly<Record<string, unknown>>;
}

/** A frame parsed from a line. `fields` includes unknown fields; the store keeps the line itself. */
export interface Frame {
  readonly id: string;
  readonly thread_id: string;
  readonly timestamp_ms: number;
  readonly seq: number;
  /** One of `FrameType`, or a type that this program does not know. */
  readonly type: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface Message {
  readonly id: string;
  readonly seq: number;
  readonly actor_id: string;
  readonly origin: string;
  readonly content: string;
  readonly timestamp_ms: number;
  /** Set if the words were forgotten and `content` is empty: how many bytes they had, because blocks of the ladder are counted in bytes. */
  readonly forgotten?: number;
}

export function roleOf(actorId: string): Role {
  if (actorId === "assistant" || actorId.startsWith("assistant:")) return "assistant";
  if (actorId === "system") return "system";
  return actorId.startsWith("tool:") ? "tool" : "user";
}

interface FrameFault {
  readonly kind: "torn" | "invalid";
  readonly reason: string;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const THREAD_ID = /^[a-z0-9][a-z0-9._-]{0,95}$/;

/** Whether the text is a lowercase UUID (RFC 9562), of any version. */
export function isFrameId(text: string): boolean {
  return UUID.test(text);
}

export function isThreadId(text: string): boolean {
  return THREAD_ID.test(text);
}

interface FramePlace {
  readonly thread_id: string;
  readonly seq: number;
}

/** The line of a frame, without LF. */
export function printFrame(draft: FrameDraft, place: FramePlace): string {
  return JSON.stringify(fieldsAt(draft, place));
}

/** The line of a frame, and what parsing it returns. */
export function printAndParse(draft: FrameDraft, place: FramePlace) {
  const fields = fieldsAt(draft, place);
  const line = JSON.stringify(fields);
  // JSON returns texts unchanged.
  const isOfTexts = Object.values(draft.payload).every((value) => typeof value === "string");
  return { line, parsed: isOfTexts ? frameIn(fields) : parseFrame(line) };
}

function fieldsAt({ id, timestamp_ms, type, payload }: FrameDraft, { thread_id, seq }: FramePlace) {
  const stream = { stream_kind: "continuity", stream_id: thread_id };
  return { id, session_id: thread_id, ...stream, timestamp_ms, seq, type, ...payload };
}

/** Parses a line. Accepts unknown types and fields, but requires the fields of known types that heartwood reads. */
export function parseFrame(line: string): Frame | FrameFault {
  const fields = parseJson(line);
  if (fields === undefined) return { kind: "torn", reason: "it is not a complete JSON object" };
  return isObject(fields) ? frameIn(fields) : { kind: "torn", reason: "it is not a JSON object" };
}

function frameIn(fields: Readonly<Record<string, unknown>>): Frame | FrameFault {
  const reason = faultOf(fields);
  if (reason !== undefined) return { kind: "invalid", reason };
  return {
    id: fields["id"] as string,
    thread_id: fields["session_id"] as string,
    timestamp_ms: fields["timestamp_ms"] as number,
    seq: fields["seq"] as number,
    type: fields["type"] as string,
    fields,
  };
}

export function isFrame(parsed: Frame | FrameFault): parsed is Frame {
  return !("kind" in parsed);
}

export function frameOf(stored: { readonly line: string } | undefined): Frame | undefined {
  const parsed = stored === undefined ? undefined : parseFrame(stored.line);
  return parsed !== undefined && isFrame(parsed) ? parsed : undefined;
}

export const MESSAGE = "continuity_message_appended";

export function messageOf(frame: Frame | undefined): Message | undefined {
  if (frame?.type !== MESSAGE) return undefined;
  const { actor_id, origin, content, redacted } = frame.fields;
  const { bytes } = recordOf(redacted);
  return {
    id: frame.id,
    seq: frame.seq,
    actor_id: actor_id as string,
    origin: origin as string,
    content: content as string,
    timestamp_ms: frame.timestamp_ms,
    ...(content === "" && isCount(bytes) && { forgotten: bytes }),
  };
}

function faultOf(fields: Readonly<Record<string, unknown>>): string | undefined {
  const { id, session_id, stream_kind, stream_id, timestamp_ms, seq, type } = fields;
  if (typeof id !== "string" || !isFrameId(id)) return "its id is not a lowercase UUID";
  if (typeof session_id !== "string" || !isThreadId(session_id)) return "its session_id is not a thread id";
  if (stream_kind !== undefined && stream_kind !== null && stream_kind !== "continuity")
    return 'its stream_kind is not "continuity"';
  if (stream_id !== undefined && stream_id !== null && stream_id !== session_id)
    return "its stream_id is not its session_id";
  if (!isCount(timestamp_ms)) return "its timestamp_ms is not a whole number";
  if (!isCount(seq)) return "its seq is not a whole number";
  if (seq >= MOST_FRAMES) return `its seq is over ${MOST_FRAMES - 1}`;
  if (typeof type !== "string" || type === "") return "it has no type";
  if ((seq === 0) !== (type === "continuity_created"))
    return seq === 0 ? "the first frame is not continuity_created" : "continuity_created is not the first frame";
  return payloadFault(type, fields);
}

/** In bytes. */
export const LONGEST_LINE = 128 * 1024 * 1024;

export const MOST_FRAMES = 2 ** 32;

/** The fields that heartwood reads, by type; other fields are up to the writer. */
const READ = new Map<string, readonly (readonly [field: string, want: string])[]>(
  Object.entries({
    continuity_message_appended: { actor_id: "a string", origin: "a string", content: "a string" },
    continuity_compaction_checkpoint_created: {
      checkpoint_id: "a string",
      cut_rule_id: "a string",
      summary_kind: "a string",
      summary_artifact_id: "a string",
      from_seq: "a whole number",
      to_seq: "a whole number",
    },
    continuity_job_spawned: { job_id: "a string", job_kind: "a string" },
    continuity_job_ended: { job_id: "a string", job_kind: "a string", status: "a string" },
    continuity_branched: { parent_thread_id: "a string", parent_seq: "a whole number" },
    continuity_handoff_created: { from_thread_id: "a string", from_seq: "a whole number" },
  }).map(([type, fields]) => [type, Object.entries(fields)]),
);

function payloadFault(type: string, fields: Readonly<Record<string, unknown>>): string | undefined {
  const wrong = READ.get(type)?.find(([name, want]) =>
    want === "a string" ? typeof fields[name] !== "string" : !isCount(fields[name]),
  );
  return wrong === undefined ? undefined : `its ${wrong[0]} is not ${wrong[1]}`;
}

const MARKS: ReadonlySet<string> = new Set(
  "id session_id stream_kind stream_id timestamp_ms seq type actor_id origin".split(" "),
);

/** Whether a field says what a frame is, so that the frame would not be valid with another text in it. */
export function isMark(type: string, field: string): boolean {
  return MARKS.has(field) || (field !== "content" && READ.get(type)?.some(([name]) => name === field) === true);
}

/** The fields of a JSON object; empty for any other value. */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

/** `id` is a UUID, with or without its hyphens. Five times as fast as `Buffer.from` without the hyphens. */
export function bytesOfId(id: string): Uint8Array {
  const bytes = new Uint8Array(16);
  let digits = 0;
  for (let at = 0; at < id.length; at += 1) {
    const code = id.charCodeAt(at);
    if (code === HYPHEN) continue;
    const value = code < LETTERS ? code & 15 : (code & 15) + 9;
    bytes[digits >> 1] = ((bytes[digits >> 1] as number) << 4) | value;
    digits += 1;
  }
  return bytes;
}

const HYPHEN = 0x2d;
/** Where letters begin, after the digits. */
const LETTERS = 0x3a;

export function idOfBytes(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
