import { configurationText, hotFiles } from "../../../tree/setup/init.ts";
import { hookClients } from "../../hooks/clients.ts";
import { longestMs, type HookEvent } from "../../hooks/hook-call.ts";
import { pathIn } from "../client-files.ts";
import type { ClientName, ClientRequest, Wanted } from "../client-files.ts";
import { item, member, type JsonEntry } from "../json-entries.ts";
import { commandLine, hookCommandLine, instructions, instructionsOfToolsAlone } from "./texts.ts";

/** `wanted` is in writing order. `notes`: what the user has to do or know. `false` omits an item. */
interface ClientFacts {
  readonly wanted: readonly (Wanted | false)[];
  readonly notes?: readonly (string | false)[];
}

interface PlacedRequest extends ClientRequest {
  readonly inProject: boolean;
  readonly base: string;
  /** The arguments that start the server. */
  readonly mcp: readonly string[];
}

/** Paths from `factsOf` use slashes on every system. `base` is the project folder, or the client's folder in the home. */
function client(
  folder: "claude" | "codex" | "copilot" | "gemini" | "home" | "opencode" | "openclaw",
  factsOf: (request: PlacedRequest) => ClientFacts,
) {
  return (request: ClientRequest) => {
    const { places, scope, summaries } = request;
    const inProject = scope === "project";
    const mcp = summaries === "pull" ? ["mcp", "--tools", "summaries"] : ["mcp"];
    const placed = { ...request, inProject, base: places[inProject ? "project" : folder], mcp };
    const { wanted, notes = [] } = factsOf(placed);
    const files = [...wanted, summaries === "pull" && json(places.settings, [pullEntry])].filter(
      (one) => one !== false,
    );
    return {
      wanted: files.map((one): Wanted => ({ ...one, path: pathIn(places, one.path) })),
      notes: notes.filter((note) => note !== false),
    };
  };
}

function own(path: string, text: string): Wanted {
  return { kind: "own", mode: "usual", path, text };
}

function skills({ shipped }: ClientRequest, folder: string): readonly Wanted[] {
  return shipped.skills.map(({ name, text }) => own(`${folder}/${name}/SKILL.md`, text));
}

function part(path: string): Wanted {
  return { kind: "part", path, text: instructions };
}

function server(settings: JsonEntry["value"]): JsonEntry {
  return member(["mcpServers", "heartwood"], settings);
}

function json(path: string, entries: readonly JsonEntry[]): Wanted {
  return { kind: "json", path, entries };
}

/** Milliseconds after which a client kills a hook that did not exit (docs/formats/hooks.md). */
function patience(event: HookEvent): number {
  return longestMs[event] + 100;
}

/** The same in whole seconds, for clients that start all hooks of an event at once. */
function seconds(event: HookEvent): number {
  return Math.ceil(patience(event) / 1000);
}

/**
 * One entry for each event that heartwood uses. There is no matcher, so hooks run for every source, including after a compaction. Gemini CLI's PreCompress is left out: it fires before each request to the
 * model.
 */
function hooks(
  request: ClientRequest,
  client: ClientName,
  hookOf: (event: HookEvent, command: string) => JsonEntry["value"],
): readonly JsonEntry[] {
  const { events = [], captured = "no" } = hookClients.find(({ name }) => name === client) ?? {};
  return events
    .filter(({ is, form }) => (captured === "yes" || form) && !(client === "gemini" && is === "before-compaction"))
    .map(({ name, is }) => item(["hooks", name], hookOf(is, hookCommandLine(request, client, is))));
}

/** The tools that the server lists by default. None rewrites a file: three read, one appends to the day's log. Without a rule, a headless client denies them. */
const allowedTools = ["memory_recall", "memory_search", "memory_read", "memory_log"];

/** What `--summaries pull` adds to the user's settings. */
export const pullEntry = member(["summaries", "adapter"], "pull");

