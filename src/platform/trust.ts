import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { MemoryError, systemCodeOf } from "../base/errors.ts";
import { fields, isText, listOf, parseObject, type Check } from "../base/json.ts";
import { otherOwners, realPath, refuseOtherOwner } from "./folders.ts";
import { userStateFolder } from "./program.ts";
import { openLocalState } from "./local-state.ts";
import { makeFolders, placePrivateFile, unless } from "./local-state/disk.ts";

/** Whether the user lets agents use one memory folder. Recorded outside the folder, so a repository cannot claim trust. */
export interface Trust {
  readonly id: string;
  /** Looked up on each call, because the user may change it while a server runs. */
  state(): "trusted" | "untrusted";
  /** Records the user's consent. Errors: `damaged_store`, `newer_store`, `changed_by_other`, `io`, `disk_full`. */
  grant(by: TrustGiver): Promise<void>;
}

/** The command through which the user consented. */
export type TrustGiver = "init" | "install" | "trust";

/** A folder where hooks, capture, background work and MCP may act. */
interface TrustedFolder {
  /** Its real path. */
  readonly path: string;
  /** The user id of the owner when it was trusted; `null` on systems without user ids. A later owner is not trusted. */
  readonly owner: number | null;
  /** User ids of other owners whose files in it the user accepted. */
  readonly accepted: readonly number[];
  readonly by: TrustGiver;
}

interface Stored {
  readonly folders: readonly TrustedFolder[];
  /** Real paths of the folders that the user was asked about. */
  readonly offered: readonly string[];
}

const format = 1;
const nothing: Stored = { folders: [], offered: [] };
const attempts = 20;

/** `trusted.json` in the user's state folder. Without a state folder, nothing is trusted and `add` fails with `io`. */
export function openTrustedFolders(state: string | undefined) {
  const file = state === undefined ? undefined : join(state, "trusted.json");
  const change = (next: (stored: Stored) => Stored): void => {
    if (file !== undefined) return replaceStored(file, next);
    throw new MemoryError(
      "io",
      "HOME is not the absolute path of an existing folder, so trust cannot be recorded; set it to one.",
    );
  };
  return {
    /** Lists the folders. `missing`: the folder does not exist. `other_owner`: its owner has changed, so it is no longer trusted. Errors: `damaged_store`, `newer_store`, `io`. */
    list: (): readonly { readonly path: string; readonly state: "trusted" | "missing" | "other_owner" }[] =>
      readStored(file).folders.map(({ path, owner }) => {
        const now = ownerOf(path);
        return { path, state: now === undefined ? "missing" : now === owner ? "trusted" : "other_owner" };
      }),
    /** Whether the folder is trusted and still has the same owner. If the file is unreadable, nothing is trusted. */
    isTrusted: (dir: string) => entryOf(trustedOrNone(file).folders, dir) !== undefined,
    /** Whether the folder is trusted, or is inside a trusted one with no other repository in between. `also`: another folder to treat as trusted. */
    covers: (dir: string, also?: string) => {
      if (!existsSync(dir)) return false;
      const { folders } = trustedOrNone(file);
      const accepted = also === undefined ? undefined : realPath(also);
      for (let at = realPath(dir); ; at = dirname(at)) {
        if (at === accepted || entryOf(folders, at) !== undefined) return true;
        if (at === dirname(at) || existsSync(join(at, ".git"))) return false;
      }
    },
    /** Whether the folder is trusted, including files of the user `owner` in it. */
    isAccepted: (dir: string, owner: number) => {
      const entry = entryOf(trustedOrNone(file).folders, dir);
      return entry !== undefined && (entry.owner === owner || entry.accepted.includes(owner));
    },
    /** Errors: same as `list`, plus `changed_by_other` and `disk_full`. */
    add: (dir: string, by: TrustGiver, accepted: readonly number[] = []): "added" | "known" => {
      const known = entryOf(readStored(file).folders, dir);
      // A folder the user trusts explicitly stays trusted after uninstall.
      const isSame = known !== undefined && (by !== "trust" || known.by === by);
      if (isSame && accepted.every((owner) => known.accepted.includes(owner))) return "known";
      const added = { path: realPath(dir), owner: ownerOf(dir) ?? null, accepted, by };
      change(({ folders, offered }) => ({ folders: [...without(folders, added.path), added], offered }));
      return known === undefined ? "added" : "known";
    },
    remove: (dir: string): "removed" | "unknown" => {
      const path = realPath(dir);
      if (!readStored(file).folders.some((one) => one.path === path)) return "unknown";
      // The user has decided, so no command asks about it again.
      change(({ folders, offered }) => ({ folders: without(folders, path), offered: including(offered, path) }));
      return "removed";
    },
    /** Removes folders that `install` trusted, except those where something is still installed. Deletes the file once it is empty. */
    removeInstalled: (isInUse: (dir: string) => boolean): void => {
      const stays = ({ by, path }: TrustedFolder): boolean => by !== "install" || isInUse(path);
      if (trustedOrNone(file).folders.every(stays)) return;
      change(({ folders, offered }) => ({ folders: folders.filter(stays), offered }));
    },
    /** Whether the user was already asked about the folder. */
    wasOffered: (dir: string) => trustedOrNone(file).offered.includes(realPath(dir)),
    markOffered: (dir: string) =>
      change(({ folders, offered }) => ({ folders, offered: including(offered, realPath(dir)) })),
  };
}

