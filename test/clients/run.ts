// Runs the tests of the real clients in a network namespace with only loopback: node test/clients/run.ts [vitest arguments...]
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { CLIENT_NAMES, fetchClient } from "./clients.ts";

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(HERE, "..", "..");
const VITEST = join(ROOT, "node_modules", "vitest", "vitest.mjs");

/** A network with only loopback: as root, or else in a user namespace if the system allows that. */
const NAMESPACES = [["-n"], ["-r", "-n"]];

const skipped = CLIENT_NAMES.flatMap((client) => {
  const fetched = fetchClient(client);
  return typeof fetched === "object" ? [`${client}: it cannot be fetched. ${fetched.failed}`] : [];
});
const words = NAMESPACES.find((one) => alone(one, "true").status === 0);
if (words === undefined) {
  skipped.push(
    "every client: none may reach the network, and there is no network namespace (`unshare -n` as root, and `ip`).",
  );
} else {
  const command = [
    process.execPath,
    VITEST,
    "run",
    "--config",
    join(HERE, "vitest.config.ts"),
    ...process.argv.slice(2),
  ];
  const run = alone(words, 'exec "$@"', command);
  process.exitCode = run.status ?? 1;
}
// Printed last, to be noticed: tests that did not run have not passed.
for (const line of skipped) console.error(`! SKIPPED, ${line}`);

function alone(namespace: readonly string[], script: string, command: readonly string[] = []) {
  return spawnSync("unshare", [...namespace, "--", "sh", "-c", `ip link set lo up && ${script}`, "sh", ...command], {
    stdio: command.length === 0 ? "ignore" : "inherit",
    cwd: ROOT,
    env: { ...process.env, HEARTWOOD_CLIENTS_ALONE: "yes" },
  });
}
