import { MemoryError, type ErrorCode } from "../../base/errors.ts";
import { type FrameDraft, isFrameId, LONGEST_LINE, type FrameType, MESSAGE, isRecord } from "../model/frame.ts";
import type { ThreadMemory } from "../memory.ts";
import type { Call, InputFile } from "../../base/operation.ts";
import type { AppendInput } from "./inputs.ts";
import type { ThreadAppendResult } from "./results.ts";
import { checkMessageId, checkProvenance, checkThreadId, isLine } from "./threads.ts";
import { byteLines } from "./import-export.ts";
import { isCount } from "../../base/lists.ts";

/**
 * Appends one message, or the lines of a batch, all or none. A message whose id is there already with the same actor, origin and content is passed over,
 * so a caller that gives ids may repeat the call. Errors: `invalid_thread_id`, `thread_not_found`, `invalid_body`, `invalid_frame`, `invalid_id`,
 * `seq_conflict`, `frame_conflict`, `usage`, and those of a file.
 */
export async function appendMessages(
  memory: ThreadMemory,
  input: AppendInput,
  call: Call = {},
): Promise<ThreadAppendResult> {
  checkThreadId(input.thread_id);
  checkProvenance(input);
  const { appended, known, head, last } = await (input.batch === true ? appendBatch : appendOne)(memory, input, call);
  const [place] = last === undefined ? [] : await memory.threads.places(head.thread_id, [{ id: last }]);
  return {
    thread_id: head.thread_id,
    appended,
    known,
    head_seq: head.head_seq,
    message_count: head.message_count,
    message_id: last ?? null,
    seq: place?.seq ?? null,
    message_ordinal: place?.ordinal ?? null,
  };
}

async function appendOne(memory: ThreadMemory, input: AppendInput) {
  const draft = messageDraft(memory, input);
  const { appended, known, head } = await memory.threads.append({ ...requestOf(input), frames: [draft] });
  return { appended: appended.length, known, head, last: draft.id };
}

async function appendBatch(memory: ThreadMemory, input: AppendInput, call: Call) {
  if (input.id !== undefined)
    throw new MemoryError("usage", "id names one message; in a batch give each line an id of its own.");
  let last: string | undefined;
  const noted = async function* (): AsyncGenerator<readonly FrameDraft[], void, void> {
    for await (const drafts of batchPieces(memory, input, call)) {
      last = drafts.findLast(({ type }) => type === MESSAGE)?.id ?? last;
      yield drafts;
    }
  };
  const done = await memory.threads.appendPieces(requestOf(input), noted());
  return { ...done, last };
}

function requestOf({ thread_id, expected_seq }: AppendInput) {
  return { thread_id, known_ids: "pass", ...(expected_seq === undefined ? {} : { expected_seq }) } as const;
}

function messageDraft(memory: ThreadMemory, { content, actor_id, origin, id }: AppendInput): FrameDraft {
  if (id !== undefined) checkMessageId("id", id);
  if (content === undefined)
    throw new MemoryError("usage", "content is missing; give the text of the message.", { field: "content" });
  if (typeof content !== "string") throw new MemoryError("usage", "content is a file; give a text, or set batch.");
  if (actor_id === undefined || origin === undefined)
    throw new MemoryError(
      "usage",
      `${actor_id === undefined ? "actor_id (--actor)" : "origin (--origin)"} is not given; a message needs both actor_id and origin, and only lines of a batch may have their own.`,
      { field: actor_id === undefined ? "actor_id" : "origin" },
    );
  if (content === "")
    throw new MemoryError("invalid_body", "The message is empty; give a content with at least one character.");
  return {
    id: id ?? memory.ids.next(),
    timestamp_ms: memory.clock.now(),
    type: MESSAGE,
    payload: { actor_id, origin, content },
  };
}

/** Characters of lines that are handed on at once. A batch of no more is read to its end before the store is held. */
const PIECE = 8 * 1024 * 1024;

/** From here on the work takes memory. */
const LARGE = 1_000_000;

