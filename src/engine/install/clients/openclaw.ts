import { configurationText, hotFiles } from "../../templates.ts";
import { pathIn } from "../places.ts";
import { commandLine } from "../script.ts";
import type { Client, Wanted } from "../wanted.ts";
import { skillFiles } from "./hook-groups.ts";
import { instructions } from "./instructions.ts";

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
  const job = commandLine(places, [script, "compact", "--if-due", "--quiet", "--dir", folder]);
  const create = commandLine(places, [
    "openclaw",
    "cron",
    "create",
    "0 */3 * * *",
    "--name",
    "heartwood compact",
    "--command",
    job,
  ]);
  return {
    wanted: [
      { kind: "memory", path: pathIn(places, folder, "heartwood.config.json"), text: configurationText("openclaw") },
      ...memory,
      ...skillFiles(request, pathIn(places, folder, "skills")),
      { kind: "part", path: pathIn(places, folder, "AGENTS.md"), text: instructions },
    ],
    notes: [
      `OpenClaw no longer reads a heartbeat file. So that it compacts by itself, give it a job: ${create}`,
      `OpenClaw reads ${pathIn(places, folder, "MEMORY.md")} by itself, where compact keeps the section Compaction Root.`,
    ],
  };
};
