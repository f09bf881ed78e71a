import type {
  ReadOptions,
  TranscriptItem,
  TranscriptMessage,
  TranscriptQuery,
  TranscriptSource,
} from "./transcripts.ts";

/** The transcripts of one client. */
export interface ClientReader {
  find(query: TranscriptQuery): Promise<readonly TranscriptSource[]>;
  read(source: TranscriptSource, options: ReadOptions): AsyncIterable<TranscriptItem>;
}

export const internal: TranscriptItem = { kind: "left_out", reason: "internal" };
export const tool: TranscriptItem = { kind: "left_out", reason: "tool" };
export const injected: TranscriptItem = { kind: "left_out", reason: "injected" };
export const empty: TranscriptItem = { kind: "left_out", reason: "empty" };
export const turnEnd: TranscriptItem = { kind: "turn_end" };

const rowFaults = {
  torn: { code: "torn_row", message: "a row is torn or no JSON object" },
  long: { code: "long_row", message: "a row is longer than 16 MiB" },
  packed: {
    code: "packed_row",
    message: "rows are packed with zstd, which this Node cannot read; use Node 22.15 or newer",
  },
} as const;

/** Why a row cannot be read. */
export type RowFault = keyof typeof rowFaults;

export function faultyRow(fault: RowFault, place: string): TranscriptItem {
  return { kind: "fault", ...rowFaults[fault], place };
}

/** A message; `empty` for one without words. */
export function messageItem(message: TranscriptMessage): TranscriptItem {
  return message.text.trim() === "" ? empty : { kind: "message", message };
}

/** The message in a row of a file. Rows are only ever appended, so the offset `from` names one that has no id. */
export function rowMessage(
  row: Fields,
  {
    id,
    from,
    ...said
  }: Pick<TranscriptMessage, "role" | "text"> & {
    readonly id: string | undefined;
    readonly from: number;
  },
): TranscriptItem {
  return messageItem({ ...said, id: id ?? `byte-${from}`, at_ms: timeAt(row, "timestamp") });
}

/** A row or a part of one, as a client wrote it. */
export type Fields = Readonly<Record<string, unknown>>;

const none: Fields = {};

/** The object that a text has as JSON; `undefined` when it is none. */
export function jsonIn(value: unknown): Fields | undefined {
  if (typeof value !== "string") return undefined;
  try {
    return asObject(JSON.parse(value));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** A longer row is a fault: nothing that a person or a model says is so long. */
export const longestRow = 16 * 1024 * 1024;

/** The object of that name; an empty one where there is none. */
export function objectAt(fields: Fields, name: string): Fields {
  return asObject(fields[name]) ?? none;
}

export function asObject(value: unknown): Fields | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

export function textAt(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function listAt(fields: Fields, name: string): readonly unknown[] {
  const value = fields[name];
  return Array.isArray(value) ? value : [];
}

/** Milliseconds since the epoch of an ISO 8601 text or a number of them; of a number too small for it, seconds are meant. */
export function timeAt(fields: Fields, name: string): number | undefined {
  const value = fields[name];
  if (typeof value === "string") return inCalendar(Date.parse(value));
  if (typeof value !== "number") return undefined;
  return inCalendar(Math.round(value < 100_000_000_000 ? value * 1000 : value));
}

/** A time of the years 1970 to 9999, as calendars have it. */
function inCalendar(milliseconds: number): number | undefined {
  return milliseconds > 0 && milliseconds < 253_402_214_400_000 ? milliseconds : undefined;
}

/** The texts of blocks of a kind, one below the other, a blank line between them. */
export function blockTexts(blocks: readonly unknown[], kinds: readonly string[]): string {
  return blocks
    .map((block) => (typeof block === "string" ? { type: kinds[0], text: block } : asObject(block)))
    .filter((block) => block !== undefined && kinds.includes(String(block["type"])))
    .map((block) => textAt(block ?? none, "text") ?? "")
    .filter((text) => text.trim() !== "")
    .join("\n\n");
}
