import type { ClientPlaces, Shipped, ClientName } from "../client-files.ts";
import { configurationText, hotFiles } from "../../../tree/setup/init.ts";
import {
  commandLine,
  pathIn,
  instructions,
  item,
  member,
  skillFiles,
  instructionsOfToolsAlone,
  type Client,
  type ClientRequest,
  type Trace,
  type Wanted,
} from "./client.ts";
import { claudeCode, codex, copilot, cursor, gemini } from "./command-hooks.ts";

/** OpenCode reads the one and the other; where neither is, the second is made. */
function configurations(places: ClientPlaces, folder: string): readonly [string, string] {
  return [pathIn(places, folder, "opencode.jsonc"), pathIn(places, folder, "opencode.json")];
}

function opencodeChoices(places: ClientPlaces): readonly string[] {
  return [...configurations(places, places.opencode), ...configurations(places, places.project)];
}

/** OpenCode has no hooks but plugins: one of ours calls `heartwood hook`. Its setting `instructions` is left alone: it would read ROOT.md in any clone. */
export const opencode: Client = (request) => {
  const { places, scope, script } = request;
  const inProject = scope === "project";
  const own = inProject ? pathIn(places, places.project, ".opencode") : places.opencode;
  const base = inProject ? places.project : places.opencode;
  const entries = [
    // OpenCode adds it to a file that lacks it.
    { as: "frame", at: ["$schema"], value: "https://opencode.ai/config.json" } as const,
    member(["mcp", "heartwood"], { type: "local", command: [script, "mcp"], enabled: true }),
  ];
  return {
    wanted: [
      ...skillFiles(request, pathIn(places, own, "skills")),
      { kind: "part", path: pathIn(places, base, "AGENTS.md"), text: instructions },
      {
        kind: "own",
        mode: "usual",
        path: pathIn(places, own, "plugins", "heartwood.js"),
        text: calling(request.shipped.opencodePlugin, script),
      },
      { kind: "json", path: request.firstThere(configurations(places, base)), entries },
    ],
    notes: [],
  };
};

/**
 * OpenClaw loads MEMORY.md and USER.md of its workspace, which is the project: they are made where they are absent, and `compact` keeps the section Compaction Root of MEMORY.md. They are memory, so they are
 * never taken back.
 */
export const openclaw: Client = (request) => {
  const { places, scope, script } = request;
  const folder = scope === "project" ? places.project : places.openclaw;
  const memory = hotFiles
    .filter(({ notFor }) => !notFor.includes("openclaw"))
    .map(({ path, text }): Wanted => ({ kind: "memory", path: pathIn(places, folder, path), text }));
  const plugin = pluginFolder(places);
  return {
    wanted: [
      { kind: "memory", path: pathIn(places, folder, "heartwood.config.json"), text: configurationText("openclaw") },
      ...memory,
      ...skillFiles(request, pathIn(places, folder, "skills")),
      { kind: "part", path: pathIn(places, folder, "AGENTS.md"), text: instructions },
      ...openclawPlugin(request.shipped.openclawPlugin, { script, folder }).map(([name, text]): Wanted => ({
        kind: "own",
        mode: "usual",
        path: pathIn(places, plugin, name),
        text,
      })),
    ],
    notes: [
      `OpenClaw takes a plugin only from you; it brings the tools and what is remembered with each message, and keeps the conversation: ${commandLine(places, ["openclaw", "plugins", "install", "--link", plugin, "--force", "--accept-capabilities"])}`,
      "Then switch it on, and let it read the conversation: openclaw plugins enable heartwood && openclaw config set plugins.entries.heartwood.hooks.allowConversationAccess true",
      `OpenClaw no longer reads a heartbeat file. So that it compacts by itself, give it a job: ${jobLine(request, folder)}`,
      `OpenClaw reads ${pathIn(places, folder, "MEMORY.md")} by itself, where compact keeps the section Compaction Root.`,
    ],
  };
};