function including(paths: readonly string[], path: string): readonly string[] {
  return [...paths.filter((one) => one !== path), path];
}

function without(folders: readonly TrustedFolder[], path: string): readonly TrustedFolder[] {
  return folders.filter((one) => one.path !== path);
}

function entryOf(folders: readonly TrustedFolder[], dir: string): TrustedFolder | undefined {
  const path = realPath(dir);
  return folders.find((one) => one.path === path && one.owner === ownerOf(path));
}

/** The owner's user id, or `null` on systems without user ids; `undefined` if the path does not exist. */
function ownerOf(path: string): number | null | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return process.getuid === undefined && found !== undefined ? null : found?.uid;
}

function trustedOrNone(file: string | undefined): Stored {
  try {
    return readStored(file);
  } catch (error) {
    if (error instanceof MemoryError) return nothing;
    throw error;
  }
}

function readStored(file: string | undefined): Stored {
  const text = file === undefined ? undefined : textOf(file);
  return file === undefined || text === undefined ? nothing : parseStored(file, text);
}

function textOf(file: string): string | undefined {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    // Another user's file cannot say what this user trusts.
    if (found === undefined || (process.getuid !== undefined && found.uid !== process.getuid())) return undefined;
    return unless("ENOENT", () => readFileSync(file, "utf8"));
  } catch (error) {
    const code = systemCodeOf(error) ?? "unknown error";
    throw new MemoryError("io", `${file} cannot be read (${code}); make it readable, or move it aside.`, {
      path: file,
    });
  }
}

const isId: Check = (value) => typeof value === "number";
const isStored = fields({
  folders: listOf(
    fields({ path: isText, owner: (value) => value === null || isId(value), accepted: listOf(isId), by: isText }),
  ),
  offered: listOf(isText),
});

function parseStored(file: string, text: string): Stored {
  const value = parseObject(text);
  const stated = value?.["format"];
  if (typeof stated === "number" && stated > format) {
    const sentence = `${file} was written by a newer heartwood (format ${stated}; this one supports ${format}); use that version.`;
    throw new MemoryError("newer_store", sentence, { path: file });
  }
  if (stated === format && isStored(value)) {
    const { folders, offered } = value as unknown as Stored;
    return { folders, offered };
  }
  const sentence = `${file} was not written by heartwood, so no folder is trusted; move it aside and run heartwood trust in each folder again.`;
  throw new MemoryError("damaged_store", sentence, { path: file });
}

/** Compares the file before the rename and reads it again after, since another process may write at the same time. */
function replaceStored(file: string, next: (stored: Stored) => Stored): void {
  for (let tries = 0; tries < attempts; tries += 1) {
    const before = textOf(file);
    const stored = next(before === undefined ? nothing : parseStored(file, before));
    const isEmpty = stored.folders.length === 0 && stored.offered.length === 0;
    const after = isEmpty ? undefined : `${JSON.stringify({ format, ...stored }, null, 2)}\n`;
    if (after === before) return;
    replace(file, after, () => textOf(file) === before);
    if (textOf(file) === after) return;
  }
  const sentence = `${file} is being changed by other programs; their changes were not overwritten. Run the command again.`;
  throw new MemoryError("changed_by_other", sentence, { path: file });
}

function replace(file: string, after: string | undefined, isUnchanged: () => boolean): void {
  try {
    makeFolders(dirname(file), 0o700);
    if (after !== undefined) placePrivateFile(file, after, isUnchanged);
    else if (isUnchanged()) rmSync(file, { force: true });
  } catch (error) {
    if (error instanceof MemoryError) throw error;
    const code = systemCodeOf(error) ?? "unknown cause";
    const sentence = `${file} cannot be written (${code}); make its folder writable, or set XDG_STATE_HOME to one that is.`;
    throw new MemoryError(code === "ENOSPC" ? "disk_full" : "io", sentence, { path: file });
  }
}

/** `given`: the caller has the user's consent for this call, as with `--trust`. `recorded`: use what `heartwood trust` recorded. */
export type Consent = "given" | "recorded";

/**
 * The folders that the user trusts. Adding one also adopts its `.heartwood/`, unless git tracks it. With `by: "trust"`, other users' files in it are
 * accepted; otherwise they are refused with `other_owner`.
 */
export function openTrusted() {
  const folders = openTrustedFolders(userStateFolder());
  return {
    ...folders,
    add: (dir: string, by: TrustGiver) => {
      if (by !== "trust") refuseOtherOwner(dir, () => false);
      const owners = [...new Set(otherOwners(dir).map(({ owner }) => owner))];
      const outcome = folders.add(dir, by, owners);
      takeOver(dir);
      return outcome;
    },
  };
}

function takeOver(dir: string): void {
  const state = openLocalState(dir);
  if (["absent", "ours"].includes(state.look().is)) return;
  try {
    state.adopt();
  } catch (error) {
    // State that git tracks stays unused; status and doctor report it.
    if (!(error instanceof MemoryError) || error.code !== "foreign_state") throw error;
  }
}

/** Why the `.heartwood/` of a trusted folder is not used; empty if it is. */
export function unusedState(dir: string): string {
  const standing = openLocalState(dir).look();
  return standing.is === "foreign" ? standing.message : "";
}
