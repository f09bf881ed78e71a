import { MemoryError } from "../base/errors.ts";
import type { ThreadMemory } from "../threads/memory.ts";
import { parseAddress } from "./address.ts";
import { SCHEMA_VERSION } from "./failures.ts";
import { migrate, readVersion } from "./migrate.ts";
import { optionsFor } from "./team.ts";

export interface StoreStatus {
  /** `name`: under which the threads are kept on the server. */
  readonly parts: readonly {
    readonly part: string;
    readonly kind: "embedded" | "postgres";
    readonly name: string | null;
  }[];
  /** The server in the user's settings. */
  readonly server: ServerStatus | null;
}

export interface ServerStatus {
  /** `HOST:PORT/DATABASE`; `null` if there is no valid address. */
  readonly address: string | null;
  readonly state: "ready" | "older" | "newer" | "failed";
  /** Of its schema; 0 for none. */
  readonly version: number | null;
  readonly supported: number;
  /** What is wrong. */
  readonly message: string | null;
}

/** Where the parts of a memory are, and whether the server can be used. */
export async function readStoreStatus({ team }: ThreadMemory): Promise<StoreStatus> {
  const name = team?.project?.tenant ?? null;
  const kind = name === null ? "embedded" : "postgres";
  const parts = [
    { part: "threads", kind, name },
    { part: "artifacts of threads", kind, name },
    { part: "logs, tree, summaries and index", kind: "embedded", name: null },
  ] as const;
  return { parts, server: team === undefined ? null : await serverStatus(team) };
}

async function serverStatus(team: NonNullable<ThreadMemory["team"]>): Promise<ServerStatus> {
  const status = { address: null, version: null, supported: SCHEMA_VERSION, message: null };
  let address: string | null = null;
  try {
    const options = optionsFor(team);
    address = parseAddress(options.url).name;
    const version = await readVersion(options);
    if (version === SCHEMA_VERSION) return { ...status, address, state: "ready", version };
    const advice =
      version > SCHEMA_VERSION
        ? "Use a newer heartwood."
        : "Run `heartwood store migrate` as the owner of the database.";
    const message = `This program needs version ${SCHEMA_VERSION} of the schema. ${advice}`;
    return { ...status, address, state: version > SCHEMA_VERSION ? "newer" : "older", version, message };
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return { ...status, address, state: "failed", message: error.message };
  }
}

export interface StoreMigrated {
  /** `HOST:PORT/DATABASE`. */
  readonly address: string;
  /** The version before; 0 for none. */
  readonly from: number;
  readonly to: number;
  /** The application role. */
  readonly role: string;
}

/** The address is never an argument, because other users can see those. */
export async function runStoreMigrate({ team }: ThreadMemory): Promise<StoreMigrated> {
  const own = process.env["DATABASE_URL"] ?? "";
  if (own === "" && team === undefined)
    throw new MemoryError(
      "invalid_config",
      "No address of a PostgreSQL server; set DATABASE_URL to that of the owner of the database, such as postgres://OWNER@HOST/DATABASE.",
    );
  const url = own === "" && team !== undefined ? (optionsFor(team).url ?? "") : own;
  const { from, to, role } = await migrate({ url });
  return { address: parseAddress(url).name, from, to, role };
}
