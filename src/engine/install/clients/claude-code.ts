import type { JsonEntry } from "../json-entries.ts";
import { pathIn } from "../places.ts";
import type { HookEvent } from "../../hooks/hook-call.ts";
import { hookCommandLine } from "../script.ts";
import type { Client, ClientRequest } from "../wanted.ts";
import { groupEntry, hookSeconds, skillFiles } from "./hook-groups.ts";
import { instructions } from "./instructions.ts";

/** Its own names for the events. Without a matcher a hook runs for every source, also after a compaction. */
const events: readonly (readonly [string, HookEvent])[] = [
  ["SessionStart", "session-start"],
  ["UserPromptSubmit", "prompt"],
  ["Stop", "turn-end"],
  ["PreCompact", "before-compaction"],
  ["SessionEnd", "session-end"],
];

/** The tools that rewrite no file: those that read, and the one that appends to the day's log. Without a rule `claude -p` denies them. */
const allowedTools = ["memory_recall", "memory_search", "memory_read", "memory_status", "memory_trace", "memory_log"];

function hooks(request: ClientRequest): readonly JsonEntry[] {
  return events.map(([name, event]) =>
    groupEntry(name, {
      hooks: [
        { type: "command", command: hookCommandLine(request, "claude-code", event), timeout: hookSeconds(event) },
      ],
    }),
  );
}

/** Claude Code: timeouts in seconds. The project's own settings are shared, and the path of the script is of this machine: the local ones take the hooks. */
export const claudeCode: Client = (request) => {
  const { places, scope, script } = request;
  const server: JsonEntry = {
    as: "member",
    at: ["mcpServers", "heartwood"],
    value: { type: "stdio", command: script, args: ["mcp"], env: {} },
  };
  const inProject = scope === "project";
  const folder = inProject ? pathIn(places, places.project, ".claude") : places.claude;
  const settings = pathIn(places, folder, inProject ? "settings.local.json" : "settings.json");
  const permissions = allowedTools.map((tool): JsonEntry => ({
    as: "item",
    at: ["permissions", "allow"],
    value: `mcp__heartwood__${tool}`,
  }));
  const allowed: readonly JsonEntry[] = inProject
    ? [{ as: "item", at: ["enabledMcpjsonServers"], value: "heartwood" }]
    : [];
  return {
    wanted: [
      ...skillFiles(request, pathIn(places, folder, "skills")),
      {
        kind: "part",
        path: inProject ? pathIn(places, places.project, "CLAUDE.md") : pathIn(places, folder, "CLAUDE.md"),
        text: instructions,
      },
      {
        kind: "json",
        path: inProject ? pathIn(places, places.project, ".mcp.json") : places.claudeState,
        entries: [server],
      },
      { kind: "json", path: settings, entries: [...hooks(request), ...permissions, ...allowed] },
    ],
    notes: [
      "Claude Code: sessions that run already take it in when they are started anew.",
      ...(inProject
        ? ["Claude Code starts the server of .mcp.json when you trust the folder: it asks when it is started there."]
        : []),
    ],
  };
};
