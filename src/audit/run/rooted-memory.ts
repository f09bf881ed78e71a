import { Buffer } from "node:buffer";
import { readText } from "../model/memory-text.ts";
import { sha256 } from "../../base/digest.ts";
import type { RecordedFile } from "./history-format.ts";

/**
 * The old MEMORY.md with the Compaction Root of now, when nothing but that section was changed since the audit; `before` when it has its old bytes
 * besides. `undefined` when more was changed.
 */
export function underRootOfNow(
  old: Uint8Array,
  now: Uint8Array,
  { before, after }: RecordedFile,
): Uint8Array | "before" | undefined {
  const [was, is] = [splitAtRoot(old), splitAtRoot(now)];
  if (was === undefined || is === undefined) return undefined;
  const digest = sha256(Buffer.concat([is.above, was.root, is.below]));
  if (digest === before.sha256) return "before";
  return digest === after.sha256 ? Buffer.concat([was.above, is.root, was.below]) : undefined;
}

interface Split {
  readonly above: Uint8Array;
  readonly root: Uint8Array;
  readonly below: Uint8Array;
}

/** `undefined` without a Compaction Root, or with two. */
function splitAtRoot(bytes: Uint8Array): Split | undefined {
  const { lines } = readText({ path: "MEMORY.md", bytes });
  const first = lines.findIndex(({ part }) => part === "derived");
  const last = lines.findLastIndex(({ part }) => part === "derived");
  const [from, to] = [lines[first]?.from, lines[last]?.to];
  if (from === undefined || to === undefined) return undefined;
  if (lines.slice(first, last).some(({ part }) => part !== "derived")) return undefined;
  return { above: bytes.subarray(0, from), root: bytes.subarray(from, to), below: bytes.subarray(to) };
}
