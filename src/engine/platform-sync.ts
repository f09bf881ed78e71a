import { MemoryError, type Warning } from "../base/errors.ts";
import { decodeText } from "../base/lines.ts";
import type { FileChange } from "../ports/files.ts";
import { replaceCompactionRoot } from "../tree/openclaw-section.ts";
import type { RootDocument } from "../tree/root-format.ts";
import type { Configuration } from "./configuration.ts";
import type { Memory } from "./memory.ts";
import { encode } from "./node-files.ts";
import type { DueNode } from "./results.ts";
import type { RootRun } from "./root-run.ts";

const memoryFile = "MEMORY.md";

/** OpenClaw loads MEMORY.md: its section `## Compaction Root` follows ROOT.md. Not one byte outside of that section changes. */
export async function syncPlatform(
  memory: Memory,
  work: { readonly configuration: Configuration; readonly root: RootRun },
): Promise<readonly Warning[]> {
  if (work.configuration.platform !== "openclaw" || work.root.document === undefined) return [];
  try {
    const change = await planSync(memory, work.root.document);
    if (change === "not_utf8")
      return [
        {
          code: "not_utf8",
          path: memoryFile,
          message: `${memoryFile} is not UTF-8, so its Compaction Root was left as it is`,
        },
      ];
    if (change === undefined) return [];
    const [outcome] = await memory.files.commit([change]);
    return outcome?.outcome === "written"
      ? []
      : [
          {
            code: "changed_by_other",
            path: memoryFile,
            message: `${memoryFile} was changed by somebody else meanwhile and was left as it is`,
          },
        ];
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return [{ code: error.code, path: memoryFile, message: error.message }];
  }
}

/** MEMORY.md is behind when a run was interrupted between ROOT.md and it, or when somebody changed the section. */
export async function syncDue(
  memory: Memory,
  work: { readonly configuration: Configuration; readonly document: RootDocument | undefined },
): Promise<readonly DueNode[]> {
  if (work.configuration.platform !== "openclaw" || work.document === undefined) return [];
  try {
    const change = await planSync(memory, work.document);
    if (change === undefined || change === "not_utf8") return [];
    return [
      {
        path: memoryFile,
        level: "root",
        period: "ROOT",
        reason: "changed",
        detail: "its section Compaction Root is not what ROOT.md says",
      },
    ];
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return [];
  }
}

async function planSync(memory: Memory, document: RootDocument): Promise<FileChange | "not_utf8" | undefined> {
  const read = await memory.files.read(memoryFile);
  const text = read === undefined ? "" : decodeText(read.bytes);
  if (text === undefined) return "not_utf8";
  const bom = read !== undefined && read.bytes[0] === 0xef ? "\uFEFF" : "";
  const next = replaceCompactionRoot(text, document.body);
  return next === text
    ? undefined
    : { path: memoryFile, bytes: encode(bom + next), expect: read === undefined ? "absent" : { stamp: read.stamp } };
}