/**
 * The frames that the lines of a batch ask for, in their order and in pieces. A line is a message, or `{type, …payload}` of a type that a program outside may append.
 * Errors: `invalid_frame` and `invalid_body`, with the number of the line; `aborted`; those of a file.
 */
async function* batchPieces(
  memory: ThreadMemory,
  { content, actor_id, origin }: AppendInput,
  { signal, progress }: Call,
): AsyncGenerator<readonly FrameDraft[], void, void> {
  if (content === undefined)
    throw new MemoryError("usage", "content is missing; give the JSON lines of the batch.", { field: "content" });
  const now = memory.clock.now();
  let [drafts, characters, number, done]: [FrameDraft[], number, number, number] = [[], 0, 0, 0];
  for await (const line of typeof content === "string" ? linesIn(content) : linesOf(content, signal)) {
    number += 1;
    if (line.trim() === "") continue;
    if (characters <= LARGE && characters + line.length > LARGE) memory.onWork?.();
    const asked = askedFor({ actor_id, origin, ...objectIn(line, number) }, number);
    drafts.push({ id: asked.id ?? memory.ids.next(), timestamp_ms: asked.timestamp_ms ?? now, ...asked.frame });
    characters += line.length;
    if (characters < PIECE) continue;
    progress?.({ phase: "append", done: (done += drafts.length), total: 0 });
    if (signal?.aborted === true) throw stopped();
    yield drafts;
    [drafts, characters] = [[], 0];
  }
  // A source that ends because of the signal is not a batch that ended.
  if (signal?.aborted === true) throw stopped();
  if (drafts.length > 0) yield drafts;
  else if (done === 0) throw new MemoryError("invalid_body", "The batch has no line; give at least one JSON object.");
}

function stopped(): MemoryError {
  return new MemoryError("aborted", "Stopped before the end of the batch; nothing of it was appended.");
}

/** One after the other, since a batch may have millions. */
function* linesIn(text: string): Iterable<string> {
  let from = text.startsWith("\uFEFF") ? 1 : 0;
  while (from <= text.length) {
    const end = text.indexOf("\n", from);
    yield text.slice(from, end < 0 ? text.length : end);
    if (end < 0) return;
    from = end + 1;
  }
}

async function* linesOf(file: InputFile, signal: AbortSignal | undefined): AsyncIterable<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const tooLong = (number: number): MemoryError =>
    refusal("invalid_frame", number, `is longer than ${LONGEST_LINE} bytes, which no frame is`);
  for await (const { bytes, number } of byteLines(file, signal, tooLong)) {
    try {
      yield decoder.decode(bytes);
    } catch {
      throw refusal("invalid_body", number, "is not UTF-8", "convert it first (iconv -t utf-8)");
    }
  }
}

type Fields = Readonly<Record<string, unknown>>;

function objectIn(line: string, number: number): Fields {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw refusal("invalid_frame", number, "is not a complete JSON object");
  }
  if (isRecord(value)) return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null));
  throw refusal("invalid_frame", number, "is not a JSON object");
}

interface Asked {
  readonly id: string | undefined;
  readonly timestamp_ms: number | undefined;
  readonly frame: Pick<FrameDraft, "type" | "payload">;
}

function askedFor(fields: Fields, number: number): Asked {
  const { id, timestamp_ms, type } = fields;
  const kind = type === undefined ? MESSAGE_KIND : Object.hasOwn(KINDS, String(type)) ? KINDS[String(type)] : undefined;
  if (kind === undefined) throw refusal("invalid_frame", number, `has a type that a batch does not take`, TYPES);
  const unknown = Object.keys(fields).find((name) => !ENVELOPE.includes(name) && !Object.hasOwn(kind.fields, name));
  if (unknown !== undefined)
    throw refusal(
      "invalid_frame",
      number,
      `has the field ${JSON.stringify(unknown.slice(0, 60))}`,
      `it takes ${[...Object.keys(kind.fields), "id", "timestamp_ms"].join(", ")}`,
    );
  if (id !== undefined && (typeof id !== "string" || !isFrameId(id)))
    throw refusal("invalid_frame", number, "has an id that is not a lowercase UUID");
  if (timestamp_ms !== undefined && !isCount(timestamp_ms))
    throw refusal("invalid_frame", number, "has a timestamp_ms that is not a whole number of milliseconds");
  return { id, timestamp_ms, frame: { type: kind.type, payload: payloadOf(kind, fields, number) } };
}

