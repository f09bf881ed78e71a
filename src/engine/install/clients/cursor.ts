import type { JsonEntry } from "../json-entries.ts";
import { pathIn } from "../places.ts";
import type { HookEvent } from "../../hooks/hook-call.ts";
import { hookCommandLine } from "../script.ts";
import type { Client } from "../wanted.ts";
import { hookSeconds, skillFiles } from "./hook-groups.ts";
import { instructions } from "./instructions.ts";

/** Cursor, by its documentation. An always-applied rule carries the instructions of a project; for all projects it has none in files. */
export const cursor: Client = (request) => {
  const { places, scope, script } = request;
  const inProject = scope === "project";
  const folder = pathIn(places, inProject ? places.project : places.home, ".cursor");
  // Its servers do not always start in the folder of the project.
  const args = inProject ? ["mcp", "--dir", places.project] : ["mcp"];
  const server: JsonEntry = { as: "member", at: ["mcpServers", "heartwood"], value: { command: script, args } };
  const hook = (name: string, event: HookEvent): JsonEntry => ({
    as: "item",
    at: ["hooks", name],
    value: { command: hookCommandLine(request, "cursor", event), timeout: hookSeconds(event) },
  });
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
