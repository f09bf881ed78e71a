import type { Warning } from "../../base/errors.ts";
import type { TreeMemory } from "../memory.ts";

/** Time for one command of the search tool, in milliseconds. */
const timeLimit = 120_000;

/**
 * Tells qmd that files changed, when the person's own configuration asks for it and the program is there. A failure is a warning: the tree is
 * written already. Call it without a lock.
 */
export async function refreshQmd(memory: TreeMemory): Promise<readonly Warning[]> {
  if (memory.user.qmd === "off") return [];
  const program = await memory.commands.find("qmd");
  if (program === undefined)
    return [
      {
        code: "qmd_missing",
        message: "qmd is asked for in your configuration but is not on PATH; its index was not updated",
      },
    ];
  const commands = memory.user.qmd === "update-and-embed" ? ["update", "embed"] : ["update"];
  const warnings: Warning[] = [];
  for (const command of commands) {
    const { status } = await memory.commands.run(program, [command], { timeoutMs: timeLimit });
    if (status === 0) continue;
    const why =
      status === "timeout"
        ? `took longer than ${timeLimit / 1000} s`
        : status === "not_started"
          ? "could not be started"
          : `ended with ${status}`;
    warnings.push({
      code: "qmd_failed",
      message: `qmd ${command} ${why}; the tree is written, only the search index is behind`,
    });
    break;
  }
  return warnings;
}
