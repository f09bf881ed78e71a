import { Buffer } from "node:buffer";
import { changedMeanwhile, readMarks } from "./raw-logs.ts";
import {
  type BytesMark,
  cutBytes,
  nearestText,
  newLines,
  type NewLines,
  rotationSummary,
  type ShorteningStep,
} from "../model/moved-format.ts";
import { windowBytes } from "../model/raw-scan.ts";
import { createDigest, sha256 } from "../../base/digest.ts";
import { MemoryError } from "../../base/errors.ts";
import type { ByteRange, FileBytes, Files, FileStamp } from "../../platform/files.ts";

/** How the logical log of a shortened note is assembled; docs/formats/audit.md, "Shortened notes". */
export interface LogLayout {
  readonly steps: readonly ShorteningStep[];
  readonly pieces: readonly Piece[];
  readonly size: number;
  /** Number of leading bytes that the log and the note have in common. */
  readonly same: number;
}

interface Piece {
  /** The file; empty for a newline between two other pieces. */
  readonly path: string;
  readonly from: number;
  readonly size: number;
  readonly step?: ShorteningStep | undefined;
  /** The new lines in an edited file, in place of a range. */
  readonly lines?: NewLines;
}

const lineEnd: Piece = { path: "", from: 0, size: 1, lines: { bytes: Buffer.from("\n"), numbers: [] } };

export interface PlacedNote {
  readonly path: string;
  readonly size: number;
  readonly stamp: FileStamp;
}

/**
 * Lays out the log; `undefined` if no step is in force, because then the note is the whole log. Only an edited file and
 * its earlier version are read whole into memory. Errors: `archive_damaged`, any from reading.
 */
export async function layOutLog(
  files: Files,
  parts: ArchivedParts,
  note: PlacedNote,
  recorded: readonly ShorteningStep[],
): Promise<LogLayout | undefined> {
  const steps = await stepsInForce(recorded, (mark) => fileBeginsWith(files, note, mark));
  const [first] = steps;
  if (first === undefined) return undefined;
  const pieces: Piece[] = [{ path: first.part, from: 0, size: first.before.bytes, step: first }];
  let same = first.before.bytes;
  for (const [index, step] of steps.entries()) {
    const came = await cameAfter(files, parts, note, steps, index);
    if (came.lines !== undefined) same = 0;
    same = step.change.kind === "cut" ? Math.min(same, step.change.spans[0]?.[0] ?? same) : 0;
    if (came.size === 0) continue;
    if (await isOpenBetween(files, pieces.at(-1) ?? came, came)) pieces.push(lineEnd);
    pieces.push(came);
  }
  return { steps, pieces, size: pieces.reduce((sum, piece) => sum + piece.size, 0), same };
}

/** The content added after a step, in the next part or in the note. */
async function cameAfter(
  files: Files,
  parts: ArchivedParts,
  note: PlacedNote,
  steps: readonly ShorteningStep[],
  index: number,
): Promise<Piece> {
  const next = steps[index + 1];
  const [step, ...earlier] = steps.slice(0, index + 1).toReversed() as [ShorteningStep, ...ShorteningStep[]];
  if (next !== undefined) await parts.check(note.path, next);
  const file = next === undefined ? note : { path: next.part, size: next.before.bytes };
  const from = step.after.bytes;
  if (await fileBeginsWith(files, file, step.after))
    return { path: file.path, from, size: file.size - from, step: next };
  const read = await files.read(file.path);
  if (read === undefined || (next === undefined && read.stamp !== note.stamp)) throw changedMeanwhile(note.path);
  // The file was edited from what the step left of the log, or from the log as it was before this or an earlier step,
  // restored by the user.
  const before = await parts.whole(note.path, step);
  const { change, part, after } = step;
  const made =
    change.kind === "cut" ? cutBytes(before, change.spans) : rotationSummary({ path: note.path, bytes: before, part });
  const texts = [made, before];
  for (const one of earlier) texts.push(await parts.whole(note.path, one));
  // If the original cannot be reproduced, all lines count as new.
  const given = sha256(made) === after.sha256 ? (nearestText(texts, read.bytes) ?? made) : new Uint8Array(0);
  const lines = newLines(given, read.bytes);
  return { path: file.path, from: 0, size: lines.bytes.length, lines };
}

