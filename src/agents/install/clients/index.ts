import type { ClientPlaces } from "../client-files.ts";
import type { ClientName } from "../client-names.ts";
import { pathIn } from "../script.ts";
import { instructionsOfToolsAlone, member, type Client, type Trace } from "./client.ts";
import { claudeCode, codex, copilot, cursor, gemini } from "./command-hooks.ts";
import { openclaw, openclawFarewell, openclawTraces, opencode, opencodeChoices } from "./plugins.ts";

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
  /** What the client wrote of us when the person told it to. */
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
