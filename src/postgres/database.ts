import { setTimeout as pause } from "node:timers/promises";
import { randomUUID } from "node:crypto";
import { MemoryError } from "../base/errors.ts";
import { checkTenant, parseAddress, type Address, type PostgresOptions } from "./address.ts";
import { createClient, STATEMENT_TIMEOUT_MS, type Client, type Row } from "./client.ts";
import { failureOf, isLost, isPassing, SCHEMA_VERSION } from "./failures.ts";

/** A tenant's part of a database. Connects when first used, and can be used again after `close`. */
export interface PostgresDatabase {
  readonly address: Address;
  /**
   * Calls a function of the schema in a transaction of its own: one round trip. Repeated after a lost connection, with `is_repeated`, since the first
   * call may have been committed.
   */
  call<T>(name: string, head: object, ...more: readonly unknown[]): Promise<T>;
  /** The rows that a function returns. */
  rows<T extends object>(name: string, head: object): Promise<readonly T[]>;
  /** One transaction on its own connection, one at a time. If `act` throws or the connection is lost, nothing is written. */
  transaction<T>(act: (calls: Calls) => Promise<T>): Promise<T>;
  /** A statement outside of any transaction, as the user of the address. */
  run(sql: string): Promise<readonly Row[]>;
  /** Calls `take` for each payload, and `ready` when listening has begun or begun again. Returns how to end it. */
  listen(channel: string, take: (payload: string) => void, ready: () => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

export type Calls = Pick<PostgresDatabase, "call" | "rows">;

const POOL_SIZE = 8;
const WAIT_MS = 10_000;
/** The server ends a statement in time; only a server that does not answer at all needs this. */
const GRACE_MS = 5_000;

/** Opens nothing yet. Errors: `invalid_config`, `invalid_id`. */
export function openPostgres(options: PostgresOptions = {}): PostgresDatabase {
  const address = parseAddress(options.url);
  const tenant = checkTenant(options.tenant ?? "default");
  const { poolSize = POOL_SIZE, waitMs = WAIT_MS, statementTimeoutMs = STATEMENT_TIMEOUT_MS } = options;
  let pool: Promise<Client> | undefined;
  const pooled = (): Promise<Client> => {
    pool ??= createClient(address, options, { most: poolSize }).catch((error: unknown) => {
      pool = undefined;
      throw error;
    });
    return pool;
  };
  const drop = async (client: Client): Promise<void> => {
    if (pool !== undefined && (await pool) === client) pool = undefined;
    await client.end({ timeout: 0 });
  };
  const envelope = { tenant, version: SCHEMA_VERSION, wait: `${waitMs}ms` };

  const within = async (client: Client, sql: string, values: readonly unknown[]): Promise<readonly Row[]> => {
    const running = client.unsafe(sql, values, { prepare: options.pooler === undefined });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const message = `PostgreSQL at ${address.name} does not answer; check the server and the network, then try again.`;
        reject(new MemoryError("io", message));
      }, statementTimeoutMs + GRACE_MS);
    });
    try {
      return await Promise.race([running, late]);
    } catch (error) {
      if (error instanceof MemoryError) {
        running.catch(() => undefined);
        await drop(client);
      }
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };

  /** Tries again until the time is over. */
  const persistently = async <T>(act: (more: object) => Promise<T>): Promise<T> => {
    const until = performance.now() + waitMs;
    let more = {};
    for (let tries = 1; ; tries += 1) {
      try {
        return await act(more);
      } catch (error) {
        if (!(isLost(error) || isPassing(error)) || performance.now() > until) throw failureOf(error, address);
        if (isLost(error)) more = { is_repeated: true };
        await pause(Math.min(500, 5 * 2 ** tries) * (0.5 + Math.random() / 2));
      }
    }
  };

  const statements = (send: (sql: string, values: readonly unknown[]) => Promise<readonly Row[]>): Calls => ({
    call: async (name: string, head: object, ...more: readonly unknown[]) => {
      const values = [head, ...more];
      const parameters = values.map((_, at) => `$${at + 1}::text::json`).join(", ");
      const [row] = await send(`SELECT heartwood.${name}(${parameters}) AS answer`, values);
      return row?.["answer"] as never;
    },
    rows: async (name, head) => (await send(`SELECT * FROM heartwood.${name}($1::text::json)`, [head])) as never,
  });
  const textsOf = ([head, ...more]: readonly unknown[], added: object): readonly string[] =>
    [{ ...(head as object), ...envelope, ...added }, ...more].map(printValue);

  const transaction = async <T>(act: (calls: Calls) => Promise<T>): Promise<T> => {
    let isOpen = true;
    const client = await createClient(address, options, { most: 1, onClose: () => (isOpen = false) });
    const send = async (sql: string, values: readonly unknown[]): Promise<readonly Row[]> => {
      // The next statement would connect again and run on its own.
      if (!isOpen) throw lostTransaction(address);
      try {
        return await within(client, sql, values);
      } catch (error) {
        throw isLost(error) && sql === "COMMIT" ? unknownEnd(address) : failureOf(error, address);
      }
    };
    try {
      const tx = randomUUID();
      await persistently(() => {
        isOpen = true;
        return within(client, "BEGIN", []);
      });
      await send("SELECT set_config('heartwood.transaction', $1, true)", [tx]);
      const result = await act(statements((sql, values) => send(sql, textsOf(values, { tx }))));
      await send("COMMIT", []);
      return result;
    } finally {
      // Rolls back what was not committed.
      await client.end({ timeout: 0 });
    }
  };
  let last: Promise<unknown> = Promise.resolve();

  return {
    address,
    ...statements((sql, values) => persistently(async (more) => within(await pooled(), sql, textsOf(values, more)))),
    transaction: (act) => {
      const run = last.then(() => transaction(act));
      last = run.catch(() => undefined);
      return run;
    },
    run: (sql) => persistently(async () => within(await pooled(), sql, [])),
    listen: async (channel, take, ready) => {
      const { unlisten } = await (await pooled()).listen(channel, take, ready);
      return async () => void (await unlisten());
    },
    close: async () => {
      const closing = pool;
      pool = undefined;
      await last;
      await (await closing)?.end({ timeout: CLOSE_S });
    },
  };
}

const CLOSE_S = 5;

/** JSON for the server, which accepts neither NUL nor half a surrogate pair; ids with them do not exist, and lines have them only in escapes. */
function printValue(value: unknown): string {
  const text = JSON.stringify(value);
  return /\\u(?:0000|d[89a-f])/u.test(text) ? JSON.stringify(value, (_, part: unknown) => storable(part)) : text;
}

function storable(part: unknown): unknown {
  return typeof part === "string" ? part.toWellFormed().replaceAll("\0", "\ufffd") : part;
}

function unknownEnd({ name }: Address): MemoryError {
  const message = `The connection to PostgreSQL at ${name} was lost at the end; the change was made completely or not at all. Run the command again: what was stored is recognized.`;
  return new MemoryError("io", message);
}

function lostTransaction({ name }: Address): MemoryError {
  return new MemoryError("io", `The connection to PostgreSQL at ${name} was lost. Nothing was changed; try again.`);
}
