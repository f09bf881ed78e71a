import { MemoryError } from "../base/errors.ts";
import type { StoreAddress } from "../platform/user-settings/store.ts";
import type { TeamServer, ThreadStores } from "../threads/memory.ts";
import type { PostgresOptions } from "./address.ts";
import { createPostgresArtifacts } from "./artifacts.ts";
import { openPostgres } from "./database.ts";
import { createPostgresThreads } from "./threads.ts";

/** The stores of one project. They share connections, which `threads.close` closes. Errors: `invalid_config`. */
export function openTeamStores(server: Pick<TeamServer, "address" | "pooler">, tenant: string): ThreadStores {
  // Without the network, a prompt must not wait.
  const database = openPostgres({ ...optionsFor(server), tenant, unreached: "fails" });
  return { threads: createPostgresThreads({ database }), artifacts: createPostgresArtifacts({ database }) };
}

/** Errors: `invalid_config` if the environment variable is not set. */
export function optionsFor({ address, pooler }: Pick<TeamServer, "address" | "pooler">): PostgresOptions {
  return { url: urlOf(address), connectTimeoutMs: CONNECT_TIMEOUT_MS, ...(pooler && { pooler }) };
}

const CONNECT_TIMEOUT_MS = 3_000;

function urlOf(address: StoreAddress): string {
  if ("url" in address) return address.url;
  const url = process.env[address.env] ?? "";
  if (url !== "") return url;
  // The name may be what the user meant as the address.
  const named = /^[A-Z][A-Z0-9_]{0,63}$/u.test(address.env) ? address.env : "that store.urlEnv names";
  const message = `The environment variable ${named}, which has the address of the team's PostgreSQL server, is not set; set it, or change store.urlEnv in your settings.`;
  throw new MemoryError("invalid_config", message);
}
