import { MemoryError } from "../../base/errors.ts";
import type { AgentMemory } from "../memory.ts";
import type { HookAnswer, HookCall, HookHost } from "./hook-call.ts";
import { isFirstToSay } from "./session-memories.ts";
import type { Once } from "../../platform/once.ts";

const nothing: HookAnswer = { text: "", notice: "" };

/** Does what an event asks for. Errors: those of reading the memory. */
export async function runHook(host: HookHost, call: HookCall, signal: AbortSignal): Promise<HookAnswer> {
  switch (call.event) {
    case "session-start":
      return startSession(host, call);
    case "prompt":
      return answerPrompt(host, call, signal);
    case "before-compaction":
      await capture(host, call);
      return { text: keepText, notice: "" };
    case "turn-end":
    case "session-end":
      await capture(host, call);
      return nothing;
  }
}

async function startSession(host: HookHost, call: HookCall): Promise<HookAnswer> {
  const { memory, once, background } = host;
  const seconds = Math.floor(memory.clock.now() / 1000);
  const { sessionText } = await import("./session-text.ts");
  const text = await sessionText(memory, call.space, call.root);
  if ((await isFirst(once, call, seconds)) === "no") return nothing;
  // After a compaction within a session everything of this is under way or done.
  if (call.source !== "compact") await background.start(["hook", call.client, "upkeep", memory.dir]);
  const notice = await configurationFault(memory);
  // So that the prompts of this session do not say it again.
  if (notice !== "") isFirstToSay(call, "paused");
  return { text, notice };
}

/** Everything but the text of the session needs the configuration, and upkeep fails where the user does not see it. */
async function configurationFault(memory: AgentMemory): Promise<string> {
  const { readConfiguration } = await import("../../tree/setup/configuration.ts");
  try {
    await readConfiguration(memory);
    return "";
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return pausedBy(error);
  }
}

/** What the user is told once per session while the configuration is invalid. */
export function pausedBy({ message }: MemoryError): string {
  return `Recall and upkeep are paused: ${message}`;
}

async function answerPrompt(
  { memory, once, background }: HookHost,
  call: HookCall,
  signal: AbortSignal,
): Promise<HookAnswer> {
  const seconds = Math.floor(memory.clock.now() / 1000);
  if (call.prompt === "" || (await isFirst(once, call, seconds)) === "no") return nothing;
  const { promptText } = await import("./prompt-text.ts");
  const { text, index } = await promptText(memory, call.prompt, signal);
  if (index === "behind") await background.start(["index", "--dir", memory.dir]);
  return { text, notice: "" };
}

/** What is over, as `heartwood capture --ended` takes it. */
const ended: Partial<Record<HookCall["event"], string>> = { "turn-end": "turn", "session-end": "session" };

/** A second capture of the same messages adds nothing, so no process needs to be the only one. */
async function capture({ memory, background }: HookHost, call: HookCall): Promise<void> {
  if (call.captured === "no") return;
  const { client, event, session, transcript } = call;
  const words = ["hook", client, "captured", memory.dir, ended[event] ?? "", session, transcript];
  if ((await background.start(words)) === "failed")
    throw new MemoryError("io", "The system started no process to capture the conversation; the next session does it.");
}

/**
 * Whether this process is the one that injects: a client and a plugin may both have started one. On a disk that cannot tell, it is: twice is better than never.
 * `seconds`: since the epoch, when the event came.
 */
export async function isFirst(once: Once, call: HookCall, seconds: number): Promise<"yes" | "no"> {
  const nonceOf = (second: number): string =>
    // Several compactions may fall into one prompt, so only a prompt goes by its id.
    call.event === "prompt" && call.promptId !== "" ? `id-${call.promptId}` : `at-${second}`;
  const nameOf = (second: number): string => claimName(call, nonceOf(second));
  const now = nameOf(seconds);
  // Two processes of one event may see two seconds: the earlier one counts.
  const before = nameOf(seconds - 1);
  if (before !== now && (await once.isClaimed(before))) return "no";
  return (await once.claim(now)) === "taken" ? "no" : "yes";
}

/** Ids come from the client and may be anything. No digest: to load what makes one takes as long as all the rest of a claim. */
function claimName({ client, session, event, source }: HookCall, nonce: string): string {
  return [client, event, plain(session), plain(source), plain(nonce)].join("-");
}

/** Letters, digits and hyphens; other characters by their numbers. */
function plain(text: string): string {
  const name = text.replaceAll(/[^a-z0-9-]/gu, (one) => `-${(one.codePointAt(0) ?? 0).toString(36)}-`);
  return name.length <= longestPart ? name : `${name.slice(0, longestPart)}-${name.length}`;
}

const longestPart = 48;

/** What the summary of a conversation is to keep, for clients that take it: what nothing else remembers. */
const keepText = [
  "The conversation so far is being captured in the project's memory (memory/), and an overview of that memory is given again after this.",
  "So keep in the summary above all: what is being worked on and the next step; decisions with their reasons; corrections and wishes of the user, in their words;",
  "paths, names and numbers that are needed to go on; what was tried and failed. Leave out what can be read again in files.",
].join("\n");
