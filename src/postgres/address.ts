import { readFileSync } from "node:fs";
import { MemoryError } from "../base/errors.ts";
import { isThreadId } from "../threads/model/frame.ts";
import { shown } from "../text/shown.ts";

export interface PostgresOptions {
  /** `postgres://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=verify-full`. Default: `DATABASE_URL`. */
  readonly url?: string;
  /** Whose rows are read and written: `[a-z0-9][a-z0-9._-]{0,95}`. Default `default`. */
  readonly tenant?: string;
  /** Most connections for calls; an import or a rewrite has one of its own. Default 8. */
  readonly poolSize?: number;
  /** `transaction`: a pooler, such as PgBouncer, that gives each transaction another connection. Calls then take two round trips. */
  readonly pooler?: "transaction";
  /** Longest time to connect, in ms. Default 10,000. */
  readonly connectTimeoutMs?: number;
  /** Longest time for one statement, in ms. Default 60,000. */
  readonly statementTimeoutMs?: number;
  /** Longest time to wait for another writer, and to try again while the server cannot be reached, in ms. Default 10,000. */
  readonly waitMs?: number;
  /** `fails`: a call fails at once while no connection was ever made. Default: it tries again, as it does after a connection was lost. */
  readonly unreached?: "fails";
}

/** Where a server is, without the password: for messages. */
export interface Address {
  readonly url: string;
  /** `HOST:PORT/DATABASE`. */
  readonly name: string;
  /** Of a Unix socket. */
  readonly socket?: string;
  readonly ssl: false | "prefer" | "require" | "verify-full" | { readonly ca: string };
}

const SSL_MODES = ["disable", "prefer", "require", "verify-ca", "verify-full"] as const;

/** Errors: `invalid_config`; the message does not contain the address, which may have a password. */
export function parseAddress(url = process.env["DATABASE_URL"] ?? ""): Address {
  if (url === "")
    throw new MemoryError("invalid_config", "No address of a PostgreSQL server; set DATABASE_URL or pass `url`.");
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !["postgres:", "postgresql:"].includes(parsed.protocol))
    throw new MemoryError(
      "invalid_config",
      "The address of the PostgreSQL server is not a URL such as postgres://USER@HOST:5432/DATABASE; correct DATABASE_URL or `url`.",
    );
  // Otherwise the end of a password could become the path, which messages show.
  if (!isEncoded(`${parsed.username}:${parsed.password}`) || /[@#]/u.test(`${parsed.pathname}${parsed.hash}`))
    throw new MemoryError(
      "invalid_config",
      "The address of the PostgreSQL server has a character that must be percent-encoded, such as %, /, @ or # in the password; correct DATABASE_URL or `url`.",
    );
  const { searchParams: query } = parsed;
  const ssl = sslOf(query.get("sslmode"), query.get("sslrootcert"));
  // The rest of the query would become settings of the session.
  for (const key of ["sslmode", "sslrootcert"]) query.delete(key);
  const folder = query.get("host");
  query.delete("host");
  const port = parsed.port === "" ? "5432" : parsed.port;
  if (folder !== null) parsed.hostname = "localhost";
  const name = shown(`${folder ?? parsed.hostname}:${port}${parsed.pathname}`, 200);
  return { url: parsed.href, name, ssl, ...(folder !== null && { socket: `${folder}/.s.PGSQL.${port}` }) };
}

function isEncoded(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
}

function sslOf(given: string | null, rootFile: string | null): Address["ssl"] {
  const mode = SSL_MODES.find((one) => one === (given ?? "prefer"));
  if (mode === undefined) {
    const allowed = SSL_MODES.join(", ");
    throw new MemoryError("invalid_config", `sslmode is ${shown(given ?? "")}; allowed: ${allowed}.`);
  }
  if (mode === "disable") return false;
  if (mode === "prefer" || mode === "require") return mode;
  // Stricter than libpq, which does not check the host name for verify-ca.
  return rootFile === null || rootFile === "system" ? "verify-full" : { ca: certificateIn(rootFile) };
}

function certificateIn(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const message = `sslrootcert cannot be read (${shown(String(Object(error).code))}); correct its path in the address.`;
    throw new MemoryError("invalid_config", message);
  }
}

/** Errors: `invalid_id`. */
export function checkTenant(tenant: string): string {
  if (isThreadId(tenant)) return tenant;
  const message = `${JSON.stringify(shown(tenant))} is not a tenant; use 1 to 96 of a-z, 0-9, ".", "_" and "-", starting with a letter or digit.`;
  throw new MemoryError("invalid_id", message);
}

/** The name of a role, which becomes part of SQL. Errors: `invalid_config`. */
export function checkRole(role: string): string {
  if (/^[a-z_][a-z0-9_]{0,62}$/u.test(role) && role !== "public") return role;
  const message = `${JSON.stringify(shown(role))} is not a name for the application role; use 1 to 63 of a-z, 0-9 and "_", starting with a letter.`;
  throw new MemoryError("invalid_config", message);
}