/** Whether a newline is missing between two pieces. Does not verify parts: reading the log has already done so. */
async function isOpenBetween(files: Files, left: Piece, right: Piece): Promise<boolean> {
  if (left.size === 0) return false;
  const [last] = await bytesOf(files, left, { from: left.size - 1, to: left.size });
  if (last === 10) return false;
  const [first, second] = await bytesOf(files, right, { from: 0, to: Math.min(2, right.size) });
  return !(first === 10 || (first === 13 && second === 10));
}

async function bytesOf(files: Files, { path, from, lines }: Piece, range: ByteRange): Promise<Uint8Array> {
  if (lines !== undefined) return lines.bytes.subarray(range.from, range.to);
  return (await files.read(path, { from: from + range.from, to: from + range.to }))?.bytes ?? new Uint8Array(0);
}

/** The archived parts of shortened logs. Each is verified against its digest once per stamp, in bounded memory. */
export class ArchivedParts {
  readonly #files: Files;
  /** By path and digest: the stamp of a verified part. */
  readonly #right = new Map<string, FileStamp>();

  constructor(files: Files) {
    this.#files = files;
  }

  /** Verifies a part and returns its stamp. Errors: `archive_damaged`, with the log and the part. */
  async check(log: string, step: ShorteningStep): Promise<FileStamp> {
    const { stamp } = await this.read(log, step, { from: 0, to: 0 });
    const key = `${step.part} ${step.before.sha256}`;
    if (this.#right.get(key) === stamp) return stamp;
    const digest = createDigest();
    const { bytes, sha256: recorded } = step.before;
    let isSteady = true;
    for (let from = 0; from < bytes; from += windowBytes) {
      const piece = await this.read(log, step, { from, to: Math.min(from + windowBytes, bytes) });
      digest.update(piece.bytes);
      isSteady &&= piece.stamp === stamp;
    }
    if (!isSteady || digest.peek() !== recorded) throw partDamaged(log, step, "does not have the recorded bytes");
    this.#right.set(key, stamp);
    return stamp;
  }

  async whole(log: string, step: ShorteningStep): Promise<Uint8Array> {
    await this.check(log, step);
    return (await this.read(log, step, { from: 0, to: step.before.bytes })).bytes;
  }

  /** A range of a part. Call `check` first. Errors: `archive_damaged`. */
  async read(log: string, step: ShorteningStep, range: ByteRange): Promise<FileBytes> {
    const { part, before } = step;
    const read = await this.#files.read(part, range).catch((error: unknown) => {
      if (error instanceof MemoryError) throw partDamaged(log, step, `cannot be read (${error.code})`);
      throw error;
    });
    if (read === undefined) throw partDamaged(log, step, "is missing");
    if (read.size !== before.bytes)
      throw partDamaged(log, step, `has ${read.size} bytes instead of the recorded ${before.bytes}`);
    return read;
  }
}

/** `why` follows the path of the part in the message. */
export function partDamaged(log: string, { part, before }: ShorteningStep, why: string): MemoryError {
  const message = `${log} was shortened by an audit, and ${part}, which contains it, ${why}: restore that file from git, a backup or the artifact store (${before.sha256}); until then, the log is not read.`;
  return new MemoryError("archive_damaged", message, { path: log, part });
}

/**
 * The steps applied to a note: drops trailing steps whose `before` the note still begins with (docs/formats/audit.md,
 * "Shortened notes", rule 1). `beginsWith` checks the note, in memory or on disk.
 */
export async function stepsInForce(
  steps: readonly ShorteningStep[],
  beginsWith: (mark: BytesMark) => boolean | Promise<boolean>,
): Promise<readonly ShorteningStep[]> {
  let count = steps.length;
  for (let last = steps[count - 1]; last !== undefined && (await beginsWith(last.before)); last = steps[count - 1])
    count -= 1;
  return steps.slice(0, count);
}

export function bytesBeginWith(bytes: Uint8Array, mark: BytesMark): boolean {
  return bytes.length >= mark.bytes && sha256(bytes.subarray(0, mark.bytes)) === mark.sha256;
}

/** Whether a file begins with these bytes, in bounded memory. `size`: as listed; a file that is too short is not read. */
export async function fileBeginsWith(
  files: Files,
  file: { readonly path: string; readonly size: number },
  mark: BytesMark,
): Promise<boolean> {
  if (mark.bytes === 0) return true;
  return file.size >= mark.bytes && (await readMarks(files, file.path, [mark.bytes]))[0]?.sha256 === mark.sha256;
}
