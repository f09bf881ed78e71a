import { keyedDigest, shortDigest } from "../../base/digest.ts";
import { isText, listOf, parseObject } from "../../base/json.ts";
import { stateFolder } from "../../base/known-paths.ts";
import { decodeText } from "../../base/lines.ts";
import type { Random } from "../../platform/clock.ts";
import type { Files } from "../../platform/files.ts";
import { shortestNeedle, wordsOfLine } from "../../text/folded.ts";
import { realFilesOf, type TreeMemory } from "../memory.ts";
import type { Forgotten, ForgottenRecord } from "../model/records-format.ts";
import { readRecords } from "./records.ts";

/** Work of `forget` that is under way. It has the text until that is gone everywhere. */
export const forgetPath = ".heartwood/forget.json";

/** Whether a forgetting was interrupted. Nothing should be built before it is finished. */
export async function isForgetting(files: Files): Promise<boolean> {
  return (await files.read(forgetPath, { from: 0, to: 0 })) !== undefined;
}

/** Whether something is left to forget here: a forgetting was interrupted, or another clone forgot something. */
export async function isForgettingDue(files: Files): Promise<boolean> {
  return (await isForgetting(files)) || (await unfollowedIn(files)).length > 0;
}

/** The tombstones of other clones that this one has not followed yet. Errors: `io`. */
export async function unfollowedIn(files: Files): Promise<readonly ForgottenRecord[]> {
  const tombstones = await readTombstones(files);
  const followed = tombstones.length === 0 ? undefined : (await readDigests(files)).followed;
  return tombstones.filter(({ id }) => followed?.has(id) !== true);
}

/** What is left to forget here, as a warning for commands that change nothing. */
export interface ForgettingLeft {
  readonly code: "forgetting_unfinished" | "forgetting_due";
  readonly message: string;
}

/** Whether the next run has something to forget here first. Errors: `io`. */
export async function readForgettingLeft({
  files: opened,
  localState,
}: Pick<TreeMemory, "files" | "localState">): Promise<ForgettingLeft | undefined> {
  const files = realFilesOf(opened);
  if (await isForgetting(files)) {
    const message = "a forgetting was interrupted: run heartwood compact to finish it";
    return { code: "forgetting_unfinished", message };
  }
  if ((await unfollowedIn(files)).length === 0 || localState?.look().is === "foreign") return undefined;
  if (!(await hasOwnParts(files))) return undefined;
  const message = "what was forgotten in another clone is still to be removed here: run heartwood compact";
  return { code: "forgetting_due", message };
}

/** Whether this clone made something from the memory for itself. A new clone has only what the others share, so it has nothing to follow. */
export async function hasOwnParts(files: Files): Promise<boolean> {
  return (await files.names(stateFolder)).some((name) => ownParts.has(name));
}

const ownParts: ReadonlySet<string> = new Set(["cache", "search", "sessions", "threads"]);

/** What was forgotten, here and in other clones. Errors: `io`. */
export async function readTombstones(files: Files): Promise<readonly ForgottenRecord[]> {
  return (await readRecords(files)).flatMap((record) => (record.kind === "forgotten" ? [record] : []));
}

/**
 * A key of this folder, digests by it of the lines that were forgotten here, the tombstones that have such digests, and those that were followed here.
 * Without the key, the digests say nothing.
 */
export const forgottenPath = ".heartwood/forgotten.json";

/** What must not come back. */
export interface KnownForgotten extends Forgotten {
  /** How many there are, and how many of them have no digest here, so that only ids can be looked for. */
  readonly tombstones: { readonly count: number; readonly unknown: number };
}

/** Reads the tombstones, and the digests of this folder. Errors: `io`. */
export async function readForgotten(files: Files): Promise<KnownForgotten> {
  const tombstones = await readTombstones(files);
  const ids = new Set(tombstones.flatMap(({ place, entry }) => (place.startsWith("thread:") ? [] : (entry ?? []))));
  const { key, digests, known } = await readDigests(files);
  const unknown = tombstones.filter(({ id }) => !known.has(id)).length;
  return {
    ids,
    has: (text) =>
      key !== undefined && digests.size > 0 && wordsIn([text]).some((words) => digests.has(digestOf(key, words))),
    tombstones: { count: tombstones.length, unknown },
  };
}

/**
 * Keeps digests of lines, so that a text without an id does not come back. Lines of a few words would keep out too much. `ids`: the tombstones that the
 * lines are of.
 */
export async function rememberForgotten(
  memory: { readonly files: Files; readonly random: Random },
  lines: readonly string[],
  ids: readonly string[],
): Promise<void> {
  const words = wordsIn(lines);
  if (words.length === 0) return;
  const was = await readDigests(memory.files);
  const key = was.key ?? memory.random.bytes(32);
  const digests = new Set([...was.digests, ...words.map((one) => digestOf(key, one))]);
  const known = new Set([...was.known, ...ids]);
  if (digests.size > was.digests.size || known.size > was.known.size)
    await writeDigests(memory.files, { ...was, key, digests, known });
}

/** Notes that nothing of what these tombstones name is left here. */
export async function noteFollowed(
  memory: { readonly files: Files; readonly random: Random },
  tombstones: readonly ForgottenRecord[],
): Promise<void> {
  const known = await readDigests(memory.files);
  const followed = new Set([...known.followed, ...tombstones.map(({ id }) => id)]);
  if (followed.size === known.followed.size) return;
  await writeDigests(memory.files, { ...known, key: known.key ?? memory.random.bytes(32), followed });
}

/** The lines in these texts that have enough words to stand for themselves, folded. */
export function wordsIn(texts: readonly string[]): readonly string[] {
  return texts
    .flatMap((text) => text.split(/\r?\n/u))
    .map(wordsOfLine)
    .filter((words) => words.length >= shortestNeedle);
}

function digestOf(key: Uint8Array, words: string): string {
  return shortDigest(keyedDigest(key, Buffer.from(words)));
}

interface Digests {
  readonly key: Uint8Array | undefined;
  readonly digests: ReadonlySet<string>;
  readonly known: ReadonlySet<string>;
  readonly followed: ReadonlySet<string>;
}

async function readDigests(files: Files): Promise<Digests> {
  const read = await files.read(forgottenPath);
  const { v, key, digests, known = [], followed = [] } = parseObject((read && decodeText(read.bytes)) ?? "") ?? {};
  const isValid = v === 1 && typeof key === "string" && /^[0-9a-f]{64}$/u.test(key);
  if (!isValid || !areTexts(digests) || !areTexts(known) || !areTexts(followed))
    return { key: undefined, digests: new Set(), known: new Set(), followed: new Set() };
  return {
    key: Buffer.from(key, "hex"),
    digests: new Set(digests),
    known: new Set(known),
    followed: new Set(followed),
  };
}

function areTexts(value: unknown): value is readonly string[] {
  return listOf(isText)(value);
}

async function writeDigests(files: Files, { key, ...sets }: Digests & { readonly key: Uint8Array }) {
  const lists = Object.fromEntries(Object.entries(sets).map(([name, values]) => [name, [...values].toSorted()]));
  const bytes = Buffer.from(`${JSON.stringify({ v: 1, key: Buffer.from(key).toString("hex"), ...lists })}\n`);
  await files.commit([{ path: forgottenPath, bytes, expect: "anything", mode: 0o600 }]);
}
