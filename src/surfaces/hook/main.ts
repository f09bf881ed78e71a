import { writeSync } from "node:fs";
import { MemoryError } from "../../base/errors.ts";
import type { HookCall } from "../../engine/hooks/hook-call.ts";
import { openMemory, type Consent } from "../../open.ts";
import { nearestForHook, openHookFiles, openHookHost, openSaidOnce } from "../../open-hook.ts";
import { eventOf, hookClients, noticeFrom, printAnswer, type ClientEvent, type HookClient } from "./clients.ts";
import { readInput, type HookInput } from "./read-input.ts";
import { readStream, type ReadInput } from "./standard-input.ts";

/** Milliseconds after which a hook ends whatever it is doing: a disk may hang. */
const longestMs = 10_000;
const inputLimits = { waitMs: 1000, most: 8 * 1024 * 1024 };

/** The process of `heartwood hook <client> <event>`: it never fails its client. `said`: called when it has something to say. */
export async function main(said: () => void): Promise<void> {
  // A word that is not the client's would break what it reads.
  console.log = console.error = () => undefined;
  process.on("uncaughtException", () => process.exit(0));
  const given = process.argv.slice(3);
  const consent = given.at(-1) === "--trust" ? "given" : "recorded";
  const words = consent === "given" ? given.slice(0, -1) : given;
  if (words[1] === "upkeep" || words[1] === "captured") return work(words, consent);
  const watchdog = setTimeout(() => process.exit(0), longestMs);
  const output = await answer(words[0] ?? "", words[1] ?? "", consent).catch(() => "");
  if (output !== "") said();
  await written(output);
  clearTimeout(watchdog);
  process.exit(0);
}

async function answer(clientName: string, eventName: string, consent: Consent): Promise<string> {
  const client = hookClients.find(({ name }) => name === clientName);
  const event = client === undefined ? undefined : eventOf(client, eventName);
  const { text, fault } = await standardInput();
  const input = readInput(text);
  const found = nearestForHook(folderOf(input), consent);
  if (found === undefined) return "";
  if (found.trust === "untrusted") return refusalTo(client, event, input);
  const { dir } = found;
  const told = { client: clientName, event: eventName, dir };
  try {
    const wrong = fault ?? faultOf({ client, event, input });
    if (wrong !== undefined) await record(told, wrong);
    if (client === undefined || event === undefined) return "";
    const host = openHookHost(await openMemory({ dir, consent }), consent);
    const { runHook, promptPatience } = await import("../../engine/hooks/run-hook.ts");
    const signal = AbortSignal.timeout(promptPatience);
    const text = await runHook(host, callOf(client, event, input), signal);
    return printAnswer(client, event, { text, notice: "" });
  } catch (error) {
    await record(told, error);
    return "";
  }
}

/** A person who tries it out writes none. */
async function standardInput(): Promise<ReadInput> {
  if (process.stdin.isTTY) return { text: "{}", fault: undefined };
  return readStream(process.stdin, inputLimits);
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
  const { isFirstOfSession } = await import("../../engine/hooks/injected-once.ts");
  if ((await isFirstOfSession(openSaidOnce(), client.name, session)) === "no") return "";
  const notice = await noticeFrom(
    "this folder has a memory that you have not trusted, so nothing of it is used; run `heartwood trust` in it if you know where it comes from.",
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
  const { recordHookError } = await import("../../engine/hooks/errors.ts");
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
    const { runCapture, runUpkeep } = await import("../../engine/hooks/upkeep.ts");
    if (what === "captured") await runCapture(host, { client: client.name, ended, session, transcript });
    else await runUpkeep(host, { client: client.name, space: client.space, captured: client.captured });
  } catch (error) {
    await record({ client: client.name, event: what, dir }, error);
  }
}

/** At once where the reader has room, which takes no stream. A reader that went away is no failure. */
function written(text: string): Promise<void> {
  const bytes = Buffer.from(text);
  let at = 0;
  try {
    while (at < bytes.length) at += writeSync(1, bytes, at);
    return Promise.resolve();
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) return Promise.resolve();
  }
  const rest = bytes.subarray(at);
  return new Promise((resolve) => {
    process.stdout.on("error", () => resolve());
    process.stdout.write(rest, () => resolve());
  });
}
