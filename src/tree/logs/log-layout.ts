import { Buffer } from "node:buffer";
import { changedMeanwhile, readMarks, readPieces } from "./raw-logs.ts";
import {
  cutBytes,
  rotationSummary,
  nearestText,
  newLines,
  type NewLines,
  type ShorteningStep,
  type BytesMark,
} from "../model/moved-format.ts";
import { sha256, createDigest } from "../../base/digest.ts";
import { MemoryError } from "../../base/errors.ts";
import type { FileStamp, Files, FileBytes } from "../../platform/files.ts";

/** How the logical log of a shortened note is put together; docs/formats/audit.md, "Shortened notes". */
export interface LogLayout {
  /** `whole`: no step is in force, the note is the log. `edited`: it was changed otherwise than by appending since it was shortened. */
  readonly state: "whole" | "shortened" | "edited";
  /** The steps that are in force. */
  readonly steps: readonly ShorteningStep[];
  readonly pieces: readonly Piece[];
  /** Bytes of all pieces. */
  readonly size: number;
  /** So many bytes at the beginning of the log stand at the beginning of the note too. */
  readonly same: number;
}

/** `part`: a range of an archived part. `note`: a range of the note. `lines`: lines of an edited file. `end`: a line end between two others. */
export type Piece =
  | { readonly kind: "part"; readonly step: ShorteningStep; readonly from: number; readonly to: number }
  | { readonly kind: "note"; readonly from: number; readonly to: number }
  | ({ readonly kind: "lines"; readonly path: string } & NewLines)
  | { readonly kind: "end" };

/** A note as it stands on the disk. */
export interface PlacedNote {
  readonly path: string;
  readonly size: number;
  readonly stamp: FileStamp;
}

export function sizeOf(piece: Piece): number {
  if (piece.kind === "end") return 1;
  return piece.kind === "lines" ? piece.bytes.length : piece.to - piece.from;
}

/** Puts the log together. Memory: an edited file and what it was are held whole, else a piece at a time. Errors: `archive_damaged`, those of reading. */
export async function layOutLog(
  files: Files,
  parts: ArchivedParts,
  log: { readonly note: PlacedNote; readonly steps: readonly ShorteningStep[] },
): Promise<LogLayout> {
  const { note } = log;
  const steps = await stepsInForce(log.steps, (mark) => fileBeginsWith(files, note, mark));
  const [first] = steps;
  if (first === undefined)
    return { state: "whole", steps, pieces: [{ kind: "note", from: 0, to: note.size }], size: note.size, same: 0 };
  const pieces: Piece[] = [{ kind: "part", step: first, from: 0, to: first.before.bytes }];
  let same = first.before.bytes;
  let state: LogLayout["state"] = "shortened";
  for (const [index, step] of steps.entries()) {
    const next = steps[index + 1];
    const came = await cameAfter(files, parts, { note, step, earlier: steps.slice(0, index), next });
    if (came.kind === "lines") same = 0;
    if (came.kind === "lines" && next === undefined) state = "edited";
    same = step.change.kind === "cut" ? Math.min(same, step.change.spans[0]?.[0] ?? same) : 0;
    if (sizeOf(came) === 0) continue;
    if (await isOpenBetween(files, note, [pieces.at(-1), came])) pieces.push({ kind: "end" });
    pieces.push(came);
  }
  return { state, steps, pieces, size: pieces.reduce((sum, piece) => sum + sizeOf(piece), 0), same };
}

/** What came after a step in the next part, or in the note. */
async function cameAfter(
  files: Files,
  parts: ArchivedParts,
  place: {
    readonly note: PlacedNote;
    readonly step: ShorteningStep;
    readonly earlier: readonly ShorteningStep[];
    readonly next: ShorteningStep | undefined;
  },
): Promise<Piece> {
  const { note, step, earlier, next } = place;
  if (next !== undefined) await parts.check(note.path, next);
  const file = next === undefined ? note : { path: next.part, size: next.before.bytes };
  const from = step.after.bytes;
  if (await fileBeginsWith(files, file, step.after))
    return next === undefined
      ? { kind: "note", from, to: note.size }
      : { kind: "part", step: next, from, to: next.before.bytes };
  const read = await files.read(file.path);
  if (read === undefined || (next === undefined && read.stamp !== note.stamp)) throw changedMeanwhile(note.path);
  const given = await givenTo(parts, note.path, { step, earlier, edited: read.bytes });
  return { kind: "lines", path: file.path, ...newLines(given, read.bytes) };
}

/** What an edited file was made from: what the step made of the log, or the log before that step or an earlier one, which somebody put back. */
async function givenTo(
  parts: ArchivedParts,
  path: string,
  made: { readonly step: ShorteningStep; readonly earlier: readonly ShorteningStep[]; readonly edited: Uint8Array },
): Promise<Uint8Array> {
  const { step, earlier, edited } = made;
  await parts.check(path, step);
  const after = await bytesAfter(parts, path, step);
  if (after === undefined) return new Uint8Array(0);
  const texts = [after];
  for (const one of [step, ...earlier.toReversed()]) {
    await parts.check(path, one);
    texts.push(await parts.bytes(path, one, { from: 0, to: one.before.bytes }));
  }
  return nearestText(texts, edited) ?? after;
}