/** What the commands of the notes, and an allow list, have in OpenClaw's configuration; `openclaw plugins uninstall` leaves `entries.heartwood`, switched off. */
function openclawTraces(places: ClientPlaces): readonly Trace[] {
  const entries = [
    member(["plugins", "entries", "heartwood"], {}),
    member(["plugins", "installs", "heartwood"], {}),
    item(["plugins", "load", "paths"], pluginFolder(places)),
    item(["plugins", "allow"], "heartwood"),
    item(["plugins", "deny"], "heartwood"),
  ];
  return [{ path: places.openclawConfig, entries }];
}

function pluginFolder(places: ClientPlaces): string {
  return pathIn(places, places.state, "openclaw");
}

const openclawFarewell =
  "Unless you did it before, run openclaw plugins uninstall heartwood, so that OpenClaw forgets the plugin, and heartwood uninstall openclaw again, which removes what that leaves in its configuration. For the job: openclaw cron list, then openclaw cron rm with the id of heartwood compact.";

/** Its output is not delivered to anyone. */
function jobLine({ places, script }: ClientRequest, folder: string): string {
  const job = commandLine(places, [script, "compact", "--if-due", "--quiet", "--dir", folder]);
  const name = ["--name", "heartwood compact", "--no-deliver", "--command", job];
  return commandLine(places, ["openclaw", "cron", "create", "0 */3 * * *", ...name]);
}

/** The text of a shipped plugin, with the script that it calls. */
export function calling(plugin: string, script: string): string {
  return plugin.replace('const script = "heartwood";', () => `const script = ${JSON.stringify(script)};`);
}

/** The shipped plugin for OpenClaw, and its server with the folder of the memory; by the names of its files. */
export function openclawPlugin(
  { index, manifest, description }: Shipped["openclawPlugin"],
  { script, folder }: { readonly script: string; readonly folder: string },
): readonly (readonly [string, string])[] {
  const server = { heartwood: { transport: "stdio", command: script, args: ["mcp", "--dir", folder] } };
  const told = { ...(JSON.parse(manifest) as object), mcpServers: server };
  return [
    ["package.json", description],
    ["openclaw.plugin.json", `${JSON.stringify(told, null, 2)}\n`],
    ["index.js", calling(index, script)],
  ];
}

/** Windsurf, by its documentation. Its hooks cannot add to the context, so a rule and the tools have to do. It has one list of MCP servers, the user's, which names the project. */
const windsurf: Client = (request) => {
  const { places, scope, script } = request;
  const server = member(["mcpServers", "heartwood"], { command: script, args: ["mcp", "--dir", places.project] });
  const rule = `---\ntrigger: always_on\n---\n\n${instructionsOfToolsAlone}`;
  const path = pathIn(places, places.project, ".windsurf", "rules", "heartwood.md");
  return {
    wanted: [
      ...(scope === "project" ? [{ kind: "own", mode: "usual", path, text: rule } as const] : []),
      { kind: "json", path: pathIn(places, places.home, ".codeium", "windsurf", "mcp_config.json"), entries: [server] },
    ],
    notes: [
      `Windsurf has one list of servers for all projects: its tools work on the memory in ${places.project}.`,
      ...(scope === "project" ? [] : ["Windsurf reads rules from projects: install with --scope project to add one."]),
    ],
  };
};

interface Installable {
  readonly plan: Client;
  /** Files of which the client takes one or another; `firstThere` knows which are there. */
  choices(places: ClientPlaces): readonly string[];
  /** What the client wrote about heartwood when the user told it to. */
  traces?(places: ClientPlaces): readonly Trace[];
  /** What the person has to take back themselves, when it was installed. */
  readonly farewell?: string;
}

const none = (): readonly string[] => [];

export const clients: Readonly<Record<ClientName, Installable>> = {
  "claude-code": { plan: claudeCode, choices: none },
  codex: { plan: codex, choices: none },
  opencode: { plan: opencode, choices: opencodeChoices },
  openclaw: { plan: openclaw, choices: none, traces: openclawTraces, farewell: openclawFarewell },
  gemini: { plan: gemini, choices: none },
  copilot: { plan: copilot, choices: none },
  cursor: { plan: cursor, choices: none },
  windsurf: { plan: windsurf, choices: none },
};
