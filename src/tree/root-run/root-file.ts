import type { Day } from "../../base/calendar.ts";
import { isInTheWay } from "../../base/errors.ts";
import { decodeText } from "../../base/lines.ts";
import type { FileEntry, FileStamp } from "../../platform/files.ts";
import { rootPath } from "../model/period.ts";
import { parseRoot, type RootDocument } from "../root/root-format.ts";
import type { TreeMemory } from "../memory.ts";

/** ROOT.md as it stands. */
export interface RootFile {
  readonly reading: "ours" | "unknown" | "broken" | "unreadable";
  readonly document: RootDocument | undefined;
  readonly lastUpdated: Day | undefined;
  readonly text: string;
  readonly bytes: Uint8Array;
  readonly stamp: FileStamp;
  /** 1-based line of the file on which the body begins. */
  readonly bodyLine: number;
  readonly message: string;
}

/** The copy of ROOT.md as it was last written: what a person added since is what differs. Disposable. */
export const rootCopyPath = ".heartwood/cache/ROOT.md";

export async function readRootFile(memory: TreeMemory, entry?: FileEntry): Promise<RootFile | undefined> {
  if (entry !== undefined && entry.kind !== "file")
    return { ...nothing, reading: "unreadable", stamp: entry.stamp, message: `${rootPath} is not a regular file` };
  return readRootAt(memory, rootPath);
}

const nothing = {
  document: undefined,
  lastUpdated: undefined,
  text: "",
  bytes: new Uint8Array(0),
  bodyLine: 1,
  message: "",
};

export async function readRootAt(memory: TreeMemory, path: string): Promise<RootFile | undefined> {
  const read = await memory.files.read(path).catch((error: unknown) => {
    if (isInTheWay(error)) return undefined;
    throw error;
  });
  if (read === undefined) return undefined;
  const base = { ...nothing, bytes: read.bytes, stamp: read.stamp };
  const text = decodeText(read.bytes);
  if (text === undefined) return { ...base, reading: "broken", message: "it is not UTF-8" };
  const reading = parseRoot(text);
  if (reading.state === "ours")
    return {
      ...base,
      text,
      reading: "ours",
      document: reading.root,
      lastUpdated: reading.root.lastUpdated,
      bodyLine: reading.bodyLine,
    };
  return { ...base, text, reading: reading.state, message: reading.state === "broken" ? reading.message : "" };
}
