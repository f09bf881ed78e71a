import { pathIn } from "../places.ts";
import type { JsonEntry } from "../json-entries.ts";
import type { HookEvent } from "../../hooks/hook-call.ts";
import { hookCommandLine } from "../script.ts";
import type { Client, ClientRequest } from "../wanted.ts";
import { groupEntry, hookMilliseconds, skillFiles } from "./hook-groups.ts";
import { instructions } from "./instructions.ts";

const events: readonly (readonly [string, HookEvent])[] = [
  ["SessionStart", "session-start"],
  ["BeforeAgent", "prompt"],
  ["AfterAgent", "turn-end"],
  ["PreCompress", "before-compaction"],
  ["SessionEnd", "session-end"],
];

function hooks(request: ClientRequest): readonly JsonEntry[] {
  return events.map(([name, event]) =>
    groupEntry(name, {
      hooks: [
        {
          type: "command",
          name: `heartwood ${event}`,
          command: hookCommandLine(request, "gemini", event),
          timeout: hookMilliseconds[event],
        },
      ],
    }),
  );
}

/** Gemini CLI: timeouts in milliseconds. */
export const gemini: Client = (request) => {
  const { places, scope, script } = request;
  const base = scope === "project" ? places.project : places.gemini;
  const server: JsonEntry = {
    as: "member",
    at: ["mcpServers", "heartwood"],
    value: { command: script, args: ["mcp"] },
  };
  return {
    wanted: [
      ...skillFiles(request, pathIn(places, base, ".agents", "skills")),
      {
        kind: "part",
        path: scope === "project" ? pathIn(places, base, "GEMINI.md") : pathIn(places, base, ".gemini", "GEMINI.md"),
        text: instructions,
      },
      { kind: "json", path: pathIn(places, base, ".gemini", "settings.json"), entries: [server, ...hooks(request)] },
    ],
    notes:
      scope === "project"
        ? ["Gemini CLI reads .gemini/ of a project only in folders that you trust: it asks when it is started there."]
        : [],
  };
};
