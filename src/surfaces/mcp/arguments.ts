import { MemoryError } from "../../base/errors.ts";
import { parseLine, type CommonOptions } from "../../operations/command-line.ts";
import { mcpCommand } from "../../operations/local-commands.ts";
import { toolGroups, type ToolGroup } from "../../operations/tools/tools.ts";
import { usageError } from "../../operations/usage-error.ts";
import { shown } from "../../text/shown.ts";

interface Arguments extends Pick<CommonOptions, "dir" | "personal" | "today" | "timeZone"> {
  readonly tools: readonly ToolGroup[];
  /** `given`: by starting the server, the user consents to the folder it works in. */
  readonly trust: "given" | "recorded";
}

/** Reads the words after `heartwood`, including `mcp`. Errors: `usage`. */
export function parseArguments(words: readonly string[]): Arguments {
  const line = parseLine(words, [mcpCommand]);
  if (line.kind === "slip") throw usageError(line, [mcpCommand]);
  if (line.kind !== "invocation") throw new MemoryError("usage", "heartwood mcp prints only protocol messages.");
  const { given, common } = line.invocation;
  const { output: _output, chatter: _chatter, ...where } = common;
  const named = String(given["tools"] ?? "memory")
    .split(",")
    .map((name) => name.trim());
  const unknown = named.find((name) => !isGroup(name));
  if (unknown !== undefined) {
    const allowed = toolGroups.join(", ");
    throw new MemoryError(
      "usage",
      `--tools contains "${shown(unknown, 40)}"; pass a comma-separated list of ${allowed}.`,
    );
  }
  return { ...where, tools: named.filter(isGroup), trust: given["trust"] === true ? "given" : "recorded" };
}

function isGroup(name: string): name is ToolGroup {
  return (toolGroups as readonly string[]).includes(name);
}
