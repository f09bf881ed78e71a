import { MemoryError, type ErrorCode } from "../../base/errors.ts";

/** The `code` of a failed system call, such as `EIO`; `undefined` for any other error. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/**
 * A failed system call as a `MemoryError`: `disk_full`, `not_a_file`, `link_outside`, `invalid_path` or `io`. The
 * sentence names what was tried, the path and the cause. An error that already is a `MemoryError` stays as it is.
 */
export function failureOf(act: string, path: string, error: unknown): MemoryError {
  if (error instanceof MemoryError) return error;
  const cause = codeOf(error) ?? "unknown cause";
  const shown = path === "" ? "the project folder" : path;
  const meaning = meanings[cause];
  const sentence =
    meaning === undefined
      ? `Could not ${act} ${shown}: the system says ${cause}.`
      : `Could not ${act} ${shown}: ${meaning.says} (${cause}); ${meaning.advice}`;
  return new MemoryError(meaning?.code ?? "io", sentence, { path, cause }, error);
}

const meanings: Readonly<Record<string, { readonly code: ErrorCode; readonly says: string; readonly advice: string }>> =
  {
    ENOSPC: { code: "disk_full", says: "the disk is full", advice: "free some space, then run it again." },
    EDQUOT: { code: "disk_full", says: "the disk quota is used up", advice: "free some space, then run it again." },
    EACCES: { code: "io", says: "permission denied", advice: "check who owns it and its mode." },
    EPERM: { code: "io", says: "not permitted", advice: "check who owns it and its mode." },
    EROFS: { code: "io", says: "the file system is read-only", advice: "mount it writable, then run it again." },
    EIO: { code: "io", says: "the disk reports an error", advice: "check the disk, then run it again." },
    ENOTDIR: { code: "io", says: "a part of the path is not a folder", advice: "move that file away." },
    EISDIR: { code: "not_a_file", says: "it is a folder", advice: "only regular files are read and written." },
    ENXIO: { code: "not_a_file", says: "it is a FIFO or a socket", advice: "only regular files are read and written." },
    ELOOP: { code: "link_outside", says: "it is a link", advice: "links are not followed; put the file itself there." },
    ENAMETOOLONG: { code: "invalid_path", says: "a name is too long", advice: "a name has at most 255 bytes." },
  };
