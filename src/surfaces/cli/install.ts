import { Buffer } from "node:buffer";
import { MemoryError } from "../../base/errors.ts";
import { redact } from "../../text/redact/redact.ts";
import { unifiedDiff } from "../../base/lines.ts";
import { clientNames, type ClientName } from "../../agents/install/client-files.ts";
import type { Edit } from "../../agents/install/client-files.ts";
import { prepareInstall, type Prepared } from "../../agents/install/run-install.ts";
import { prepareUninstall } from "../../agents/install/run-uninstall.ts";
import { askYes, type LocalCall } from "./terminal.ts";
import { jsonText } from "./print.ts";
import { visible } from "../../text/visible.ts";

/** `heartwood install`: shows the changes to the clients' files, asks, and applies them. */
export async function runInstallCommand(call: LocalCall): Promise<void> {
  const { shipped, ...installing } = await call.host.openInstalling(call.common.dir);
  const scope = call.input["scope"] === "project" ? "project" : "user";
  const clients = clientsOf(call);
  const summaries = call.input["summaries"] === "pull" ? "pull" : undefined;
  const prepared = await prepareInstall(installing, { clients, scope, shipped, summaries });
  const trust = await call.host.openTrust();
  const { project, openclaw } = installing.places;
  // Installing there implies that the user trusts the project or OpenClaw's workspace.
  const places = scope === "project" ? [project] : clients.includes("openclaw") ? [openclaw] : [];
  const folders = places.filter((dir) => !trust.isTrusted(dir));
  for (const dir of folders) trust.refuseOtherOwner(dir);
  await decide(call, {
    prepared: {
      ...prepared,
      notes: [...prepared.notes, ...folders.map((dir) => `${dir} becomes trusted: hooks and tools work in it.`)],
      apply: async () => {
        await prepared.apply();
        for (const dir of folders) trust.add(dir, "install");
      },
    },
    words: { done: "Installed for", none: "Nothing to change: already installed for" },
  });
}

/** `heartwood uninstall`: reverts what `install` wrote. */
export async function runUninstallCommand(call: LocalCall): Promise<void> {
  const installing = await call.host.openInstalling(call.common.dir);
  const prepared = await prepareUninstall(installing, clientsOf(call));
  const trust = await call.host.openTrust();
  await decide(call, {
    prepared: {
      ...prepared,
      apply: async () => {
        // Must come before the install record is removed: both are in the same folder, which is then removed if empty.
        trust.removeInstalled((dir) => prepared.remaining.some((path) => path.startsWith(`${dir}/`)));
        await prepared.apply();
      },
    },
    words: { done: "Removed from", none: "Nothing to remove from" },
  });
}

function clientsOf({ input }: LocalCall): readonly ClientName[] {
  const asked = String(input["client"]).split(",");
  return clientNames.filter((name) => asked.includes(name));
}

interface Deciding {
  readonly prepared: Prepared;
  readonly words: { readonly done: string; readonly none: string };
}

async function decide(call: LocalCall, { prepared, words }: Deciding): Promise<void> {
  const { input, common, terminal } = call;
  const isDry = input["dry_run"] === true;
  const isSure = input["yes"] === true || prepared.edits.length === 0;
  const diff = isDry || !isSure ? prepared.edits.map(diffOf).join("") : "";
  if (!isDry && !isSure) await ask(call, prepared.edits, diff);
  if (!isDry) await prepared.apply();
  if (common.output === "json") {
    const { edits, notes, warnings } = prepared;
    const files = edits.map((edit) => ({ path: edit.path, change: howOf(edit) }));
    const document = { clients: clientsOf(call), files, notes, warnings, dry_run: isDry, ...(isDry && { diff }) };
    return terminal.stdout.write(jsonText(document, terminal.stdout.look()));
  }
  if (common.chatter === "normal")
    for (const { message, path } of prepared.warnings)
      terminal.stderr.write(`heartwood: warning: ${visible(message)} (${visible(path ?? "")})\n`);
  if (common.chatter === "normal" || isDry) terminal.stdout.write(textOf(call, { prepared, words }, isDry ? diff : ""));
}

function textOf(call: LocalCall, { prepared, words }: Deciding, diff: string): string {
  const names = clientsOf(call).join(", ");
  const { edits, notes } = prepared;
  const below = notes.map((note) => `- ${visible(note)}\n`).join("");
  if (edits.length === 0) return `${words.none} ${names}.\n${below}`;
  if (call.input["dry_run"] === true)
    return `${visible(diff)}\nNothing was changed (--dry-run); ${countOf(edits)} would change.\n${below}`;
  const rows = edits.map((edit) => `  ${howOf(edit)} ${visible(edit.path)}\n`).join("");
  return `${words.done} ${names}: ${countOf(edits)}.\n${rows}${below}`;
}

function countOf(edits: readonly Edit[]): string {
  return edits.length === 1 ? "1 file" : `${edits.length} files`;
}

function howOf({ before, after }: Edit): "created" | "changed" | "removed" {
  if (after === undefined) return "removed";
  return before === undefined ? "created" : "changed";
}

/** Hides secrets in the clients' files. */
function diffOf({ path, before, after }: Edit): string {
  const said = (bytes: Uint8Array | undefined): string | undefined =>
    bytes && redact(Buffer.from(bytes).toString("utf8")).text;
  return unifiedDiff(path, said(before), said(after));
}

/** Asks on a terminal. Errors: `usage` without a terminal, `aborted` for any answer but yes. */
async function ask({ terminal, common }: LocalCall, edits: readonly Edit[], diff: string): Promise<void> {
  terminal.stderr.write(`${visible(diff)}\n`);
  if (terminal.stdin.kind() !== "terminal" || common.output === "json")
    throw new MemoryError(
      "usage",
      `${countOf(edits)} would change, and there is no terminal to confirm on; pass --yes to apply the changes, or --dry-run to preview them.`,
    );
  if (await askYes(terminal, `Change ${countOf(edits)} as shown? [y/N] `)) return;
  throw new MemoryError("aborted", "Nothing was changed.");
}
