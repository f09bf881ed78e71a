import { MemoryError, sqliteResultOf } from "../../base/errors.ts";
import type { SqliteDatabase, SqliteDriver } from "../sqlite-driver.ts";
import { emptyDamaged, lockFileId, makeLockFile, type LockFiles } from "./lock-files.ts";

/** A held lock. It is free after `end`, which can be called again without harm. */
export interface Transaction {
  end(): void;
}

/** Takes the lock if it is free, without waiting. */
export function beginTransaction(driver: SqliteDriver, lock: LockFiles): Transaction | undefined {
  let isRepaired = false;
  while (!held.has(lock.database)) {
    makeLockFile(lock);
    const before = lockFileId(lock);
    const database = openAndBegin(driver, lock);
    if (database === "busy") return undefined;
    if (database === "damaged") {
      if (isRepaired) throw new MemoryError("io", `${lock.database} is damaged. Delete it when nothing runs.`);
      emptyDamaged(lock);
      isRepaired = true;
    } else if (before === lockFileId(lock)) {
      return holdUntilEnd(lock, database);
    } else {
      // The file was deleted before it was locked: then nobody else would see this lock. Look again.
      database.close();
    }
  }
  return undefined;
}

/**
 * What this process holds. Shared by all instances, because the kernel counts POSIX locks by process: to open and close
 * a lock file by other means than SQLite would free the lock that another instance holds. It also keeps the database
 * from being collected as garbage, which would free the lock as well.
 */
const held = new Map<string, SqliteDatabase>();

function holdUntilEnd(lock: LockFiles, database: SqliteDatabase): Transaction {
  held.set(lock.database, database);
  return {
    end: () => {
      if (held.get(lock.database) !== database) return;
      held.delete(lock.database);
      database.close();
    },
  };
}

function openAndBegin(driver: SqliteDriver, lock: LockFiles): SqliteDatabase | "busy" | "damaged" {
  const database = driver.open(lock.database);
  try {
    // In memory, since SQLite would otherwise make a journal file for the empty database.
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE");
    return database;
  } catch (error) {
    database.close();
    const result = sqliteResultOf(error);
    if (result === undefined || meanings[result] === undefined) throw error;
    return meanings[result];
  }
}

/** SQLITE_BUSY, SQLITE_LOCKED, SQLITE_CORRUPT, SQLITE_NOTADB. */
const meanings: Readonly<Record<number, "busy" | "damaged">> = { 5: "busy", 6: "busy", 11: "damaged", 26: "damaged" };
