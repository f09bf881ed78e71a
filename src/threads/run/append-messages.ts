import { MemoryError, type ErrorCode } from "../../base/errors.ts";
import { type FrameDraft, isFrameId, type FrameType, MESSAGE } from "../model/frame.ts";
import type { ThreadMemory } from "../memory.ts";
import type { Call, InputFile } from "../../base/operation.ts";
import type { AppendInput } from "./inputs.ts";
import type { ThreadAppendResult } from "./results.ts";
import { checkMessageId, checkProvenance, checkThreadId, isLine } from "./threads.ts";
import { decodedLines, type DecodedLine } from "./import-export.ts";
import { isObject, parseJson } from "../../base/json.ts";
import { isCount } from "../../base/lists.ts";

/**
 * Appends one message, or all lines in a batch atomically. Skips a message if its id already exists with the same actor, origin and content, so
 * callers that set ids can safely repeat a call. Errors: `invalid_thread_id`, `thread_not_found`, `invalid_body`, `invalid_frame`, `invalid_id`,
 * `seq_conflict`, `frame_conflict`, `usage`, and file errors.
 */
export async function appendMessages(
  memory: ThreadMemory,
  input: AppendInput,
  call: Call = {},
): Promise<ThreadAppendResult> {
  checkThreadId(input.thread_id);
  checkProvenance(input);
  const done = await (input.batch === true ? appendBatch : appendOne)(memory, input, call);
  const { appended, known, head, last } = done;
  const [place] =
    done.place !== undefined || last === undefined
      ? [done.place]
      : await memory.threads.places(head.thread_id, [{ id: last }]);
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
  const [added] = appended;
  const place = added && { seq: added.seq, ordinal: head.message_count };
  return { appended: appended.length, known, head, last: draft.id, place };
}

async function appendBatch(memory: ThreadMemory, input: AppendInput, call: Call) {
  if (input.id !== undefined)
    throw new MemoryError("usage", "id applies to a single message; in a batch, give each line its own id.");
  let last: string | undefined;
  const noted = async function* (): AsyncGenerator<readonly FrameDraft[], void, void> {
    for await (const drafts of batchPieces(memory, input, call)) {
      last = drafts.findLast(({ type }) => type === MESSAGE)?.id ?? last;
      yield drafts;
    }
  };
  const done = await memory.threads.appendPieces(requestOf(input), noted());
  return { ...done, last, place: undefined };
}

function requestOf({ thread_id, expected_seq }: AppendInput) {
  return { thread_id, known_ids: "pass", ...(expected_seq === undefined ? {} : { expected_seq }) } as const;
}

function messageDraft(memory: ThreadMemory, { content, actor_id, origin, id }: AppendInput): FrameDraft {
  if (id !== undefined) checkMessageId("id", id);
  if (content === undefined)
    throw new MemoryError("usage", "content is missing; pass the text of the message.", { field: "content" });
  if (typeof content !== "string") throw new MemoryError("usage", "content is a file; pass text, or set batch.");
  if (actor_id === undefined || origin === undefined) {
    const [field, name] = actor_id === undefined ? ["actor_id", "actor_id (--actor)"] : ["origin", "origin (--origin)"];
    const sentence = `${name} is missing; a message needs both actor_id and origin, and only lines of a batch can set their own.`;
    throw new MemoryError("usage", sentence, { field });
  }
  if (content === "")
    throw new MemoryError("invalid_body", "The message is empty; content must have at least one character.");
  const payload = { actor_id, origin, content };
  return { id: id ?? memory.ids.next(), timestamp_ms: memory.clock.now(), type: MESSAGE, payload };
}

/** A batch up to this many characters is read completely before the store is locked. */
const FIRST_PIECE = 8 * 1024 * 1024;
/** Maximum characters of lines passed on at once after that: less of them are in RAM, which the garbage collector copies. */
const PIECE = 512 * 1024;

/** Above this many characters, the batch needs a lot of memory. */
const LARGE = 1_000_000;

/**
 * Turns the lines in a batch into frames, in order and in pieces. A line is a message, or `{type, …payload}` of a type that other programs may
 * append. Errors: `invalid_frame` and `invalid_body`, with the line number; `aborted`; file errors.
 */
async function* batchPieces(
  memory: ThreadMemory,
  { content, actor_id, origin }: AppendInput,
  { signal, progress }: Call,
): AsyncGenerator<readonly FrameDraft[], void, void> {
  if (content === undefined)
    throw new MemoryError("usage", "content is missing; pass the JSON lines of the batch.", { field: "content" });
  const refuseAborted = (): void => {
    if (signal?.aborted !== true) return;
    throw new MemoryError("aborted", "Stopped before the end of the batch; nothing was appended.");
  };
  const now = memory.clock.now();
  let [drafts, characters, number, done]: [FrameDraft[], number, number, number] = [[], 0, 0, 0];
  const parts = typeof content === "string" ? [content.replace(/^\uFEFF/u, "").split("\n")] : linesOf(content, signal);
  for await (const part of parts)
    for (const line of part) {
      number += 1;
      if (line.trim() === "") continue;
      if (characters <= LARGE && characters + line.length > LARGE) memory.onWork?.();
      const asked = askedFor({ actor_id, origin, ...objectIn(line, number) }, number);
      drafts.push({ ...asked, id: asked.id ?? memory.ids.next(), timestamp_ms: asked.timestamp_ms ?? now });
      characters += line.length;
      if (characters < (done === 0 ? FIRST_PIECE : PIECE)) continue;
      progress?.({ phase: "append", done: (done += drafts.length), total: 0 });
      refuseAborted();
      yield drafts;
      [drafts, characters] = [[], 0];
    }
  // A batch cut short by an abort is incomplete.
  refuseAborted();
  if (drafts.length > 0) yield drafts;
  else if (done === 0) throw new MemoryError("invalid_body", "The batch has no lines; pass at least one JSON object.");
}

