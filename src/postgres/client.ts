import { MemoryError } from "../base/errors.ts";
import type { Address, PostgresOptions } from "./address.ts";

/** The part of the `postgres` package (3) used here. Typed structurally, because the package is an optional peer dependency. */
interface PostgresPackage {
  readonly default: (url: string, options: object) => Client;
}

/** Connections to a server, made when they are needed. */
export interface Client {
  unsafe(sql: string, values?: readonly unknown[], options?: object): Running;
  end(options: { readonly timeout: number }): Promise<void>;
}

interface Running extends Promise<readonly Row[]> {
  cancel(): unknown;
}

export type Row = Readonly<Record<string, unknown>>;

interface ClientUse {
  /** Most connections. */
  readonly most: number;
  /** Called in the moment in which a connection is lost or closed. */
  readonly onClose?: () => void;
  readonly onNotify?: (channel: string, payload: string) => void;
}

// Typed as a plain string so that the compiler does not resolve it: the package may not be installed.
const packageName: string = "postgres";

/** Errors: `invalid_config` if the package is missing. */
export async function createClient(
  address: Address,
  options: PostgresOptions,
  { most, onClose, onNotify }: ClientUse,
): Promise<Client> {
  const { connectTimeoutMs = CONNECT_TIMEOUT_MS, statementTimeoutMs = STATEMENT_TIMEOUT_MS, pooler } = options;
  const { default: open } = await importPackage();
  return open(address.url, {
    max: most,
    // One statement at a time: one that waits for a lock must not hold up others.
    max_pipeline: 0,
    ssl: address.ssl,
    ...(address.socket !== undefined && { path: address.socket }),
    connect_timeout: connectTimeoutMs / 1000,
    // A transaction may wait for its source as long as it likes.
    ...(onClose ? { idle_timeout: null, max_lifetime: null } : { idle_timeout: 60 }),
    fetch_types: false,
    prepare: pooler === undefined,
    // Waiting between tries is up to the caller.
    backoff: 0,
    onnotice: () => undefined,
    ...(onClose && { onclose: onClose }),
    ...(onNotify && { onnotify: onNotify }),
    connection: {
      application_name: "heartwood",
      // PgBouncer refuses settings that it does not know.
      ...(pooler === undefined && { statement_timeout: statementTimeoutMs }),
    },
  });
}

const CONNECT_TIMEOUT_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 60_000;
/** The server ends a statement in time; only a server that does not answer at all needs more. */
const GRACE_MS = 5_000;

/** The answer of a statement. Errors: those of the driver, and `CONNECT_TIMEOUT` if the server does not answer at all; `running` then never ends. */
export async function answerOf(running: Running, { statementTimeoutMs = STATEMENT_TIMEOUT_MS }: PostgresOptions) {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(lost("CONNECT_TIMEOUT", "no answer in time")), statementTimeoutMs + GRACE_MS);
  });
  // After the time limit nothing else looks at it.
  running.catch(() => undefined);
  try {
    return await Promise.race([running, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** An error like those of the driver. */
export function lost(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

/** One connection. After it was lost, every statement fails: the driver would connect again, and the statement would run outside of its transaction. */
export interface Session {
  send(sql: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** Resolves when the connection was lost or closed. */
  readonly closed: Promise<void>;
  /** Rolls back what was not committed. */
  end(): Promise<void>;
}

export async function openSession(
  address: Address,
  options: PostgresOptions,
  onNotify?: ClientUse["onNotify"],
): Promise<Session> {
  let isOpen = true;
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const onClose = (): void => {
    isOpen = false;
    resolve();
  };
  const client = await createClient(address, options, { most: 1, onClose, ...(onNotify && { onNotify }) });
  const check = (): void => {
    if (!isOpen) throw lost("CONNECTION_CLOSED", "the connection was closed");
  };
  return {
    send: async (sql, values = []) => {
      check();
      const rows = await answerOf(client.unsafe(sql, values, { prepare: options.pooler === undefined }), options);
      // The driver may take the start of a new connection for the end of a statement.
      check();
      return rows;
    },
    closed,
    end: () => client.end({ timeout: 0 }),
  };
}

async function importPackage(): Promise<PostgresPackage> {
  try {
    return (await import(packageName)) as PostgresPackage;
  } catch {
    const message =
      "The package `postgres`, which talks to PostgreSQL, is not installed; run `npm install postgres@3` next to heartwood.";
    throw new MemoryError("invalid_config", message);
  }
}
