import type { Disk } from "./disk.ts";

/** Writes all bytes at the file's position (or its end under O_APPEND); a short write is continued. */
export function writeAll(disk: Disk, fd: number, bytes: Uint8Array): void {
  let written = 0;
  while (written < bytes.length) {
    written += disk.fs.writeSync(fd, bytes, written, bytes.length - written);
  }
}