function payloadOf(kind: Kind, fields: Fields, number: number): Fields {
  const payload: Record<string, unknown> = {};
  for (const [name, rule] of Object.entries(kind.fields)) {
    const value = fields[name] ?? null;
    if (value === null && rule.absent === "left_out") continue;
    const isRight = value === null ? rule.absent === "null" : rule.isRight(value);
    if (!isRight && name === "content" && value === "")
      throw refusal("invalid_body", number, "has an empty content", "leave the line out");
    if (!isRight && value === null)
      throw refusal("invalid_frame", number, `has no ${name}`, rule.whenMissing ?? "add it to the line");
    if (!isRight) throw refusal("invalid_frame", number, `has an invalid ${name}`, `give ${rule.want}`);
    payload[name] = value;
  }
  return payload;
}

interface Rule {
  readonly want: string;
  readonly whenMissing?: string;
  readonly isRight: (value: unknown) => boolean;
  /** What becomes of a value that is missing or null. */
  readonly absent: "refused" | "left_out" | "null";
}

interface Kind {
  readonly type: FrameType;
  /** In the order in which they are printed. */
  readonly fields: Readonly<Record<string, Rule>>;
}

const text: Rule = { want: "a text that is not empty", isRight: isText, absent: "refused" };
const line: Rule = { want: "one line that is not empty", isRight: isOneLine, absent: "refused" };
const anyText: Rule = { ...text, absent: "left_out" };
const list: Rule = { want: "a list of texts or null", isRight: isTexts, absent: "null" };
const anything: Rule = { want: "a value or null", isRight: () => true, absent: "null" };
const whoAndWhere = {
  actor_id: { ...line, whenMissing: "add it to the line, or pass actor_id (--actor)" },
  origin: { ...line, whenMissing: "add it to the line, or pass origin (--origin)" },
};

const MESSAGE_KIND: Kind = { type: MESSAGE, fields: { ...whoAndWhere, content: text } };
const RUN = { run_session_id: text, message_id: text };

const KINDS: Readonly<Record<string, Kind>> = {
  continuity_run_spawned: { type: "continuity_run_spawned", fields: { ...RUN, ...whoAndWhere } },
  continuity_run_ended: { type: "continuity_run_ended", fields: { ...RUN, reason: text, ...whoAndWhere } },
  continuity_tool_side_effects: {
    type: "continuity_tool_side_effects",
    fields: {
      run_session_id: text,
      tool_id: text,
      tool_name: text,
      affected_paths: list,
      checkpoint_id: { ...text, absent: "null" },
      ...whoAndWhere,
    },
  },
  continuity_provider_cursor_updated: {
    type: "continuity_provider_cursor_updated",
    fields: {
      provider: text,
      endpoint: anyText,
      model: anyText,
      cursor: anything,
      action: text,
      reason: anyText,
      run_session_id: anyText,
      ...whoAndWhere,
    },
  },
};

const ENVELOPE = ["type", "id", "timestamp_ms"];
const TYPES = `leave type out for a message, or give one of ${Object.keys(KINDS).join(", ")}`;

function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

function isOneLine(value: unknown): boolean {
  return typeof value === "string" && isLine(value);
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

function refusal(code: ErrorCode, number: number, fault: string, want = "nothing was appended"): MemoryError {
  const end = want === "nothing was appended" ? want : `${want}; nothing was appended`;
  return new MemoryError(code, `Line ${number} of the batch ${fault}; ${end}.`, { line: number });
}
