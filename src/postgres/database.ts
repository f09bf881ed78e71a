import { setTimeout as pause } from "node:timers/promises";
import { randomUUID } from "node:crypto";
import { MemoryError } from "../base/errors.ts";
import { checkTenant, parseAddress, type Address, type PostgresOptions } from "./address.ts";
import { answerOf, createClient, lost, openSession, type Client, type Row } from "./client.ts";
import { listen, channelOf, type Listening } from "./listen.ts";
import { failureOf, isLost, isPassing, isUnreached, SCHEMA_VERSION } from "./failures.ts";

/** A tenant's part of a database. Connects when first used, and can be used again after `close`. */
export interface PostgresDatabase {
  /** `HOST:PORT/DATABASE`, for messages. */
  readonly name: string;
  /** Whose rows the calls read and write. */
  readonly tenant: string;
  /**
   * Calls a function of the schema in a transaction of its own: one round trip. Repeated after a lost connection, with `is_repeated`, since the first
   * call may have been committed.
   */
  call<T>(name: string, head: object, ...more: readonly unknown[]): Promise<T>;
  /**
   * As `call`, with plain arguments after the tenant, the version and the time limit, and tried only once: `lost` if the answer never came, null if the
   * function left the rest to `call`, or another transaction was in the way.
   */
  quick<T>(name: string, values: readonly Plain[]): Promise<T | "lost" | null>;
  /** The rows that a function returns. */
  rows<T extends object>(name: string, head: object): Promise<readonly T[]>;
  /** One transaction on its own connection, one at a time. If `act` throws or the connection is lost, nothing is written. */
  transaction<T>(act: (calls: Calls) => Promise<T>): Promise<T>;
  /** A statement outside of any transaction, as the user of the address. */
  run(sql: string): Promise<readonly Row[]>;
  /**
   * Calls `take` for each notification of the tenant, and `ready` whenever listening has begun: what happened before, or while the connection was lost,
   * was missed. Ends with `stop`.
   */
  listen(events: { take(payload: string): void; ready(): void }): Listening;
  close(): Promise<void>;
}

/** `quick` is not there within a transaction. */
export type Calls = Pick<PostgresDatabase, "call" | "rows"> & Partial<Pick<PostgresDatabase, "quick">>;

export type Plain = string | number | boolean | null;

const POOL_SIZE = 8;
const WAIT_MS = 10_000;

