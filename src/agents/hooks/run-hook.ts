import { ifMemoryError, MemoryError } from "../../base/errors.ts";
import type { HookAnswer, HookCall, HookHost } from "./hook-call.ts";
import { isFirstToInject, isFirstToSay } from "./session-notes.ts";

const nothing: HookAnswer = { text: "", notice: "" };

/** Answers an event. Errors: any from reading the memory. */
export async function runHook(host: HookHost, call: HookCall, signal: AbortSignal): Promise<HookAnswer> {
  if (call.event === "session-start") return startSession(host, call);
  if (call.event === "prompt") return answerPrompt(host, call, signal);
  await capture(host, call);
  return call.event === "before-compaction" ? { text: keepText, notice: "" } : nothing;
}

async function startSession({ memory, background }: HookHost, call: HookCall): Promise<HookAnswer> {
  const seconds = Math.floor(memory.clock.now() / 1000);
  const { sessionText } = await import("./session-text.ts");
  const text = await sessionText(memory, call.space, call.root);
  if (isFirstToInject(call, memory.dir, seconds) === "no") return nothing;
  // After a compaction within a session, upkeep is already running or done.
  if (call.source !== "compact") await background.start(["hook", call.client, "upkeep", memory.dir]);
  // Upkeep and recall need the configuration, and upkeep fails where the user cannot see it.
  const { readConfiguration } = await import("../../tree/setup/configuration.ts");
  const notice = await readConfiguration(memory).then(() => "", ifMemoryError(pausedBy));
  // Keeps the prompts of this session from repeating the notice.
  if (notice !== "") isFirstToSay(call, "paused");
  return { text, notice };
}

/** The notice that a session gets once while the configuration is invalid. */
export function pausedBy({ message }: MemoryError): string {
  return `Recall and upkeep are paused: ${message}`;
}

async function answerPrompt(
  { memory, background }: HookHost,
  call: HookCall,
  signal: AbortSignal,
): Promise<HookAnswer> {
  const seconds = Math.floor(memory.clock.now() / 1000);
  if (call.prompt === "" || isFirstToInject(call, memory.dir, seconds) === "no") return nothing;
  const { promptText } = await import("./prompt-text.ts");
  const { text, index } = await promptText(memory, call.prompt, signal);
  if (index === "incomplete") await background.start(["index", "--dir", memory.dir]);
  return { text, notice: "" };
}

/** What has ended, as a value of `heartwood capture --ended`. */
const ended: Partial<Record<HookCall["event"], string>> = { "turn-end": "turn", "session-end": "session" };

/** Needs no lock: capturing the same messages again adds nothing. */
async function capture({ memory, background }: HookHost, call: HookCall): Promise<void> {
  if (call.captured === "no") return;
  const { client, event, session, transcript } = call;
  const words = ["hook", client, "captured", memory.dir, ended[event] ?? "", session, transcript];
  if ((await background.start(words)) === "failed")
    throw new MemoryError(
      "io",
      "Could not start a process to capture the conversation; the next session will capture it.",
    );
}

/** For clients that accept it: what the summary of a conversation should keep because it is stored nowhere else. */
const keepText = [
  "The conversation so far is captured in the project's memory (memory/), and you will get an overview of that memory again after the compaction.",
  "So focus the summary on the current work and the next step; decisions and their reasons; the user's corrections and wishes, in the user's own words;",
  "the paths, names and numbers needed to continue; and what was tried and failed. Leave out anything that can be reread from files.",
].join("\n");
