import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { HookCall } from "./hook-call.ts";

/** A client's session. The id is empty if the client gave none. */
type Session = Pick<HookCall, "client" | "session">;

const aDay = 86_400_000;

/**
 * Folders of small files in the user's cache, outside any memory, and the milliseconds after which a file is removed. `sessions`: a session's memory, and notices already given in it.
 * `injected`: which process injects a text. Without these files, a lost memory goes unnoticed and texts may be injected twice. Nothing here throws.
 */
const keptFor = { sessions: 30 * aDay, injected: aDay } as const;

/** Notes that the session uses this memory, if the memory has contents to lose. */
export function noteMemory(session: Session, dir: string): void {
  if (session.session === "" || !isThere(dir)) return;
  tried(() => {
    mkdirSync(folder("sessions"), { recursive: true, mode: 0o700 });
    writeFileSync(fileOf(session), dir, { mode: 0o600 });
  });
}

/** The folder of the memory that the session started with, if that memory is gone. Returned only once, to one caller. */
export function lostMemory(session: Session): string | undefined {
  if (session.session === "") return undefined;
  return tried(() => {
    const file = fileOf(session);
    if (!existsSync(file)) return undefined;
    const dir = readFileSync(file, "utf8");
    if (isThere(dir)) return undefined;
    unlinkSync(file);
    return dir;
  });
}

/** Whether this has not been said in the session yet; also `yes` if unknown. */
export function isFirstToSay(session: Session, what: "paused" | "untrusted"): "yes" | "no" {
  return claim("sessions", `${fileOf(session)}.${what}`);
}

/**
 * Whether this process is the one that injects, since a client and a plugin may both have started one. Also `yes` if unknown: twice is better than never. `seconds`: the time of the
 * event, since the epoch.
 */
export function isFirstToInject(call: HookCall, dir: string, seconds: number): "yes" | "no" {
  const { client, event, session, agent, source, promptId, time = "" } = call;
  const whose = [session, agent].filter((id) => id !== "").join("-") || dir;
  const of = [client, event, inName(whose, 128), inName(source, 24)].join("-");
  const fileAt = (nonce: string): string => join(folder("injected"), `${of}-${nonce}`);
  // Only prompts use the prompt id: there may be several compactions during one prompt.
  if (event === "prompt" && promptId !== "") return claim("injected", fileAt(inName(promptId, 64)));
  if (time !== "") return claim("injected", fileAt(`on${inName(time, 64)}`));
  // Two processes of one event may see different seconds; the earlier one wins.
  if (existsSync(fileAt(`at${seconds - 1}`))) return "no";
  return claim("injected", fileAt(`at${seconds}`));
}

export function forgetOldNotes(): void {
  for (const [name, age] of Object.entries(keptFor))
    tried(() => {
      const before = Date.now() - age;
      const at = folder(name);
      for (const file of readdirSync(at).map((one) => join(at, one)))
        if (lstatSync(file).mtimeMs < before) rmSync(file, { force: true });
    });
}

/** If two hooks of one event get here, only one of them creates the file. */
function claim(name: keyof typeof keptFor, file: string): "yes" | "no" {
  if (tried(() => mkdirSync(folder(name), { recursive: true, mode: 0o700 }) ?? "there") === undefined) return "yes";
  try {
    closeSync(openSync(file, "wx", 0o600));
    return "yes";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EEXIST" ? "no" : "yes";
  }
}

function isThere(dir: string): boolean {
  return existsSync(join(dir, "memory"));
}

function folder(name: string): string {
  const cache = process.env["XDG_CACHE_HOME"] ?? "";
  return join(isAbsolute(cache) ? cache : join(homedir(), ".cache"), "heartwood", name);
}

function fileOf({ client, session }: Session): string {
  return join(folder("sessions"), `${client}-${inName(session, 200)}`);
}

/** Ids come from the client and may contain anything. They are not hashed, because loading the hash code takes as long as everything else. */
function inName(text: string, most: number): string {
  return Buffer.from(text).toString("hex").slice(-most);
}

function tried<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
