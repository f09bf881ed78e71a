import { keyedDigest, shortDigest } from "../../base/digest.ts";
import { isText, listOf, parseObject } from "../../base/json.ts";
import { decodeText } from "../../base/lines.ts";
import type { Random } from "../../platform/clock.ts";
import type { Files } from "../../platform/files.ts";
import { shortestNeedle, wordsOfLine } from "../../text/folded.ts";
import { readRecords } from "./records.ts";

/** Work of `forget` that is under way. It has the text until that is gone everywhere. */
export const forgetPath = ".heartwood/forget.json";

/** Whether a forgetting was interrupted. Nothing should be built before it is finished. */
export async function isForgetting(files: Files): Promise<boolean> {
  return (await files.read(forgetPath, { from: 0, to: 0 })) !== undefined;
}

/** A key of this folder, and digests by it of the lines that were forgotten here. Without the key, the digests say nothing. */
export const forgottenPath = ".heartwood/forgotten.json";

/** What must not come back. */
export interface Forgotten {
  /** Ids of entries. */
  readonly ids: ReadonlySet<string>;
  /** Whether a line of the text was forgotten here. */
  has(text: string): boolean;
}

/** Reads the tombstones, and the digests of this folder. Errors: `io`. */
export async function readForgotten(files: Files): Promise<Forgotten> {
  const records = await readRecords(files);
  const tombstones = records.filter(({ kind }) => kind === "forgotten");
  if (tombstones.length === 0) return nothing;
  const ids = new Set(
    tombstones.flatMap((one) =>
      one.kind === "forgotten" && !one.place.startsWith("thread:") ? (one.entry ?? []) : [],
    ),
  );
  const known = await readDigests(files);
  if (known === undefined || known.digests.size === 0) return { ids, has: () => false };
  const { key, digests } = known;
  return { ids, has: (text) => wordsIn([text]).some((words) => digests.has(digestOf(key, words))) };
}

const nothing: Forgotten = { ids: new Set(), has: () => false };

/** Keeps digests of lines, so that a text without an id does not come back. Lines of a few words would keep out too much. */
export async function rememberForgotten(
  memory: { readonly files: Files; readonly random: Random },
  lines: readonly string[],
): Promise<void> {
  const words = wordsIn(lines);
  if (words.length === 0) return;
  const known = await readDigests(memory.files);
  const key = known?.key ?? memory.random.bytes(32);
  const digests = new Set([...(known?.digests ?? []), ...words.map((one) => digestOf(key, one))]);
  if (digests.size === known?.digests.size) return;
  const value = { v: 1, key: Buffer.from(key).toString("hex"), digests: [...digests].toSorted() };
  const bytes = Buffer.from(`${JSON.stringify(value)}\n`);
  await memory.files.commit([{ path: forgottenPath, bytes, expect: "anything", mode: 0o600 }]);
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

async function readDigests(files: Files) {
  const read = await files.read(forgottenPath);
  const { v, key, digests } = parseObject((read && decodeText(read.bytes)) ?? "") ?? {};
  if (v !== 1 || typeof key !== "string" || !/^[0-9a-f]{64}$/u.test(key) || !listOf(isText)(digests)) return undefined;
  return { key: Buffer.from(key, "hex"), digests: new Set(digests as readonly string[]) };
}
