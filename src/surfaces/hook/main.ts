import { writeSync } from "node:fs";
import { MemoryError } from "../../base/errors.ts";
import { longestMs, type HookCall } from "../../agents/hooks/hook-call.ts";
import { openMemory } from "../../open.ts";
import type { Consent } from "../../platform/trust.ts";
import { nearestForHook, openHookFiles, openHookHost, openHookOnce } from "../../open-hook.ts";
import { endProcess } from "../../platform/program.ts";
import { forgetOldSessions, isFirstToSay, lostMemory, noteMemory } from "../../agents/hooks/session-memories.ts";
import {
  eventOf,
  hookClients,
  noticeFrom,
  printAnswer,
  type ClientEvent,
  type HookClient,
} from "../../agents/hooks/clients.ts";
import { readInput, readStream, type HookInput, type ReadInput } from "./input.ts";

const inputLimits = { waitMs: 1000, most: 8 * 1024 * 1024 };

/** The process of `heartwood hook <client> <event>`: it never fails its client. `said`: called when it has something to say. */
export async function main(said: () => void): Promise<void> {
  // A word that is not the client's would break what it reads.
  console.log = console.error = () => undefined;
  process.on("uncaughtException", endProcess);
  const given = process.argv.slice(3);
  // The words of background work may be anything that a client named, so there it is the last one.
  const isBackground = given[1] === "upkeep" || given[1] === "captured";
  const options = isBackground ? given.slice(-1) : given.slice(2);
  const consent = options.includes("--trust") ? "given" : "recorded";
  const words = isBackground && consent === "given" ? given.slice(0, -1) : given;
  if (isBackground) return work(words, consent);
  const called = calledBy(words);
  const limit = limitOf(called.event);
  let output = "";
  const late = (): void => {
    if (output === "") tryToWrite(Buffer.from(lateAnswer(called)));
    endProcess();
  };
  setTimeout(late, limit - performance.now());
  output = await answer(called, { limit, consent }).catch(() => "");
  if (output !== "") said();
  await written(output);
  // What was given up may still hang.
  if (performance.now() > limit / 3) endProcess();
  process.exit(0);
}

interface Called {
  readonly names: readonly [string, string];
  readonly client: HookClient | undefined;
  readonly event: ClientEvent | undefined;
}

function calledBy([clientName = "", eventName = ""]: readonly string[]): Called {
  const client = hookClients.find(({ name }) => name === clientName);
  return {
    names: [clientName, eventName],
    client,
    event: client === undefined ? undefined : eventOf(client, eventName),
  };
}

/** Milliseconds from the start of the process. */
function limitOf(event: ClientEvent | undefined): number {
  const named = Number(process.env["HEARTWOOD_HOOK_MS"]);
  return Number.isInteger(named) && named > 0 ? named : longestMs[event?.is ?? "session-end"];
}

/** For a client whose session begins: nothing more can be found out, and written, now. */
function lateAnswer({ client, event }: Called): string {
  if (client === undefined || event?.is !== "session-start") return "";
  const notice = "The memory did not answer in time, so this session starts without it. Run `heartwood doctor`.";
  return printAnswer(client, event, { text: "", notice });
}

interface Terms {
  /** Milliseconds from the start of the process. */
  readonly limit: number;
  readonly consent: Consent;
}

async function answer({ names, client, event }: Called, { limit, consent }: Terms): Promise<string> {
  const { text, fault } = await standardInput(Math.min(inputLimits.waitMs, limit / 2));
  const input = readInput(text);
  const found = nearestForHook(folderOf(input), consent);
  if (found?.trust === "untrusted") return refusalTo(client, event, input);
  const dir = found?.dir;
  const wrong = fault ?? faultOf({ client, event, input });
  if (dir !== undefined && wrong !== undefined) await record({ client: names[0], event: names[1], dir }, wrong);
  if (client === undefined || event === undefined) return "";
  const lost = event.is === "prompt" ? lostMemory({ client: client.name, session: input.session }) : undefined;
  const gone = lost === undefined ? "" : goneFrom(lost);
  if (dir === undefined) return printAnswer(client, event, { text: "", notice: await noticeFrom(gone) });
  const call = callOf(client, event, input);
  try {
    const host = openHookHost(await openMemory({ dir, consent }), consent);
    if (call.event === "session-start") noteMemory(call, dir);
    const { runHook } = await import("../../agents/hooks/run-hook.ts");
    // A third, so that what was begun is done before the end.
    const { text: context, notice } = await runHook(host, call, AbortSignal.timeout(Math.floor(limit / 3)));
    return printAnswer(client, event, { text: context, notice: await noticeFrom(notice || gone) });
  } catch (error) {
    await record({ client: names[0], event: names[1], dir }, error);
    const notice = gone || (await faultToShow(dir, call, error));
    return printAnswer(client, event, { text: "", notice: await noticeFrom(notice) });
  }
}

function goneFrom(dir: string): string {
  return `The memory in ${dir} is gone, so this session continues without it. Restore its files, or run \`heartwood init --dir ${dir}\` to begin a new one.`;
}

