import * as fs from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** Which memory a session began with, kept outside of the memory: one small file for each session. A cache: without it a memory that is gone is not noticed. */
export interface Session {
  readonly client: string;
  /** The client's id; empty when it gave none. */
  readonly session: string;
}

/** Milliseconds after which a session is forgotten. */
const aMonth = 30 * 86_400_000;

/** Notes that the session works with this memory, when the memory has anything to lose. Never fails. */
export function noteMemory(session: Session, dir: string): void {
  if (session.session === "" || !isThere(dir)) return;
  tried(() => {
    fs.mkdirSync(folder(), { recursive: true, mode: 0o700 });
    fs.writeFileSync(fileOf(session), dir, { mode: 0o600 });
  });
}

/** The folder of the memory that the session began with, when that memory is gone; for one caller, once. Never fails. */
export function lostMemory(session: Session): string | undefined {
  if (session.session === "") return undefined;
  return tried(() => {
    const file = fileOf(session);
    if (!fs.existsSync(file)) return undefined;
    const dir = fs.readFileSync(file, "utf8");
    if (isThere(dir)) return undefined;
    fs.unlinkSync(file);
    return dir;
  });
}

/** Whether this has not been said in the session yet; `yes` also when that is not known. Never fails. */
export function isFirstToSay(session: Session, what: string): "yes" | "no" {
  const made = tried(() => {
    fs.mkdirSync(folder(), { recursive: true, mode: 0o700 });
    const file = `${fileOf(session)}.${what}`;
    // Two hooks of one event may both come here: one of them makes the file.
    return madeFirst(file) ? "yes" : "no";
  });
  return made ?? "yes";
}

/** Never fails. */
export function forgetOldSessions(): void {
  tried(() => {
    const before = Date.now() - aMonth;
    for (const name of fs.readdirSync(folder())) {
      const file = join(folder(), name);
      if (fs.lstatSync(file).mtimeMs < before) fs.rmSync(file, { force: true });
    }
  });
}

function madeFirst(file: string): boolean {
  try {
    fs.closeSync(fs.openSync(file, "wx", 0o600));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function isThere(dir: string): boolean {
  return fs.existsSync(join(dir, "memory"));
}

function folder(): string {
  const named = process.env["XDG_CACHE_HOME"] ?? "";
  return join(isAbsolute(named) ? named : join(homedir(), ".cache"), "heartwood", "sessions");
}

function fileOf({ client, session }: Session): string {
  return join(folder(), `${client}-${Buffer.from(session).toString("hex").slice(0, 200)}`);
}

function tried<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
