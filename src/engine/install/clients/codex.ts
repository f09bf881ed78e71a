import { pathIn } from "../places.ts";
import type { JsonEntry } from "../json-entries.ts";
import type { HookEvent } from "../../hooks/hook-call.ts";
import { hookCommandLine } from "../script.ts";
import type { Client, ClientRequest } from "../wanted.ts";
import { groupEntry, hookSeconds, skillFiles } from "./hook-groups.ts";
import { instructions } from "./instructions.ts";

const events: readonly (readonly [string, HookEvent])[] = [
  ["SessionStart", "session-start"],
  ["UserPromptSubmit", "prompt"],
  ["Stop", "turn-end"],
  ["PreCompact", "before-compaction"],
  ["SessionEnd", "session-end"],
];

function hooks(request: ClientRequest): readonly JsonEntry[] {
  return events.map(([name, event]) =>
    groupEntry(name, {
      ...(name === "SessionStart" ? { matcher: "startup|resume|clear|compact" } : {}),
      hooks: [{ type: "command", command: hookCommandLine(request, "codex", event), timeout: hookSeconds(event) }],
    }),
  );
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
      { kind: "json", path: pathIn(places, folder, "hooks.json"), entries: hooks(request) },
    ],
    notes: [
      "Codex runs hooks only when you trust them: start codex and trust those of heartwood when it asks, or type /hooks. Until then it passes them over.",
      ...(inProject
        ? ["Codex reads .codex/ of a project only when you trust the project: it asks when it is started there."]
        : []),
    ],
  };
};
