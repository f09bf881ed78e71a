import { MemoryError } from "../../base/errors.ts";
import type { HostTrust, LocalCall } from "./host.ts";
import { jsonText } from "./print.ts";
import { visible } from "../../text/visible.ts";

/** `heartwood trust`: adds, removes or lists the folders where agents' hooks and tools may work. */
export async function runTrustCommand(call: LocalCall): Promise<void> {
  const { input, common, host, terminal } = call;
  const { list, remove, folder } = input as { readonly list?: true; readonly remove?: true; readonly folder?: string };
  if (folder !== undefined && common.dir !== undefined)
    throw new MemoryError("usage", "The folder was passed twice, as an argument and with --dir; pass it once.");
  const trust = await host.openTrust();
  if (list === true) return showList(call, trust.list());
  const dir = trust.folderOf(folder ?? common.dir);
  const outcome = remove === true ? trust.remove(dir) : trust.add(dir, "trust");
  const unused = remove === true ? "" : trust.unusedState(dir);
  if (unused !== "" && common.chatter === "normal") terminal.stderr.write(`heartwood: warning: ${visible(unused)}\n`);
  if (common.output === "json") terminal.stdout.write(jsonText({ folder: dir, outcome }, terminal.stdout.look()));
  else if (common.chatter === "normal") terminal.stdout.write(`${visible(said[outcome](dir))}\n`);
}

const said = {
  added: (dir: string) => `Trusted ${dir}: hooks, capture, background work and MCP now work there.`,
  known: (dir: string) => `${dir} is already trusted.`,
  removed: (dir: string) => `${dir} is no longer trusted: hooks, capture, background work and MCP do nothing there.`,
  unknown: (dir: string) => `${dir} was not trusted.`,
} as const;

function showList({ common, input, terminal }: LocalCall, folders: ReturnType<HostTrust["list"]>): void {
  if (input["folder"] !== undefined || input["remove"] === true)
    throw new MemoryError("usage", "--list cannot be used with a folder or --remove; it lists every trusted folder.");
  if (common.output === "json") return terminal.stdout.write(jsonText({ folders }, terminal.stdout.look()));
  const lines = folders.map(({ path, state }) => visible(state === "trusted" ? path : `${path}  (${state})`));
  terminal.stdout.write(lines.length === 0 ? "No folder is trusted.\n" : `${lines.join("\n")}\n`);
}
