import { parseAddress, checkRole, type PostgresOptions } from "./address.ts";
import { openSession, type Session } from "./client.ts";
import { codeOf, failureOf, newerSchema, SCHEMA_VERSION } from "./failures.ts";
import { MemoryError } from "../base/errors.ts";
import { APPEND } from "./sql/append.ts";
import { READ } from "./sql/read.ts";
import { grantsFor, TABLES } from "./sql/tables.ts";
import { ARTIFACTS, FORGET, IMPORT } from "./sql/write.ts";

export interface MigrateOptions extends Pick<PostgresOptions, "url" | "connectTimeoutMs" | "statementTimeoutMs"> {
  /** The application role; created without a login if it does not exist. Default `heartwood_app`. */
  readonly role?: string;
}

export interface Migrated {
  /** The version before; 0 for none. */
  readonly from: number;
  readonly to: number;
  readonly role: string;
}

/** The SQL of each version, from 1. A version that was released never changes. */
const VERSIONS: readonly string[] = [[TABLES, APPEND, READ, IMPORT, FORGET, ARTIFACTS].join("\n")];

/**
 * Brings the schema `heartwood` to this program's version, a transaction a version, and grants the application role what it needs. The user of the
 * address becomes the owner. Any number may start at once; each version is made once. Errors: `newer_store`, `invalid_config`, `io`.
 */
export async function migrate(options: MigrateOptions = {}): Promise<Migrated> {
  const address = parseAddress(options.url);
  const role = checkRole(options.role ?? "heartwood_app");
  const session = await openSession(address, { ...options, pooler: "transaction" });
  try {
    const first = await versionOf(session);
    if (first > SCHEMA_VERSION) throw newerSchema(address, first);
    let from: number | undefined;
    for (;;) {
      const step = await inTransaction(session, async () => {
        await session.send(LOCK);
        await session.send(BASE);
        const version = await versionOf(session);
        if (version > SCHEMA_VERSION) throw newerSchema(address, version);
        from ??= version;
        const sql = VERSIONS[version];
        if (sql !== undefined) {
          await session.send(sql);
          await session.send(`INSERT INTO heartwood.migration (version) VALUES (${version + 1})`);
          return "done";
        }
        await session.send(roleFor(role));
        await session.send(grantsFor(role, SCHEMA_VERSION));
        return "complete";
      });
      if (step === "complete") return { from: from ?? 0, to: SCHEMA_VERSION, role };
    }
  } catch (error) {
    throw codeOf(error) === "42501" ? notAllowed() : failureOf(error, address);
  } finally {
    await session.end();
  }
}

/** The version of the schema of a server; 0 for none. Tries once. Errors: `invalid_config`, `io`. */
export async function readVersion(options: PostgresOptions): Promise<number> {
  const address = parseAddress(options.url);
  const session = await openSession(address, { ...options, pooler: "transaction" });
  try {
    return await versionOf(session);
  } catch (error) {
    throw failureOf(error, address);
  } finally {
    await session.end();
  }
}

/** Until the transaction ends; the number is heartwood's own. */
const LOCK = "SELECT pg_advisory_xact_lock(7526752397)";

const BASE = `
CREATE SCHEMA IF NOT EXISTS heartwood;
CREATE TABLE IF NOT EXISTS heartwood.migration (version int PRIMARY KEY, migrated_at timestamptz NOT NULL DEFAULT now());
`;

async function versionOf(session: Session): Promise<number> {
  const [table] = await session.send("SELECT to_regclass('heartwood.migration') IS NOT NULL AS is_there");
  if (table?.["is_there"] !== true) return 0;
  const [row] = await session.send("SELECT coalesce(max(version), 0) AS version FROM heartwood.migration");
  return Number(row?.["version"]);
}

async function inTransaction<T>(session: Session, act: () => Promise<T>): Promise<T> {
  await session.send("BEGIN");
  try {
    const result = await act();
    await session.send("COMMIT");
    return result;
  } catch (error) {
    await session.send("ROLLBACK").catch(() => undefined);
    throw error;
  }
}

/** Roles belong to the whole server, so two databases may create one at once. */
function roleFor(role: string): string {
  return `
DO $do$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${role}') THEN
    CREATE ROLE ${role} NOLOGIN;
  END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN
  NULL;
END
$do$;
`;
}

function notAllowed(): MemoryError {
  const message =
    "The user of the address may not create the schema heartwood or its application role; connect as the owner of the database, with CREATEROLE or after `CREATE ROLE heartwood_app`.";
  return new MemoryError("invalid_config", message);
}
