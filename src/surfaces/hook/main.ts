import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { eventOf, hookClients, noticeFrom, printAnswer, type ClientEvent } from "../../agents/hooks/clients.ts";
import {
  latestMeaningMs,
  longestMs,
  type HookAnswer,
  type HookCall,
  type HookHost,
} from "../../agents/hooks/hook-call.ts";
import {
  forgetOldNotes,
  isFirstToInject,
  isFirstToSay,
  lostMemory,
  noteMemory,
} from "../../agents/hooks/session-notes.ts";
import { MemoryError } from "../../base/errors.ts";
import { openMemory } from "../../open.ts";
import { boundHeap, endProcess, shippedFile } from "../../platform/program.ts";
import { type Consent, openTrusted } from "../../platform/trust.ts";
import { briefIn, readInput, readStream, type HookInput } from "./input.ts";
import { createNodeBackground } from "../../platform/commands.ts";
import { createNodeFiles } from "../../platform/node-files/node-files.ts";
import { nearestMemory, otherOwners, personalMemory } from "../../platform/folders.ts";
import type { Memory } from "../../operations/operation.ts";
import { openLocalState, guardFiles } from "../../platform/local-state.ts";
import type { Files } from "../../platform/files.ts";

/** The process of `heartwood hook <client> <event>`, which never makes its client fail. Calls `said` before it prints anything. */
export async function main(said: () => void): Promise<void> {
  // Any other output would break the format that the client parses.
  console.log = console.error = () => undefined;
  process.on("uncaughtException", endProcess);
  const given = process.argv.slice(3);
  // Arguments of background work may contain anything a client sent, so only the last one can be the option.
  const isBackground = given[1] === "upkeep" || given[1] === "captured";
  const options = isBackground ? given.slice(-1) : given.slice(2);
  const consent = options.includes("--trust") ? "given" : "recorded";
  if (isBackground) return work(consent === "given" ? given.slice(0, -1) : given, consent);
  const called = calledBy(given);
  const limit = limitOf(called.event);
  let output = "";
  const late = (): void => {
    if (output === "") tryToWrite(Buffer.from(lateAnswer(called)));
    endProcess();
  };
  setTimeout(late, limit - performance.now());
  const answered = await answer(called, limit, consent).catch((): Answered => ({ output: "" }));
  output = answered.output;
  if (output !== "") said();
  await written(output);
  await answered.record?.();
  // An abandoned call may still be hanging.
  if (performance.now() > limit / 3) endProcess();
  process.exit(0);
}

type Called = ReturnType<typeof calledBy>;

function calledBy([clientName = "", eventName = ""]: readonly string[]) {
  const client = hookClients.find(({ name }) => name === clientName);
  return { names: [clientName, eventName] as const, client, event: client && eventOf(client, eventName) };
}

/** Milliseconds from the start of the process. */
function limitOf(event: ClientEvent | undefined): number {
  const named = Number(process.env["HEARTWOOD_HOOK_MS"]);
  return Number.isInteger(named) && named > 0 ? named : longestMs[event?.is ?? "session-end"];
}

/** The answer at the start of a session if there is no time left for anything else, unless the first prompt gives the memory. */
function lateAnswer({ client, event }: Called): string {
  if (client === undefined || client.start === "prompt" || event?.is !== "session-start") return "";
  const notice = "The memory did not answer in time, so this session starts without it. Run `heartwood doctor`.";
  return printAnswer(client, event, { text: "", notice });
}

/** `limit`: milliseconds from the start of the process. */
interface Answered extends Pick<HookAnswer, "record"> {
  readonly output: string;
}

