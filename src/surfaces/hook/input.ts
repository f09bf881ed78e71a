import { MemoryError } from "../../base/errors.ts";

/** What a client told of an event; a text that it did not tell is empty. */
export interface HookInput {
  readonly session: string;
  readonly cwd: string;
  readonly source: string;
  readonly prompt: string;
  readonly promptId: string;
  readonly transcript: string;
  /** Whether the client has ROOT.md by itself (`"has": "root"`, as our plugins tell). */
  readonly root: "wanted" | "had";
  /** Whether the JSON was an object that could be read. */
  readonly state: "read" | "empty" | "broken";
}

/** The names that clients have for the same, in the order in which they count. */
const keys = {
  session: ["session_id", "sessionId", "sessionID", "conversation_id", "trajectory_id"],
  cwd: ["cwd", "workspaceDir", "directory"],
  source: ["source"],
  prompt: ["prompt", "user_prompt"],
  promptId: ["prompt_id", "turn_id", "generation_id", "execution_id", "messageID"],
  transcript: ["transcript_path", "transcriptPath"],
  has: ["has"],
} as const;

/** Sources of a prompt that are no person. */
const notPersons: ReadonlySet<string> = new Set(["system", "loop_wakeup", "schedule_wakeup", "poll_event"]);

/** Characters of an id; none that is known has more than 64. */
const longestId = 256;

/** Reads what a client wrote to standard input; what is not what it should be counts as not told. */
export function readInput(text: string): HookInput {
  const value = parsed(text);
  const object = isObject(value) ? value : {};
  const tool = isObject(object["tool_info"]) ? object["tool_info"] : {};
  const text_ = (name: keyof typeof keys): string => firstText([object, tool], keys[name]);
  const roots = object["workspace_roots"];
  const root = Array.isArray(roots) && typeof roots[0] === "string" ? roots[0] : "";
  const source = text_("source");
  const transcript = text_("transcript");
  return {
    session: text_("session").slice(0, longestId),
    cwd: text_("cwd") || root,
    source,
    prompt: notPersons.has(source) ? "" : text_("prompt"),
    promptId: text_("promptId").slice(0, longestId),
    // Only a path that cannot be taken for an option, and not for another folder's.
    transcript: isAbsolute(transcript) ? transcript : "",
    root: text_("has") === "root" ? "had" : "wanted",
    state: text.trim() === "" ? "empty" : isObject(value) ? "read" : "broken",
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/u, ""));
  } catch {
    return undefined;
  }
}

type Fields = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function firstText(objects: readonly Fields[], names: readonly string[]): string {
  for (const object of objects)
    for (const name of names) {
      const value = Object.hasOwn(object, name) ? object[name] : undefined;
      // No path, id or argument can hold it.
      if (typeof value === "string" && value !== "") return value.replaceAll("\0", "");
    }
  return "";
}

function isAbsolute(path: string): boolean {
  return /^(?:\/|[A-Za-z]:[\\/]|\\\\)/u.test(path) && !path.includes("\0");
}

/** What of a stream standard input has. */
interface InputStream {
  on(event: "data", listener: (chunk: Uint8Array) => void): unknown;
  on(event: "end" | "close" | "error", listener: () => void): unknown;
  pause(): unknown;
}

interface InputLimits {
  /** Milliseconds to wait for its end. */
  readonly waitMs: number;
  /** Bytes. */
  readonly most: number;
}

export interface ReadInput {
  readonly text: string;
  readonly fault: MemoryError | undefined;
}

/** Longer texts are not tried before their end: each time costs as much as all of it. */
const mostTried = 64 * 1024;

/** Reads what a client writes, to its end, or to the end of its JSON where the client leaves the stream open. Never fails. */
export function readStream(stream: InputStream, { waitMs, most }: InputLimits): Promise<ReadInput> {
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    const finish = (fault?: MemoryError): void => {
      clearTimeout(timer);
      // To destroy it would load what writes to standard error; the process is about to end.
      stream.pause();
      resolve({ text: Buffer.concat(chunks).subarray(0, most).toString("utf8"), fault });
    };
    const timer = setTimeout(() => finish(size === 0 ? undefined : tooLate(waitMs)), waitMs);
    stream.on("data", (chunk) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > most) finish(tooMuch(most));
      else if (size <= mostTried && chunk.at(-1) === closingBrace && isWhole(Buffer.concat(chunks))) finish();
    });
    for (const event of ["end", "close", "error"] as const) stream.on(event, () => finish());
  });
}

const closingBrace = 0x7d;

function isWhole(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString("utf8"));
    return true;
  } catch {
    return false;
  }
}

function tooLate(ms: number): MemoryError {
  return new MemoryError(
    "io",
    `Standard input did not end within ${ms} ms; a client writes one JSON object and closes it.`,
  );
}

function tooMuch(most: number): MemoryError {
  return new MemoryError("io", `Standard input has more than ${most} bytes; what lies behind them was not read.`);
}
