import { ifMemoryError, MemoryError } from "../../base/errors.ts";
import { wordsOnly } from "../../text/corrected.ts";
import type { Known } from "../../recall/context/remembered.ts";
import type { AgentMemory } from "../memory.ts";
import {
  beginsAnew,
  inContext,
  sessionHeading,
  sessionOfAgent,
  threadIdOf,
  type Injection,
} from "../sessions/record.ts";
import { openSession, type SessionRecord } from "../sessions/record.ts";
import type { HookAnswer, HookCall, HookHost } from "./hook-call.ts";
import type { PromptText } from "./prompt-text.ts";
import { isFirstToInject, isFirstToSay } from "./session-notes.ts";

const nothing: HookAnswer = { text: "", notice: "" };

/** Answers an event. Errors: any from reading the memory. */
export async function runHook(host: HookHost, call: HookCall, signal: AbortSignal): Promise<HookAnswer> {
  if (call.event === "session-start") return startSession(host, call);
  if (call.event === "prompt" || call.event === "subagent-start") return answerPrompt(host, call, signal);
  await capture(host, call);
  if (call.event === "before-compaction" && call.compaction === "event") await noteCompaction(host, call);
  return call.event === "before-compaction" ? { text: keepText, notice: "" } : nothing;
}

async function startSession(host: HookHost, call: HookCall): Promise<HookAnswer> {
  const { memory, background } = host;
  const seconds = Math.floor(memory.clock.now() / 1000);
  const record = await openSession(memory.files, call.client, call.session);
  if (call.source === "again") return isFirstToInject(call, memory.dir, seconds) === "no" ? nothing : againOf(record);
  const isEmptied = beginsAnew(call.source);
  const past = isEmptied ? [] : inContext(record.past);
  // A start without a source was given with a prompt, and stays in the history.
  const given = past.find(({ event, source }) => event === "session-start" && source !== "");
  const start = await startOf(host, call, { past, given });
  if (isFirstToInject(call, memory.dir, seconds) === "no") return nothing;
  // After a compaction within a session, upkeep is already running or done.
  if (call.source !== "compact") await background.start(["hook", call.client, "upkeep", memory.dir]);
  // Upkeep and recall need the configuration, and upkeep fails where the user cannot see it.
  const { readConfiguration } = await import("../../tree/setup/configuration.ts");
  const notice = await readConfiguration(memory).then(() => "", ifMemoryError(pausedBy));
  // Keeps the prompts of this session from repeating the notice.
  if (notice !== "") isFirstToSay(call, "paused");
  const head = isEmptied ? await headOf(memory, call) : {};
  const { text = "", sources: lines = [], memory: digest = "", left } = start ?? {};
  const injection = { ...begun(memory, call), memory: digest, lines, text, ...(left && { left }), ...head };
  // An empty first start is recorded, too: what comes later changed since. After a resume, the next prompt looks for what changed.
  const isNew = start === undefined ? past.length > 0 && call.start !== "system" : text !== "" || past.length === 0;
  const shown = start === undefined && call.start === "system" ? (given?.text ?? "") : text;
  return { text: shown, notice, ...(isNew && { record: () => record.append(injection) }) };
}

/** What a session got after its last compaction, for a client that keeps the text only as long as it runs. */
function againOf({ past: [first] }: SessionRecord): HookAnswer {
  return { text: first?.source === "compact" ? first.text : "", notice: "" };
}

/** What to give at the start; `undefined` if the client shows exactly what it showed before. */
async function startOf(
  { memory, isLate }: HookHost,
  call: HookCall,
  { past, given }: { readonly past: readonly Injection[]; readonly given: Injection | undefined },
) {
  const { session, source, start } = call;
  const goesOn = past.length > 0 || source === "resume";
  // Anything else at its place would change the beginning of each request.
  if (start === "prompt" || (start === "system" && goesOn && (given !== undefined || source === "resume")))
    return undefined;
  const { sessionText } = await import("./session-text.ts");
  return sessionText(memory, call, {
    // A session from before the records, or without them, gets everything.
    ...(past.length > 0 && { known: past.map(({ text }) => text).join("\n") }),
    ...(session !== "" && !beginsAnew(source) && { own: sessionHeading(session) }),
    ...(isLate && { isLate }),
  });
}

function begun(
  memory: AgentMemory,
  { event, source }: Pick<HookCall, "event" | "source">,
): Pick<Injection, "at" | "event" | "source"> {
  const at = new Date(memory.clock.now()).toISOString();
  return { at, event: event === "session-start" ? event : "prompt", source };
}

/** Where the conversation stood when its client compacted it. */
async function headOf(memory: AgentMemory, { client, session }: HookCall): Promise<Pick<Injection, "head">> {
  const head = await memory.threads.head(threadIdOf(client, session)).catch(ifMemoryError(() => undefined));
  return head === undefined ? {} : { head: head.head_seq };
}

/** The notice that a session gets once while the configuration is invalid. */
export function pausedBy({ message }: MemoryError): string {
  return `Recall and upkeep are paused: ${message}`;
}

