import type { JsonEntry } from "../json-entries.ts";
import { pathIn } from "../places.ts";
import type { HookEvent } from "../../hooks/hook-call.ts";
import { commandLine, hookCommandLine } from "../script.ts";
import type { Client, ClientRequest } from "../wanted.ts";
import { skillFiles } from "./hook-groups.ts";
import { instructions } from "./instructions.ts";

const events: readonly (readonly [string, HookEvent])[] = [
  ["sessionStart", "session-start"],
  ["userPromptSubmitted", "prompt"],
  ["agentStop", "turn-end"],
  ["preCompact", "before-compaction"],
  ["sessionEnd", "session-end"],
];

/** A file of our own beside those of others: the folder is read as a whole. */
function hooksText(request: ClientRequest): string {
  const hook = (event: HookEvent): object => {
    const plain = commandLine(request.places, [request.script, "hook", "copilot", event]);
    // PowerShell takes a quoted path for a text unless it is called.
    const powershell = plain.startsWith('"') ? `& ${plain}` : plain;
    // It takes whole seconds, and starts the hooks of an event one after another.
    const timeoutSec = event === "session-start" ? 2 : 1;
    return { type: "command", bash: hookCommandLine(request, "copilot", event), powershell, timeoutSec };
  };
  const hooks = Object.fromEntries(events.map(([name, event]) => [name, [hook(event)]]));
  return `${JSON.stringify({ version: 1, hooks }, null, 2)}\n`;
}

/** Copilot CLI: `timeoutSec`. It has one list of MCP servers, the user's. */
export const copilot: Client = (request) => {
  const { places, scope, script } = request;
  const inProject = scope === "project";
  const server: JsonEntry = {
    as: "member",
    at: ["mcpServers", "heartwood"],
    value: { type: "local", command: script, args: ["mcp"], tools: ["*"] },
  };
  const skills = inProject
    ? pathIn(places, places.project, ".agents", "skills")
    : pathIn(places, places.copilot, "skills");
  const hooks = inProject
    ? pathIn(places, places.project, ".github", "hooks")
    : pathIn(places, places.copilot, "hooks");
  return {
    wanted: [
      ...skillFiles(request, skills),
      {
        kind: "part",
        path: inProject
          ? pathIn(places, places.project, "AGENTS.md")
          : pathIn(places, places.copilot, "copilot-instructions.md"),
        text: instructions,
      },
      { kind: "json", path: pathIn(places, places.copilot, "mcp-config.json"), entries: [server] },
      { kind: "own", mode: "usual", path: pathIn(places, hooks, "heartwood.json"), text: hooksText(request) },
    ],
    notes: inProject
      ? [
          "Copilot CLI runs hooks of a project only in folders that you trust: it asks when it is started there, or give --trust-folder.",
        ]
      : [],
  };
};
