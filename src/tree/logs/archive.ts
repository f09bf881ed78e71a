import { sha256 } from "../../base/digest.ts";
import type { Files } from "../../platform/files.ts";
import { archiveFolder, memoryFolder } from "../model/period.ts";

/** Where the bytes of a file under memory/ are kept before it is replaced: by name and digest, so that the same bytes are kept once. */
export function archivePathOf(path: string, bytes: Uint8Array): string {
  return archivePathWith(path, sha256(bytes).slice(0, 16));
}

/** Whether `archived` is where some bytes of the file are kept. */
export function isArchivePathOf(path: string, archived: string): boolean {
  const digits = /\.([0-9a-f]{16})\.md$/u.exec(archived)?.[1];
  return digits !== undefined && archived === archivePathWith(path, digits);
}

function archivePathWith(path: string, digits: string): string {
  const inner = path.startsWith(`${memoryFolder}/`) ? path.slice(memoryFolder.length + 1) : path;
  return `${archiveFolder}/nodes/${inner.replace(/\.md$/u, "")}.${digits}.md`;
}

/** Keeps bytes in the archive; returned means they are on disk. */
export async function archiveBytes(files: Files, path: string, bytes: Uint8Array): Promise<string> {
  const target = archivePathOf(path, bytes);
  if ((await files.read(target)) === undefined) await files.commit([{ path: target, bytes, expect: "absent" }]);
  return target;
}

/** Where a text that somebody else wrote is recorded, by its digest. */
export function artifactPath(digest: string): string {
  return `.heartwood/artifacts/${digest.slice(0, 2)}/${digest}.md`;
}

/** Records a node that somebody else wrote by the digest of its content, which a change of status does not change. */
export async function recordArtifact(files: Files, content: string, bytes: Uint8Array): Promise<string> {
  const target = artifactPath(content);
  if ((await files.read(target)) === undefined) await files.commit([{ path: target, bytes, expect: "absent" }]);
  return target;
}
