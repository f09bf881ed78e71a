import { renameSync, rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { MemoryError } from "../../../base/errors.ts";
import type { SqliteDriver } from "../../../platform/sqlite.ts";
import {
  announceWrite,
  noteWritten,
  takeBackAnnouncement,
  factsOf,
  findIndex,
  makeFile,
  makePlace,
  removeUnfinished,
  unfinishedName,
} from "./index-file.ts";
import { failureOf, isBusy, isDamage, Opened, type OpenSession } from "./session.ts";
import { contentsOf, makeTables } from "./schema.ts";

/** What was found of an index. */
type Found<T> =
  | { readonly is: "ready"; readonly rules: string; readonly value: T; readonly size: number }
  | { readonly is: "absent"; readonly because?: "damaged" | "other_version" }
  | { readonly is: "newer" };

interface HowToWrite {
  readonly rules: string;
  readonly before: "kept" | "anew";
  readonly after: "nothing" | "settle";
  readonly signal: AbortSignal | undefined;
}

/** How long a call waits for another process. */
const readWaitMs = 1000;
const writeWaitMs = 10_000;
const longestPauseMs = 20;

/** One connection to the index, opened by the first call that needs it. `act` runs without a pause. */
export function createConnection({ folder, driver }: { readonly folder: string; readonly driver: SqliteDriver }) {
  const opened = new Opened(driver);
  const read = <T>(act: (session: OpenSession) => T): Found<T> => {
    const path = findIndex(folder);
    if (path === undefined) {
      opened.close();
      return { is: "absent" };
    }
    return unlessDamaged(() => readAt(opened, path, act), opened);
  };
  return {
    read: <T>(act: (session: OpenSession) => T, signal: AbortSignal | undefined): Promise<Found<T>> =>
      whenFree({ path: folder, waitMs: readWaitMs, signal }, () => read(act)),
    /** One transaction; an error leaves nothing. Makes the index when it is absent, of other rules, or to be made `anew`. */
    write: (how: HowToWrite, act: (session: OpenSession) => void): Promise<void> =>
      whenFree({ path: folder, waitMs: writeWaitMs, signal: how.signal }, () => {
        const there = read(() => undefined);
        if (there.is === "newer") throw newerStore(folder);
        const path = makePlace(folder);
        const isKept = there.is === "ready" && there.rules === how.rules && how.before === "kept";
        try {
          if (isKept) writeAt(opened, path, how, act);
          else makeAnew({ driver, opened, path, rules: how.rules }, act);
        } catch (error) {
          opened.close();
          throw error;
        }
      }),
    close: (): void => opened.close(),
  };
}

function readAt<T>(opened: Opened, path: string, act: (session: OpenSession) => T): Found<T> {
  const session = opened.session(path);
  if (session === undefined) return { is: "absent", because: "damaged" };
  session.database.exec("BEGIN");
  try {
    const contents = (session.contents ??= contentsOf(session));
    if (contents.is === "newer") return { is: "newer" };
    if (contents.is === "foreign") return { is: "absent", because: "other_version" };
    return { is: "ready", rules: contents.rules, value: act(session), size: factsOf(path)?.size ?? 0 };
  } finally {
    session.end("COMMIT");
  }
}

function writeAt(opened: Opened, path: string, how: HowToWrite, act: (session: OpenSession) => void): void {
  const session = opened.session(path) ?? opened.fresh(path);
  session.database.exec("BEGIN IMMEDIATE");
  try {
    act(session);
    announceWrite(path);
    session.database.exec("COMMIT");
  } catch (error) {
    session.end("ROLLBACK");
    takeBackAnnouncement(path);
    throw error;
  }
  session.writes += 1;
  opened.trust(noteWritten(path, how.after === "settle" ? "whole" : "part"));
}

interface Making {
  readonly driver: SqliteDriver;
  readonly opened: Opened;
  readonly path: string;
  readonly rules: string;
}

/** Makes the index beside the old one and puts it in its place: others read the old one until then. */
function makeAnew({ driver, opened, path, rules }: Making, act: (session: OpenSession) => void): void {
  removeUnfinished(path);
  const unfinished = unfinishedName(path);
  const making = new Opened(driver);
  try {
    makeFile(unfinished, "");
    const session = making.fresh(unfinished);
    session.database.exec("PRAGMA journal_mode = OFF; BEGIN IMMEDIATE");
    makeTables(session.database, rules);
    act(session);
    session.database.exec("COMMIT");
    making.close();
    opened.close();
    announceWrite(path);
    for (const ending of ["-journal", "-wal", "-shm"]) rmSync(`${path}${ending}`, { force: true });
    renameSync(unfinished, path);
    noteWritten(path, "whole");
  } catch (error) {
    making.close();
    removeUnfinished(path);
    throw error;
  }
}

function unlessDamaged<T>(act: () => Found<T>, opened: Opened): Found<T> {
  try {
    return act();
  } catch (error) {
    if (isBusy(error) || !isDamage(error)) throw error;
    opened.close();
    return { is: "absent", because: "damaged" };
  }
}

function newerStore(path: string): MemoryError {
  const sentence = `The index in ${path} was made by a newer heartwood; use that one, or delete the folder: the index is made anew.`;
  return new MemoryError("newer_store", sentence, { path });
}

/** Tries until nobody else is in the way. */
async function whenFree<T>(
  how: { readonly path: string; readonly waitMs: number; readonly signal: AbortSignal | undefined },
  attempt: () => T,
): Promise<T> {
  // The clock is looked at when somebody is in the way: to load it takes milliseconds.
  let until: number | undefined;
  for (let pause = 1; ; pause = Math.min(pause * 2, longestPauseMs)) {
    how.signal?.throwIfAborted();
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error)) throw failureOf(error, how.path);
      const now = performance.now();
      until ??= now + how.waitMs;
      if (now > until) throw failureOf(error, how.path);
    }
    await sleep(pause);
  }
}
