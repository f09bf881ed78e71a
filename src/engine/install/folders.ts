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

export interface StateFolders {
  /** Those that a run made which was ended before it wrote a record. */
  readonly known: readonly string[];
  /** Those that are still to be made. */
  readonly made: readonly string[];
}

/**
 * The folders of the record. They stand before it can tell of them: without a record, those of them that hold nothing but each other are from a run that was ended there.
 */
export async function foldersOfState(
  files: ClientFiles,
  { state, home }: ClientPlaces,
  has: "record" | "no record",
): Promise<StateFolders> {
  if (has === "record") return { known: [], made: [] };
  const made = [...(await missingAbove(files, state))];
  if ((await files.list(state)) === undefined) return { known: [], made: [...made, state] };
  const known: string[] = [];
  let inside: string | undefined;
  for (let folder: string | undefined = state; folder !== undefined && folder !== home; folder = parentOf(folder)) {
    const names: readonly string[] = (await files.list(folder)) ?? [];
    const isAlone = inside === undefined ? names.every((name) => name.startsWith(".")) : names.length === 1;
    if (!isAlone) break;
    known.unshift(folder);
    inside = folder;
  }
  return { known, made: [] };
}

function parentOf(path: string): string | undefined {
  const at = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
  return at <= 0 ? undefined : path.slice(0, at);
}
