import type { HookEvent } from "../../hooks/hook-call.ts";
import type { JsonEntry } from "../json-entries.ts";
import {
  commandLine,
  hookCommandLine,
  pathIn,
  hookMilliseconds,
  hookSeconds,
  instructions,
  item,
  member,
  skillFiles,
  type Client,
  type ClientRequest,
} from "./client.ts";

/** A client's own name for each event. Without a matcher a hook runs for every source, also after a compaction. */
type EventNames = readonly (readonly [string, HookEvent])[];

/** Of Claude Code, and of Codex, which took them over. */
const claudeEvents: EventNames = [
  ["SessionStart", "session-start"],
  ["UserPromptSubmit", "prompt"],
  ["Stop", "turn-end"],
  ["PreCompact", "before-compaction"],
  ["SessionEnd", "session-end"],
];

/** The tools that rewrite no file: those that read, and the one that appends to the day's log. Without a rule `claude -p` denies them. */
const allowedTools = ["memory_recall", "memory_search", "memory_read", "memory_status", "memory_trace", "memory_log"];

function claudeHooks(request: ClientRequest): readonly JsonEntry[] {
  return claudeEvents.map(([name, event]) => {
    const command = hookCommandLine(request, "claude-code", event);
    return item(["hooks", name], { hooks: [{ type: "command", command, timeout: hookSeconds(event) }] });
  });
}

/** Claude Code: timeouts in seconds. The project's own settings are shared, and the path of the script is of this machine: the local ones take the hooks. */
export const claudeCode: Client = (request) => {
  const { places, scope, script } = request;
  const server = member(["mcpServers", "heartwood"], { type: "stdio", command: script, args: ["mcp"], env: {} });
  const inProject = scope === "project";
  const folder = inProject ? pathIn(places, places.project, ".claude") : places.claude;
  const settings = pathIn(places, folder, inProject ? "settings.local.json" : "settings.json");
  const permissions = allowedTools.map((tool) => item(["permissions", "allow"], `mcp__heartwood__${tool}`));
  const allowed = inProject ? [item(["enabledMcpjsonServers"], "heartwood")] : [];
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
      { kind: "json", path: settings, entries: [...claudeHooks(request), ...permissions, ...allowed] },
    ],
    notes: [
      "Claude Code: sessions that run already take it in when they are started anew.",
      ...(inProject
        ? ["Claude Code starts the server of .mcp.json when you trust the folder: it asks when it is started there."]
        : []),
    ],
  };
};

function codexHooks(request: ClientRequest): readonly JsonEntry[] {
  return claudeEvents.map(([name, event]) => {
    const matcher = name === "SessionStart" ? { matcher: "startup|resume|clear|compact" } : {};
    const command = hookCommandLine(request, "codex", event);
    return item(["hooks", name], { ...matcher, hooks: [{ type: "command", command, timeout: hookSeconds(event) }] });
  });
}

/** Codex: timeouts in seconds, 3 of them at most for the end of a session. A hook runs only when the person trusts its text. */
export const codex: Client = (request) => {
  const { places, scope, script } = request;
  const inProject = scope === "project";
  const folder = inProject ? pathIn(places, places.project, ".codex") : places.codex;
  return {
    wanted: [
      ...skillFiles(request, pathIn(places, inProject ? places.project : places.home, ".agents", "skills")),
      { kind: "part", path: pathIn(places, inProject ? places.project : folder, "AGENTS.md"), text: instructions },
      {
        kind: "toml",
        path: pathIn(places, folder, "config.toml"),
        table: {
          name: ["mcp_servers", "heartwood"],
          // A string of JSON is a basic string of TOML.
          lines: [`command = ${JSON.stringify(script)}`, 'args = ["mcp"]'],
        },
      },
      { kind: "json", path: pathIn(places, folder, "hooks.json"), entries: codexHooks(request) },
    ],
    notes: [
      "Codex runs hooks only when you trust them: start codex and trust those of heartwood when it asks, or type /hooks. Until then it passes them over.",
      ...(inProject
        ? ["Codex reads .codex/ of a project only when you trust the project: it asks when it is started there."]
        : []),
    ],
  };
};

const geminiEvents: EventNames = [
  ["SessionStart", "session-start"],
  ["BeforeAgent", "prompt"],
  ["AfterAgent", "turn-end"],
  ["PreCompress", "before-compaction"],
  ["SessionEnd", "session-end"],
];

