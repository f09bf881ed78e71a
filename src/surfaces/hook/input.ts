import { MemoryError } from "../../base/errors.ts";
import { isObject, parseJson, parseObject } from "../../base/json.ts";
import type { HookCall } from "../../agents/hooks/hook-call.ts";

/** A client's input for an event; missing strings are empty. */
export interface HookInput extends Pick<
  HookCall,
  "session" | "agent" | "agentKind" | "source" | "prompt" | "promptId" | "time" | "transcript" | "root"
> {
  readonly cwd: string;
  /** Whether standard input was a JSON object. */
  readonly state: "read" | "empty" | "broken";
}

/** The clients' names for each field, in order of precedence. */
const keys = {
  session: ["session_id", "sessionId", "sessionID", "conversation_id", "trajectory_id"],
  cwd: ["cwd", "workspaceDir", "directory"],
  agent: ["agent_id", "agentId"],
  agentKind: ["agent_type", "agentType"],
  source: ["source"],
  prompt: ["prompt", "user_prompt"],
  promptId: ["prompt_id", "turn_id", "generation_id", "execution_id", "messageID"],
  transcript: ["transcript_path", "transcriptPath"],
  has: ["has"],
} as const;

/** Prompt sources that are not a user. */
const notUsers: ReadonlySet<string> = new Set(["system", "loop_wakeup", "schedule_wakeup", "poll_event"]);

/** Maximum characters of an id; no known client uses more than 64. */
const longestId = 256;

/** Reads what a client wrote to standard input; treats values of a wrong type as missing. */
export function readInput(text: string): HookInput {
  const value = parseObject(text.replace(/^\uFEFF/u, ""));
  const object = value ?? {};
  const tool = isObject(object["tool_info"]) ? object["tool_info"] : {};
  const roots = object["workspace_roots"];
  const valueOf = (name: keyof typeof keys): string => firstText([object, tool], keys[name]);
  const source = valueOf("source");
  const transcript = valueOf("transcript");
  // As a number only from Copilot.
  const { timestamp } = object;
  return {
    session: valueOf("session").slice(0, longestId),
    agent: valueOf("agent").slice(0, longestId),
    agentKind: valueOf("agentKind").slice(0, longestId),
    cwd: valueOf("cwd") || (Array.isArray(roots) && typeof roots[0] === "string" ? roots[0] : ""),
    source,
    prompt: notUsers.has(source) ? "" : valueOf("prompt"),
    promptId: valueOf("promptId").slice(0, longestId),
    ...(typeof timestamp === "number" && { time: String(timestamp) }),
    // Only absolute paths: they cannot be mistaken for an option, and do not depend on the current folder.
    transcript: /^(?:\/|[A-Za-z]:[\\/]|\\\\)/u.test(transcript) ? transcript : "",
    root: valueOf("has") === "root" ? "had" : "wanted",
    state: text.trim() === "" ? "empty" : value === undefined ? "broken" : "read",
  };
}

function firstText(objects: readonly Readonly<Record<string, unknown>>[], names: readonly string[]): string {
  for (const object of objects)
    for (const name of names) {
      const value = Object.hasOwn(object, name) ? object[name] : undefined;
      // A path, an id or an argument cannot contain NUL.
      if (typeof value === "string" && value !== "") return value.replaceAll("\0", "");
    }
  return "";
}

/** Maximum bytes of standard input to read. */
const most = 8 * 1024 * 1024;
/** Longer texts are not parsed before the input ends, since each attempt parses everything again. */
const mostTried = 64 * 1024;

/** Reads a client's input to its end, or to the end of the JSON if the client leaves the stream open. Never fails. */
export function readStream(
  stream: NodeJS.ReadStream,
  waitMs: number,
): Promise<{ readonly text: string; readonly fault: MemoryError | undefined }> {
  // A user who tries the command in a terminal gives no input.
  if (stream.isTTY) return Promise.resolve({ text: "{}", fault: undefined });
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    const finish = (problem = ""): void => {
      clearTimeout(timer);
      // Pause, because destroy would load the code for standard error and the process is about to end.
      stream.pause();
      const text = Buffer.concat(chunks).subarray(0, most).toString("utf8");
      resolve({ text, fault: problem === "" ? undefined : new MemoryError("io", problem) });
    };
    const timer = setTimeout(() => {
      const late = `Standard input did not end within ${waitMs} ms; a client writes one JSON object and closes it.`;
      finish(size === 0 ? "" : late);
    }, waitMs);
    stream.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > most) finish(`Standard input is longer than ${most} bytes; the rest was not read.`);
      else if (size <= mostTried && chunk.at(-1) === 0x7d && parseJson(Buffer.concat(chunks).toString("utf8")))
        finish();
    });
    for (const event of ["end", "close", "error"]) stream.on(event, () => finish());
  });
}

/**
 * The task of a subagent that is about to start, from the end of its parent's transcript: the newest call of the tool `Agent` or `Task` for this kind of
 * subagent. Empty if there is none.
 */
export function briefIn(transcript: string, kind: string): string {
  if (kind === "") return "";
  for (const line of transcript.split("\n").toReversed()) {
    if (!line.includes('"tool_use"')) continue;
    const brief = briefOfRow(parseObject(line), kind);
    if (brief !== "") return brief;
  }
  return "";
}

function briefOfRow(row: Readonly<Record<string, unknown>> | undefined, kind: string): string {
  const message = row?.["message"];
  const content = isObject(message) && row?.["isSidechain"] !== true ? message["content"] : undefined;
  if (!Array.isArray(content)) return "";
  for (const part of content.toReversed() as readonly unknown[]) {
    if (!isObject(part) || part["type"] !== "tool_use" || !["Agent", "Task"].includes(String(part["name"]))) continue;
    const input = isObject(part["input"]) ? part["input"] : {};
    const prompt = input["prompt"];
    if ((input["subagent_type"] ?? kind) === kind && typeof prompt === "string") return prompt;
  }
  return "";
}
