import { existsSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { clientProgram } from "./clients.ts";
import type { ClientName } from "./clients.ts";
import { HEARTWOOD, knows } from "./scratch.ts";

/** Why the tests of `client` cannot run here, or `undefined`. Also printed on standard error. */
export function whyNot(client: ClientName): string | undefined {
  return loudly(client, reason(client));
}

/** Why tests that need `heartwood install` cannot run here, or `undefined`. */
export function whyNotInstalled(client: ClientName): string | undefined {
  const missing = ["install", "uninstall", "hook"].filter((command) => knows(command) === "unknown");
  const words = missing.length > 0 ? `this build of heartwood has no command ${missing.join(", ")}` : undefined;
  return loudly(client, reason(client) ?? words);
}

function reason(client: ClientName): string | undefined {
  if (process.env["HEARTWOOD_CLIENTS_ALONE"] !== "yes" || !hasOnlyLoopback()) {
    return "not alone with loopback; start it with `npm run test:clients`";
  }
  if (!existsSync(HEARTWOOD)) return "heartwood is not built; start it with `npm run test:clients`";
  return clientProgram(client) === undefined ? `${client} was not fetched` : undefined;
}

function hasOnlyLoopback(): boolean {
  return Object.values(networkInterfaces())
    .flat()
    .every((one) => one?.internal === true);
}

const said = new Set<string>();

function loudly(client: ClientName, words: string | undefined): string | undefined {
  const line = `! SKIPPED, ${client}: ${words}.\n`;
  if (words !== undefined && !said.has(line)) process.stderr.write(line);
  said.add(line);
  return words;
}
