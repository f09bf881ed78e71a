import { MemoryError, type ErrorCode } from "../../base/errors.ts";

/** The `code` of a failed system call, such as `EIO`; `undefined` for any other error. */
export function causeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** A failed system call as a `MemoryError`. An error that already is one stays as it is. */
export function failureOf(act: string, path: string, error: unknown): MemoryError {
  if (error instanceof MemoryError) return error;
  const cause = causeOf(error) ?? "unknown cause";
  const { code, advice } = meanings[cause] ?? { code: "io", advice: "check the disk, then run it again." };
  return new MemoryError(code, `Could not ${act} ${path} (${cause}): ${advice}`, { path, cause }, error);
}

const freeSpace = { code: "disk_full", advice: "the disk is full; free some space, then run it again." } as const;
const noAccess = { code: "io", advice: "permission denied; check who owns it and its mode." } as const;
const meanings: Readonly<Record<string, { readonly code: ErrorCode; readonly advice: string }>> = {
  ENOSPC: freeSpace,
  EDQUOT: freeSpace,
  EACCES: noAccess,
  EPERM: noAccess,
  EROFS: { code: "io", advice: "the file system is read-only; mount it writable, then run it again." },
  ENOTDIR: { code: "io", advice: "a part of the path is not a folder; move that file away." },
  EISDIR: { code: "not_a_file", advice: "it is a folder; only regular files are read and written." },
  ENXIO: { code: "not_a_file", advice: "it is a FIFO or a socket; only regular files are read and written." },
  ELOOP: { code: "link_outside", advice: "it is a link; links are not followed, put the file itself there." },
};
