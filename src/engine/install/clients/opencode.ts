import type { JsonEntry } from "../json-entries.ts";
import { pathIn, type ClientPlaces } from "../places.ts";
import type { Client } from "../wanted.ts";
import { skillFiles } from "./hook-groups.ts";
import { instructions } from "./instructions.ts";
import { pluginText } from "./opencode-plugin.ts";

/** OpenCode reads the one and the other; where neither is, the second is made. */
function configurations(places: ClientPlaces, folder: string): readonly [string, string] {
  return [pathIn(places, folder, "opencode.jsonc"), pathIn(places, folder, "opencode.json")];
}

export function opencodeChoices(places: ClientPlaces): readonly string[] {
  return [...configurations(places, places.opencode), ...configurations(places, places.project)];
}

/** OpenCode has no hooks but plugins: one of ours calls `heartwood hook`. Its setting `instructions` is left alone: it would read ROOT.md in any clone. */
export const opencode: Client = (request) => {
  const { places, scope, script } = request;
  const inProject = scope === "project";
  const own = inProject ? pathIn(places, places.project, ".opencode") : places.opencode;
  const base = inProject ? places.project : places.opencode;
  const entries: readonly JsonEntry[] = [
    // OpenCode adds it to a file that lacks it.
    { as: "frame", at: ["$schema"], value: "https://opencode.ai/config.json" },
    { as: "member", at: ["mcp", "heartwood"], value: { type: "local", command: [script, "mcp"], enabled: true } },
  ];
  return {
    wanted: [
      ...skillFiles(request, pathIn(places, own, "skills")),
      { kind: "part", path: pathIn(places, base, "AGENTS.md"), text: instructions },
      {
        kind: "own",
        mode: "usual",
        path: pathIn(places, own, "plugins", "heartwood.js"),
        text: pluginText(request.shipped.opencodePlugin, script),
      },
      { kind: "json", path: request.firstThere(configurations(places, base)), entries },
    ],
    notes: [],
  };
};
