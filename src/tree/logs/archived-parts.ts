import { createDigest } from "../../base/digest.ts";
import { MemoryError } from "../../base/errors.ts";
import type { FileBytes, FileStamp, Files } from "../../platform/files.ts";
import type { ShorteningStep } from "../model/moved-format.ts";
import { readPieces } from "./raw-logs.ts";

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