/** What a step made of the log; `undefined` when that cannot be made again: then all lines count as new. */
async function bytesAfter(parts: ArchivedParts, path: string, step: ShorteningStep): Promise<Uint8Array | undefined> {
  const bytes = await parts.bytes(path, step, { from: 0, to: step.before.bytes });
  const { change, part, after } = step;
  const made = change.kind === "cut" ? cutBytes(bytes, change.spans) : rotationSummary({ path, bytes, part });
  return sha256(made) === after.sha256 ? made : undefined;
}

/** Whether a line end is missing between two pieces. */
async function isOpenBetween(
  files: Files,
  note: PlacedNote,
  [left, right]: readonly [Piece | undefined, Piece],
): Promise<boolean> {
  if (left === undefined || left.kind === "end") return false;
  const size = sizeOf(left);
  const last = await someBytes(files, note, { piece: left, from: size - 1, to: size });
  if (size === 0 || last[0] === 10) return false;
  const first = await someBytes(files, note, { piece: right, from: 0, to: 2 });
  return !(first[0] === 10 || (first[0] === 13 && first[1] === 10));
}

/** Unchecked: whoever reads the log has the parts checked before. */
async function someBytes(
  files: Files,
  note: PlacedNote,
  of: { readonly piece: Piece; readonly from: number; readonly to: number },
): Promise<Uint8Array> {
  const { piece } = of;
  if (piece.kind === "end") return Buffer.from("\n");
  if (piece.kind === "lines") return piece.bytes.subarray(of.from, of.to);
  const path = piece.kind === "note" ? note.path : piece.step.part;
  const range = { from: piece.from + of.from, to: Math.min(piece.to, piece.from + of.to) };
  return (await files.read(path, range))?.bytes ?? new Uint8Array(0);
}

/** The parts of shortened logs in the archive. Each is held against its digest once for each stamp, in bounded memory. */
export class ArchivedParts {
  readonly #files: Files;
  /** By path and digest: the stamp with which a part was found to be as recorded. */
  readonly #right = new Map<string, FileStamp>();

  constructor(files: Files) {
    this.#files = files;
  }

  /** The stamp of a part that is as recorded. Errors: `archive_damaged`, naming the log and the part. */
  async check(log: string, step: ShorteningStep): Promise<FileStamp> {
    const head = await this.#read(log, step, { from: 0, to: 0 });
    const key = `${step.part} ${step.before.sha256}`;
    if (this.#right.get(key) === head.stamp) return head.stamp;
    const digest = createDigest();
    let stamp = head.stamp;
    const { part } = step;
    await this.#attempt(log, step, async () => {
      for await (const piece of readPieces(this.#files, part, step.before.bytes)) {
        if (piece === undefined) throw partDamaged(log, step, "is missing");
        digest.update(piece.bytes);
        stamp = piece.stamp;
      }
    });
    if (stamp !== head.stamp || digest.peek() !== step.before.sha256)
      throw partDamaged(log, step, "has other bytes than recorded");
    this.#right.set(key, stamp);
    return stamp;
  }

  /** A range of a part. Call `check` first. Errors: `archive_damaged`. */
  async bytes(
    log: string,
    step: ShorteningStep,
    range: { readonly from: number; readonly to: number },
  ): Promise<Uint8Array> {
    return (await this.#read(log, step, range)).bytes;
  }

  async #read(
    log: string,
    step: ShorteningStep,
    range: { readonly from: number; readonly to: number },
  ): Promise<FileBytes> {
    const { part, before } = step;
    const read = await this.#attempt(log, step, () => this.#files.read(part, range));
    if (read === undefined) throw partDamaged(log, step, "is missing");
    if (read.size !== before.bytes)
      throw partDamaged(log, step, `has ${read.size} bytes and not the ${before.bytes} that are recorded`);
    return read;
  }

  async #attempt<T>(log: string, step: ShorteningStep, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof MemoryError) || error.code === "archive_damaged") throw error;
      throw partDamaged(log, step, `cannot be read (${error.code})`);
    }
  }
}

/** `why` goes on after the path of the part. */
export function partDamaged(log: string, { part, before }: ShorteningStep, why: string): MemoryError {
  const message = `${log} was shortened by an audit, and ${part}, which holds it, ${why}: put that file back from git, a backup or the artifact store (${before.sha256}); the log is not read until then.`;
  return new MemoryError("archive_damaged", message, { path: log, part });
}

/**
 * The steps that have happened to a note: without the last ones whose `before` it still begins with (docs/formats/audit.md, "Shortened notes", rule 1).
 * `beginsWith` looks at the note, in memory or on the disk.
 */
export async function stepsInForce(
  steps: readonly ShorteningStep[],
  beginsWith: (mark: BytesMark) => boolean | Promise<boolean>,
): Promise<readonly ShorteningStep[]> {
  let count = steps.length;
  for (let last = steps[count - 1]; last !== undefined; last = steps[count - 1]) {
    if (!(await beginsWith(last.before))) break;
    count -= 1;
  }
  return steps.slice(0, count);
}

/** Whether bytes begin with those that a mark is of. */
export function bytesBeginWith(bytes: Uint8Array, mark: BytesMark): boolean {
  return bytes.length >= mark.bytes && sha256(bytes.subarray(0, mark.bytes)) === mark.sha256;
}

/** The same of a file, in bounded memory. `size`: as listed; nothing is read of one that is too short. */
export async function fileBeginsWith(
  files: Files,
  file: { readonly path: string; readonly size: number },
  mark: BytesMark,
): Promise<boolean> {
  if (mark.bytes === 0) return true;
  return file.size >= mark.bytes && (await readMarks(files, file.path, [mark.bytes]))[0]?.sha256 === mark.sha256;
}