async function* linesOf(file: InputFile, signal: AbortSignal | undefined): AsyncIterable<Iterable<string>> {
  const tooLong = (number: number, fault: string): MemoryError => refusal("invalid_frame", number, fault);
  const textsOf = function* (lines: Iterable<DecodedLine>): Generator<string, void, void> {
    for (const { text, number } of lines) {
      if (text === undefined)
        throw refusal("invalid_body", number, "is not UTF-8", "convert it first (iconv -t utf-8)");
      yield text;
    }
  };
  for await (const lines of decodedLines(file, signal, tooLong)) yield textsOf(lines);
}

type Fields = Readonly<Record<string, unknown>>;

function objectIn(line: string, number: number): Fields {
  const value = parseJson(line);
  if (isObject(value))
    return Object.values(value).includes(null)
      ? Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null))
      : value;
  throw refusal("invalid_frame", number, `is not a ${value === undefined ? "complete " : ""}JSON object`);
}

/** The result has no id or timestamp if the line has none. */
function askedFor(fields: Fields, number: number) {
  const { id, timestamp_ms, type = MESSAGE } = fields;
  const rules = fields["type"] === MESSAGE ? undefined : RULES.get(type);
  if (rules === undefined) throw refusal("invalid_frame", number, `has a type that is not allowed in a batch`, TYPES);
  const unknown = Object.keys(fields).find((name) => !ENVELOPE.includes(name) && !Object.hasOwn(rules, name));
  if (unknown !== undefined) {
    const taken = [...Object.keys(rules), "id", "timestamp_ms"].join(", ");
    const fault = `has the unknown field ${JSON.stringify(unknown.slice(0, 60))}`;
    throw refusal("invalid_frame", number, fault, `the allowed fields are ${taken}`);
  }
  if (id !== undefined && (typeof id !== "string" || !isFrameId(id)))
    throw refusal("invalid_frame", number, "has an id that is not a lowercase UUID");
  if (timestamp_ms !== undefined && !isCount(timestamp_ms))
    throw refusal("invalid_frame", number, "has a timestamp_ms that is not a whole number of milliseconds");
  const payload: Record<string, unknown> = {};
  for (const [name, rule] of Object.entries(rules)) {
    const value = fields[name] ?? null;
    if (value === null && rule.absent === "left_out") continue;
    if (value === null ? rule.absent !== "null" : !rule.isRight(value)) throw wrongField(name, value, rule, number);
    payload[name] = value;
  }
  return { id, timestamp_ms, type: type as FrameType, payload };
}

function wrongField(name: string, value: unknown, rule: Rule, number: number): MemoryError {
  if (name === "content" && value === "") return refusal("invalid_body", number, "has empty content", "omit the line");
  return value === null
    ? refusal("invalid_frame", number, `has no ${name}`, rule.whenMissing ?? "add it to the line")
    : refusal("invalid_frame", number, `has an invalid ${name}`, `it must be ${rule.want}`);
}

interface Rule {
  readonly want: string;
  readonly whenMissing?: string;
  readonly isRight: (value: unknown) => boolean;
  /** How a missing or null value is treated. */
  readonly absent: "refused" | "left_out" | "null";
}

const isText = (value: unknown): boolean => typeof value === "string" && value !== "";
const isOneLine = (value: unknown): boolean => typeof value === "string" && isLine(value);
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((one) => typeof one === "string");

const text: Rule = { want: "a non-empty string", isRight: isText, absent: "refused" };
const anyText: Rule = { ...text, absent: "left_out" };
const list: Rule = { want: "a list of strings or null", isRight: isTexts, absent: "null" };
const anything: Rule = { want: "a value or null", isRight: () => true, absent: "null" };
const line: Rule = {
  want: "one non-empty line of at most 256 characters without control characters",
  isRight: isOneLine,
  absent: "refused",
};
const whoAndWhere = {
  actor_id: { ...line, whenMissing: "add it to the line, or pass actor_id (--actor)" },
  origin: { ...line, whenMissing: "add it to the line, or pass origin (--origin)" },
};
const run = { run_session_id: text, message_id: text };
const tool = { run_session_id: text, tool_id: text, tool_name: text, affected_paths: list };
const cursor = { provider: text, endpoint: anyText, model: anyText, cursor: anything, action: text, reason: anyText };

/** The fields of each line type, in printing order. A line without a type is a message. */
const RULES: ReadonlyMap<unknown, Readonly<Record<string, Rule>>> = new Map([
  [MESSAGE, { ...whoAndWhere, content: text }],
  ["continuity_run_spawned", { ...run, ...whoAndWhere }],
  ["continuity_run_ended", { ...run, reason: text, ...whoAndWhere }],
  ["continuity_tool_side_effects", { ...tool, checkpoint_id: { ...text, absent: "null" }, ...whoAndWhere }],
  ["continuity_provider_cursor_updated", { ...cursor, run_session_id: anyText, ...whoAndWhere }],
] as [string, Readonly<Record<string, Rule>>][]);

const ENVELOPE = ["type", "id", "timestamp_ms"];
const TYPES = `omit type for a message, or use one of ${[...RULES.keys()].slice(1).join(", ")}`;

function refusal(code: ErrorCode, number: number, fault: string, want?: string): MemoryError {
  const end = want === undefined ? "nothing was appended" : `${want}; nothing was appended`;
  return new MemoryError(code, `Line ${number} of the batch ${fault}; ${end}.`, { line: number });
}
