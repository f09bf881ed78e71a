import { dayOfNote, dayOfPart, type BytesMark, type ShorteningStep } from "../../tree/model/moved-format.ts";

/** Where the entries of the history stand: `<id>.json`. */
export const historyFolder = ".heartwood/audit";

/** What an audit changed, and what it was before. */
export interface AuditRecord {
  readonly id: string;
  /** Local time with offset. */
  readonly at: string;
  readonly mode: "normal" | "aggressive";
  /** Whether there was no `memory/archive/` before. */
  readonly madeArchiveFolder: boolean;
  readonly files: readonly RecordedFile[];
  readonly undoneAt: string | null;
  /** Keys that this version does not know; they survive. */
  readonly others: Readonly<Record<string, unknown>>;
}

export interface RecordedFile {
  readonly path: string;
  readonly change: "cut" | "rotated" | "compressed";
  readonly before: BytesMark;
  readonly after: BytesMark;
  /** Where the note as it was is kept; `null` for MEMORY.md. */
  readonly part: string | null;
  /** Whether this audit made the part; it was there before otherwise. */
  readonly madePart: boolean;
}

/** Whether a step of the record of shortened notes is what the audit did to this file. */
export function isSameStep(a: Pick<RecordedFile, "part" | "before" | "after">, b: ShorteningStep): boolean {
  return a.part === b.part && a.before.sha256 === b.before.sha256 && a.after.sha256 === b.after.sha256;
}

/** `20261122-103105-3f2a` */
export function isAuditId(text: string): boolean {
  return /^\d{8}-\d{6}-[0-9a-f]{4}$/u.test(text);
}

export function historyPath(id: string): string {
  return `${historyFolder}/${id}.json`;
}

/** One line of JSON with a line end. */
export function printRecord(record: AuditRecord): string {
  const value = {
    version: 1,
    id: record.id,
    at: record.at,
    mode: record.mode,
    made_archive_folder: record.madeArchiveFolder,
    files: record.files.map(({ path, change, before, after, part, madePart }) => ({
      path,
      change,
      before: { bytes: before.bytes, sha256: before.sha256 },
      after: { bytes: after.bytes, sha256: after.sha256 },
      part,
      made_part: madePart,
    })),
    undone_at: record.undoneAt,
    ...record.others,
  };
  return `${JSON.stringify(value)}\n`;
}

const knownKeys = ["version", "id", "at", "mode", "made_archive_folder", "files", "undone_at"];

/**
 * The record of an entry; a sentence that says what is wrong when it is none. Only paths that an audit can change are taken: an entry that names
 * another file is refused, wherever it came from.
 */
export function parseRecord(text: string): AuditRecord | string {
  const value = objectOf(text);
  if (value === undefined) return "it is no JSON object";
  if (value["version"] !== 1) return `its version is ${JSON.stringify(value["version"])}, and this heartwood knows 1`;
  const { id, at, mode, files, made_archive_folder: made, undone_at: undone } = value;
  if (typeof id !== "string" || !isAuditId(id)) return "its id is none";
  if (!isTimestamp(at)) return "its at is no local time with offset";
  if (mode !== "normal" && mode !== "aggressive") return "its mode is neither normal nor aggressive";
  if (typeof made !== "boolean") return "its made_archive_folder is neither true nor false";
  if (undone !== null && !isTimestamp(undone)) return "its undone_at is neither null nor a local time with offset";
  if (!Array.isArray(files)) return "its files are no list";
  const read = files.map(parseFile);
  const wrong = read.find((file) => typeof file === "string");
  if (wrong !== undefined) return wrong;
  const good = read.filter((file) => typeof file !== "string");
  if (new Set(good.map(({ path }) => path)).size < good.length) return "it names a file twice";
  const others = Object.fromEntries(Object.entries(value).filter(([key]) => !knownKeys.includes(key)));
  return { id, at, mode, madeArchiveFolder: made, files: good, undoneAt: undone, others };
}

function objectOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isTimestamp(value: unknown): value is string {
  return typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)$/u.test(value);
}

function parseFile(value: unknown): RecordedFile | string {
  if (!isObject(value)) return "one of its files is no object";
  const { path, change, part, made_part: made } = value;
  const before = markOf(value["before"]);
  const after = markOf(value["after"]);
  if (before === undefined || after === undefined) return "one of its files has no bytes and sha256 before and after";
  if (typeof made !== "boolean") return "one of its files does not say whether its part was made";
  if (change === "compressed")
    return path === "MEMORY.md" && part === null && !made
      ? { path, change, before, after, part, madePart: made }
      : "what it compressed is not MEMORY.md";
  if (change !== "cut" && change !== "rotated") return "one of its files has an unknown change";
  const day = typeof path === "string" ? dayOfNote(path) : undefined;
  if (typeof path !== "string" || day === undefined) return "one of its files is no daily note";
  if (typeof part !== "string" || dayOfPart(part) !== day) return `the part of ${path} is not one of its parts`;
  return { path, change, before, after, part, madePart: made };
}

function markOf(value: unknown): BytesMark | undefined {
  if (!isObject(value)) return undefined;
  const { bytes, sha256 } = value;
  const isRight = Number.isSafeInteger(bytes) && Number(bytes) >= 0 && /^[0-9a-f]{64}$/u.test(String(sha256));
  return isRight && typeof sha256 === "string" ? { bytes: Number(bytes), sha256 } : undefined;
}
