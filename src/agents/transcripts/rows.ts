import { isObject, parseObject } from "../../base/json.ts";
import type { TranscriptItem, TranscriptMessage } from "./transcripts.ts";

export const turnEnd: TranscriptItem = { kind: "turn_end" };

export const leftOut = {
  injected: { kind: "left_out", reason: "injected" },
  internal: { kind: "left_out", reason: "internal" },
  tool: { kind: "left_out", reason: "tool" },
  empty: { kind: "left_out", reason: "empty" },
} as const satisfies Readonly<Record<string, TranscriptItem>>;

const rowFaults = {
  torn_row: "a row is torn or not a JSON object",
  long_row: "a row is longer than 16 MiB",
  packed_row: "rows are packed with zstd, which this Node cannot read; use Node 22.15 or newer",
} as const;

/** Why a row cannot be read. */
export type RowFault = keyof typeof rowFaults;

export function faultyRow(code: RowFault, place: string): TranscriptItem {
  return { kind: "fault", code, message: rowFaults[code], place };
}

/** A message item; `empty` for a message without words. */
export function messageItem(message: TranscriptMessage): TranscriptItem {
  return message.text.trim() === "" ? leftOut.empty : { kind: "message", message };
}

/** A row as a client wrote it, or a part of one. */
export type Fields = Readonly<Record<string, unknown>>;

/** Parses a text as a JSON object; `undefined` for anything else. */
export function jsonIn(value: unknown): Fields | undefined {
  return typeof value === "string" ? parseObject(value) : undefined;
}

/** A longer row is a fault: no person or model says that much at once. */
export const longestRow = 16 * 1024 * 1024;

/** The object with that name; an empty one if there is none. */
export function objectAt(fields: Fields, name: string): Fields {
  return asObject(fields[name]) ?? {};
}

export function asObject(value: unknown): Fields | undefined {
  return isObject(value) ? value : undefined;
}

export function textAt(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function listAt(fields: Fields, name: string): readonly unknown[] {
  const value = fields[name];
  return Array.isArray(value) ? value : [];
}

/** Milliseconds since the epoch, in the years 1970 to 9999, from ISO 8601 text or a number. A number too small for milliseconds is read as seconds. */
export function timeAt(fields: Fields, name: string): number | undefined {
  const value = fields[name];
  const time = typeof value === "string" ? Date.parse(value) : typeof value === "number" ? value : 0;
  const milliseconds = typeof value === "number" ? Math.round(time < 100_000_000_000 ? time * 1000 : time) : time;
  return milliseconds > 0 && milliseconds < 253_402_214_400_000 ? milliseconds : undefined;
}

export function blockTexts(blocks: readonly unknown[], kinds: readonly string[]): string {
  return blocks
    .map((block): Fields => (typeof block === "string" ? { type: kinds[0], text: block } : (asObject(block) ?? {})))
    .filter((block) => kinds.includes(String(block["type"])))
    .map((block) => textAt(block, "text") ?? "")
    .filter((text) => text.trim() !== "")
    .join("\n\n");
}
