import type { JsonEntry } from "../json-entries.ts";
import { pathIn } from "../places.ts";
import type { Client } from "../wanted.ts";
import { instructionsOfToolsAlone } from "./instructions.ts";

/** Windsurf, by its documentation. Its hooks cannot add to the context, so a rule and the tools have to do. It has one list of MCP servers, the user's, which names the project. */
export const windsurf: Client = (request) => {
  const { places, scope, script } = request;
  const server: JsonEntry = {
    as: "member",
    at: ["mcpServers", "heartwood"],
    value: { command: script, args: ["mcp", "--dir", places.project] },
  };
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
