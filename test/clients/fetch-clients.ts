// Fetches the clients without running them: node test/clients/fetch-clients.ts [client...]
import { CLIENT_NAMES, clientProgram, fetchClient } from "./clients.ts";

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !CLIENT_NAMES.some((client) => client === name));
if (unknown.length > 0) {
  console.error(`There is no client ${unknown.join(", ")}; there are ${CLIENT_NAMES.join(", ")}.`);
  process.exit(2);
}
for (const client of CLIENT_NAMES) {
  if (asked.length > 0 && !asked.includes(client)) continue;
  const fetched = fetchClient(client);
  if (typeof fetched === "object") process.exitCode = 1;
  console.log(`${client}: ${typeof fetched === "object" ? fetched.failed : `${fetched}, ${clientProgram(client)}`}`);
}
