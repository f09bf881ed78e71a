import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { keyedDigest } from "../../base/keyed-digest.ts";
import { MemoryError } from "../../base/errors.ts";
import { codeOf, makePrivateFolder, placePrivateFile, readOwnFile } from "./disk.ts";

/** 32 random bytes of this user on this machine, which no repository knows. */
export interface LocalKey {
  /** `undefined` when there is none yet, or one that may be known to others. */
  read(): Uint8Array | undefined;
  /** Makes it when there is none. Errors: `io` where another file is in its place; others as the system calls fail. */
  make(): Uint8Array;
  /** Why there is none and none can be made. */
  problem(): string | undefined;
}

/** `folder`: heartwood's in the user's state folder. */
export function localKeyIn(folder: string, random: { bytes(count: number): Uint8Array }): LocalKey {
  const path = join(folder, "local.key");
  const read = (): Uint8Array | undefined => {
    const digits = /^([0-9a-f]{64})\n?$/u.exec(readSecret(path))?.[1];
    return digits === undefined ? undefined : Buffer.from(digits, "hex");
  };
  const make = (): Uint8Array => {
    const there = read();
    if (there !== undefined) return there;
    makeFolders(folder);
    placePrivateFile(path, `${Buffer.from(random.bytes(32)).toString("hex")}\n`, "first");
    const made = read();
    if (made === undefined) throw new MemoryError("io", notAKey(path), { path });
    return made;
  };
  const problem = (): string | undefined => {
    if (read() !== undefined) return undefined;
    if (statOf(path) !== undefined) return notAKey(path);
    return canBeMade(folder)
      ? undefined
      : `the key that proves who made them cannot be written to ${folder}; set XDG_STATE_HOME to a folder that can be`;
  };
  return { read, make, problem };
}

/** Empty when it is not a file of this user that others can neither read nor write. */
function readSecret(path: string): string {
  const stat = statOf(path);
  const isSecret = stat !== undefined && (stat.mode & 0o077) === 0 && stat.uid === (process.getuid?.() ?? stat.uid);
  return isSecret ? (readOwnFile(path)?.toString("latin1") ?? "") : "";
}

function statOf(path: string): fs.Stats | undefined {
  try {
    return fs.lstatSync(path);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return undefined;
  }
}

function notAKey(path: string): string {
  return `${path} must be a regular file of yours that others cannot read (mode 0600), with the key that heartwood wrote; make it one, or delete it and run \`heartwood trust\` in each of your folders`;
}

function canBeMade(folder: string): boolean {
  if (!fs.existsSync(folder) && dirname(folder) !== folder) return canBeMade(dirname(folder));
  try {
    fs.accessSync(folder, fs.constants.W_OK);
    return fs.statSync(folder).isDirectory();
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return false;
  }
}

/** One by one from above: Node's own recursive way never ends in `/proc`. */
function makeFolders(folder: string): void {
  if (fs.existsSync(folder)) return;
  makeFolders(dirname(folder));
  makePrivateFolder(folder);
}

/** The text of the proof that the folder `dir` (a real path) was given here. */
export function printProof(key: Uint8Array, dir: string): string {
  return `${JSON.stringify({ made_for: keyedDigest(key, Buffer.from(`heartwood state folder\0${dir}`)) })}\n`;
}

/** Whether a text is a proof at all: a crash may have torn it. */
export function isProof(text: string): boolean {
  return /^\{"made_for":"[0-9a-f]{64}"\}\n$/u.test(text);
}