async function answer(called: Called, limit: number, consent: Consent): Promise<Answered> {
  const { names, client, event } = called;
  // At most half the time, and at most one second.
  const { text, fault } = await readStream(process.stdin, Math.min(1000, limit / 2));
  const input = readInput(text);
  const { CLAUDE_PROJECT_DIR, GEMINI_PROJECT_DIR } = process.env;
  // Copilot sets CLAUDE_PROJECT_DIR to the root of the repository, even in a subfolder.
  const folder = (client?.name === "copilot" && input.cwd) || CLAUDE_PROJECT_DIR || GEMINI_PROJECT_DIR || input.cwd;
  const found = nearestForHook(folder || process.cwd(), consent);
  const dir = found?.trust === "trusted" ? found.dir : undefined;
  const wrong = fault ?? faultOf(called, input);
  if (dir !== undefined && wrong !== undefined) await record(names, dir, wrong);
  if (client === undefined || event === undefined) return { output: "" };
  const call: HookCall = {
    ...input,
    client: client.name,
    event: event.is,
    ...(event.is === "prompt" && client.compaction === "transcript" && { transcriptEnd: endOf(input.transcript) }),
    ...(event.is === "subagent-start" && { prompt: briefIn(endOf(input.transcript), input.agentKind) }),
    space: client.space,
    profile: client.profile,
    start: client.start,
    compaction: client.compaction,
    captured: client.captured,
  };
  const printed = async (notice: string, context = "") => {
    return { output: printAnswer(client, event, { text: context, notice: await noticeFrom(notice) }) };
  };
  if (found?.trust === "untrusted") return printed(refusalOf(call));
  const gone = goneIn(call);
  if (dir === undefined) return printed(gone);
  try {
    const isLate = (): boolean => performance.now() > limit / 3;
    const memory = await openMemory({ dir, consent });
    const isLateForMeaning = (): boolean => performance.now() > latestMeaningMs;
    const host = { ...openHookHost(memory, consent), isLate, isLateForMeaning };
    if (call.event === "session-start") noteMemory(call, dir);
    const { runHook } = await import("../../agents/hooks/run-hook.ts");
    // A third of the time, so that work in progress can finish before the limit.
    // Nothing is captured into the personal memory.
    const own = memory.kind === "personal" ? { ...call, captured: "no" as const } : call;
    const given = await runHook(host, own, AbortSignal.timeout(Math.floor(limit / 3)));
    return { ...(await printed(given.notice || gone, given.text)), ...(given.record && { record: given.record }) };
  } catch (thrown) {
    const error = timely(thrown);
    await record(names, dir, error);
    return printed(gone || (await faultToShow(dir, call, error)));
  }
}

function faultOf({ client, event }: Called, { state }: HookInput): MemoryError | undefined {
  if (client === undefined) {
    const names = hookClients.map(({ name }) => name).join(", ");
    return new MemoryError("usage", `Unknown client; the clients are ${names}.`);
  }
  if (event === undefined) {
    const names = client.events.map(({ name, is }) => `${is} (${name})`).join(", ");
    return new MemoryError("usage", `Unknown event; the events for ${client.name} are ${names}.`);
  }
  if (state === "read") return undefined;
  const seen = state === "empty" ? "was empty" : "was not a JSON object";
  return new MemoryError("usage", `Standard input ${seen}; a client writes one JSON object to it.`);
}

/** In an untrusted folder, nothing is read, written or started. The session gets one line, once, without any of the folder's contents. */
function refusalOf(call: HookCall): string {
  const isShown = call.event === "session-start" || call.event === "prompt";
  if (!isShown || isFirstToSay(call, "untrusted") === "no") return "";
  return "This folder has a memory that you have not trusted, so it is not used; run `heartwood trust` in it if you know where it comes from.";
}

function goneIn(call: HookCall): string {
  const dir = call.event === "prompt" ? lostMemory(call) : undefined;
  if (dir === undefined) return "";
  return `The memory in ${dir} is gone, so this session continues without it. Restore its files, or run \`heartwood init --dir ${dir}\` to create a new one.`;
}

/** The notice for a failure that leaves a session without its memory. Other failures on a prompt are only shown by doctor, since the next prompt may succeed. */
async function faultToShow(dir: string, call: HookCall, error: unknown): Promise<string> {
  const isBroken = error instanceof MemoryError && error.code === "invalid_config";
  if (call.event !== "session-start" && !(call.event === "prompt" && isBroken)) return "";
  const isNew = isBroken && isFirstToSay(call, "paused") === "yes";
  if (call.event === "session-start") {
    const isFirst = isFirstToInject(call, dir, Math.floor(Date.now() / 1000)) === "yes";
    const { reportOf } = await import("../../agents/hooks/errors.ts");
    return isFirst ? `This session starts without its memory: ${reportOf(error).message}` : "";
  }
  const { pausedBy } = await import("../../agents/hooks/run-hook.ts");
  return isNew ? pausedBy(error as MemoryError) : "";
}

async function record(
  [client, event]: readonly [client: string, event: string],
  dir: string,
  error: unknown,
): Promise<void> {
  const { recordHookError, reportOf } = await import("../../agents/hooks/errors.ts");
  const at = new Date(Date.now()).toISOString();
  await recordHookError(openHookFiles(dir), { at, client, event, ...reportOf(error) });
}

