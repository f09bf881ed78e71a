import { visible } from "../../text/visible.ts";
import type { Memory } from "../../operations/memory.ts";
import type { Operation } from "../../operations/operation.ts";
import type { CommonOptions } from "./command.ts";
import { askYes } from "./ask.ts";
import type { Host } from "./run.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Asks once, at a terminal, whether agents may use an untrusted memory: one from before trust was recorded, or one that came with a repository.
 * A command that reads its text from the terminal does not ask.
 */
export async function offerTrust(
  memory: Memory,
  { fields }: Operation,
  { common, terminal, host }: { readonly common: CommonOptions; readonly terminal: Terminal; readonly host: Host },
): Promise<void> {
  if (common.output === "json" || common.chatter === "quiet") return;
  if (fields.some(({ place, stdinUnless }) => place === "stdin_or_option" || stdinUnless !== undefined)) return;
  if (terminal.stderr.look().kind !== "terminal" || memory.trust.state() === "trusted") return;
  if (terminal.stdin.kind() !== "terminal") return;
  const trust = await host.openTrust();
  if (trust.wasOffered(memory.dir)) return;
  trust.markOffered(memory.dir);
  const question =
    `heartwood: agents' hooks and tools do nothing in ${visible(memory.dir)} until you trust it.\n` +
    "Trust it only if you know where its files come from: what they say reaches your agents. Trust it? [y/N] ";
  if (await askYes(terminal, question)) await memory.trust.grant("trust");
  else terminal.stderr.write("Not trusted. `heartwood trust` does it later.\n");
}
