import { fields, isText, listOf, oneOf, parseObject, type Check } from "../../base/json.ts";
import { dayOfNote, dayOfPart, isMark, type BytesMark, type ShorteningStep } from "../../tree/model/moved-format.ts";

/** The history folder, with one entry `<id>.json` per audit. */
export const historyFolder = ".heartwood/audit";

/** What an audit changed. Unknown keys are preserved. */
export interface AuditRecord {
  readonly version: 1;
  readonly id: string;
  /** Local time with offset. */
  readonly at: string;
  readonly mode: "normal" | "aggressive";
  readonly made_archive_folder: boolean;
  readonly files: readonly RecordedFile[];
  readonly undone_at: string | null;
}

export interface RecordedFile {
  readonly path: string;
  readonly change: "cut" | "rotated" | "compressed";
  readonly before: BytesMark;
  readonly after: BytesMark;
  /** Path of the archived copy of the note; `null` for MEMORY.md. */
  readonly part: string | null;
  /** Whether this audit created the part. Otherwise, it existed before. */
  readonly made_part: boolean;
}

/** Whether a step in the record of shortened notes is this audit's change of the file. */
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
  return `${JSON.stringify(record)}\n`;
}

const isTimestamp: Check = (value) =>
  typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)$/u.test(value);
const isFlag = oneOf([true, false]);
const isFile = fields({
  path: isText,
  change: oneOf(["cut", "rotated", "compressed"]),
  before: isMark,
  after: isMark,
  made_part: isFlag,
});
const checks: Readonly<Record<string, Check>> = {
  version: oneOf([1]),
  id: (value) => typeof value === "string" && isAuditId(value),
  at: isTimestamp,
  mode: oneOf(["normal", "aggressive"]),
  made_archive_folder: isFlag,
  files: listOf(isFile),
  undone_at: (value) => value === null || isTimestamp(value),
};

/**
 * Parses an entry, or returns a sentence about what is wrong with it. Accepts only paths that an audit can change, so that an entry from elsewhere cannot
 * make undo write other files.
 */
export function parseRecord(text: string): AuditRecord | string {
  const value = parseObject(text);
  if (value === undefined) return "it is not a JSON object";
  const wrong = Object.keys(checks).find((key) => checks[key]?.(value[key]) === false);
  if (wrong !== undefined) return `its ${wrong} is not valid in this version of heartwood`;
  const record = value as unknown as AuditRecord;
  const foreign = record.files.find((file) => !canBeChanged(file));
  if (foreign !== undefined) return `it lists a change to ${foreign.path} that audits never make`;
  if (new Set(record.files.map(({ path }) => path)).size < record.files.length) return "it lists a file twice";
  return record;
}

function canBeChanged({ path, change, part, made_part }: RecordedFile): boolean {
  if (change === "compressed") return path === "MEMORY.md" && part === null && !made_part;
  const day = dayOfNote(path);
  return day !== undefined && typeof part === "string" && dayOfPart(part) === day;
}