/** What keeps a session from its memory. Other failures of a prompt are for doctor: the next one may go well. */
async function faultToShow(dir: string, call: HookCall, error: unknown): Promise<string> {
  const isBroken = error instanceof MemoryError && error.code === "invalid_config";
  if (call.event !== "session-start" && !(call.event === "prompt" && isBroken)) return "";
  const { isFirst, pausedBy } = await import("../../agents/hooks/run-hook.ts");
  const isNew = isBroken && isFirstToSay(call, "paused") === "yes";
  if (call.event === "prompt") return isNew ? pausedBy(error) : "";
  if ((await isFirst(openHookOnce(dir), call, Math.floor(Date.now() / 1000))) === "no") return "";
  return `This session starts without its memory: ${toldAs(error).message}`;
}

/** A person who tries it out writes none. */
async function standardInput(waitMs: number): Promise<ReadInput> {
  if (process.stdin.isTTY) return { text: "{}", fault: undefined };
  return readStream(process.stdin, { ...inputLimits, waitMs });
}

function callOf({ name, space, captured }: HookClient, { is }: ClientEvent, input: HookInput): HookCall {
  const { session, source, prompt, promptId, transcript, root } = input;
  return { client: name, event: is, session, source, prompt, promptId, transcript, root, space, captured };
}

function folderOf({ cwd }: HookInput): string {
  const named = [process.env["CLAUDE_PROJECT_DIR"], process.env["GEMINI_PROJECT_DIR"], cwd];
  return named.find((dir) => dir !== undefined && dir !== "") ?? process.cwd();
}

/** In an untrusted folder nothing is read, written or started: one line, once in a session, and no word of the folder's own. */
async function refusalTo(
  client: HookClient | undefined,
  event: ClientEvent | undefined,
  { session }: HookInput,
): Promise<string> {
  if (client === undefined || (event?.is !== "session-start" && event?.is !== "prompt")) return "";
  if (isFirstToSay({ client: client.name, session }, "untrusted") === "no") return "";
  const notice = await noticeFrom(
    "This folder has a memory that you have not trusted, so it is not used; run `heartwood trust` in it if you know where it comes from.",
  );
  return printAnswer(client, event, { text: "", notice });
}

function faultOf(given: {
  readonly client: HookClient | undefined;
  readonly event: ClientEvent | undefined;
  readonly input: HookInput;
}): MemoryError | undefined {
  if (given.client === undefined) {
    const names = hookClients.map(({ name }) => name).join(", ");
    return new MemoryError("usage", `There is no client of this name; clients are ${names}.`);
  }
  if (given.event === undefined) {
    const names = given.client.events.map(({ name, is }) => `${is} (${name})`).join(", ");
    return new MemoryError("usage", `${given.client.name} has no event of this name; it has ${names}.`);
  }
  if (given.input.state === "read") return undefined;
  const seen = given.input.state === "empty" ? "nothing" : "no JSON object";
  return new MemoryError("usage", `Standard input had ${seen}; a client writes one JSON object to it.`);
}

interface Told {
  readonly client: string;
  readonly event: string;
  readonly dir: string;
}

async function record({ client, event, dir }: Told, error: unknown): Promise<void> {
  const { recordHookError } = await import("../../agents/hooks/errors.ts");
  const { code, message } = toldAs(error);
  const at = new Date(Date.now()).toISOString();
  await recordHookError(openHookFiles(dir), { at, client, event, code, message });
}

function toldAs(error: unknown): { readonly code: string; readonly message: string } {
  if (error instanceof MemoryError) return error;
  if (!(error instanceof Error)) return { code: "internal", message: "Something failed." };
  if (error.name !== "TimeoutError" && error.name !== "AbortError") return { code: "internal", message: error.message };
  return { code: "aborted", message: "What bears on the prompt was not found in time, and nothing was given." };
}

/** What a hook started, which nobody waits for: `<client> upkeep <folder>`, `<client> captured <folder> <what ended> <session> <transcript>`. */
async function work(words: readonly string[], consent: Consent): Promise<void> {
  const [clientName, what = "", named = "", ended = "", session = "", transcript = ""] = words;
  const client = hookClients.find(({ name }) => name === clientName);
  const found = named === "" ? undefined : nearestForHook(named, consent);
  if (client === undefined || found?.trust !== "trusted") return;
  const { dir } = found;
  try {
    const host = openHookHost(await openMemory({ dir, consent }), consent);
    const { runCapture, runUpkeep } = await import("../../agents/hooks/upkeep.ts");
    if (what === "captured") await runCapture(host, { client: client.name, ended, session, transcript });
    else await runUpkeep(host, { client: client.name, space: client.space, captured: client.captured });
    forgetOldSessions();
  } catch (error) {
    await record({ client: client.name, event: what, dir }, error);
  }
}

/** At once where the reader has room, which takes no stream. A reader that went away is no failure. */
function written(text: string): Promise<void> {
  const rest = tryToWrite(Buffer.from(text));
  if (rest.length === 0) return Promise.resolve();
  return new Promise((resolve) => {
    process.stdout.on("error", () => resolve());
    process.stdout.write(rest, () => resolve());
  });
}

/** What the reader has no room for; nothing when it went away. */
function tryToWrite(bytes: Buffer): Buffer {
  let at = 0;
  try {
    while (at < bytes.length) at += writeSync(1, bytes, at);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EAGAIN") return bytes.subarray(at);
  }
  return Buffer.alloc(0);
}
