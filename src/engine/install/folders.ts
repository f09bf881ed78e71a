import type { ClientFiles } from "../../ports/client-files.ts";
import type { ClientPlaces } from "./places.ts";
import type { Edit } from "./plan.ts";

/** The folders that are missing above the files, parents before children. */
export async function foldersFor(files: ClientFiles, edits: readonly Edit[]): Promise<readonly string[]> {
  const missing = new Set<string>();
  for (const { path, after } of edits)
    if (after !== undefined) for (const folder of await missingAbove(files, path)) missing.add(folder);
  return [...missing].toSorted((a, b) => a.length - b.length);
}

async function missingAbove(files: ClientFiles, path: string): Promise<readonly string[]> {
  const missing: string[] = [];
  for (let folder = parentOf(path); folder !== undefined; folder = parentOf(folder)) {
    if ((await files.list(folder)) !== undefined) break;
    missing.unshift(folder);
  }
  return missing;
}

/**
 * The folders that are still to be made for the record. They stand before it can tell of them: its own folder is ours also when a run was ended there; those above it are only when this run makes them.
 */
export async function foldersOfState(
  files: ClientFiles,
  { state }: ClientPlaces,
): Promise<{ readonly missing: readonly string[]; readonly ours: readonly string[] }> {
  const above = await missingAbove(files, state);
  const missing = (await files.list(state)) === undefined ? [...above, state] : [];
  return { missing, ours: [...above, state] };
}

function parentOf(path: string): string | undefined {
  const at = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
  return at <= 0 ? undefined : path.slice(0, at);
}