/** The tools that a client may call without asking. */
function allowed(summaries: "pull" | "off" | undefined): readonly string[] {
  return [...allowedTools, ...(summaries === "pull" ? ["memory_summaries"] : [])];
}

/** Gemini CLI reads policies only from the home. */
function geminiPolicy(summaries: "pull" | "off" | undefined): string {
  return `# Written by heartwood install; heartwood uninstall removes it.
[[rule]]
mcpName = "heartwood"
toolName = ${JSON.stringify(allowed(summaries)).replaceAll(",", ", ")}
decision = "allow"
priority = 200
`;
}

/** The files and notes of each client for a request. */
export const clients: Readonly<Record<ClientName, ReturnType<typeof client>>> = {
  /** In a project, hooks go into the local settings: the others are shared, and the script's path is specific to this machine. */
  "claude-code": client("claude", (request) => {
    const { places, script, inProject, base, mcp, summaries } = request;
    const folder = inProject ? `${base}/.claude` : base;
    const entries = [
      ...hooks(request, "claude-code", (event, command) => ({
        hooks: [{ type: "command", command, timeout: seconds(event) }],
      })),
      ...allowed(summaries).map((tool) => item(["permissions", "allow"], `mcp__heartwood__${tool}`)),
      ...(inProject ? [item(["enabledMcpjsonServers"], "heartwood")] : []),
    ];
    return {
      wanted: [
        ...skills(request, `${folder}/skills`),
        part(`${base}/CLAUDE.md`),
        json(inProject ? `${base}/.mcp.json` : places.claudeState, [
          server({ type: "stdio", command: script, args: mcp, env: {} }),
        ]),
        json(`${folder}/${inProject ? "settings.local.json" : "settings.json"}`, entries),
      ],
      notes: [
        "Claude Code: restart sessions that are already running.",
        inProject &&
          "Claude Code starts the .mcp.json server once you trust the folder; it asks when you start it there.",
      ],
    };
  }),
  /** Codex runs a hook only if the user trusts its text. */
  codex: client("codex", (request) => {
    const { places, script, inProject, base, mcp } = request;
    const folder = inProject ? `${base}/.codex` : base;
    const entries = hooks(request, "codex", (event, command) => ({
      ...(event === "session-start" ? { matcher: "startup|resume|clear|compact|fork" } : {}),
      hooks: [{ type: "command", command, timeout: seconds(event) }],
    }));
    // A JSON string is also a TOML basic string.
    const args = mcp.map((word) => JSON.stringify(word)).join(", ");
    const lines = [`command = ${JSON.stringify(script)}`, `args = [${args}]`];
    return {
      wanted: [
        ...skills(request, `${inProject ? base : places.home}/.agents/skills`),
        part(`${base}/AGENTS.md`),
        { kind: "toml", path: `${folder}/config.toml`, table: { name: ["mcp_servers", "heartwood"], lines } },
        json(`${folder}/hooks.json`, entries),
      ],
      notes: [
        "Codex runs hooks only if you trust them: start codex and trust heartwood's when it asks, or type /hooks. Until then, it skips them.",
        inProject && "Codex reads a project's .codex/ only if you trust the project; it asks when you start it there.",
      ],
    };
  }),
  /** Timeouts are in milliseconds. */
  gemini: client("gemini", (request) => {
    const { script, inProject, base, mcp, summaries } = request;
    const entries = hooks(request, "gemini", (event, command) => ({
      hooks: [{ type: "command", name: `heartwood ${event}`, command, timeout: patience(event) }],
    }));
    return {
      wanted: [
        ...skills(request, `${base}/.agents/skills`),
        part(`${base}/${inProject ? "GEMINI.md" : ".gemini/GEMINI.md"}`),
        json(`${base}/.gemini/settings.json`, [server({ command: script, args: mcp }), ...entries]),
        !inProject && own(`${base}/.gemini/policies/heartwood.toml`, geminiPolicy(summaries)),
      ],
      notes: [
        inProject &&
          "Gemini CLI reads a project's .gemini/ only in folders you trust; it asks when you start it there, and before it calls the tools.",
      ],
    };
  }),
  /** Copilot has a single list of MCP servers, the user's. It reads every file in its hooks folder. */
  copilot: client("copilot", (request) => {
    const { places, script, inProject, base, mcp } = request;
    const entries = hooks(request, "copilot", (event, bash) => {
      const plain = commandLine(places, [script, "hook", "copilot", event]);
      // PowerShell treats a quoted path as text unless it is called with `&`.
      const powershell = plain.startsWith('"') ? `& ${plain}` : plain;
      // Copilot starts the hooks of an event one after another.
      return { type: "command", bash, powershell, timeoutSec: patience(event) / 1000 };
    });
    const answer = JSON.stringify({ permissionDecision: "allow" });
    // The tools that only read run without it.
    const allowed = {
      type: "command",
      matcher: "heartwood-memory_log",
      bash: `echo '${answer}'`,
      powershell: `Write-Output '${answer}'`,
      timeoutSec: 1,
    };
    const named = entries.map(({ at, value }) => [at[1], [value]]);
    const file = { version: 1, hooks: Object.fromEntries([...named, ["preToolUse", [allowed]]]) };
    return {
      wanted: [
        ...skills(request, inProject ? `${base}/.agents/skills` : `${base}/skills`),
        part(`${base}/${inProject ? "AGENTS.md" : "copilot-instructions.md"}`),
        json(`${places.copilot}/mcp-config.json`, [
          server({ type: "local", command: script, args: mcp, tools: ["*"] }),
        ]),
        own(`${base}/${inProject ? ".github/hooks" : "hooks"}/heartwood.json`, `${JSON.stringify(file, null, 2)}\n`),
      ],
      notes: [
        inProject &&
          "Copilot CLI runs a project's hooks only in folders you trust: it asks when you start it there, or pass --trust-folder.",
      ],
    };
  }),
  /** Based on Cursor's documentation. An always-applied rule contains a project's instructions; there is no such file for all projects. */
  cursor: client("home", (request) => {
    const { places, script, inProject, base, mcp } = request;
    const folder = `${base}/.cursor`;
    // Cursor does not always start servers in the project folder.
    const args = inProject ? [...mcp, "--dir", places.project] : mcp;
    const rule = `---\ndescription: How to use the memory of this project\nalwaysApply: true\n---\n\n${instructions}`;
    const entries = hooks(request, "cursor", (event, command) => ({ command, timeout: seconds(event) }));
    return {
      wanted: [
        ...skills(request, `${folder}/skills`),
        inProject && own(`${folder}/rules/heartwood.mdc`, rule),
        json(`${folder}/mcp.json`, [server({ command: script, args })]),
        json(`${folder}/hooks.json`, [{ as: "frame", at: ["version"], value: 1 }, ...entries]),
      ],
      notes: [
        "Cursor: turn on the heartwood server in its MCP settings, where new servers are listed.",
        !inProject && "Cursor has no instructions file for all projects: install with --scope project to add a rule.",
      ],
    };
  }),
  /** Based on Windsurf's documentation. Its hooks cannot add to the context, so it gets a rule and the tools. The entry in its single list of MCP servers names the project. */
  windsurf: client("home", ({ places, script, inProject, base, mcp }) => {
    const rule = `---\ntrigger: always_on\n---\n\n${instructionsOfToolsAlone}`;
    return {
      wanted: [
        inProject && own(`${base}/.windsurf/rules/heartwood.md`, rule),
        json(`${places.home}/.codeium/windsurf/mcp_config.json`, [
          server({ command: script, args: [...mcp, "--dir", places.project] }),
        ]),
      ],
      notes: [
        `Windsurf has one list of servers for all projects: the tools work on the memory in ${places.project}.`,
        !inProject && "Windsurf reads rules only from projects: install with --scope project to add one.",
      ],
    };
  }),
  /** OpenCode has plugins instead of hooks: ours calls `heartwood hook`. We do not set `instructions`, which would make it read ROOT.md in any clone. */
  opencode: client("opencode", (request) => {
    const { script, shipped, inProject, base, mcp } = request;
    const folder = inProject ? `${base}/.opencode` : base;
    return {
      wanted: [
        ...skills(request, `${folder}/skills`),
        part(`${base}/AGENTS.md`),
        own(`${folder}/plugins/heartwood.js`, calling(shipped.opencodePlugin, script)),
        // Also read if the user has an `opencode.jsonc`.
        json(`${base}/opencode.json`, [
          // OpenCode adds this to a file that lacks it.
          { as: "frame", at: ["$schema"], value: "https://opencode.ai/config.json" },
          member(["mcp", "heartwood"], { type: "local", command: [script, ...mcp], enabled: true }),
        ]),
      ],
    };
  }),
  /**
   * OpenClaw loads MEMORY.md and USER.md from its workspace, which is the project. They are created if missing, and `compact` updates the section Compaction Root of MEMORY.md. They are memory, so uninstall
   * never removes them.
   */
  openclaw: client("openclaw", (request) => {
    const { places, script, shipped, base, mcp } = request;
    const plugin = pathIn(places, places.state, "openclaw");
    const { index, manifest, description } = shipped.openclawPlugin;
    const mcpServers = { heartwood: { transport: "stdio", command: script, args: [...mcp, "--dir", base] } };
    const described = { ...(JSON.parse(manifest) as object), mcpServers };
    const job = commandLine(places, [script, "compact", "--if-due", "--quiet", "--dir", base]);
    // The job's output is not delivered to a chat.
    const cron = ["openclaw", "cron", "create", "0 */3 * * *", "--name", "heartwood compact", "--no-deliver"];
    const link = ["openclaw", "plugins", "install", "--link", plugin, "--force", "--accept-capabilities"];
    const memory = (path: string, text: string): Wanted => ({ kind: "memory", path: `${base}/${path}`, text });
    return {
      wanted: [
        memory("heartwood.config.json", configurationText("openclaw")),
        ...hotFiles.filter(({ notFor }) => !notFor.includes("openclaw")).map(({ path, text }) => memory(path, text)),
        ...skills(request, `${base}/skills`),
        part(`${base}/AGENTS.md`),
        own(`${plugin}/package.json`, description),
        own(`${plugin}/openclaw.plugin.json`, `${JSON.stringify(described, null, 2)}\n`),
        own(`${plugin}/index.js`, calling(index, script)),
      ],
      notes: [
        `Install the OpenClaw plugin yourself; it adds the tools, recalls memories for each message, and captures the conversation: ${commandLine(places, link)}`,
        "Then enable it and let it read the conversation: openclaw plugins enable heartwood && openclaw config set plugins.entries.heartwood.hooks.allowConversationAccess true",
        `OpenClaw no longer reads a heartbeat file. Create a job that compacts: ${commandLine(places, [...cron, "--command", job])}`,
        `OpenClaw itself reads ${pathIn(places, base, "MEMORY.md")}; compact updates its Compaction Root section.`,
      ],
    };
  }),
};

/** The text of a shipped plugin, changed to call the script. */
export function calling(plugin: string, script: string): string {
  return plugin.replace('const script = "heartwood";', () => `const script = ${JSON.stringify(script)};`);
}

/** What the user has to remove by hand. */
export const farewells: Partial<Record<ClientName, string>> = {
  openclaw:
    "If you have not done so, run openclaw plugins uninstall heartwood to remove the plugin from OpenClaw. To remove the job, run openclaw cron list, then openclaw cron rm with the id of heartwood compact.",
};