/** Rewords an abort, which can only come from recall for a prompt. */
function timely(error: unknown): unknown {
  if (!(error instanceof Error) || !["TimeoutError", "AbortError"].includes(error.name)) return error;
  return new MemoryError("aborted", "Recall for the prompt took too long, so nothing was injected.");
}

/** Background work of a hook: `<client> upkeep <folder>`, `<client> captured <folder> <what ended> <session> <transcript>`. */
async function work(words: readonly string[], consent: Consent): Promise<void> {
  const [clientName, what = "", named = "", ended = "", session = "", transcript = ""] = words;
  const client = hookClients.find(({ name }) => name === clientName);
  const found = named === "" ? undefined : nearestForHook(named, consent);
  if (client === undefined || found?.trust !== "trusted") return;
  const { dir } = found;
  try {
    const memory = await openMemory({ dir, consent, onWork: boundHeap });
    const { isForgettingDue } = await import("../../tree/logs/forgotten.ts");
    if (await isForgettingDue(memory.files))
      await (await import("../../forget/forget.ts")).resumeForgetting(memory, {});
    const { runCapture, runUpkeep } = await import("../../agents/hooks/upkeep.ts");
    const of = { client: client.name, profile: client.profile };
    if (what === "captured") await runCapture(memory, { ...of, ended, session, transcript });
    else await runUpkeep(memory, { ...of, captured: memory.kind === "personal" ? "no" : client.captured });
    await memory.close();
    forgetOldNotes();
  } catch (error) {
    await record([client.name, what], dir, error);
  }
}

/** Writes synchronously if the reader accepts that, to avoid loading streams. A closed reader is not a failure. */
function written(text: string): Promise<void> {
  const rest = tryToWrite(Buffer.from(text));
  if (rest.length === 0) return Promise.resolve();
  return new Promise((resolve) => {
    process.stdout.on("error", () => resolve());
    process.stdout.write(rest, () => resolve());
  });
}

/** Returns the bytes that the reader did not accept; none if it is closed. */
function tryToWrite(bytes: Buffer): Buffer {
  let at = 0;
  try {
    while (at < bytes.length) at += writeSync(1, bytes, at);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EAGAIN") return bytes.subarray(at);
  }
  return Buffer.alloc(0);
}

/** Bytes read at the end of a transcript: the call that starts a subagent was just written, and a compaction is in the last turn. */
const mostOfTranscript = 256 * 1024;

/** The end of a transcript; empty if it cannot be read. */
function endOf(path: string): string {
  try {
    // Opening a FIFO without a writer must not wait for one.
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stat = fstatSync(fd);
      if (!stat.isFile()) return "";
      const bytes = Buffer.alloc(Math.min(stat.size, mostOfTranscript));
      const count = readSync(fd, bytes, 0, bytes.length, stat.size - bytes.length);
      return bytes.toString("utf8", 0, count);
    } finally {
      closeSync(fd);
    }
  } catch {
    return "";
  }
}

/** Finds the nearest memory, searching upward, or else the personal one, and whether it is trusted. `undefined` if there is none, or if it is untrusted and either has no configuration or contains other users' files. */
function nearestForHook(
  from: string,
  consent: Consent,
): { readonly dir: string; readonly trust: "trusted" | "untrusted" } | undefined {
  const found = nearestMemory(from);
  if (found === undefined) {
    const personal = personalMemory();
    return personal !== undefined && openTrusted().isTrusted(personal)
      ? { dir: personal, trust: "trusted" }
      : undefined;
  }
  if (consent === "given" || openTrusted().isTrusted(found.dir)) return { dir: found.dir, trust: "trusted" };
  // Do not announce another user's folder: anyone can put one above a shared folder.
  const isOwn = found.configured === "yes" && otherOwners(found.dir).length === 0;
  return isOwn ? { dir: found.dir, trust: "untrusted" } : undefined;
}

/** A memory plus a way to start background processes on this machine, which hooks need. */
function openHookHost(memory: Memory, consent: Consent): HookHost {
  const background = createNodeBackground({ dir: memory.dir, program: shippedFile("dist/bin.js") });
  return {
    memory,
    background: {
      ...background,
      // A background hook needs the same consent; other commands do not check it.
      start: (words) => background.start(words[0] === "hook" && consent === "given" ? [...words, "--trust"] : words),
    },
  };
}

/** The files of a project folder, for hooks that cannot open the memory. */
export function openHookFiles(dir: string): Files {
  return guardFiles(createNodeFiles({ root: dir }), openLocalState(dir));
}
