import { MemoryError, type ErrorCode } from "../base/errors.ts";
import { shown } from "../text/shown.ts";
import { jobNotSpawned } from "../threads/store/checked-draft.ts";
import { textOf } from "../threads/store/column-text.ts";
import type { Address } from "./address.ts";

/** The server's code of an error (SQLSTATE), or that of the connection; undefined for errors of other places. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || error instanceof MemoryError || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** The connection was lost or never made, or the server is starting or stopping. What a statement did in the meantime is not known. */
const LOST =
  /^(?:CONNECTION_(?:CLOSED|DESTROYED|ENDED)|CONNECT_TIMEOUT|ECONN\w+|EPIPE|ENOENT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ENOTFOUND|ETIMEDOUT|57P0[1-35]|08\w\w\w|53300)$/u;

export function isLost(error: unknown): boolean {
  return LOST.test(codeOf(error) ?? "");
}

/** No connection was made, so the server did nothing. */
export function isUnreached(error: unknown): boolean {
  return /^(?:CONNECT_TIMEOUT|ECONNREFUSED|ENOENT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ENOTFOUND)$/u.test(
    codeOf(error) ?? "",
  );
}

/** The server rolled back because of another transaction: the same call may work. 23505: another transaction was faster with an id. */
export function isPassing(error: unknown): boolean {
  return ["40001", "40P01", "23505"].includes(codeOf(error) ?? "");
}

const BUSY = ["55P03", "57014", "40001", "40P01", "23505"];
const FULL = ["53100"];
/** No such schema, table, column or function; the schema is not ours, or not of this version. */
const UNMIGRATED = ["3F000", "42P01", "42883", "42703"];

/** The error for the caller. It has the server's words, redacted, but never an address or a value of a statement. */
export function failureOf(error: unknown, address: Address): unknown {
  const sqlstate = codeOf(error);
  if (sqlstate === undefined) return error;
  const said = shown((error as Error).message, 200);
  const failure = (code: ErrorCode, message: string): MemoryError => new MemoryError(code, message, { sqlstate });
  const where = `PostgreSQL at ${address.name}`;
  if (sqlstate === "HW001") return versionFailure(error, address);
  if (sqlstate === "HW002")
    return failure("io", `The connection to ${where} was lost in a transaction. Nothing was changed; try again.`);
  if (sqlstate === "HW003") return jobNotSpawned(textOf(String(Object(error).detail)));
  if (UNMIGRATED.includes(sqlstate)) return notMigrated(address);
  if (sqlstate === "57014")
    return failure("busy", `${where} did not finish a statement in time; try again when it has less to do.`);
  if (BUSY.includes(sqlstate))
    return failure("busy", `Other writers at ${where} did not finish in time (${said}); try again.`);
  if (FULL.includes(sqlstate))
    return failure(
      "disk_full",
      `${where} has no space left (${said}). Nothing was changed; free space, then try again.`,
    );
  if (sqlstate === "42501")
    return failure(
      "io",
      `${where} refused: ${said}. Connect as a member of the application role, such as heartwood_app.`,
    );
  if (/^28|^3D000/u.test(sqlstate))
    return failure(
      "invalid_config",
      `${where} refused the connection: ${said}. Correct the user and the password in the address.`,
    );
  if (isLost(error))
    return failure("io", `${where} cannot be reached (${said}); check the address and the server, then try again.`);
  return failure("io", `${where} failed: ${said} (${sqlstate}).`);
}

function versionFailure(error: unknown, address: Address): MemoryError {
  const version = Number(Object(error).detail);
  return version > SCHEMA_VERSION ? newerSchema(address, version) : notMigrated(address);
}

/** The version of the schema that this program reads and writes. */
export const SCHEMA_VERSION = 1;

export function newerSchema({ name }: Address, version: number): MemoryError {
  const sentence = `The schema heartwood in ${name} has version ${version}; this program supports up to ${SCHEMA_VERSION}. Use a newer heartwood.`;
  return new MemoryError("newer_store", sentence, { version });
}

function notMigrated({ name }: Address): MemoryError {
  const sentence = `The database ${name} has no schema of version ${SCHEMA_VERSION} for heartwood; run \`heartwood store migrate\` as its owner.`;
  return new MemoryError("older_store", sentence);
}
