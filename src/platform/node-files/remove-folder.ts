import type { Disk } from "./disk.ts";
import { codeOf, failureOf } from "./failures.ts";
import { absoluteOf, writablePlaceOf } from "./place.ts";
import { syncFolder } from "./sync.ts";

/** Removes a folder when it is empty. A link to one stays. */
export async function removeEmptyFolder(disk: Disk, dir: string): Promise<"removed" | "kept"> {
  const place = writablePlaceOf(disk, dir);
  if (place.missing.length > 0) return "kept";
  try {
    disk.fs.rmdirSync(absoluteOf(place));
    disk.durable.delete(absoluteOf(place));
    await syncFolder(disk, place.folder);
    return "removed";
  } catch (error) {
    if (staying.includes(String(codeOf(error)))) return "kept";
    throw failureOf("remove", dir, error);
  }
}

/** What systems say of a folder with something in it, of no folder, and of nothing. */
const staying = ["ENOTEMPTY", "EEXIST", "ENOTDIR", "ENOENT"];