/** Opens nothing yet. Errors: `invalid_config`, `invalid_id`. */
export function openPostgres(options: PostgresOptions = {}): PostgresDatabase {
  const address = parseAddress(options.url);
  const tenant = checkTenant(options.tenant ?? "default");
  const { poolSize = POOL_SIZE, waitMs = WAIT_MS } = options;
  let pool: Promise<Client> | undefined;
  let wasReached = options.unreached !== "fails";
  const pooled = (): Promise<Client> => {
    pool ??= createClient(address, options, { most: poolSize }).catch((error: unknown) => {
      pool = undefined;
      throw error;
    });
    return pool;
  };
  // 0 would be no limit.
  const envelope = { tenant, version: SCHEMA_VERSION, wait: `${Math.max(1, Math.round(waitMs))}ms` };

  const ask = async (sql: string, name: string, values: readonly Plain[]): Promise<readonly Row[]> => {
    const source = pooled();
    const client = await source;
    try {
      const running = client.unsafe(sql, [name, ...values], { prepare: options.pooler === undefined });
      const rows = await answerOf(running, options);
      // The driver may give a statement the end, or the rows, of another one when its connection is lost.
      if (rows[0]?.["name"] !== name) throw lost("CONNECTION_CLOSED", "the answer was not for this call");
      wasReached = true;
      return rows;
    } catch (error) {
      if (isLost(error)) {
        // Its other connections may be in an odd state, too.
        if (pool === source) pool = undefined;
        await client.end({ timeout: 0 });
      }
      throw error;
    }
  };

  /** Tries again until the time is over. */
  const persistently = async <T>(act: (more: object) => Promise<T>): Promise<T> => {
    const until = performance.now() + waitMs;
    let more = {};
    for (let tries = 1; ; tries += 1) {
      try {
        const result = await act(more);
        wasReached = true;
        return result;
      } catch (error) {
        if (!wasReached && isUnreached(error)) throw failureOf(error, address);
        if (!(isLost(error) || isPassing(error)) || performance.now() > until) throw failureOf(error, address);
        if (isLost(error)) more = { is_repeated: true };
        await pause(Math.min(500, 5 * 2 ** tries) * (0.5 + Math.random() / 2));
      }
    }
  };

  const textsOf = ([head, ...more]: readonly unknown[], added: object): readonly string[] =>
    [{ ...(head as object), ...envelope, ...added }, ...more].map(printValue);

  const transaction = async <T>(act: (calls: Calls) => Promise<T>): Promise<T> => {
    const tx = randomUUID();
    const session = await persistently(async () => {
      const opened = await openSession(address, options);
      try {
        await opened.send("BEGIN");
        return opened;
      } catch (error) {
        await opened.end();
        throw error;
      }
    });
    const send = async (sql: string, values: readonly unknown[]): Promise<readonly Row[]> => {
      try {
        return await session.send(sql, values);
      } catch (error) {
        if (!isLost(error)) throw failureOf(error, address);
        throw sql === "COMMIT" ? unknownEnd(address) : lostTransaction(address);
      }
    };
    try {
      await send("SELECT set_config('heartwood.transaction', $1, true)", [tx]);
      const result = await act(callsBy(({ sql, name, values }) => send(sql, [name, ...textsOf(values, { tx })])));
      await send("COMMIT", []);
      return result;
    } finally {
      await session.end();
    }
  };
  let last: Promise<unknown> = Promise.resolve();

  return {
    name: address.name,
    tenant,
    ...callsBy(({ sql, name, values }) => persistently((more) => ask(sql, name, textsOf(values, more)))),
    quick: async (of, values) => {
      const all = [tenant, SCHEMA_VERSION, envelope.wait, ...values.map(storable)];
      const sql = `SELECT $1::text AS name, heartwood.${of}(${all.map((_, at) => `$${at + 2}`).join(", ")}) AS answer`;
      try {
        const [row] = await ask(sql, randomUUID(), all);
        return row?.["answer"] as never;
      } catch (error) {
        if (isLost(error)) return "lost";
        if (isPassing(error)) return null;
        throw failureOf(error, address);
      }
    },
    transaction: (act) => {
      const run = last.then(() => transaction(act));
      last = run.catch(() => undefined);
      return run;
    },
    run: (sql) => persistently(async () => (await pooled()).unsafe(sql)),
    listen: (events) => listen({ address, options, channel: channelOf(tenant) }, events),
    close: async () => {
      const closing = pool;
      pool = undefined;
      await last;
      await (await closing)?.end({ timeout: CLOSE_S });
    },
  };
}

const CLOSE_S = 5;

/** A call of a function: the first value is `name`, which comes back with each row, the others are its arguments. */
interface Statement {
  readonly sql: string;
  readonly name: string;
  readonly values: readonly unknown[];
}

function callsBy(send: (statement: Statement) => Promise<readonly Row[]>): Calls {
  return {
    call: async (of: string, head: object, ...more: readonly unknown[]) => {
      const values = [head, ...more];
      const parameters = values.map((_, at) => `$${at + 2}::text::json`).join(", ");
      const sql = `SELECT $1::text AS name, heartwood.${of}(${parameters}) AS answer`;
      const [row] = await send({ sql, name: randomUUID(), values });
      return row?.["answer"] as never;
    },
    rows: async (of, head) => {
      const sql = `SELECT call.name, row.* FROM (SELECT $1::text AS name) AS call LEFT JOIN LATERAL heartwood.${of}($2::text::json) AS row ON true`;
      const rows = await send({ sql, name: randomUUID(), values: [head] });
      // Without rows, there is one of nulls.
      return rows.filter((row) => row["seq"] !== null) as never;
    },
  };
}

/** JSON for the server, which accepts neither NUL nor half a surrogate pair; ids with them do not exist, and lines have them only in escapes. */
function printValue(value: unknown): string {
  const text = JSON.stringify(value);
  return /\\u(?:0000|d[89a-f])/u.test(text) ? JSON.stringify(value, (_, part: unknown) => storable(part)) : text;
}

function storable<T>(part: T): T | string {
  return typeof part === "string" ? part.toWellFormed().replaceAll("\0", "\ufffd") : part;
}

function unknownEnd({ name }: Address): MemoryError {
  const message = `The connection to PostgreSQL at ${name} was lost at the end; the change was made completely or not at all. Run the command again: what was stored is recognized.`;
  return new MemoryError("io", message);
}

function lostTransaction({ name }: Address): MemoryError {
  return new MemoryError("io", `The connection to PostgreSQL at ${name} was lost. Nothing was changed; try again.`);
}
