import { configurationText, hotFiles } from "../../templates.ts";
import type { JsonEntry } from "../json-entries.ts";
import { pathIn, type ClientPlaces } from "../places.ts";
import { commandLine } from "../script.ts";
import type { Client, ClientRequest, Trace, Wanted } from "../wanted.ts";
import { skillFiles } from "./hook-groups.ts";
import { instructions } from "./instructions.ts";
import { openclawPlugin } from "./openclaw-plugin.ts";

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
export function openclawTraces(places: ClientPlaces): readonly Trace[] {
  const entries: readonly JsonEntry[] = [
    { as: "member", at: ["plugins", "entries", "heartwood"], value: {} },
    { as: "member", at: ["plugins", "installs", "heartwood"], value: {} },
    { as: "item", at: ["plugins", "load", "paths"], value: pluginFolder(places) },
    { as: "item", at: ["plugins", "allow"], value: "heartwood" },
    { as: "item", at: ["plugins", "deny"], value: "heartwood" },
  ];
  return [{ path: places.openclawConfig, entries }];
}

function pluginFolder(places: ClientPlaces): string {
  return pathIn(places, places.state, "openclaw");
}

export const openclawFarewell =
  "Unless you did it before, run openclaw plugins uninstall heartwood, so that OpenClaw forgets the plugin, and heartwood uninstall openclaw again, which removes what that leaves in its configuration. For the job: openclaw cron list, then openclaw cron rm with the id of heartwood compact.";

/** Its output is nobody's message. */
function jobLine({ places, script }: ClientRequest, folder: string): string {
  const job = commandLine(places, [script, "compact", "--if-due", "--quiet", "--dir", folder]);
  const name = ["--name", "heartwood compact", "--no-deliver", "--command", job];
  return commandLine(places, ["openclaw", "cron", "create", "0 */3 * * *", ...name]);
}