function geminiHooks(request: ClientRequest): readonly JsonEntry[] {
  return geminiEvents.map(([name, event]) => {
    const command = hookCommandLine(request, "gemini", event);
    const hook = { type: "command", name: `heartwood ${event}`, command, timeout: hookMilliseconds[event] };
    return item(["hooks", name], { hooks: [hook] });
  });
}

/** Gemini CLI: timeouts in milliseconds. */
export const gemini: Client = (request) => {
  const { places, scope, script } = request;
  const base = scope === "project" ? places.project : places.gemini;
  const server = member(["mcpServers", "heartwood"], { command: script, args: ["mcp"] });
  return {
    wanted: [
      ...skillFiles(request, pathIn(places, base, ".agents", "skills")),
      {
        kind: "part",
        path: scope === "project" ? pathIn(places, base, "GEMINI.md") : pathIn(places, base, ".gemini", "GEMINI.md"),
        text: instructions,
      },
      {
        kind: "json",
        path: pathIn(places, base, ".gemini", "settings.json"),
        entries: [server, ...geminiHooks(request)],
      },
    ],
    notes:
      scope === "project"
        ? ["Gemini CLI reads .gemini/ of a project only in folders that you trust: it asks when it is started there."]
        : [],
  };
};

const copilotEvents: EventNames = [
  ["sessionStart", "session-start"],
  ["userPromptSubmitted", "prompt"],
  ["agentStop", "turn-end"],
  ["preCompact", "before-compaction"],
  ["sessionEnd", "session-end"],
];

/** A file of our own beside those of others: the folder is read as a whole. */
function copilotHooks(request: ClientRequest): string {
  const hook = (event: HookEvent): object => {
    const plain = commandLine(request.places, [request.script, "hook", "copilot", event]);
    // PowerShell takes a quoted path for a text unless it is called.
    const powershell = plain.startsWith('"') ? `& ${plain}` : plain;
    // It takes whole seconds, and starts the hooks of an event one after another.
    const timeoutSec = event === "session-start" ? 2 : 1;
    return { type: "command", bash: hookCommandLine(request, "copilot", event), powershell, timeoutSec };
  };
  const hooks = Object.fromEntries(copilotEvents.map(([name, event]) => [name, [hook(event)]]));
  return `${JSON.stringify({ version: 1, hooks }, null, 2)}\n`;
}

/** Copilot CLI: `timeoutSec`. It has one list of MCP servers, the user's. */
export const copilot: Client = (request) => {
  const { places, scope, script } = request;
  const inProject = scope === "project";
  const server = member(["mcpServers", "heartwood"], { type: "local", command: script, args: ["mcp"], tools: ["*"] });
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
      { kind: "own", mode: "usual", path: pathIn(places, hooks, "heartwood.json"), text: copilotHooks(request) },
    ],
    notes: inProject
      ? [
          "Copilot CLI runs hooks of a project only in folders that you trust: it asks when it is started there, or give --trust-folder.",
        ]
      : [],
  };
};

/** Cursor, by its documentation. An always-applied rule carries the instructions of a project; for all projects it has none in files. */
export const cursor: Client = (request) => {
  const { places, scope, script } = request;
  const inProject = scope === "project";
  const folder = pathIn(places, inProject ? places.project : places.home, ".cursor");
  // Its servers do not always start in the folder of the project.
  const args = inProject ? ["mcp", "--dir", places.project] : ["mcp"];
  const server = member(["mcpServers", "heartwood"], { command: script, args });
  const hook = (name: string, event: HookEvent): JsonEntry => {
    const command = hookCommandLine(request, "cursor", event);
    return item(["hooks", name], { command, timeout: hookSeconds(event) });
  };
  const rule = `---\ndescription: How to use the memory of this project\nalwaysApply: true\n---\n\n${instructions}`;
  return {
    wanted: [
      ...skillFiles(request, pathIn(places, folder, "skills")),
      ...(inProject
        ? [{ kind: "own", mode: "usual", path: pathIn(places, folder, "rules", "heartwood.mdc"), text: rule } as const]
        : []),
      { kind: "json", path: pathIn(places, folder, "mcp.json"), entries: [server] },
      {
        kind: "json",
        path: pathIn(places, folder, "hooks.json"),
        entries: [
          { as: "frame", at: ["version"], value: 1 },
          hook("sessionStart", "session-start"),
          hook("beforeSubmitPrompt", "prompt"),
        ],
      },
    ],
    notes: [
      "Cursor: switch the server heartwood on in its settings (MCP), where it lists new servers.",
      ...(inProject
        ? []
        : ["Cursor has no file for instructions of all projects: install with --scope project to add a rule."]),
    ],
  };
};