async function answerPrompt(
  { memory, background, isLateForMeaning }: HookHost,
  call: HookCall,
  signal: AbortSignal,
): Promise<HookAnswer> {
  const seconds = Math.floor(memory.clock.now() / 1000);
  if (call.prompt === "" || isFirstToInject(call, memory.dir, seconds) === "no") return nothing;
  const [{ promptText }, record] = await Promise.all([
    import("./prompt-text.ts"),
    // A subagent has a context of its own.
    openSession(memory.files, call.client, call.agent === "" ? call.session : sessionOfAgent(call.session, call.agent)),
  ]);
  const compaction = isCompacted(call, record.past) ? [await compactionOf(memory, call)] : [];
  const recorded = compaction.length > 0 ? compaction : record.past;
  const start = await startAtPrompt(memory, call, recorded);
  const past = start === undefined ? recorded : [...recorded, start];
  const limit = call.agent === "" ? "prompt" : "brief";
  const recalled = promptText(memory, call.prompt, {
    signal,
    known: knownOf(call, past),
    limit,
    isLate: isLateForMeaning,
  });
  // The text at the start is not lost because recall took too long or is paused.
  const found = await (start !== undefined ? recalled.catch(ifNotRecalled) : recalled);
  for (const dir of found.incomplete) await background.start(["index", "--dir", dir]);
  const { text, lines, generation, meaning } = found;
  const injection = { ...begun(memory, call), memory: generation, lines, text, ...(meaning && { meaning }) };
  const given = [...compaction, ...(start === undefined ? [] : [start]), ...(text === "" ? [] : [injection])];
  return {
    text: given.flatMap((one) => (one.text === "" ? [] : [one.text])).join("\n\n"),
    notice: "",
    ...(given.length > 0 && { record: async () => appendAll(record, given) }),
  };
}

/** No passages if recall was aborted or the configuration is invalid. */
function ifNotRecalled(error: unknown): PromptText {
  const name = error instanceof MemoryError ? error.code : error instanceof Error ? error.name : "";
  if (!["aborted", "invalid_config", "TimeoutError", "AbortError"].includes(name)) throw error;
  return { text: "", lines: [], incomplete: [], generation: "" };
}

async function appendAll(record: SessionRecord, given: readonly Injection[]): Promise<void> {
  for (const one of given) await record.append(one);
}

/**
 * For a client that keeps it only with a prompt. The text at the start of the session, if the record lacks it: at the first prompt, or at the first one after a compaction. Otherwise what
 * changed since, once `ROOT.md` is another.
 */
async function startAtPrompt(
  memory: AgentMemory,
  call: HookCall,
  past: readonly Injection[],
): Promise<Injection | undefined> {
  if (call.start !== "prompt" || call.agent !== "") return undefined;
  const { rootDigest, sessionText } = await import("./session-text.ts");
  const starts = past.filter(({ event }) => event === "session-start");
  // A resume has no text.
  const last = starts.findLast(({ source, text }) => source !== "resume" || text !== "");
  if (last !== undefined && last === starts.at(-1) && last.memory === (await rootDigest(memory))) return undefined;
  const lost = last === undefined && past[0]?.event === "compaction";
  const start = await sessionText(memory, call, {
    ...(last !== undefined && { known: past.map(({ text }) => text).join("\n") }),
    ...(call.session !== "" && !lost && { own: sessionHeading(call.session) }),
  });
  const at = begun(memory, { event: "session-start", source: call.source });
  const { text, sources: lines, memory: digest, left } = start;
  return { ...at, memory: digest, lines, text, ...(left && { left }) };
}

/** For a client that says nothing after a compaction. */
async function noteCompaction({ memory }: HookHost, call: HookCall): Promise<void> {
  const record = await openSession(memory.files, call.client, call.session);
  await record.append(await compactionOf(memory, call));
}

async function compactionOf(memory: AgentMemory, call: HookCall): Promise<Injection> {
  const at = new Date(memory.clock.now()).toISOString();
  const head = await headOf(memory, call);
  return { at, event: "compaction", source: call.source, memory: "", lines: [], text: "", ...head };
}

/** Whether Gemini CLI compressed its context: in its transcript, the history was replaced by one without the text at the start of the session. */
function isCompacted({ transcriptEnd = "" }: HookCall, past: readonly Injection[]): boolean {
  const given = past.find(({ event, text }) => event === "session-start" && text !== "");
  const mark = /^<<<([0-9a-f]{8}) /u.exec(given?.text ?? "")?.[1];
  if (mark === undefined) return false;
  const rows = transcriptEnd.split("\n");
  const history = rows.findLastIndex(
    (row) => row.startsWith('{"$set":{"messages":[') && row.includes('"type":"gemini"'),
  );
  return history >= 0 && !rows.slice(history).some((row) => row.includes(mark));
}

/** What the model already has: the texts it was given, and the conversation itself. */
function knownOf({ client, session, agent, start }: HookCall, past: readonly Injection[]): Known {
  const left = start === "system" ? past.filter(({ event }) => event === "session-start") : past;
  const seen = left.length === 0 ? "" : wordsOnly(left.map(({ text }) => text).join("\n"));
  if (session === "" || agent !== "") return { seen, isOwn: () => false };
  const [thread, heading] = [`thread:${threadIdOf(client, session)}`, sessionHeading(session)];
  const head = past[0]?.head ?? 0;
  return {
    seen,
    isOwn: (row) => (row.source === thread ? row.lines[0] > head : row.heading === heading),
  };
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
