import { MemoryError, type Warning } from "../base/errors.ts";
import { decodeText } from "../base/lines.ts";
import { replaceCompactionRoot } from "../tree/openclaw-section.ts";
import type { Configuration } from "./configuration.ts";
import type { Memory } from "./memory.ts";
import { encode } from "./node-files.ts";
import type { RootRun } from "./root-run.ts";

const memoryFile = "MEMORY.md";

/** OpenClaw loads MEMORY.md: its section `## Compaction Root` follows ROOT.md. Not one byte outside of that section changes. */
export async function syncPlatform(
  memory: Memory,
  work: { readonly configuration: Configuration; readonly root: RootRun },
): Promise<readonly Warning[]> {
  if (work.configuration.platform !== "openclaw" || work.root.document === undefined) return [];
  try {
    const read = await memory.files.read(memoryFile);
    const text = read === undefined ? "" : decodeText(read.bytes);
    if (text === undefined) return [{ code: "not_utf8", path: memoryFile, message: `${memoryFile} is not UTF-8, so its Compaction Root was left as it is` }];
    const bom = read !== undefined && read.bytes[0] === 0xef ? "\uFEFF" : "";
    const next = bom + replaceCompactionRoot(text, work.root.document.body);
    if (next === bom + text) return [];
    const expect = read === undefined ? "absent" : ({ stamp: read.stamp } as const);
    const [outcome] = await memory.files.commit([{ path: memoryFile, bytes: encode(next), expect }]);
    return outcome?.outcome === "written" ? [] : [{ code: "changed_by_other", path: memoryFile, message: `${memoryFile} was changed by somebody else meanwhile and was left as it is` }];
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return [{ code: error.code, path: memoryFile, message: error.message }];
  }
}
